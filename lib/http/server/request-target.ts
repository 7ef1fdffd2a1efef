/**
 * Returns the request target as a path with its query, which Next.js can route. An absolute target (RFC 9112, 3.2.2)
 * loses its scheme and host. Escapes that aren't valid UTF-8 become literal characters, so that such a path isn't
 * found. Otherwise Next.js would respond with 500.
 */
export function readTarget(target: string): string {
  const withoutOrigin = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const pathWithQuery = withoutOrigin === target || withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`
  const queryAt = pathWithQuery.indexOf('?')
  const path = queryAt < 0 ? pathWithQuery : pathWithQuery.slice(0, queryAt)
  return canDecode(path)
    ? pathWithQuery
    : `${path.replaceAll('%', '%25')}${queryAt < 0 ? '' : pathWithQuery.slice(queryAt)}`
}

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false // decodeURI throws a URIError if an escape isn't valid.
  }
}

/** Maximum number of parameters in a query string. Next.js spends time on each one, and no page takes more than a few. */
const MAX_PARAMETERS = 100

/** Returns whether the query string of a target has more than 100 parameters. */
export function hasLongQuery(target = ''): boolean {
  let at = target.indexOf('?')
  for (let count = 1; at >= 0 && count <= MAX_PARAMETERS; count++) at = target.indexOf('&', at + 1)
  return at >= 0
}
