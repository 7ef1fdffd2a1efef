import { assertSameOrigin, respondWithError } from '../accounts/route/account-route'
import { clientAddress } from '../calls/client-address'
import { findNetwork } from '../calls/network'
import { getConfig } from '../config'
import { getExchange } from '../http-exchange'
import { serve } from '../http/serve'
import { singleton } from '../registry'
import { createTrialLimits, type TrialLimits } from './trial-limits'
import { createTrialOperation } from './trial-operation'

/** The account of all visitors in the request queue, so that they share one place with each customer. */
const VISITORS = 'trial'

/**
 * Serves a request of a visitor without an account, from the start page. The request takes the same path as one with a
 * key, but it only reads sample files, costs nothing, and isn't in any request log. Refuses pages of other sites (403)
 * before the body is read.
 */
export async function serveTrial(toolId: string): Promise<Response> {
  try {
    const { req } = getExchange()
    assertSameOrigin(name => [req.headers[name]].flat()[0])
    const { network, site } = findNetwork(clientAddress(req, getConfig().TRUSTED_PROXIES))
    const operation = await createTrialOperation(toolId, () => getTrialLimits().enter(site ?? network))
    return await serve(operation, () => Promise.resolve({ accountId: VISITORS, via: 'trial' }))
  } catch (error) {
    return respondWithError(error)
  }
}

function getTrialLimits(): TrialLimits {
  return singleton('trial-limits', () => createTrialLimits())
}
