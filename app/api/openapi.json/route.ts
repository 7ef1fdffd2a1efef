import { writeOpenApi } from '../../../lib/docs/openapi'
import { currentOrigin } from '../../_server/current-origin'

export const dynamic = 'force-dynamic'

/** Answers the OpenAPI document of all calls, with this server's own address. */
export async function GET(): Promise<Response> {
  return Response.json(writeOpenApi(await currentOrigin()), { headers: { 'Cache-Control': 'no-cache' } })
}
