import { serveMcp } from '../../lib/mcp/serve-mcp'

export const dynamic = 'force-dynamic'

export { serveMcp as DELETE, serveMcp as GET, serveMcp as POST }
