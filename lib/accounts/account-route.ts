import { isDatabaseAway } from '../../db/database-away'
import { getConfig } from '../config'
import { isCallError } from '../errors'
import { getExchange } from '../http/exchange'
import { describeError, getLog } from '../log'
import { AccountRefusal, isAccountRefusal } from './account-refusal'
import type { Account } from './accounts'
import { clientAddress } from './client-address'
import { readForm } from './read-form'
import { currentAccount } from './session'
import { isSameOrigin } from './site-origin'

/** What a route of the account area works on. */
export interface AccountRequest {
  form: Record<string, string>
  clientAddress: string
}

type Result = Record<string, string | number | boolean>

/**
 * A POST route of the account area for somebody who is signed in: refuses forms of other sites (403) and requests
 * without a session (401), answers what `work` gives as JSON, and lets nobody keep a copy.
 */
export function accountRoute(work: (request: AccountRequest & { account: Account }) => Promise<Result>): (request: Request) => Promise<Response> {
  return openRoute(async request => {
    const account = await currentAccount()
    if (account === null) throw new AccountRefusal(401, 'not_signed_in', 'You are not signed in any more. Sign in again.')
    return work({ ...request, account })
  })
}

/** The same for everybody, signed in or not. */
export function openRoute(work: (request: AccountRequest) => Promise<Result>): (request: Request) => Promise<Response> {
  return async request => {
    try {
      assertSameOrigin(request)
      const form = await readForm(request)
      return answer(200, await work({ form, clientAddress: clientAddress(getExchange().req, getConfig().TRUSTED_PROXIES) }))
    } catch (error) {
      return answerError(error)
    }
  }
}

function assertSameOrigin({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const isForeign = site !== null && site !== 'same-origin'
  if (isForeign || !isSameOrigin({ origin: headers.get('origin'), host: headers.get('host') }, getConfig())) {
    throw new AccountRefusal(403, 'foreign_origin', 'This can only be done from a page of this site.')
  }
}

/** The answer for what was thrown on the way: a refusal as it is, anything else in words that tell nothing of the inside. */
export function answerError(error: unknown): Response {
  if (isAccountRefusal(error)) return answer(error.status, { error: error.code, message: error.message }, error.headers)
  if (isCallError(error)) return answer(error.status, { ...error.body, error: error.code, message: error.message }, error.headers)
  if (isDatabaseAway(error)) return answer(503, { error: 'service_unavailable', message: 'The database cannot be reached. Try again in a moment.' }, { 'retry-after': '5' })
  getLog().error({ error: describeError(error) }, 'a request of the account area failed')
  return answer(500, { error: 'internal_error', message: 'That did not work; the fault is on our side. Nothing was changed.' })
}

function answer(status: number, body: Result, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, 'cache-control': 'no-store' } })
}
