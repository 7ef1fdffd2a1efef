import { createHash } from 'node:crypto'

/** Responds with a text that can be cached for a few minutes, with an ETag. Responds with 404 if there is no text. */
export function respondWithText(
  request: Request,
  text: string | undefined,
  type: 'text/markdown' | 'text/plain' | 'application/json',
): Response {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept' }
  if (text === undefined)
    return new Response('Page not found. /llms.txt lists all pages.\n', {
      status: 404,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const allHeaders = { ...headers, ETag: tag, 'Cache-Control': 'public, max-age=300' }
  if (request.headers.get('if-none-match')?.includes(tag))
    return new Response(null, { status: 304, headers: allHeaders })
  return new Response(text, { headers: allHeaders })
}
