import { readClient } from '../../../lib/clients/packed-clients'

export const dynamic = 'force-dynamic'

/** Responds with a packed client, which `npm install` or `pip install` loads. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params
  const bytes = await readClient(file)
  if (bytes === undefined) return new Response('This server has no such file.\n', { status: 404 })
  return new Response(bytes, {
    headers: { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'public, max-age=300' },
  })
}
