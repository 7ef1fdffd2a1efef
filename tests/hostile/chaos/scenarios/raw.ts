import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, type Client, createClient, toolPath } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { openWire, writeChunk, writeHead } from '../../../contract/wire'
import { type Scenario, judge } from '../scenario'
import { isInTime } from '../patience'
import { RAW_REQUESTS, type RawRequest } from '../raw-requests'

const CREDITS = 1000
/** No response until then counts as none. The service waits 10 s for a body. */
const RESPONSE_MS = 120_000
const CONTROL_MS = 1000
const LIMIT_BYTES = 1_000_000
/** The most bytes beyond the limit of a body: data in buffers of Sheaf and of the system. */
const SPARE_BYTES = 8 * 2 ** 20
const CHUNK = Buffer.alloc(64 * 1024, 'x')
const DOCUMENT = { name: 'a.pdf', bytes: makePdf() }
/** Internal words that no response may contain. */
const INNER =
  /node_modules|\.(?:m?js|ts):\d|\/(?:tmp|home|root|usr|var)\/|\n\s+at |pdf-lib|busboy|ENOENT|select .* from/i

/** Requests that no client library sends. */
export const raw: Scenario = {
  name: 'raw',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `${RAW_REQUESTS.length} malformed HTTP requests, forms, JSON bodies and base64 strings, and a body without end. Each gets a clear ` +
    'error for free, and the next request works.',
  async run({ environment, isQuick }) {
    await environment.start()
    const client = await environment.createClient('raw@example.test', { credits: CREDITS })
    const problems: (string | undefined)[] = []
    const ledger: (string | undefined)[] = []
    const controls: (string | undefined)[] = []
    let balance = await client.balance()
    for (const request of RAW_REQUESTS) {
      const response = await send(client, request)
      problems.push(findProblem(request, response))
      if (response !== 'cut' && response !== 'silence' && response.status === 200) balance -= 1
      const next = await control(client)
      balance -= 1
      ledger.push(next.balance === balance ? undefined : `${request.what}: ${next.balance} left in place of ${balance}`)
      balance = next.balance ?? balance
      controls.push(
        next.status === 200 && isInTime({ isQuick }, next.elapsedMs, CONTROL_MS) && Object.keys(next.json).length === 0
          ? undefined
          : `after ${request.what}: ${next.status}, ${next.elapsedMs.toFixed(0)} ms`,
      )
    }
    const endless = await sendWithoutEnd(client)
    await environment.stop()
    await environment.start({ MAX_BODY_BYTES: String(LIMIT_BYTES) })
    const bounded = await sendWithoutEnd(
      createClient(environment.service().base, client.apiKey),
      SPARE_BYTES + LIMIT_BYTES,
    )
    return [
      judge('refused in words, or taken where that is right', problems),
      judge('what is refused is free', ledger),
      judge(isQuick ? 'the next call works' : `the next call works within ${CONTROL_MS / 1000} s`, controls),
      judge('a body without end is refused with 413 when it is too large, and hardly read further', [endless, bounded]),
    ]
  },
}

async function send(
  { base, apiKey }: Client,
  { bytes, isHalf = false }: RawRequest,
): Promise<ApiResponse | 'cut' | 'silence'> {
  const wire = await openWire(base)
  void wire.write(Buffer.from(bytes(apiKey), 'latin1')).then(() => isHalf && wire.socket.end())
  const response = await Promise.race([
    wire.response.catch((): 'cut' => 'cut'),
    wait(RESPONSE_MS).then((): 'silence' => 'silence'),
  ])
  wire.hangUp()
  return response
}

function findProblem({ what, may }: RawRequest, response: ApiResponse | 'cut' | 'silence'): string | undefined {
  if (response === 'cut') return may.includes('cut') ? undefined : `${what}: hung up without an answer`
  if (response === 'silence') return `${what}: no answer`
  const text = response.bytes.toString('utf8')
  if (!may.includes(response.status)) return `${what}: ${response.status} ${text.slice(0, 200)}`
  if (response.status === 200) return undefined
  const isOurs = response.requestId !== ''
  if (isOurs && response.status !== 308 && typeof response.json['error'] !== 'string')
    return `${what}: ${response.status} without an error in JSON: ${text.slice(0, 200)}`
  if (isOurs && response.headers['x-content-type-options'] !== 'nosniff')
    return `${what}: ${response.status} without nosniff`
  return INNER.test(text) ? `${what}: tells of the inside: ${text.slice(0, 200)}` : undefined
}

async function control(client: Client) {
  const since = performance.now()
  const response = await client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 })
  return { ...response, elapsedMs: performance.now() - since }
}

/**
 * Sends chunks until the service has finished. Returns the problems. Half a gigabyte is more than the service ever
 * accepts.
 */
async function sendWithoutEnd({ base, apiKey }: Client, mostBytes = 512 * 2 ** 20): Promise<string | undefined> {
  const wire = await openWire(base)
  await wire.write(
    writeHead(toolPath('rotate-pdf'), {
      'x-api-key': apiKey,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    }),
  )
  const state: { response?: ApiResponse } = {}
  void wire.response.then(response => (state.response = response)).catch(() => {})
  let sentBytes = 0
  await wire.write(writeChunk(Buffer.from('{"file":{"name":"a.pdf","dataBase64":"')))
  while (state.response === undefined && sentBytes <= mostBytes && (await wire.write(writeChunk(CHUNK))))
    sentBytes += CHUNK.length
  const response = await Promise.race([wire.response.catch(() => undefined), wait(RESPONSE_MS).then(() => undefined)])
  wire.hangUp()
  if (response === undefined) return `no answer after ${sentBytes} bytes`
  if (sentBytes > mostBytes) return `${sentBytes} bytes were taken`
  return response.status === 413 && response.json['error'] === 'payload_too_large' && response.charged === 0
    ? undefined
    : `${response.status} ${String(response.json['error'])}`
}
