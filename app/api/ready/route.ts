import { findUnreadiness } from '../../../lib/health'

export const dynamic = 'force-dynamic'

/** Responds with 200 when requests may be sent here, and with 503 while starting, draining or without a database. */
export async function GET(): Promise<Response> {
  const reason = await findUnreadiness()
  const headers = { 'Cache-Control': 'no-store', ...(reason ? { 'Retry-After': '5' } : {}) }
  return Response.json(reason ? { ready: false, reason } : { ready: true }, { status: reason ? 503 : 200, headers })
}
