/**
 * The target of a request as a path with its query, which Next.js can route. An absolute one (RFC 9112, 3.2.2) loses
 * its scheme and host. Escapes that are no UTF-8 stand for their own characters, so that such a path leads nowhere;
 * Next.js would fail on it with 500.
 */
export function readTarget(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const rooted = local === target || local.startsWith('/') ? local : `/${local}`
  const queryAt = rooted.indexOf('?')
  const path = queryAt < 0 ? rooted : rooted.slice(0, queryAt)
  return canDecode(path) ? rooted : `${path.replaceAll('%', '%25')}${queryAt < 0 ? '' : rooted.slice(queryAt)}`
}

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false // URIError: that is the answer
  }
}
