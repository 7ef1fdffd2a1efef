import type { IncomingHttpHeaders } from 'node:http'
import { isPrivate } from './network'

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

/** Headers in which proxies name the client. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']

/** Returns whether a request says that a proxy forwarded it. Any client can say so. */
export function isForwarded({ headers }: Pick<Incoming, 'headers'>): boolean {
  return FORWARDING_HEADERS.some(name => headers[name] !== undefined)
}

/**
 * Returns whether a request came through a proxy that the operator didn't count in `TRUSTED_PROXIES`. Then all visitors
 * seem to have the address of the proxy.
 */
export function isBehindUnknownProxy(request: Incoming, trustedProxies: number): boolean {
  return trustedProxies === 0 && isForwarded(request) && isPrivate(request.socket.remoteAddress ?? '')
}
