import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { EngineError } from '../../errors'
import type { AllowedHosts } from './allowed-hosts'
import { createEgressPolicy, type EgressPolicy, type ResolveName, type Target } from './egress-policy'
import { followRedirect, portOf } from './file-url'
import { createLocalAddresses, type ListInterfaces } from './local-addresses'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

interface FetchSettings {
  /** The hosts that an operator allows although they aren't public. */
  allowed: AllowedHosts
  /** Maximum time until a server begins its response, in milliseconds. Each redirect has this time again. */
  firstByteMs: number
  resolve?: ResolveName
  listInterfaces?: ListInterfaces
}

interface Fetching {
  /** Ends the request. Its reason is thrown. */
  signal: AbortSignal
  /** Gets the size in bytes that the server announces, if it does. Throws if that is too much. */
  onLength(bytes: number): void
}

/**
 * Fetches a file and yields its bytes as they arrive. Throws EngineError `not_fetched`, whose message completes a
 * sentence that begins with the name of the URL. It contains the host, and nothing else of the URL or of the response.
 */
export type FileFetcher = (url: string, fetching: Fetching) => AsyncIterable<Uint8Array>

/**
 * Creates the fetcher for the files of one request. Hosts must be public, as for web pages: each is resolved once, and
 * only the checked addresses are connected. At most 5 redirects are followed, never from `https` to `http`. Sends no
 * credentials and no cookies. Compressed responses are refused, so nothing is ever unpacked. A response that doesn't say
 * where it ends is refused, because nobody could tell whether the file is complete.
 */
export function createFileFetcher(settings: FetchSettings): FileFetcher {
  const { allowed, firstByteMs, resolve, listInterfaces } = settings
  const isLocalAddress = createLocalAddresses(listInterfaces)
  const policy = createEgressPolicy({ allowed, isLocalAddress, ...(resolve && { resolve }) })
  return async function* (text, { signal, onLength }) {
    const { response, host } = await openFile(new URL(text), { allowed, policy, firstByteMs, signal })
    try {
      onLength(Number(response.headers['content-length'] ?? 0))
      yield* readContent(response, host, signal)
    } finally {
      response.destroy()
    }
  }
}

/** Reads a response. Node.js reports an incomplete one as an error of its stream. */
async function* readContent(response: IncomingMessage, host: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array // A stream without an encoding yields bytes.
  } catch (cause) {
    signal.throwIfAborted()
    throw notFetched(`${host} closed the connection before the end of the file. ${RETRY}`, cause)
  }
}

interface Opening {
  allowed: AllowedHosts
  policy: EgressPolicy
  firstByteMs: number
  signal: AbortSignal
}

/** Follows redirects to the response with the file. */
async function openFile(
  first: URL,
  { allowed, policy, firstByteMs, signal }: Opening,
): Promise<{ response: IncomingMessage; host: string }> {
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { host } = url
    const target = await policy(url.hostname, portOf(url))
    signal.throwIfAborted()
    if (!target) throw unreachable(host)
    const response = await sendRequest(url, { target, firstByteMs, signal })
    const { statusCode: status = 0, headers } = response
    if (REDIRECTS.has(status) && headers.location !== undefined) {
      response.destroy()
      const next = followRedirect(url, headers.location, allowed)
      if (typeof next === 'string') throw notFetched(next)
      url = next
      continue
    }
    const problem = findResponseProblem(response)
    if (problem === undefined) return { response, host }
    response.destroy()
    throw notFetched(`${host} ${problem}`)
  }
  throw notFetched(`must have at most ${MAX_REDIRECTS} redirects. Got more. Send the URL at which they end.`)
}

function sendRequest(
  url: URL,
  { target, firstByteMs, signal }: { target: Target; firstByteMs: number; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = send({
      ...target.dial,
      agent: false,
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Sheaf' },
      signal,
    })
    const timer = setTimeout(() => {
      isLate = true
      outgoing.destroy()
    }, firstByteMs)
    const fail = (cause?: Error) => {
      clearTimeout(timer)
      if (signal.aborted) reject(signal.reason as Error)
      else if (isLate) reject(notFetched(`${url.host} didn't respond within ${firstByteMs / 1000} seconds. ${RETRY}`))
      else reject(unreachable(url.host, cause))
    }
    outgoing.on('socket', socket =>
      socket.once('connect', () => {
        if (!target.isRight(socket)) socket.destroy()
      }),
    )
    outgoing.on('response', response => {
      clearTimeout(timer)
      resolve(response)
    })
    outgoing.on('error', fail).on('close', fail)
    outgoing.end()
  })
}

/** Returns what is wrong with a response before its content, as the end of a sentence. */
function findResponseProblem({ statusCode, headers }: IncomingMessage): string | undefined {
  if (statusCode !== 200)
    return `responded with status ${statusCode}. Check that the URL works without a login and hasn't expired.`
  const { 'content-encoding': encoding = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers
  if (encoding.trim().toLowerCase() !== 'identity' || transfer.trim().toLowerCase() !== 'chunked')
    return "compressed the file for the transfer, which isn't supported. Turn that off, or send the file itself."
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return "doesn't say where the file ends. It must send Content-Length or Transfer-Encoding: chunked."
  return undefined
}

const RETRY = 'Send the request again, or send the file itself.'

/** Private, unknown and unreachable hosts get the same message. */
function unreachable(host: string, cause?: Error): EngineError {
  return notFetched(
    `${host} can't be reached at a public address. Check the URL, and the certificate of the server.`,
    cause,
  )
}

function notFetched(message: string, cause?: unknown): EngineError {
  return new EngineError('not_fetched', message, { cause })
}
