import { AccountRefusal, notSignedIn } from '../account/account-refusal'
import type { Account } from '../account/accounts'
import { setPassword } from '../account/accounts'
import { getDatabase } from '../../database'
import { findNewPasswordProblem } from '../account/new-password'
import { hashPassword } from '../account/password'
import { inPasswordCheckQueue } from '../sign-in/password-check-queue'
import type { Session } from '../session/session'
import { tryPassword } from '../sign-in/sign-in-with-password'

interface Change extends Session {
  /** Not looked at when the session doesn't need to give it. */
  current: string
  password: string
  clientAddress: string
}

/** A session that began with a mailed link sets a password without the current one for so long. */
const FRESH_LINK_MINUTES = 15

/** Whether a session has to give the current password before it sets another: its owner may have forgotten it. */
export function needsPassword({ account, isByMail, signedInAt }: Session): boolean {
  const isFresh = isByMail && Date.now() - signedInAt.getTime() < FRESH_LINK_MINUTES * 60_000
  return account.hasPassword && !isFresh
}

/**
 * Sets an account's password and ends its sessions; gives the account with its new session version. An account that has
 * a password needs to give it, unless a mailed link was followed just now; wrong ones count as failed sign-ins. Throws
 * AccountRefusal.
 */
export async function changePassword({ current, password, clientAddress, ...session }: Change): Promise<Account> {
  const { account } = session
  const problem = findNewPasswordProblem(password, account.email)
  if (problem !== null) throw new AccountRefusal(400, 'invalid_password', problem)
  if (needsPassword(session)) await assertPassword({ account, current, clientAddress })
  const passwordHash = await inPasswordCheckQueue(clientAddress, () => hashPassword(password))
  const changed = await setPassword(account.id, passwordHash, getDatabase(), account.sessionVersion)
  if (changed === null) throw notSignedIn() // it ended meanwhile, so that this password must not be set
  return changed
}

/** Refuses a password that is not the account's; wrong ones count as failed sign-ins. Throws AccountRefusal. */
export async function assertPassword({
  account,
  current,
  clientAddress,
}: Pick<Change, 'account' | 'current' | 'clientAddress'>): Promise<void> {
  const found = await tryPassword({ email: account.email, password: current, clientAddress })
  if (found?.id !== account.id) throw new AccountRefusal(403, 'wrong_password', 'The current password is not right.')
}
