import { findByPassword } from './accounts'
import { tooManyAttempts } from './account-refusal'
import { beginAttempt } from './attempt-limit'

interface Attempt {
  email: string
  password: string
  clientAddress: string
}

/** What next-auth needs of an account that has signed in. */
export interface SignedIn {
  id: string
  sessionVersion: number
}

/**
 * The account whose address and password these are, or null; an unknown address takes as long and counts as much as a
 * wrong password. Throws AccountRefusal `too_many_attempts` after too many failures.
 */
export async function signInWithPassword({ email, password, clientAddress }: Attempt): Promise<SignedIn | null> {
  const attempt = await beginAttempt({ email, ip: clientAddress })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  const account = await findByPassword(email, password)
  if (account === null) return null
  await attempt.succeed()
  return { id: account.id, sessionVersion: account.sessionVersion }
}
