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
  /** Ignored if the session doesn't need it. */
  current: string
  password: string
  clientAddress: string
}

/** A session that began with a mailed link may set a password without the current one for this long. */
const FRESH_LINK_MINUTES = 15

/**
 * Returns whether a session must give the current password before it sets another. A mailed link replaces a forgotten
 * one.
 */
export function needsPassword({ account, isByMail, signedInAt }: Session): boolean {
  const isFresh = isByMail && Date.now() - signedInAt.getTime() < FRESH_LINK_MINUTES * 60_000
  return account.hasPassword && !isFresh
}

/**
 * Sets an account's password and ends its sessions. Returns the account with its new session version. An account with a
 * password must give it, unless a mailed link was followed just now. Wrong passwords count as failed sign-ins. Throws
 * AccountRefusal.
 */
export async function changePassword({ current, password, clientAddress, ...session }: Change): Promise<Account> {
  const { account } = session
  const problem = await findNewPasswordProblem(password, account.email)
  if (problem !== null) throw new AccountRefusal(400, 'invalid_password', problem)
  if (needsPassword(session)) await assertPassword({ account, current, clientAddress })
  const passwordHash = await inPasswordCheckQueue(clientAddress, () => hashPassword(password))
  const updatedAccount = await setPassword(account.id, passwordHash, getDatabase(), account.sessionVersion)
  // The session ended in the meantime, so this password must not be set.
  if (updatedAccount === null) throw notSignedIn()
  return updatedAccount
}

/** Refuses a password that isn't the account's. Wrong passwords count as failed sign-ins. Throws AccountRefusal. */
export async function assertPassword({
  account,
  current,
  clientAddress,
}: Pick<Change, 'account' | 'current' | 'clientAddress'>): Promise<void> {
  const checkedAccount = await tryPassword({ email: account.email, password: current, clientAddress })
  if (checkedAccount?.id !== account.id)
    throw new AccountRefusal(403, 'wrong_password', 'The current password is wrong.')
}
