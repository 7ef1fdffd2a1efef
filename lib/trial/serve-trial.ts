import { assertSameOrigin, respondWithError } from '../accounts/route/account-route'
import { limitedNetwork } from '../requests/client-details'
import { getExchange } from '../http-exchange'
import { serve } from '../http/serve'
import { singleton } from '../registry'
import { createTrialLimits, type TrialLimits } from './trial-limits'
import { createTrialOperation } from './trial-operation'

/**
 * Serves a request of a visitor without an account, from the start page. The request takes the same path as one with a
 * key, but it only reads sample files, costs nothing, and isn't in any request log. Refuses pages of other sites (403)
 * before the body is read.
 */
export async function serveTrial(toolId: string): Promise<Response> {
  try {
    const { req } = getExchange()
    assertSameOrigin(name => [req.headers[name]].flat()[0])
    const network = limitedNetwork(req)
    const operation = await createTrialOperation(toolId, () => getTrialLimits().enter(network))
    // Each network is an account of its own that never paid, so visitors of one network don't hold up another one.
    return await serve(operation, () => Promise.resolve({ accountId: `trial:${network}`, via: 'trial' }))
  } catch (error) {
    return respondWithError(error)
  }
}

function getTrialLimits(): TrialLimits {
  return singleton('trial-limits', () => createTrialLimits())
}
