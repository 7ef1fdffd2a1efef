import { MONTHLY_CREDITS } from '../credits/ledger'
import type { MailText } from './notice-mails'

interface Account {
  balance: number
  lowBalanceAt: number
  /** URL of the credits page. */
  url: string | undefined
}

const count = (credits: number) => `${credits.toLocaleString('en')} ${credits === 1 ? 'credit' : 'credits'}`
const REASON =
  'You get this because your Sheaf account wants to be told of a low balance. The threshold is on its credits ' +
  'page; 0 ends these mails.'
const TOP_UP_REASON =
  'You get this because automatic top-up is set up for your Sheaf account. It can be changed or turned off on the ' +
  'credits page.'
const GRANT = `${MONTHLY_CREDITS} free credits are added at the start of each month (UTC).`

/**
 * Returns the notice of a low balance. `limitDollars` is set if the month's limit for automatic top-up prevented a
 * purchase.
 */
export function lowBalanceText({ balance, lowBalanceAt, url }: Account, limitDollars?: number): MailText {
  const limit =
    limitDollars === undefined
      ? []
      : [
          'Automatic top-up has bought nothing this time: with another purchase this month would be over your ' +
            `limit of $${limitDollars.toLocaleString('en')}.`,
        ]
  return {
    subject: `Your Sheaf balance is low: ${count(balance)} left`,
    paragraphs: [
      `Your account has ${count(balance)} left, fewer than the ${lowBalanceAt.toLocaleString('en')} at which you ` +
        'want to be told.',
      ...limit,
      `Calls are refused with 402 once there are none. ${GRANT}`,
    ],
    link: url === undefined ? undefined : { label: 'See your credits', url },
    reason: REASON,
  }
}

/** Returns the notice of purchased credits. */
export function toppedUpText(
  { balance, url }: Account,
  { credits, dollars, receiptNumber }: { credits: number; dollars: number; receiptNumber: number | null },
): MailText {
  return {
    subject: `Your Sheaf account was topped up with ${count(credits)}`,
    paragraphs: [
      `Your balance was low, so ${count(credits)} were bought for $${dollars.toFixed(2)} with the card that you ` +
        `left. The balance is ${count(balance)}.`,
      ...(receiptNumber === null ? [] : [`Invoice ${receiptNumber} is on the credits page.`]),
    ],
    link: url === undefined ? undefined : { label: 'See your credits', url },
    reason: TOP_UP_REASON,
  }
}

/** Returns the notice of a failed payment. */
export function failedTopUpText(
  { balance, url }: Account,
  { dollars, reason, isOff }: { dollars: number; reason: string; isOff: boolean },
): MailText {
  return {
    subject: isOff
      ? 'Automatic top-up of your Sheaf account is off'
      : 'A top-up of your Sheaf account did not go through',
    paragraphs: [
      `Your balance is low, and the automatic payment of $${dollars.toFixed(2)} did not go through. ${reason}`,
      isOff
        ? 'It was the third time in a row, so nothing is bought automatically any more until you turn it on again.'
        : 'It will be tried again in some hours while the balance stays low.',
      `Your account has ${count(balance)} left. You can buy credits yourself, or leave another card.`,
    ],
    link: url === undefined ? undefined : { label: 'See your credits', url },
    reason: TOP_UP_REASON,
  }
}

/** Returns the notice that automatic top-up was turned off because a payment went back. */
export function stoppedTopUpText({ balance, url }: Account, stoppedBy: 'refund' | 'dispute'): MailText {
  const cause =
    stoppedBy === 'refund'
      ? 'A purchase of your account was refunded'
      : "A purchase of your account was disputed with the cardholder's bank"
  return {
    subject: 'Automatic top-up of your Sheaf account is off',
    paragraphs: [
      `${cause}, and its credits were taken back. Automatic top-up is off, so that nothing is bought in their place ` +
        'unless you want that.',
      `Your account has ${count(balance)} left. You can turn automatic top-up on again, or buy credits yourself.`,
    ],
    link: url === undefined ? undefined : { label: 'See your credits', url },
    reason: TOP_UP_REASON,
  }
}
