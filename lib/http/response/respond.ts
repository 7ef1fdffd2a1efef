import { CLIENT_CLOSED_REQUEST } from '../../errors'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { OutputFile } from '../../../engines/types'
import type { CallError } from '../../errors'
import { getConfig } from '../../config'
import type { Exchange } from '../../http-exchange'
import { siteOrigin } from '../../site-origin'
import type { Call } from '../../calls/call'
import { writeCreditHeaders, writeServerTiming } from '../connection/call'
import { writeContentDisposition } from '../../content-disposition'
import { type RateWatch, watchRate } from '../connection/rate-watch'

/** Time at the start of a response in which the client's reading rate isn't measured. */
const GRACE_MS = 5000
/** Size of one write. Other requests run between writes. */
const CHUNK_BYTES = 256 * 1024
/** Responds with a file. The file's chunks are sent without another copy. */
export function respondWithFile(call: Call, output: OutputFile): Promise<Response> {
  for (const warning of output.warnings) call.warnings.add(warning)
  call.bytesOut = output.byteLength
  call.answered = { status: 200 }
  watchReader(call)
  return respond(call, 200, output.chunks, {
    'Content-Type': output.contentType,
    'Content-Length': output.byteLength,
    'Content-Disposition': writeContentDisposition(output.name),
    ...(call.charge ? writeCreditHeaders(call.charge.balance, call.charge.charged) : {}),
    ...(call.charge?.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    ...output.headers,
  })
}

/** Responds with an error body. `balance` is known for authenticated requests. */
export function respondWithError(call: Call, error: CallError, balance: number | undefined): Promise<Response> {
  const body = Buffer.from(JSON.stringify(describeErrorBody(error, call)))
  call.bytesOut = body.length
  call.answered = { status: error.status, error }
  return respond(call, error.status, [body], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    ...(balance === undefined ? {} : writeCreditHeaders(balance, 0)),
    ...error.headers,
  })
}

const emptyResponses = new Map<number, Response>()

/** Returns an empty Response with which Next.js ends the exchange. Creating one is slow, so requests share them. */
export function endWith(status: number): Response {
  const response = emptyResponses.get(status) ?? new Response(null, { status })
  emptyResponses.set(status, response)
  return response
}

/** Ends the exchange with a client that has closed the connection. */
export function respondToNobody(call: Call): Response {
  call.answered = { status: CLIENT_CLOSED_REQUEST }
  return endWith(CLIENT_CLOSED_REQUEST)
}

/** Returns the body of an error response. `docs` is the URL of the error's section in the documentation. */
export function describeErrorBody(
  { code, message, problems, body }: CallError,
  { req, requestId }: Pick<Exchange, 'req' | 'requestId'>,
): Record<string, unknown> {
  const [first] = problems
  return {
    error: code,
    message,
    requestId,
    docs: `${siteOrigin(req.headers.host, getConfig())}/docs/errors#${code}`,
    ...body,
    ...(problems.length === 1 && first?.param !== undefined ? { param: first.param } : {}),
    ...(problems.length === 1 && first?.rule !== undefined ? { rule: first.rule } : {}),
    ...(problems.length > 1 ? { problems } : {}),
  }
}

/**
 * Writes the response directly to Node's response. Next.js would drop the Content-Length and split a small response
 * into three writes and two streams. Next.js ends the response with the empty Response that this function returns.
 */
async function respond(
  call: Call,
  status: number,
  chunks: Uint8Array[],
  headers: OutgoingHttpHeaders,
): Promise<Response> {
  const { res, warnings } = call
  const timing = writeServerTiming(call)
  const unknownNames = writeFieldNames(call.unknownFields)
  const allHeaders: OutgoingHttpHeaders = {
    ...headers,
    'X-Request-Id': call.requestId,
    'Cache-Control': 'no-store',
    ...(timing === '' ? {} : { 'Server-Timing': timing }),
    ...(warnings.size > 0 ? { 'X-Warnings': [...warnings].join(', ') } : {}),
    ...(unknownNames === '' ? {} : { 'X-Unknown-Fields': unknownNames }),
    ...(call.preference === undefined ? {} : { 'Preference-Applied': call.preference }),
  }
  if (res.headersSent || res.destroyed) return endWith(status)
  res.statusCode = status
  for (const [name, value] of Object.entries(allHeaders)) if (value !== undefined) res.setHeader(name, value)
  call.respondingAtMs = performance.now()
  await writeAll(call, chunks)
  return endWith(status)
}

/** Closes the connection if the client reads slower than READ_MIN_RATE over any 20 s. The request is then refunded. */
function watchReader(call: Call): void {
  const { res } = call
  let rate: RateWatch | undefined
  const begin = () => {
    rate = watchRate(
      { minRate: getConfig().READ_MIN_RATE, graceMs: 0, count: () => call.bytesWritten - res.writableLength },
      () => {
        call.isCutOff = true
        res.destroy()
      },
    )
  }
  const timer = setTimeout(begin, GRACE_MS).unref()
  const end = () => {
    clearTimeout(timer)
    rate?.stop()
  }
  res.once('finish', end).once('close', end)
}

/**
 * Writes the chunks as fast as the client reads them, and releases each one. Stops early if the connection closes. The
 * system accepts megabytes at once if it has room, so other requests run between writes.
 */
async function writeAll(call: Call, chunks: Uint8Array[]): Promise<void> {
  const { res } = call
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES) {
      if (res.destroyed) return
      const part = chunk.subarray(at, at + CHUNK_BYTES)
      call.bytesWritten += part.byteLength
      if (chunks.length === 0 && at + CHUNK_BYTES >= chunk.byteLength) {
        res.end(part)
        return
      }
      await writePiece(res, part)
    }
  }
  res.end()
}

async function writePiece(res: ServerResponse, piece: Uint8Array): Promise<void> {
  if (res.write(piece)) return setImmediate()
  await new Promise<void>(resolve => {
    const onWritable = () => {
      res.off('drain', onWritable)
      res.off('close', onWritable)
      resolve()
    }
    res.once('drain', onWritable)
    res.once('close', onWritable)
  })
}

/** Clients and proxies accept about 8 KB of headers in all. */
const MAX_NAMES_LENGTH = 4096

/**
 * Returns names for a header, separated by commas. Characters that aren't visible ASCII, quotes, commas and percent
 * signs are percent-encoded in UTF-8 (RFC 3986 §2.1). If the names don't fit, the last entry is `...`.
 */
function writeFieldNames(names: string[]): string {
  let text = ''
  for (const name of names) {
    const separator = text === '' ? '' : ', '
    const entry = encodeName(name)
    if (text.length + separator.length + entry.length > MAX_NAMES_LENGTH) return `${text}${separator}...`
    text += separator + entry
  }
  return text
}

function encodeName(name: string): string {
  return name.toWellFormed().replace(/[^!#$&'()*+\-./:;<=>?@[\]^_`{|}~\w]/gu, encodeURIComponent)
}
