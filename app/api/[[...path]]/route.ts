import { getExchange } from '../../../lib/http-exchange'
import { respondWithProblem } from '../../../lib/http/response/respond-with-json'
import { RequestError } from '../../../lib/errors'

export const dynamic = 'force-dynamic'

/** Responds with 404 in JSON to every path under `/api` without an endpoint. */
function reply(): Response {
  const message = 'Unknown path. The endpoints of the API are under /api/external.'
  return respondWithProblem(getExchange(), new RequestError('not_found', message))
}

export { reply as GET, reply as HEAD, reply as POST, reply as PUT, reply as PATCH, reply as DELETE, reply as OPTIONS }
