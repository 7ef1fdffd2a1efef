import type { IncomingMessage } from 'node:http'
import { getConfig } from '../config'
import { getLedger } from '../credits/ledger'
import { getExchange } from '../exchange'
import { serve } from '../http/serve'
import { findOperation } from '../operations/all'
import { notSignedIn } from '../accounts/account/account-refusal'
import { respondWithError, assertSameOrigin } from '../accounts/route/account-route'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import type { Caller } from '../calls/call'
import { readSession, sessionCookie } from '../accounts/session/session'

/**
 * Answers a call from a page of the account area: the same as one with a key, at the same price, with the session in
 * its place. `path` is what follows `/api/external/` in the address of the call. Refuses pages of other sites (403) and
 * visitors without a session (401), before any of the body is read.
 */
export async function servePlayground(path: string[]): Promise<Response> {
  try {
    const { req } = getExchange()
    assertSameOrigin(name => [req.headers[name]].flat()[0])
    const caller = await identifyBySession(req)
    return await serve(findOperation(path), () => Promise.resolve(caller))
  } catch (error) {
    return respondWithError(error)
  }
}

async function identifyBySession(req: IncomingMessage): Promise<Caller> {
  const config = getConfig()
  const session = await readSession(
    readCookie(req.headers.cookie, sessionCookie('session', config).name),
    requireAuthSecret(config),
  )
  if (session === null) throw notSignedIn()
  const { id } = session.account
  const { balance } = await getLedger().grantMonth(id)
  return { accountId: id, balance, via: 'playground' }
}

/** The value of a cookie that a request carries (RFC 6265 §5.4). */
function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find(one => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}
