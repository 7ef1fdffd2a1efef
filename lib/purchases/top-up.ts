import type { Database, Queries } from '../../db/database'
import { grantOnce, lockOwner } from '../../db/queries/credits'
import { addLowBalanceNotice, rearmLowBalance, removeNotice, resumePayments } from '../../db/queries/notices'
import {
  findTopUp,
  hasTopUpUnderWay,
  insertTopUp,
  listAccountsToTopUp,
  noteLimitTold,
  sumTopUps,
} from '../../db/queries/top-ups'
import { getLedger } from '../credits/ledger'
import { describeError, getLog } from '../log'
import { telemetry } from '../telemetry/telemetry'
import { CREDITS_PER_CENT } from './price'
import { isSelling } from './stripe'

/**
 * What came of a look at an account: `paying` has become a purchase, `under-way` was one before. `recovered` is not
 * low. Of the others the owner is to be told that the balance is low.
 */
export type Opening = 'paying' | 'under-way' | 'recovered' | 'off' | 'paused' | 'limit-reached'

interface Look {
  accountId: string
  /** Why it is looked at; forgotten in the same transaction, unless there is something to be told. */
  noticeId?: number
}

/**
 * Opens a purchase for an account whose balance is low, if its owner wants that, nothing is under way and the month's
 * limit allows it. Everything is decided under the account's lock from what is so at the moment, whatever led here.
 */
export function openTopUp(database: Database, look: Look): Promise<Opening> {
  return database.transaction(async queries => {
    const opening = await decide(queries, look.accountId)
    const isToBeTold = opening === 'off' || opening === 'paused' || opening === 'limit-reached'
    if (look.noticeId !== undefined && !isToBeTold) await removeNotice(queries, look.noticeId)
    // The sweep finds a reached limit as well, when a balance has been low since before.
    if (
      opening === 'limit-reached' &&
      (await noteLimitTold(queries, look.accountId, getLedger().grantTerms().month)) &&
      look.noticeId === undefined
    ) {
      await addLowBalanceNotice(queries, look.accountId)
    }
    return opening
  })
}

async function decide(queries: Queries, accountId: string): Promise<Opening> {
  const { month } = getLedger().grantTerms()
  const owner = await lockOwner(queries, accountId)
  if (owner === undefined || owner.isDeleted) return 'under-way' // nobody is there to be told
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

/** Nothing is bought before the free credits of the month are there. Gives the balance. */
async function grantMonth(queries: Queries, accountId: string): Promise<number> {
  const granted = await grantOnce(queries, accountId, getLedger().grantTerms())
  if (granted !== undefined && granted.granted > 0) telemetry().countCredits?.('grant', granted.granted)
  return granted?.balance ?? 0
}

const AT_ONCE = 100

/**
 * Opens what is to be bought, for all accounts, by their state: a balance that has been low unnoticed, a month that has
 * begun, a card that was saved, a pause that is over, a debt that has swallowed what was bought. What is open and
 * forgotten is paid or given up.
 */
export async function sweepTopUps(database: Database, isStopping: () => boolean): Promise<void> {
  if (!isSelling()) return
  await resumePayments(database)
  const { month } = getLedger().grantTerms()
  for (let after = '', isMore = true; isMore && !isStopping();) {
    const accountIds = await listAccountsToTopUp(database, { month, after, limit: AT_ONCE })
    for (const accountId of accountIds) {
      await openTopUp(database, { accountId }).catch((error: unknown) => {
        getLog().warn(
          { account: accountId, cause: describeError(error) },
          'an automatic top-up could not be opened; it will be tried again',
        )
      })
    }
    after = accountIds.at(-1) ?? ''
    isMore = accountIds.length === AT_ONCE
  }
}
