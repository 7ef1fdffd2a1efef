import { getConfig } from '../../../lib/config'
import { writeOpenApi } from '../../../lib/docs/openapi/document'
import { currentOrigin } from '../../_server/current-origin'

export const dynamic = 'force-dynamic'

/** Responds with the OpenAPI document of all operations, with this server's URL. */
export async function GET(): Promise<Response> {
  return Response.json(writeOpenApi(await currentOrigin(), getConfig()), { headers: { 'Cache-Control': 'no-cache' } })
}
