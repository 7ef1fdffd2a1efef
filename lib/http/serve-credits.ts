import { authorize } from '../accounts/key/authorize'
import { describeClient } from '../requests/client-details'
import { getLedger } from '../credits/ledger'
import { RequestError, isRequestError } from '../errors'
import { type Exchange, getExchange } from '../http-exchange'
import { describeError, getLog } from '../log'
import { writeCreditHeaders } from './connection/running-request'
import { getBalanceRate } from './limits/process-limits'
import { describeFailure } from './response/describe-failure'
import { respondWithJson, respondWithProblem } from './response/respond-with-json'

/**
 * Serves `GET /api/external/credits`: the balance of the key's account. The request is free, and isn't listed among the
 * account's requests.
 */
export async function serveCredits(): Promise<Response> {
  const exchange = getExchange()
  try {
    const creditBalance = await readBalance(exchange)
    return respondWithJson(exchange, 200, { body: { creditBalance }, headers: writeCreditHeaders(creditBalance, 0) })
  } catch (thrown) {
    if (!isRequestError(thrown)) getLog().error({ cause: describeError(thrown) }, 'failed to read a balance')
    return respondWithProblem(exchange, describeFailure(thrown, undefined))
  }
}

async function readBalance({ req, method }: Exchange): Promise<number> {
  if (method !== 'GET' && method !== 'HEAD')
    throw new RequestError(
      'method_not_allowed',
      `The method must be GET. Got ${method}. Send your API key in the x-api-key header.`,
      { headers: { Allow: 'GET, HEAD' } },
    )
  const key = req.headers['x-api-key']
  const { accountId, balance } = await authorize(typeof key === 'string' ? key : undefined, {
    client: () => describeClient(req),
  })
  const waitSeconds = getBalanceRate().take(accountId)
  if (waitSeconds > 0)
    throw new RequestError(
      'rate_limited',
      `Rate limit of this endpoint reached. Successful responses have your balance in X-Credit-Balance. Retry after ` +
        `${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'Retry-After': String(waitSeconds) } },
    )
  return balance ?? getLedger().balance(accountId)
}
