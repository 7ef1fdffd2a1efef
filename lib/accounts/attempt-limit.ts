import type { Database } from '../../db/database'
import { deleteAttempt, noteAttempt, type AttemptLimits } from '../../db/queries/sign-in-attempts'
import { getDatabase } from '../database'
import { normaliseEmail } from './accounts'

/** Failed sign-ins that are allowed in 15 minutes: with one address from one client, and from one client in all. */
const SIGN_IN_LIMITS: AttemptLimits = { windowMs: 15 * 60_000, perAddress: 10, perIp: 100 }

export type Attempt =
  | {
      isAllowed: true
      /** To be called when it succeeds; an attempt that is not taken back counts as failed. */
      succeed(): Promise<void>
    }
  | { isAllowed: false; retryAfterS: number }

/**
 * Begins what nobody may do without end: a sign-in with an address, before its password is looked at, and whatever else
 * has `limits` of its own. It counts as failed from the start, so that many at once, on several instances too, do not
 * get more tries than one after the other.
 */
export async function beginAttempt(
  { email, ip }: { email: string; ip: string },
  { database = getDatabase(), limits = SIGN_IN_LIMITS }: { database?: Database; limits?: AttemptLimits } = {},
): Promise<Attempt> {
  const noted = await noteAttempt(database, { email: normaliseEmail(email).slice(0, 320), ip: ip.slice(0, 64) }, limits)
  if ('retryAfterS' in noted) return { isAllowed: false, retryAfterS: noted.retryAfterS }
  return { isAllowed: true, succeed: () => deleteAttempt(database, noted.id) }
}
