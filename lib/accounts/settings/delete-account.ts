import { purgeDeletedRequests } from '../../../db/queries/request-log'
import { deletePersonalData } from '../../../db/queries/deletion'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { AccountRefusal } from '../account/account-refusal'
import { type Account, normalizeEmail } from '../account/accounts'
import { requireAuthSecret } from '../session/auth-secret'
import { assertPassword } from './change-password'
import { currentMonth, hashAddress } from '../account/spent-grant'

interface Deletion {
  account: Account
  signedInAt: Date
  /** For an account with a password. */
  password: string
  /** For an account without a password: its email address, typed again. */
  email: string
  clientAddress: string
}

/** Without a password, a new sign-in with a mailed link or another service proves the address, for this long. */
const FRESH_SIGN_IN_MINUTES = 15

const REQUESTS_PER_DELETION = 5000

/**
 * Deletes an account: address, name, password, key, linked sign-ins, usage and request log. Every session and the key
 * end. Requests in progress finish. The ledger stays, under an ID that leads to nobody. The address can sign up again,
 * without a second grant in the same month. Throws AccountRefusal.
 */
export async function deleteAccount({ account, signedInAt, password, email, clientAddress }: Deletion): Promise<void> {
  if (account.hasPassword) await assertPassword({ account, current: password, clientAddress })
  else assertAddress(account, email, signedInAt)
  const database = getDatabase()
  const addressHash = await hashAddress({ email: account.email, secret: requireAuthSecret(getConfig()) }, database)
  await deletePersonalData(database, { accountId: account.id, month: currentMonth(), addressHash })
  await purgeDeletedRequests(database, REQUESTS_PER_DELETION) // The sweep deletes the rest of a long log.
}

function assertAddress(account: Account, email: string, signedInAt: Date): void {
  if (normalizeEmail(email) !== account.email)
    throw new AccountRefusal(403, 'wrong_address', "This isn't the email address of your account.")
  if (Date.now() - signedInAt.getTime() > FRESH_SIGN_IN_MINUTES * 60_000) {
    throw new AccountRefusal(
      403,
      'sign_in_again',
      'This account has no password. Sign out and sign in again. Then delete the account within ' +
        `${FRESH_SIGN_IN_MINUTES} minutes.`,
    )
  }
}
