import type { CallError } from '../../errors'
import type { Exchange } from '../../http-exchange'
import { describeErrorBody } from './respond'

/** Returns an error as a response with the body of all errors of the API. */
export function createErrorResponse(error: CallError, exchange: Exchange): Response {
  return Response.json(describeErrorBody(error, exchange), {
    status: error.status,
    headers: { ...error.headers, 'Cache-Control': 'no-store' },
  })
}
