import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { OutputFile } from '../../engines/types'
import type { CallError } from '../errors'
import { type Call, writeCreditHeaders, writeServerTiming } from './call'
import { writeContentDisposition } from './content-disposition'

/** A client that takes no byte of its answer for this long is hung up on, and its call refunded. */
const STALLED_READER_MS = 60_000
/** After so many bytes of one answer the other calls have their turn. */
const TURN_BYTES = 256 * 1024
/** Nobody is left to read this; it only ends the exchange. */
export const CLIENT_CLOSED_REQUEST = 499

/** Answers with a file; its pieces are sent as they are, without a second copy. */
export function respondWithFile(call: Call, output: OutputFile): Promise<Response> {
  for (const warning of output.warnings) call.warnings.add(warning)
  call.bytesOut = output.byteLength
  call.answered = { status: 200 }
  call.res.setTimeout(STALLED_READER_MS, () => call.res.destroy())
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
 * Writes the answer to Node's response itself: Next.js drops a Content-Length, and takes a small answer apart into three
 * writes and two streams. The Response that goes back when everything is written is empty; Next.js would end the answer
 * with it.
 */
async function respond(call: Call, status: number, chunks: Uint8Array[], headers: OutgoingHttpHeaders): Promise<Response> {
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
  await writeAll(res, chunks)
  return new Response(null, { status })
}

/**
 * Writes the pieces as fast as the client takes them, letting go of each; ends early when the connection closes. While
 * the system has room, it takes megabytes at once, so other calls get their turn in between.
 */
async function writeAll(res: ServerResponse, chunks: Uint8Array[]): Promise<void> {
  let bytesInTurn = 0
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    if (res.destroyed) return
    if (chunks.length === 0) {
      res.end(chunk)
      return
    }
    bytesInTurn += chunk.byteLength
    if (!res.write(chunk)) await new Promise<void>(resolve => {
      const go = () => {
        res.off('drain', go)
        res.off('close', go)
        resolve()
      }
      res.once('drain', go)
      res.once('close', go)
    })
    if (bytesInTurn < TURN_BYTES) continue
    bytesInTurn = 0
    await setImmediate()
  }
  res.end()
}

/** At most 10 names, those that are plain words; others could not be written into a header as they are. */
function listPlainNames(names: string[]): string {
  return names.filter(name => /^[\w.$-]{1,64}$/.test(name)).slice(0, 10).join(', ')
}
