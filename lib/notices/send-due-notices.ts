import type { Database } from '../../db/database'
import { delayNotice, type Notice, removeNotice, takeNotices } from '../../db/queries/notices'
import { findPurchase } from '../../db/queries/purchases'
import { findTopUp } from '../../db/queries/top-ups'
import { getConfig } from '../config'
import { describeError, getLog } from '../log'
import { canSendMail, sendMail } from '../mail'
import { MOST_FAILURES } from '../purchases/failed-top-up'
import { delayPayment, payTopUp } from '../purchases/pay-top-up'
import { doStripeTasks } from '../purchases/stripe-tasks'
import { openTopUp, sweepTopUps } from '../purchases/top-up'
import { type MailText, writeMail } from './notice-mails'
import { failedTopUpText, lowBalanceText, stoppedTopUpText, toppedUpText } from './notice-texts'

/**
 * If an instance dies during its work, another one takes over after this time. Longer than requests to Stripe with
 * their retries.
 */
const LEASE_MS = 150_000
/** After this many refusals, a mail is given up. The account pages contain the same information. */
const MOST_ATTEMPTS = 8
const LEAST_DELAY_MS = 30_000

/**
 * Processes due notices: opens automatic purchases for accounts with a low balance, pays for them, sends mail, and does
 * pending Stripe tasks. Notices are processed one after the other, each under the lease of one instance.
 */
export async function sendDueNotices(database: Database, isStopping: () => boolean): Promise<void> {
  await sweepTopUps(database, isStopping)
  for (;;) {
    if (isStopping()) return
    const [notice] = await takeNotices(database, { limit: 1, leaseMs: LEASE_MS })
    if (notice === undefined) break
    await handleNotice(database, notice)
  }
  await doStripeTasks(database, isStopping)
}

async function handleNotice(database: Database, notice: Notice): Promise<void> {
  try {
    if (notice.kind === 'low_balance') await handleLowBalance(database, notice)
    else if (notice.kind === 'top_up') await payTopUp(database, { ...notice, purchaseId: notice.purchaseId ?? '' })
    else await mailNotice(database, notice, await describeNotice(database, notice))
  } catch (error) {
    const { id, kind, accountId, attempts } = notice
    getLog().warn(
      { notice: kind, account: accountId, attempts, cause: describeError(error) },
      'failed to process a notice, retrying',
    )
    if (kind === 'top_up') await delayPayment(database, notice)
    else if (attempts < MOST_ATTEMPTS) await delayNotice(database, id, LEAST_DELAY_MS * 2 ** attempts)
    else await removeNotice(database, id)
  }
}

async function handleLowBalance(database: Database, notice: Notice): Promise<void> {
  const { id, accountId } = notice
  const opening = await openTopUp(database, { accountId, noticeId: id })
  if (opening === 'paying' || opening === 'under-way' || opening === 'recovered') return
  const topUp = opening === 'limit-reached' ? await findTopUp(database, accountId) : undefined
  await mailNotice(database, notice, lowBalanceText(withUrl(notice), topUp && topUp.monthlyLimitCents / 100))
}

async function describeNotice(database: Database, notice: Notice): Promise<MailText | undefined> {
  const { accountId, kind, purchaseId } = notice
  if (kind === 'top_up_stopped')
    return stoppedTopUpText(withUrl(notice), (await findTopUp(database, accountId))?.stoppedBy ?? 'refund')
  const purchase = await findPurchase(database, accountId, purchaseId ?? '')
  if (purchase === undefined) return undefined
  const dollars = purchase.amountCents / 100
  if (kind === 'topped_up')
    return toppedUpText(withUrl(notice), { credits: purchase.credits, dollars, receiptNumber: purchase.receiptNumber })
  const topUp = await findTopUp(database, accountId)
  return failedTopUpText(withUrl(notice), {
    dollars,
    reason: topUp?.lastFailure ?? '',
    isOff: topUp === undefined || topUp.failures >= MOST_FAILURES,
  })
}

/** Without a mail server, nothing is sent. The account pages contain the same information. */
async function mailNotice(database: Database, { id, email }: Notice, text: MailText | undefined): Promise<void> {
  if (text !== undefined && canSendMail(getConfig())) await sendMail({ to: email, ...writeMail(text) })
  await removeNotice(database, id)
}

function withUrl(notice: Notice) {
  const { PUBLIC_URL } = getConfig()
  return { ...notice, url: PUBLIC_URL === undefined ? undefined : new URL('/account/credits', PUBLIC_URL).href }
}
