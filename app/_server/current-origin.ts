import { headers } from 'next/headers'
import { getConfig } from '../../lib/config'
import { siteOrigin } from '../../lib/accounts/session/site-origin'

/** Scheme, host and port under which the visitor reached this page, for samples that can be copied. */
export async function currentOrigin(): Promise<string> {
  return siteOrigin((await headers()).get('host'), getConfig())
}
