import { isDatabaseUnavailable } from '../../../db/database-unavailable'
import { getConfig } from '../../config'
import { isRequestError } from '../../errors'
import { writeContentDisposition } from '../../content-disposition'
import { findRequestId, getExchange } from '../../http-exchange'
import { describeError, getLog } from '../../log'
import { AccountRefusal, isAccountRefusal, notSignedIn } from '../account/account-refusal'
import type { Account } from '../account/accounts'
import { clientAddress } from '../../requests/client-address'
import { readForm } from './read-form'
import { currentAccount, currentSession, type Session } from '../session/session'
import { isSameOrigin, siteOrigin } from '../../site-origin'

/** The input of a route of the account area. */
export interface AccountRequest {
  form: Record<string, string>
  clientAddress: string
  /** The Host header. */
  host: string | null
}

type SignedInRequest = AccountRequest & Session

type Result = Record<string, string | number | boolean>

/**
 * Creates a POST route of the account area for signed-in visitors. The route refuses forms of other sites (403) and
 * requests without a session (401), returns the result of `work` as JSON, and forbids caching.
 */
export function accountRoute(
  work: (request: SignedInRequest) => Promise<Result>,
): (request: Request) => Promise<Response> {
  return openRoute(async request => {
    const session = await currentSession()
    if (session === null) throw notSignedIn()
    return work({ ...request, ...session })
  })
}

/** Creates a GET route of the account area for signed-in visitors. The response of `work` can't be cached. */
export function accountReading(
  work: (request: { account: Account; query: URLSearchParams }) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async request => {
    try {
      const account = await currentAccount()
      if (account === null) throw notSignedIn()
      const response = await work({ account, query: new URL(request.url).searchParams })
      response.headers.set('cache-control', 'no-store')
      return response
    } catch (error) {
      return respondWithError(error)
    }
  }
}

/** Responds with a table as a CSV download. The file name contains `contentName` and the date. */
export function respondWithCsv(contentName: string, table: ReadableStream<Uint8Array>): Promise<Response> {
  const name = `sheaf-${contentName}-${new Date().toISOString().slice(0, 10)}.csv`
  return Promise.resolve(
    new Response(table, {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': writeContentDisposition(name),
      },
    }),
  )
}

/** Creates a POST route like `accountRoute` for all visitors, signed in or not. */
export function openRoute(work: (request: AccountRequest) => Promise<Result>): (request: Request) => Promise<Response> {
  return async request => {
    try {
      return reply(200, await work(await readRequest(request)))
    } catch (error) {
      return respondWithError(error)
    }
  }
}

/**
 * Creates a route for a plain form that works without scripts. The route redirects to the path that `work` returns. If
 * `work` refuses, the route redirects to `page` with the code of the refusal as `problem`.
 */
export function formRoute(
  page: string,
  work: (request: AccountRequest) => Promise<string>,
): (request: Request) => Promise<Response> {
  return async request => {
    try {
      return seeOther(await work(await readRequest(request)))
    } catch (error) {
      const isShown = isAccountRefusal(error) && error.code !== FOREIGN_ORIGIN
      return isShown ? seeOther(`${page}?problem=${error.code}`) : respondWithError(error)
    }
  }
}

/** Redirects the browser to a path of this site. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path, 'cache-control': 'no-store' } })
}

async function readRequest(request: Request): Promise<AccountRequest> {
  assertSameOrigin(name => request.headers.get(name))
  const form = await readForm(request)
  const config = getConfig()
  return {
    form,
    clientAddress: clientAddress(getExchange().req, config.TRUSTED_PROXIES),
    host: request.headers.get('host'),
  }
}

const FOREIGN_ORIGIN = 'foreign_origin'

/**
 * Refuses a request that wasn't sent by a page of this site. `headerOf` returns a header of the request. Throws
 * AccountRefusal.
 */
export function assertSameOrigin(headerOf: (name: string) => string | null | undefined): void {
  const site = headerOf('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin' || !isSameOrigin({ origin: headerOf('origin'), host: headerOf('host') }, getConfig())) {
    throw foreignOrigin()
  }
}

/** Returns the refusal of a request from a page of another site. Says what to do if this site has no known URL. */
export function foreignOrigin(): AccountRefusal {
  const where =
    getConfig().PUBLIC_URL === undefined
      ? 'Open this site as `localhost`, or ask its operator to set PUBLIC_URL.'
      : `Open ${siteOrigin(null, getConfig())}.`
  return new AccountRefusal(403, FOREIGN_ORIGIN, `This request is only allowed from a page of this site. ${where}`)
}

/** Returns the response for a thrown value: a refusal as it is, and a generic message for anything else. */
export function respondWithError(error: unknown): Response {
  if (isAccountRefusal(error)) return reply(error.status, { error: error.code, message: error.message }, error.headers)
  if (isRequestError(error))
    return reply(error.status, { ...error.body, error: error.code, message: error.message }, error.headers)
  if (isDatabaseUnavailable(error))
    return reply(
      503,
      { error: 'service_unavailable', message: "The service can't reach its database. Try again in a few seconds." },
      { 'retry-after': '5' },
    )
  getLog().error({ requestId: findRequestId(), cause: describeError(error) }, 'account request failed')
  return reply(500, {
    error: 'internal_error',
    message: 'An error occurred on our side. Nothing was changed. Try again.',
  })
}

function reply(status: number, body: Result, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, 'cache-control': 'no-store' } })
}
