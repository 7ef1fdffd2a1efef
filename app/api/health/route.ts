import { describeHealth } from '../../../lib/health'

export const dynamic = 'force-dynamic'

/** Answers 200 while the process can serve, with its details. */
export async function GET(): Promise<Response> {
  return Response.json(await describeHealth(), { headers: { 'Cache-Control': 'no-store' } })
}
