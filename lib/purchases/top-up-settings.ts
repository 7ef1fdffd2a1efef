import type { Database } from '../../db/database'
import { findTopUp, saveTopUp, turnTopUpOff } from '../../db/queries/top-ups'
import { AccountRefusal, tooManyAttempts } from '../accounts/account/account-refusal'
import type { Account } from '../accounts/account/accounts'
import { beginAttempt } from '../accounts/sign-in/attempt-limit'
import { getDatabase } from '../database'
import { MOST_FAILURES } from './failed-top-up'
import { openPaymentPage, readAmount, urlOf } from './payment-page'
import { CREDITS_PER_CENT } from './price'

/** Maximum monthly limit, in US dollars. */
const MOST_MONTHLY_DOLLARS = 10_000

/** Automatic top-up as its owner sees it. */
export interface TopUp {
  isOn: boolean
  dollars: number
  monthlyLimitDollars: number
  /** `Visa ending in 4242`. Undefined if there is no card. */
  card: string | undefined
  /** Stripe's message if the last payment failed. */
  lastFailure: string | undefined
  /** Whether too many failed payments turned the top-up off. */
  hasGivenUp: boolean
  /** Set if a payment that went back turned the top-up off. */
  stoppedBy: 'refund' | 'dispute' | undefined
}

/** Returns the settings of an account. Null if it never had any. */
export async function readTopUp(accountId: string): Promise<TopUp | null> {
  const row = await findTopUp(getDatabase(), accountId)
  if (row === undefined) return null
  const { isOn, amountCents, monthlyLimitCents, cardLabel, failures, lastFailure, stoppedBy } = row
  return {
    isOn,
    dollars: amountCents / 100,
    monthlyLimitDollars: monthlyLimitCents / 100,
    card: cardLabel ?? undefined,
    lastFailure: lastFailure ?? undefined,
    hasGivenUp: !isOn && failures >= MOST_FAILURES,
    stoppedBy: stoppedBy ?? undefined,
  }
}

interface TopUpForm {
  account: Account
  /** The typed amounts. */
  dollars: string
  monthlyLimit: string
  /** Whether the owner wants to replace the card. */
  isOtherCard: boolean
  /** Origin of the site, for the return URL. */
  origin: string
}

/**
 * Turns automatic top-up on, or changes its amounts. If a card is missing or to be replaced, returns the URL of a
 * Stripe page for the card. The top-up is then on when Stripe has reported that card. Throws AccountRefusal.
 */
export async function setTopUp({
  account,
  dollars,
  monthlyLimit,
  isOtherCard,
  origin,
}: TopUpForm): Promise<{ url?: string }> {
  const amountCents = readAmount(dollars)
  const monthlyLimitCents = /^\d{1,5}$/.test(monthlyLimit.trim()) ? Number(monthlyLimit) * 100 : Number.NaN
  if (!(monthlyLimitCents >= amountCents && monthlyLimitCents <= MOST_MONTHLY_DOLLARS * 100)) {
    throw new AccountRefusal(
      400,
      'invalid_limit',
      `The monthly limit must be a whole number of dollars from the amount, ${amountCents / 100}, to ` +
        `${MOST_MONTHLY_DOLLARS.toLocaleString('en')}.`,
    )
  }
  assertThreshold(account.lowBalanceAt, amountCents)
  const database = getDatabase()
  const isOn = await saveTopUp(database, account.id, { amountCents, monthlyLimitCents })
  return isOn && !isOtherCard ? {} : { url: await openCardPage(account, origin) }
}

/** Ends automatic purchases. A payment that Stripe was already asked for completes. A queued payment isn't made. */
export async function endTopUp(accountId: string): Promise<void> {
  await turnTopUpOff(getDatabase(), accountId)
}

/**
 * A purchase must lift the balance over the threshold. Otherwise the balance would never fall below it again. Throws
 * AccountRefusal.
 */
function assertThreshold(lowBalanceAt: number, amountCents: number): void {
  const credits = amountCents * CREDITS_PER_CENT
  if (lowBalanceAt < 1)
    throw new AccountRefusal(
      400,
      'no_threshold',
      'Your low-balance threshold is 0. Set the threshold to 1 or more first.',
    )
  if (lowBalanceAt > credits)
    throw new AccountRefusal(
      400,
      'threshold_too_high',
      `Your low-balance threshold is ${lowBalanceAt.toLocaleString('en')} credits, but this amount buys only ` +
        `${credits.toLocaleString('en')}. Choose a larger amount or a lower threshold.`,
    )
}

/** Refuses a threshold over which automatic top-up couldn't lift the balance. Throws AccountRefusal. */
export async function assertThresholdSuitsTopUp(
  database: Database,
  accountId: string,
  lowBalanceAt: number,
): Promise<void> {
  const topUp = await findTopUp(database, accountId)
  if (topUp?.isOn === true) assertThreshold(lowBalanceAt, topUp.amountCents)
}

/** Limit of card pages for one account in an hour. Each page is a session at Stripe. */
const CARD_LIMITS = { windowMs: 3600_000, perAddress: 10, perIp: 10 }

async function openCardPage(account: Account, origin: string): Promise<string> {
  const attemptName = `card of ${account.id}`
  const attempt = await beginAttempt({ email: attemptName, ip: attemptName }, { limits: CARD_LIMITS })
  if (!attempt.isAllowed) throw tooManyAttempts(attempt.retryAfterS)
  const creditsUrl = `${origin}/account/credits`
  const session = await openPaymentPage({
    account,
    session: {
      mode: 'setup',
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      metadata: { account_id: account.id, top_up: 'card' },
      success_url: `${creditsUrl}?card=left#top-up`,
      cancel_url: `${creditsUrl}#top-up`,
    },
    reassurance: 'Your amounts are saved.',
  })
  return urlOf(session)
}
