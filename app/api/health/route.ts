import { describeHealth } from '../../../lib/health'

export const dynamic = 'force-dynamic'

/** Responds with 200 and details while the process can serve. */
export async function GET(): Promise<Response> {
  return Response.json(await describeHealth(), { headers: { 'Cache-Control': 'no-store' } })
}
