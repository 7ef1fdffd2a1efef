import { purgeDeletedCalls } from '../../../db/queries/calls'
import { deletePersonalData } from '../../../db/queries/deletion'
import { getConfig } from '../../config'
import { getDatabase } from '../../database'
import { AccountRefusal } from '../account/account-refusal'
import { type Account, normalizeEmail } from '../account/accounts'
import { requireAuthSecret } from '../session/auth-secret'
import { assertPassword } from './change-password'
import { currentMonth, hashAddress } from '../account/granted-months'

interface Deletion {
  account: Account
  signedInAt: Date
  /** Of an account that has a password. */
  password: string
  /** Of an account without one: its address, typed once more. */
  email: string
  clientAddress: string
}

/**
 * Who has no password proves the address by signing in anew, with a mailed link or another service, and has so long for
 * it.
 */
const FRESH_SIGN_IN_MINUTES = 15

const CALLS_AT_ONCE = 5000

/**
 * Deletes an account: address, name, password, key, sign-ins elsewhere, usage and call log are gone, every session and
 * the key have ended. Calls that are running are finished. The ledger stays, under an id that leads to nobody. The
 * address can be signed up again, without a second grant in the same month. Throws AccountRefusal.
 */
export async function deleteAccount({ account, signedInAt, password, email, clientAddress }: Deletion): Promise<void> {
  if (account.hasPassword) await assertPassword({ account, current: password, clientAddress })
  else assertAddress(account, email, signedInAt)
  const database = getDatabase()
  const addressHash = hashAddress({ email: account.email, secret: requireAuthSecret(getConfig()) })
  await deletePersonalData(database, { accountId: account.id, month: currentMonth(), addressHash })
  await purgeDeletedCalls(database, CALLS_AT_ONCE) // what is left of a long log, the sweep deletes
}

function assertAddress(account: Account, email: string, signedInAt: Date): void {
  if (normalizeEmail(email) !== account.email)
    throw new AccountRefusal(403, 'wrong_address', 'That is not the address of this account.')
  if (Date.now() - signedInAt.getTime() > FRESH_SIGN_IN_MINUTES * 60_000) {
    throw new AccountRefusal(
      403,
      'sign_in_again',
      'This account has no password. Sign out, sign in again to prove that the address is yours, and delete it ' +
        `within ${FRESH_SIGN_IN_MINUTES} minutes.`,
    )
  }
}
