import type { IncomingHttpHeaders } from 'node:http'

interface Incoming {
  headers: IncomingHttpHeaders
  socket: { remoteAddress?: string | undefined }
}

/**
 * Returns the client's network address. By default, this is the address of the connection. If the operator configured
 * trusted proxies, it is the X-Forwarded-For entry of the outermost one. Entries further left come from the client and
 * are ignored.
 */
export function clientAddress(request: Incoming, trustedProxies: number): string {
  const connectionAddress = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return connectionAddress
  const forwarded = [request.headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  return forwarded.at(-trustedProxies) ?? forwarded[0] ?? connectionAddress
}
