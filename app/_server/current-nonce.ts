import { headers } from 'next/headers'

/**
 * The nonce of the page that is being made, which the answer's Content-Security-Policy allows scripts by; undefined
 * where there is none.
 */
export async function currentNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1]
}
