import { CLIENT_CLOSED_REQUEST } from '../../errors'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { OutputFile } from '../../../engines/types'
import type { CallError } from '../../errors'
import { getConfig } from '../../config'
import type { Call } from '../../calls/call'
import { writeCreditHeaders, writeServerTiming } from '../connection/call'
import { writeContentDisposition } from '../../content-disposition'
import { type RateWatch, watchRate } from '../connection/rate-watch'

/** Time in the beginning of a response in which the rate of its reader isn't measured. */
const GRACE_MS = 5000
/** What is written at once; the other requests have their turn in between. */
const PIECE_BYTES = 256 * 1024
/** Answers with a file; its pieces are sent as they are, without a second copy. */
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

/** Answers with an error body; `balance` is known for authenticated calls. */
export function respondWithError(call: Call, error: CallError, balance: number | undefined): Promise<Response> {
  const body = Buffer.from(JSON.stringify(describeBody(error, call.requestId)))
  call.bytesOut = body.length
  call.answered = { status: error.status, error }
  return respond(call, error.status, [body], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    ...(balance === undefined ? {} : writeCreditHeaders(balance, 0)),
    ...error.headers,
  })
}

/** Ends the exchange with a client that has gone away. */
export function respondToNobody(call: Call): Response {
  call.answered = { status: CLIENT_CLOSED_REQUEST }
  return new Response(null, { status: CLIENT_CLOSED_REQUEST })
}

function describeBody({ code, message, problems, body }: CallError, requestId: string): Record<string, unknown> {
  const [first] = problems
  return {
    error: code,
    message,
    requestId,
    ...body,
    ...(problems.length === 1 && first?.param !== undefined ? { param: first.param } : {}),
    ...(problems.length > 1 ? { problems } : {}),
  }
}

/**
 * Writes the answer to Node's response itself: Next.js drops a Content-Length, and takes a small answer apart into
 * three writes and two streams. The Response that goes back when everything is written is empty; Next.js would end the
 * answer with it.
 */
async function respond(
  call: Call,
  status: number,
  chunks: Uint8Array[],
  headers: OutgoingHttpHeaders,
): Promise<Response> {
  const { res, warnings } = call
  const timing = writeServerTiming(call)
  const unknown = listPlainNames(call.unknownFields)
  const all: OutgoingHttpHeaders = {
    ...headers,
    'X-Request-Id': call.requestId,
    'Cache-Control': 'no-store',
    ...(timing === '' ? {} : { 'Server-Timing': timing }),
    ...(warnings.size > 0 ? { 'X-Warnings': [...warnings].join(', ') } : {}),
    ...(unknown === '' ? {} : { 'X-Unknown-Fields': unknown }),
  }
  if (res.headersSent || res.destroyed) return new Response(null, { status })
  res.statusCode = status
  for (const [name, value] of Object.entries(all)) if (value !== undefined) res.setHeader(name, value)
  await writeAll(call, chunks)
  return new Response(null, { status })
}

/** Hangs up on a client that reads slower than READ_MIN_RATE over any 20 s; its request is refunded then. */
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
 * Writes the pieces as fast as the client takes them, letting go of each; ends early when the connection closes. While
 * the system has room, it takes megabytes at once, so other requests get their turn in between.
 */
async function writeAll(call: Call, chunks: Uint8Array[]): Promise<void> {
  const { res } = call
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      if (res.destroyed) return
      const piece = chunk.subarray(at, at + PIECE_BYTES)
      call.bytesWritten += piece.byteLength
      if (chunks.length === 0 && at + PIECE_BYTES >= chunk.byteLength) {
        res.end(piece)
        return
      }
      await writePiece(res, piece)
    }
  }
  res.end()
}

async function writePiece(res: ServerResponse, piece: Uint8Array): Promise<void> {
  if (res.write(piece)) return setImmediate()
  await new Promise<void>(resolve => {
    const go = () => {
      res.off('drain', go)
      res.off('close', go)
      resolve()
    }
    res.once('drain', go)
    res.once('close', go)
  })
}

/** At most 10 names, those that are plain words; others could not be written into a header as they are. */
function listPlainNames(names: string[]): string {
  return names
    .filter(name => /^[\w.$-]{1,64}$/.test(name))
    .slice(0, 10)
    .join(', ')
}
