import type { Config } from './config'

type Site = Pick<Config, 'PUBLIC_URL' | 'PORT'>

interface Sender {
  /** The Origin header. */
  origin: string | null | undefined
  /** The Host header. */
  host: string | null | undefined
}

/** Names of this machine. A browser never asks a name server for them, so no other site can stand behind them. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/**
 * Returns scheme, host and port of the site: PUBLIC_URL, or without it a loopback name. A Host header with another name
 * is never repeated, because any client can send any name.
 */
export function siteOrigin(host: string | null | undefined, { PUBLIC_URL, PORT }: Site): string {
  if (PUBLIC_URL !== undefined) return new URL(PUBLIC_URL).origin
  return `http://${isLoopback(host) ? host : `127.0.0.1:${PORT}`}`
}

/** Returns whether `siteOrigin` is a URL under which this visitor reaches the site, so that a mailed link works. */
export function isOriginTrusted(host: string | null | undefined, { PUBLIC_URL }: Pick<Site, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL !== undefined || isLoopback(host)
}

/**
 * Returns whether a page of this site sent the request, judged by its Origin header. False without that header. A page
 * of another site can make its own name resolve to this server (DNS rebinding). Origin and Host then match, so only
 * PUBLIC_URL and loopback names count.
 */
export function isSameOrigin({ origin, host }: Sender, { PUBLIC_URL }: Pick<Site, 'PUBLIC_URL'>): boolean {
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false
  const page = new URL(origin)
  if (PUBLIC_URL !== undefined && page.origin === new URL(PUBLIC_URL).origin) return true
  return isLoopback(host) && page.host === new URL(`http://${host}`).host
}

/**
 * Returns whether a request may come from where its Origin header says. Only browsers send that header on their own, so
 * a request without the header is allowed.
 */
export function isAllowedBrowserOrigin(sender: Sender, site: Pick<Site, 'PUBLIC_URL'>): boolean {
  return sender.origin === null || sender.origin === undefined || isSameOrigin(sender, site)
}

function isLoopback(host: string | null | undefined): host is string {
  return typeof host === 'string' && LOOPBACK.test(host) && URL.canParse(`http://${host}`)
}
