import type { IncomingHttpHeaders } from 'node:http'

interface Incoming {
  headers: IncomingHttpHeaders
  socket: { remoteAddress?: string | undefined }
}

/**
 * The network address of the client: that of the connection, or, when the operator says how many proxies of their own
 * stand before the service, the entry of X-Forwarded-For that the outermost of them wrote. What stands further left in
 * that header was written by the client and counts for nothing.
 */
export function clientAddress(request: Incoming, trustedProxies: number): string {
  const own = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return own
  const forwarded = [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  return forwarded.at(-trustedProxies) ?? forwarded[0] ?? own
}
