import { createHmac } from 'node:crypto'
import type { Database } from '../../../db/database'
import {
  type AttemptLimits,
  deleteAttempt,
  recordAttempt,
  recordSignInNetwork,
} from '../../../db/queries/sign-in-attempts'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { tooManyAttempts } from '../account/account-refusal'
import { normalizeEmail } from '../account/accounts'
import { requireAuthSecret } from '../session/auth-secret'
import { findNetwork } from '../../requests/network'

const WINDOW_MS = 15 * 60_000

/**
 * Failed sign-ins allowed in 15 minutes. The limit for one email over all networks exempts networks from which its
 * account was signed in to before. Mailed links don't count either. So nobody can lock an owner out.
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
 * Mails with a link. If the limit for an email refuses a mail, earlier mails are in its owner's mailbox, because a link
 * works longer than the window.
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
      /** Call this when the attempt succeeds. Otherwise the attempt counts as failed. */
      succeed(): Promise<void>
    }
  | { isAllowed: false; retryAfterS: number }

/** An attempt to be counted. */
interface Attempted {
  /** The email, or another value to count in addition to the network. */
  email: string
  /** Network address of the client. */
  ip: string
  /** The email of the account, if `email` holds more than that. */
  owner?: string
  /** A larger network to count, instead of the /48 of an IPv6 address. */
  site?: string | null
}

interface AttemptDependencies {
  database?: Database
  limits?: AttemptLimits
  /** The key for hashes of networks. */
  secret?: string
}

/**
 * Begins an attempt of something limited: a sign-in with an address, before its password is checked, or anything with
 * its own `limits`. The attempt counts as failed from the start, so that simultaneous attempts, even on several
 * instances, don't get more tries.
 */
export async function beginAttempt(
  { email, ip, owner = email, site = findNetwork(ip).site }: Attempted,
  dependencies: AttemptDependencies = {},
): Promise<Attempt> {
  const { database = getDatabase(), limits = SIGN_IN_LIMITS, secret } = dependencies
  const { network } = findNetwork(ip)
  const networkHash = limits.perEmail === undefined ? undefined : hashNetwork({ email: owner, network }, secret)
  const attempt = { email: normalizeEmail(email).slice(0, 320), ip: network, site, networkHash }
  const storedAttempt = await recordAttempt(database, attempt, limits)
  if ('retryAfterS' in storedAttempt) return { isAllowed: false, retryAfterS: storedAttempt.retryAfterS }
  return { isAllowed: true, succeed: () => deleteAttempt(database, storedAttempt.id) }
}

/** Counts a requested mail with a link. Throws AccountRefusal `too_many_attempts`. */
export async function countMail(email: string, ip: string, dependencies: AttemptDependencies = {}): Promise<void> {
  const attempt = await beginAttempt(
    { email: `mail to ${email}`, ip, owner: email },
    { limits: MAIL_LIMITS, ...dependencies },
  )
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
}

/** Stores that an account was signed in to from a client's network. */
export async function rememberNetwork(
  account: { id: string; email: string },
  ip: string,
  { database = getDatabase(), secret }: AttemptDependencies = {},
): Promise<void> {
  await recordSignInNetwork(
    database,
    account.id,
    hashNetwork({ email: account.email, network: findNetwork(ip).network }, secret),
  )
}

/** The hash hides from readers of the database from where an owner signs in. */
function hashNetwork(
  { email, network }: { email: string; network: string },
  secret = requireAuthSecret(getConfig()),
): string {
  return createHmac('sha256', secret)
    .update(`sign-in network\0${normalizeEmail(email)}\0${network}`)
    .digest('base64url')
}
