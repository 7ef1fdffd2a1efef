import type { Database, Queries } from '../../db/database'
import { grantOnce, lockOwner } from '../../db/queries/credits'
import { addLowBalanceNotice, rearmLowBalance, removeNotice, resumePayments } from '../../db/queries/notices'
import {
  findTopUp,
  hasTopUpUnderWay,
  insertTopUp,
  listAccountsToTopUp,
  recordLimitTold,
  sumTopUps,
} from '../../db/queries/top-ups'
import { getLedger } from '../credits/ledger'
import { describeError, getLog } from '../log'
import { telemetry } from '../telemetry/telemetry'
import { CREDITS_PER_CENT } from './price'
import { isSelling } from './stripe'

/**
 * The result of checking an account. `paying`: a purchase was opened. `under-way`: a purchase was open before.
 * `recovered`: the balance isn't low. For all other results, the owner must be notified of the low balance.
 */
export type Opening = 'paying' | 'under-way' | 'recovered' | 'off' | 'paused' | 'limit-reached'

interface TopUpCheck {
  accountId: string
  /** The notice that caused the check. It is deleted in the same transaction, unless the owner must be notified. */
  noticeId?: number
}

/**
 * Opens a purchase for an account with a low balance, if its owner has turned top-up on, no purchase is open and the
 * month's limit allows it. Everything is decided under the account's lock from the current state.
 */
export function openTopUp(database: Database, check: TopUpCheck): Promise<Opening> {
  return database.transaction(async queries => {
    const opening = await tryToOpen(queries, check.accountId)
    const mustNotify = opening === 'off' || opening === 'paused' || opening === 'limit-reached'
    if (check.noticeId !== undefined && !mustNotify) await removeNotice(queries, check.noticeId)
    // The sweep also finds a reached limit if a balance was low before.
    if (
      opening === 'limit-reached' &&
      (await recordLimitTold(queries, check.accountId, getLedger().grantTerms().month)) &&
      check.noticeId === undefined
    ) {
      await addLowBalanceNotice(queries, check.accountId)
    }
    return opening
  })
}

async function tryToOpen(queries: Queries, accountId: string): Promise<Opening> {
  const { month } = getLedger().grantTerms()
  const owner = await lockOwner(queries, accountId)
  if (owner === undefined || owner.isDeleted) return 'under-way' // Nobody can be notified.
  const { lowBalanceAt } = owner
  const topUp = await findTopUp(queries, accountId)
  const isOn = topUp?.isOn === true && isSelling()
  const balance = isOn && owner.balance < lowBalanceAt ? await grantMonth(queries, accountId) : owner.balance
  if (balance >= lowBalanceAt) {
    await rearmLowBalance(queries, accountId)
    return 'recovered'
  }
  if (!isOn) return 'off'
  if (await hasTopUpUnderWay(queries, accountId)) return 'under-way'
  if (topUp.isPaused) return 'paused'
  const { amountCents, monthlyLimitCents } = topUp
  if ((await sumTopUps(queries, accountId, month)) + amountCents > monthlyLimitCents) return 'limit-reached'
  await insertTopUp(queries, { accountId, amountCents, credits: amountCents * CREDITS_PER_CENT, month })
  return 'paying'
}

/** Grants the free credits of the month before anything is bought. Returns the balance. */
async function grantMonth(queries: Queries, accountId: string): Promise<number> {
  const granted = await grantOnce(queries, accountId, getLedger().grantTerms())
  if (granted !== undefined && granted.granted > 0) telemetry().countCredits?.('grant', granted.granted)
  return granted?.balance ?? 0
}

const ACCOUNTS_PER_PAGE = 100

/**
 * Opens due purchases for all accounts, based on their state: a balance that was low without a notice, a new month, a
 * saved card, the end of a pause, or a debt that used up a purchase. Open purchases without a queued payment are paid
 * or given up.
 */
export async function sweepTopUps(database: Database, isStopping: () => boolean): Promise<void> {
  if (!isSelling()) return
  await resumePayments(database)
  const { month } = getLedger().grantTerms()
  for (let after = '', hasMore = true; hasMore && !isStopping();) {
    const accountIds = await listAccountsToTopUp(database, { month, after, limit: ACCOUNTS_PER_PAGE })
    for (const accountId of accountIds) {
      await openTopUp(database, { accountId }).catch((error: unknown) => {
        getLog().warn(
          { account: accountId, cause: describeError(error) },
          'failed to open an automatic top-up, retrying',
        )
      })
    }
    after = accountIds.at(-1) ?? ''
    hasMore = accountIds.length === ACCOUNTS_PER_PAGE
  }
}
