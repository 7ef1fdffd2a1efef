/** Returns the URL of a server without a slash at its end. Throws a TypeError that shows no credentials. */
export function readBaseUrl(text: string, param: string): string {
  const url = readHttpUrl(text)
  if (!url)
    throw new TypeError(
      `${param} must be a URL with http or https. Got another text. Set it to a URL such as http://localhost:3000.`,
    )
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(
      `${param} must not contain credentials, a query or a fragment. Got ${maskUrl(text)}. ` +
        'Send the key as apiKey, or set SHEAF_API_KEY.',
    )
  return `${url.origin}${url.pathname}`.replace(/\/$/, '')
}

const LONGEST = 200

/** Writes a URL for a message, without what may be secret in it. Undefined if it isn't a URL with http or https. */
export function maskUrl(text: string, base?: string): string | undefined {
  const url = readHttpUrl(text, base)
  if (!url) return undefined
  const login = url.username || url.password ? '***@' : ''
  const rest = `${url.search && '?***'}${url.hash && '#***'}`
  return `${url.protocol}//${login}${url.host}${url.pathname}`.slice(0, LONGEST) + rest
}

function readHttpUrl(text: string, base?: string): URL | undefined {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}
