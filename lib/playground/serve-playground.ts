import type { IncomingMessage } from 'node:http'
import { getConfig } from '../config'
import { getLedger } from '../credits/ledger'
import { getExchange } from '../http-exchange'
import { serve } from '../http/serve'
import { findOperation } from '../operations/all'
import { notSignedIn } from '../accounts/account/account-refusal'
import { respondWithError, assertSameOrigin } from '../accounts/route/account-route'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import type { Caller } from '../requests/request'
import { readSession, sessionCookie } from '../accounts/session/session'

/**
 * Serves a request from the playground in the account area. The request works and costs the same as one with a key, but
 * a session authenticates it. `path` is the part of the URL after `/api/external/`. Refuses pages of other sites (403)
 * and visitors without a session (401) before the body is read.
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
  return { accountId: id, balance, via: 'playground', hasPaid: await getLedger().hasPaid(id) }
}

/** Returns the value of a request's cookie (RFC 6265 §5.4). */
function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find(one => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}
