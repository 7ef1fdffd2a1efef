import { CLIENT_CLOSED_REQUEST } from '../../errors'
import type { OutgoingHttpHeaders } from 'node:http'
import { holdChunks, type OutputContent } from '../../../engines/output-content'
import type { OutputFile } from '../../../engines/types'
import type { RequestError } from '../../errors'
import { getConfig } from '../../config'
import { siteOrigin } from '../../site-origin'
import type { RunningRequest, ReceivedRequest } from '../../requests/request'
import { writeCreditHeaders, writeServerTiming } from '../connection/running-request'
import { writeContentDisposition } from '../../content-disposition'
import { writeOutput } from './write-output'

/** Responds with a file. Its bytes in memory are sent without another copy. Returns the status. */
export function respondWithFile(request: RunningRequest, output: OutputFile): Promise<number> {
  for (const warning of output.warnings) request.warnings.add(warning)
  request.bytesOut = output.content.byteLength
  request.answered = { status: 200, headers: output.headers }
  return respond(request, 200, output.content, {
    'Content-Type': output.contentType,
    'Content-Length': output.content.byteLength,
    'Content-Disposition': writeContentDisposition(output.name),
    ...(request.charge ? writeCreditHeaders(request.charge.balance, request.charge.charged) : {}),
    ...(request.charge?.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    ...output.headers,
  })
}

/** Responds with an error body. `balance` is known for authenticated requests. Returns the status. */
export function respondWithError(
  request: RunningRequest,
  { error, balance }: { error: RequestError; balance: number | undefined },
): Promise<number> {
  const body = Buffer.from(JSON.stringify(describeErrorBody(error, request)))
  request.bytesOut = body.length
  request.answered = { status: error.status, error }
  return respond(request, error.status, holdChunks([body]), {
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

/** Ends a request whose client has closed the connection. Returns the status. */
export function respondToNobody(request: RunningRequest): number {
  request.answered = { status: CLIENT_CLOSED_REQUEST }
  return CLIENT_CLOSED_REQUEST
}

/** Returns the body of an error response. `docs` is the URL of the error's section in the documentation. */
export function describeErrorBody(
  { code, reason, message, problems, body }: RequestError,
  { headers, requestId }: Pick<ReceivedRequest, 'headers' | 'requestId'>,
): Record<string, unknown> {
  const [first] = problems
  const isSpecific = problems.some(({ param, rule }) => param !== undefined || rule !== undefined)
  return {
    error: code,
    ...(reason === undefined ? {} : { reason }),
    message,
    requestId,
    docs: `${siteOrigin(headers.host, getConfig())}/docs/errors#${code}`,
    ...body,
    ...(problems.length === 1 && first?.param !== undefined ? { param: first.param } : {}),
    ...(problems.length === 1 && first?.rule !== undefined ? { rule: first.rule } : {}),
    ...(problems.length > 1 || isSpecific ? { problems } : {}),
  }
}

async function respond(
  request: RunningRequest,
  status: number,
  content: OutputContent,
  headers: OutgoingHttpHeaders,
): Promise<number> {
  const { response, warnings } = request
  const timing = writeServerTiming(request)
  const unknownNames = writeFieldNames(request.unknownFields)
  const allHeaders: OutgoingHttpHeaders = {
    ...headers,
    'X-Request-Id': request.requestId,
    'Cache-Control': 'no-store',
    ...(timing === '' ? {} : { 'Server-Timing': timing }),
    ...(warnings.size > 0 ? { 'X-Warnings': [...warnings].join(', ') } : {}),
    ...(unknownNames === '' ? {} : { 'X-Unknown-Fields': unknownNames }),
    ...(request.preference === undefined ? {} : { 'Preference-Applied': request.preference }),
  }
  if (!(await response.begin(status, allHeaders))) return status
  request.respondingAtMs = performance.now()
  await writeOutput(response, content)
  return status
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
