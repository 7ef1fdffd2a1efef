import { headers } from 'next/headers'

/**
 * Returns the nonce of the current page, which the response's Content-Security-Policy allows for scripts. Undefined if
 * there is none.
 */
export async function currentNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1]
}
