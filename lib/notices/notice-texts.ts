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
  'You receive this email because low-balance emails are on for your Sheaf account. To turn them off, set the ' +
  'threshold on the Credits page to 0.'
const TOP_UP_REASON =
  'You receive this email because automatic top-up is set up for your Sheaf account. You can change it or turn it ' +
  'off on the Credits page.'
const GRANT = `You get ${MONTHLY_CREDITS} free credits at the start of each month (UTC).`

/**
 * Returns the notice of a low balance. `limitDollars` is set if the month's limit for automatic top-up prevented a
 * purchase.
 */
export function lowBalanceText({ balance, lowBalanceAt, url }: Account, limitDollars?: number): MailText {
  const limit =
    limitDollars === undefined
      ? []
      : [
          'Automatic top-up bought no credits this time. Another purchase would exceed your monthly limit of ' +
            `$${limitDollars.toLocaleString('en')}.`,
        ]
  return {
    subject: `Your Sheaf balance is low: ${count(balance)} left`,
    paragraphs: [
      `Your account has ${count(balance)} left. That is below your threshold of ` +
        `${lowBalanceAt.toLocaleString('en')}.`,
      ...limit,
      `Without credits, requests return the error 402. ${GRANT}`,
    ],
    link: url === undefined ? undefined : { label: 'View your credits', url },
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
      `Your balance was low. Automatic top-up bought ${count(credits)} for $${dollars.toFixed(2)} with your saved ` +
        `card. Your balance is now ${count(balance)}.`,
      ...(receiptNumber === null ? [] : [`Invoice ${receiptNumber} is on the Credits page.`]),
    ],
    link: url === undefined ? undefined : { label: 'View your credits', url },
    reason: TOP_UP_REASON,
  }
}

/** Returns the notice of a failed payment. */
export function failedTopUpText(
  { balance, url }: Account,
  { dollars, reason, isOff }: { dollars: number; reason: string; isOff: boolean },
): MailText {
  return {
    subject: isOff ? 'Automatic top-up of your Sheaf account is off' : 'A top-up of your Sheaf account failed',
    paragraphs: [
      `Your balance is low, and the automatic payment of $${dollars.toFixed(2)} failed. ${reason}`,
      isOff
        ? 'This was the third failed payment in a row. Automatic top-up is off until you turn it on again.'
        : 'If your balance stays low, Sheaf tries again in a few hours.',
      `Your account has ${count(balance)} left. You can buy credits yourself, or save another card.`,
    ],
    link: url === undefined ? undefined : { label: 'View your credits', url },
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
      `${cause}. Sheaf removed the credits of this purchase and turned automatic top-up off.`,
      `Your account has ${count(balance)} left. You can turn automatic top-up on again, or buy credits yourself.`,
    ],
    link: url === undefined ? undefined : { label: 'View your credits', url },
    reason: TOP_UP_REASON,
  }
}
