import type { Config } from './config'

type Site = Pick<Config, 'PUBLIC_URL' | 'PORT'>

/**
 * Returns scheme, host and port of the site: PUBLIC_URL, or the client's Host header without it. A Host header that
 * isn't a valid host name counts as missing.
 */
export function siteOrigin(host: string | null | undefined, { PUBLIC_URL, PORT }: Site): string {
  if (PUBLIC_URL !== undefined) return new URL(PUBLIC_URL).origin
  return `http://${isHost(host) ? host : `127.0.0.1:${PORT}`}`
}

/**
 * Returns whether a mailed link may contain this origin. A Host header alone proves nothing, but loopback does no harm.
 */
export function isOriginTrusted(host: string | null | undefined, { PUBLIC_URL }: Pick<Site, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL !== undefined || (isHost(host) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host))
}

/** Returns whether a page of this site sent the request, judged by its Origin header. False without that header. */
export function isSameOrigin(
  request: { origin: string | null | undefined; host: string | null | undefined },
  site: Site,
): boolean {
  const { origin, host } = request
  if (origin === null || origin === undefined || !URL.canParse(origin)) return false
  if (site.PUBLIC_URL !== undefined && new URL(origin).origin === new URL(site.PUBLIC_URL).origin) return true
  return isHost(host) && new URL(origin).host === new URL(`http://${host}`).host
}

function isHost(host: string | null | undefined): host is string {
  return (
    typeof host === 'string' &&
    /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host) &&
    URL.canParse(`http://${host}`)
  )
}
