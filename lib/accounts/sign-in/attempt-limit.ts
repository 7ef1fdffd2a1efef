import { createHmac } from 'node:crypto'
import type { Database } from '../../../db/database'
import { type AttemptLimits, deleteAttempt, noteAttempt } from '../../../db/queries/sign-in-attempts'
import { noteSignInNetwork } from '../../../db/queries/sign-in-networks'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { tooManyAttempts } from '../account/account-refusal'
import { normalizeEmail } from '../account/accounts'
import { requireAuthSecret } from '../session/auth-secret'
import { findNetwork } from '../../calls/network'

const WINDOW_MS = 15 * 60_000

/**
 * Failed sign-ins that are allowed in 15 minutes. The limit for one email over all networks doesn't hold for networks
 * that its account was signed in from before, and mailed links aren't counted by it, so that nobody can lock an owner
 * out.
 */
const SIGN_IN_LIMITS: AttemptLimits = {
  windowMs: WINDOW_MS,
  perAddress: 10,
  perIp: 100,
  perSiteAddress: 30,
  perSite: 300,
  perEmail: 50,
}

/**
 * Mails with a link. One that is refused by the limit for its email finds earlier ones in its owner's mailbox: a link
 * works longer than the window lasts.
 */
const MAIL_LIMITS: AttemptLimits = {
  windowMs: WINDOW_MS,
  perAddress: 5,
  perIp: 100,
  perSiteAddress: 10,
  perSite: 300,
  perEmail: 20,
}

export type Attempt =
  | {
      isAllowed: true
      /** To be called when it succeeds; an attempt that is not taken back counts as failed. */
      succeed(): Promise<void>
    }
  | { isAllowed: false; retryAfterS: number }

/** Who tries what. */
interface Attempted {
  /** The email, or whatever else is counted beside the network. */
  email: string
  /** Network address of the client. */
  ip: string
  /** The email whose account is meant, where `email` says more than that. */
  owner?: string
}

interface AttemptDependencies {
  database?: Database
  limits?: AttemptLimits
  /** What hashes of networks are keyed with. */
  secret?: string
}

/**
 * Begins what nobody may do without end: a sign-in with an address, before its password is looked at, and whatever else
 * has `limits` of its own. It counts as failed from the start, so that many at once, on several instances too, do not
 * get more tries than one after the other.
 */
export async function beginAttempt(
  { email, ip, owner = email }: Attempted,
  dependencies: AttemptDependencies = {},
): Promise<Attempt> {
  const { database = getDatabase(), limits = SIGN_IN_LIMITS, secret } = dependencies
  const { network, site } = findNetwork(ip)
  const networkHash = limits.perEmail === undefined ? undefined : hashNetwork({ email: owner, network }, secret)
  const attempt = { email: normalizeEmail(email).slice(0, 320), ip: network, site, networkHash }
  const noted = await noteAttempt(database, attempt, limits)
  if ('retryAfterS' in noted) return { isAllowed: false, retryAfterS: noted.retryAfterS }
  return { isAllowed: true, succeed: () => deleteAttempt(database, noted.id) }
}

/** Counts a mail with a link that a client asks for. Throws AccountRefusal `too_many_attempts`. */
export async function countMail(email: string, ip: string, dependencies: AttemptDependencies = {}): Promise<void> {
  const attempt = await beginAttempt(
    { email: `mail to ${email}`, ip, owner: email },
    { limits: MAIL_LIMITS, ...dependencies },
  )
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
}

/** Remembers that an account was signed in to from a client's network. */
export async function rememberNetwork(
  account: { id: string; email: string },
  ip: string,
  { database = getDatabase(), secret }: AttemptDependencies = {},
): Promise<void> {
  await noteSignInNetwork(
    database,
    account.id,
    hashNetwork({ email: account.email, network: findNetwork(ip).network }, secret),
  )
}

/** Nobody who reads the database learns where an owner signs in from. */
function hashNetwork(
  { email, network }: { email: string; network: string },
  secret = requireAuthSecret(getConfig()),
): string {
  return createHmac('sha256', secret)
    .update(`sign-in network\0${normalizeEmail(email)}\0${network}`)
    .digest('base64url')
}
