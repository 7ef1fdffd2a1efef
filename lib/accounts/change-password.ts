import { AccountRefusal, tooManyAttempts } from './account-refusal'
import type { Account } from './accounts'
import { findByPassword, setPassword } from './accounts'
import { findNewPasswordFault } from './new-password'
import { hashPassword } from './password'
import { beginAttempt } from './attempt-limit'

interface Change {
  account: Account
  /** Not looked at when the account has no password yet. */
  current: string
  password: string
  clientAddress: string
}

/**
 * Sets an account's password and ends its sessions; gives the account with its new session version. An account that has
 * a password needs to give it; wrong ones count as failed sign-ins. Throws AccountRefusal.
 */
export async function changePassword({ account, current, password, clientAddress }: Change): Promise<Account> {
  const fault = findNewPasswordFault(password, account.email)
  if (fault !== null) throw new AccountRefusal(400, 'invalid_password', fault)
  if (account.hasPassword) await assertPassword({ account, current, clientAddress })
  const changed = await setPassword(account.id, await hashPassword(password))
  if (changed === null) throw new AccountRefusal(401, 'not_signed_in', 'This account does not exist any more.')
  return changed
}

/** Refuses a password that is not the account's; wrong ones count as failed sign-ins. Throws AccountRefusal. */
export async function assertPassword({ account, current, clientAddress }: Omit<Change, 'password'>): Promise<void> {
  const attempt = await beginAttempt({ email: account.email, ip: clientAddress })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  const found = await findByPassword(account.email, current)
  if (found?.id !== account.id) throw new AccountRefusal(403, 'wrong_password', 'The current password is not right.')
  await attempt.succeed()
}
