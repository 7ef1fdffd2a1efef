/** The page that opens after a sign-in if the visitor asked for no other page. */
export const ACCOUNT_PAGE = '/account'

/**
 * Returns the path of the account area that a URL names, with its fragment. Any other URL, such as one of another site,
 * is replaced with the account area. `origin` is this site's scheme, host and port.
 */
export function readNextPath(next: string, origin: string): string {
  if (!URL.canParse(next, origin)) return ACCOUNT_PAGE
  const url = new URL(next, origin)
  const isAccount = url.origin === new URL(origin).origin && /^\/account(\/|$)/.test(url.pathname)
  return isAccount ? `${url.pathname}${url.hash}` : ACCOUNT_PAGE
}
