import { updateLowBalance } from '../../db/queries/accounts'
import type { Database } from '../../db/database'
import { getDatabase } from '../database'
import { assertThresholdSuitsTopUp } from '../purchases/top-up-settings'
import { AccountRefusal } from '../accounts/account/account-refusal'

/** Highest balance threshold that an owner can set. */
const MOST_CREDITS = 1_000_000

/**
 * Sets the balance below which an account's owner is notified, from the typed text. 0 means never. Throws
 * AccountRefusal.
 */
export async function setLowBalance(
  accountId: string,
  typed: string,
  database: Database = getDatabase(),
): Promise<{ lowBalanceAt: number }> {
  const lowBalanceAt = /^\d{1,7}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  if (!(lowBalanceAt <= MOST_CREDITS)) {
    throw new AccountRefusal(
      400,
      'invalid_threshold',
      `The threshold must be a whole number from 0 (never) to ${MOST_CREDITS.toLocaleString('en')}.`,
    )
  }
  await assertThresholdSuitsTopUp(database, accountId, lowBalanceAt)
  await updateLowBalance(database, accountId, lowBalanceAt)
  return { lowBalanceAt }
}
