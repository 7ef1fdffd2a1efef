import { findAllowedHost } from './allowed-hosts'
import type { AllowedHosts } from './allowed-hosts'
import { isPrivateHost } from './public-address'

/** Maximum length of a URL of a file. Signed URLs with session tokens have 2,000 characters or more. */
const MAX_URL_LENGTH = 8192

/**
 * Returns why a file can't be fetched from a URL, without resolving its host. The result completes a sentence that
 * begins with the name of the URL, and repeats nothing of it but the host. Undefined if the URL can be requested.
 */
export function findFileUrlProblem(text: string, allowed: AllowedHosts): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters. Got ${text.length}.`
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'must be an absolute URL with https or http, such as "https://example.com/report.pdf".'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password. Use a signed URL, or send the file itself.'
  const isKnown = findAllowedHost(allowed, url.hostname, portOf(url)) !== undefined
  return isKnown || !isPrivateHost(url.hostname) ? undefined : `must have a public host. Got ${url.host}.`
}

/**
 * Returns the URL to which a server redirects, or why it isn't requested. `location` is the header as Node.js reads it.
 * Like `findFileUrlProblem`, the message repeats nothing but hosts.
 */
export function followRedirect(from: URL, location: string, allowed: AllowedHosts): URL | string {
  // Servers write UTF-8 in headers, which Node.js reads as Latin-1.
  const text = Buffer.from(location, 'latin1').toString()
  const to = URL.canParse(text, from.href) ? new URL(text, from) : undefined
  const problem = findFileUrlProblem(to?.href ?? '', allowed)
  if (!to || problem !== undefined) return `${from.host} redirects to another URL, which ${problem}`
  if (from.protocol === 'https:' && to.protocol === 'http:')
    return `${from.host} redirects from https to http, which isn't allowed. Send a URL that stays on https.`
  return to
}

/** The port of a URL with `http` or `https`. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}
