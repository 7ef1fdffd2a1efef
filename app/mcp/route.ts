import { serveMcp } from '../../lib/mcp/serve-mcp'

export const dynamic = 'force-dynamic'

function respond(request: Request): Promise<Response> {
  return serveMcp(request)
}

export { respond as DELETE, respond as GET, respond as POST }
