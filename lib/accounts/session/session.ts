import { cookies } from 'next/headers'
import type { JWT } from 'next-auth/jwt'
import { decode, encode } from 'next-auth/jwt'
import type { Config } from '../../config'
import { getConfig } from '../../config'
import type { Account } from '../account/accounts'
import { findById } from '../account/accounts'
import { requireAuthSecret } from './auth-secret'

/** How long a sign-in lasts: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60

/** A cookie as next-auth and Next.js write it. */
export interface SessionCookie {
  name: string
  options: { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean; maxAge?: number }
}

/**
 * Returns the name and attributes of one of our cookies. With HTTPS, the prefix `__Host-` binds the cookie to this
 * host. With plain HTTP, the name contains the port, because browsers share cookies between the ports of a host.
 */
export function sessionCookie(purpose: string, config: Pick<Config, 'PUBLIC_URL' | 'PORT'>): SessionCookie {
  const secure = config.PUBLIC_URL !== undefined && new URL(config.PUBLIC_URL).protocol === 'https:'
  return {
    name: secure ? `__Host-sheaf.${purpose}` : `sheaf-${config.PORT}.${purpose}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  }
}

/** How a session began. */
interface SignIn {
  /** Whether the session began with a mailed link, which proves access to the account's mailbox. */
  isByMail?: boolean
}

/** Returns the content of a session's token. The token keeps the time of the sign-in when it is renewed. */
export function tokenFor(account: Pick<Account, 'id' | 'sessionVersion'>, { isByMail = false }: SignIn = {}): JWT {
  return { sub: account.id, version: account.sessionVersion, signedInS: Math.floor(Date.now() / 1000), isByMail }
}

/**
 * Returns the account of a session token, read from the database each time. Null when the token isn't ours, has
 * expired, or belongs to a session that was ended by "sign out everywhere" or a new password.
 */
export async function readSession(
  token: string | undefined,
  secret: string,
): Promise<{ account: Account; token: JWT } | null> {
  const claims = await decodeOrNull(token, secret)
  if (typeof claims?.sub !== 'string') return null
  const account = await findById(claims.sub)
  if (account === null || account.sessionVersion !== claims['version']) return null
  return { account, token: claims }
}

/** Returns the account that is signed in on the current request, or null. */
export async function currentAccount(): Promise<Account | null> {
  return (await currentSession())?.account ?? null
}

/** A session of the account area. */
export interface Session {
  account: Account
  /** A session from before this time was stored counts as old. */
  signedInAt: Date
  /** Whether it began with a mailed link. */
  isByMail: boolean
}

/** Returns the current session, with time and kind of its sign-in. */
export async function currentSession(): Promise<Session | null> {
  const config = getConfig()
  const value = (await cookies()).get(sessionCookie('session', config).name)?.value
  const session = await readSession(value, requireAuthSecret(config))
  if (session === null) return null
  const signedInS = session.token['signedInS']
  const signedInAt = new Date(typeof signedInS === 'number' ? signedInS * 1000 : 0)
  return { account: session.account, signedInAt, isByMail: session.token['isByMail'] === true }
}

/** Starts a session on the current response. `account` must have its current session version. */
export async function startSession(
  account: Pick<Account, 'id' | 'sessionVersion'>,
  signIn: SignIn = {},
): Promise<void> {
  const config = getConfig()
  const { name, options } = sessionCookie('session', config)
  const token = await encode({
    token: tokenFor(account, signIn),
    secret: requireAuthSecret(config),
    maxAge: SESSION_SECONDS,
  })
  const jar = await cookies()
  jar.set(name, token, { ...options, maxAge: SESSION_SECONDS })
}

/** Removes the session cookie from the browser. */
export async function endSession(): Promise<void> {
  const { name, options } = sessionCookie('session', getConfig())
  const jar = await cookies()
  jar.set(name, '', { ...options, maxAge: 0 })
}

async function decodeOrNull(token: string | undefined, secret: string): Promise<JWT | null> {
  try {
    return await decode({ token: token ?? '', secret })
  } catch {
    return null // The token expired, was truncated, or was encrypted with another secret. The visitor isn't signed in.
  }
}
