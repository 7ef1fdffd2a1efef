import { isEngineError } from '../../engines/errors'
import { createFileFetcher, type FileFetcher } from '../../engines/webpage/egress/fetch-file'
import { findFileUrlProblem } from '../../engines/webpage/egress/file-url'
import type { BodyFile, Remote } from '../body/body'
import { JoinedChunks } from '../body/joined-chunks'
import { getConfig } from '../config'
import type { ErrorCode } from '../errors'
import { createRefusal } from '../refusal'
import type { RunningRequest } from '../requests/request'
import type { BodyShare } from './limits/body-memory'
import { getRequestQueue } from './limits/process-limits'
import { requesterOf } from './limits/requester'
import { createTooLarge } from './request/request-head'

/** Files of one request that are fetched at the same time. */
const AT_ONCE = 4

/** A file that has only its URL until it is fetched. */
type RemoteFile = BodyFile & { remote: Remote }

interface FetchLimits {
  /** The memory of the body, which the files use too. */
  share: BodyShare
  /** Maximum bytes of the body and the files together. */
  maxBytes: number
  /** The code of the error if a file can't be fetched. */
  refusalCode: ErrorCode
}

/** Returns why this server can't fetch a file from a URL, as far as the URL shows. */
export function checkFileUrl(url: string): string | undefined {
  const { FILES_BY_URL, allowedHosts } = getConfig()
  return FILES_BY_URL === 'on'
    ? findFileUrlProblem(url, allowedHosts)
    : 'isn\'t supported by this server. Send the content of the file in "dataBase64", or as multipart/form-data.'
}

/** Returns the files of a body that have to be fetched. */
export function listRemoteFiles(files: BodyFile[]): RemoteFile[] {
  return files.filter((file): file is RemoteFile => file.remote !== undefined)
}

/**
 * Fetches files and adds their bytes to them. Waits for a place in the network lane, so that a slow server holds up no
 * engine. Rejects with RequestError if a file can't be fetched, if the files are too large, or if memory or a place in the
 * lane is missing. Rejects with the reason of the request's signal if that aborts.
 */
export async function fetchFiles(request: RunningRequest, files: RemoteFile[], limits: FetchLimits): Promise<void> {
  const release = await getRequestQueue().acquire(requesterOf(request), request.signal, 'network')
  try {
    await fetchAll(request, files, limits)
  } finally {
    release()
  }
}

async function fetchAll(
  request: RunningRequest,
  files: RemoteFile[],
  { share, maxBytes, refusalCode }: FetchLimits,
): Promise<void> {
  const { FETCH_FIRST_BYTE_MS, FETCH_TIMEOUT_MS, allowedHosts } = getConfig()
  const fetchFile = createFileFetcher({ allowed: allowedHosts, firstByteMs: FETCH_FIRST_BYTE_MS })
  const deadline = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  const others = new AbortController()
  const signal = AbortSignal.any([request.signal, deadline, others.signal])
  const take = (bytes: number) => {
    signal.throwIfAborted()
    if (request.bytesIn + bytes > maxBytes) throw createTooLarge(maxBytes)
    request.bytesIn += bytes
    return share.take(bytes)
  }
  const onLength = (bytes: number) => {
    if (request.bytesIn + bytes > maxBytes) throw createTooLarge(maxBytes)
  }
  const waiting = [...files]
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      try {
        await receive(file, fetchFile(file.remote.url, { signal, onLength }), take)
      } catch (error) {
        request.signal.throwIfAborted()
        throw describe(file.remote, deadline.aborted ? describeDeadline(FETCH_TIMEOUT_MS) : error, refusalCode)
      }
    }
  }
  let failure: { error: unknown } | undefined
  const stop = (error: unknown) => {
    failure ??= { error }
    others.abort()
  }
  // Memory may only be taken until the request ends, so each of them has to end first.
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, () => work().catch(stop)))
  if (failure) throw failure.error
}

async function receive(
  file: RemoteFile,
  content: ReturnType<FileFetcher>,
  take: (bytes: number) => Promise<void> | undefined,
): Promise<void> {
  const joined = new JoinedChunks()
  let byteLength = 0
  for await (const chunk of content) {
    await take(chunk.length)
    byteLength += chunk.length
    joined.push(chunk)
  }
  joined.end()
  file.chunks = joined.chunks
  file.byteLength = byteLength
}

function describeDeadline(ms: number): string {
  return `must deliver the files within ${ms / 1000} seconds. It took longer. Send smaller files, or send the files themselves.`
}

/** The error of a file with the name of its parameter. */
function describe({ param }: Remote, thrown: unknown, code: ErrorCode): unknown {
  if (typeof thrown === 'string') return createRefusal(code, [{ param, message: thrown }], { reason: 'not_fetched' })
  if (!isEngineError(thrown)) return thrown
  return createRefusal(code, [{ param, message: thrown.message }], { reason: 'not_fetched', cause: thrown.cause })
}
