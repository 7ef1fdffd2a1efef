import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestError } from '../../errors'
import type { Exchange } from '../../http-exchange'
import { describeErrorBody, endWith } from './respond'

/**
 * Responds to a request that asks for no operation. Writes to Node's response like `respond`, and returns the empty
 * Response with which Next.js ends the exchange.
 */
export function respondWithJson(
  { res }: Exchange,
  status: number,
  { body, headers = {} }: { body: unknown; headers?: OutgoingHttpHeaders },
): Response {
  const bytes = Buffer.from(JSON.stringify(body))
  const all: OutgoingHttpHeaders = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  }
  res.statusCode = status
  for (const [name, value] of Object.entries(all)) if (value !== undefined) res.setHeader(name, value)
  res.end(bytes)
  return endWith(status)
}

/** Responds with an error to a request that asks for no operation. */
export function respondWithProblem(exchange: Exchange, error: RequestError): Response {
  return respondWithJson(exchange, error.status, {
    body: describeErrorBody(error, { headers: exchange.req.headers, requestId: exchange.requestId }),
    headers: error.headers,
  })
}
