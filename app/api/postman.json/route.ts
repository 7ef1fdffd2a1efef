import { writePostmanCollection } from '../../../lib/docs/openapi/postman'
import { currentOrigin } from '../../_server/current-origin'

export const dynamic = 'force-dynamic'

/** Responds with the Postman collection of all examples, with this server's URL. */
export async function GET(): Promise<Response> {
  return Response.json(writePostmanCollection(await currentOrigin()), { headers: { 'Cache-Control': 'no-cache' } })
}
