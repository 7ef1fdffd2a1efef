import { createHash } from 'node:crypto'

/** Answers a text that may be kept for a few minutes, with a tag by which it can be asked for again; 404 for none. */
export function respondWithText(
  request: Request,
  text: string | undefined,
  type: 'text/markdown' | 'text/plain',
): Response {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept' }
  if (text === undefined)
    return new Response('There is no such page. /llms.txt lists them all.\n', {
      status: 404,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const kept = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=300' }
  if (request.headers.get('if-none-match')?.includes(tag)) return new Response(null, { status: 304, headers: kept })
  return new Response(text, { headers: kept })
}
