import { isAccountRefusal, tooManyAttempts } from '../account/account-refusal'
import { type Account, findByPassword } from '../account/accounts'
import { beginAttempt, rememberNetwork } from './attempt-limit'
import { inPasswordCheckQueue } from './password-check-queue'

interface Attempt {
  email: string
  password: string
  clientAddress: string
}

/** The members of a signed-in account that next-auth needs. */
export interface SignedIn {
  id: string
  sessionVersion: number
}

/**
 * Returns the account with this address and password, or null. An unknown address takes as long and counts as much as a
 * wrong password. Throws AccountRefusal `too_many_attempts` after too many failures, and `service_unavailable`.
 */
export async function signInWithPassword(attempt: Attempt): Promise<SignedIn | null> {
  const account = await tryPassword(attempt)
  if (account === null) return null
  await rememberNetwork(account, attempt.clientAddress)
  return { id: account.id, sessionVersion: account.sessionVersion }
}

/**
 * Checks a password without a sign-in. A password that wasn't checked, because too many others wait, doesn't count as a
 * failure.
 */
export async function tryPassword({ email, password, clientAddress }: Attempt): Promise<Account | null> {
  const attempt = await beginAttempt({ email, ip: clientAddress })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  try {
    const account = await inPasswordCheckQueue(clientAddress, () => findByPassword(email, password))
    if (account !== null) await attempt.succeed()
    return account
  } catch (error) {
    if (isAccountRefusal(error)) await attempt.succeed()
    throw error
  }
}
