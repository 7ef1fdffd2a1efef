import { headers } from 'next/headers'
import { getConfig } from '../../lib/config'
import { siteOrigin } from '../../lib/site-origin'

/** Returns scheme, host and port of the current page, for samples that can be copied. */
export async function currentOrigin(): Promise<string> {
  return siteOrigin((await headers()).get('host'), getConfig())
}
