import { getConfig } from '../../../lib/config'
import { writeOpenApiText } from '../../../lib/docs/openapi/document-text'
import { currentOrigin } from '../../_server/current-origin'

export const dynamic = 'force-dynamic'

/** Responds with the OpenAPI document of all operations, with this server's URL. */
export async function GET(): Promise<Response> {
  return new Response(writeOpenApiText(await currentOrigin(), getConfig()), {
    headers: { 'Cache-Control': 'no-cache', 'Content-Type': 'application/json' },
  })
}
