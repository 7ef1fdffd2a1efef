import type { Database } from '../../db/database'
import { findBalanceDetails } from '../../db/queries/history'
import { getDatabase } from '../database'
import { getLedger, type Ledger, MONTHLY_CREDITS } from './ledger'

/** The credits of an account, as its owner sees them. */
export interface Balance {
  balance: number
  /**
   * The parts of the balance that were free, and that were bought or added by an operator. Requests use free credits
   * first, over all time, so bought credits are spent last.
   */
  free: number
  bought: number
  grant: {
    /** The current month in UTC, such as `2026-11`. */
    month: string
    credits: number
    /** Whether this month's credits have been added. */
    isGranted: boolean
    /**
     * Whether the server's daily cap holds them back until another day. Otherwise the email address must be confirmed
     * first.
     */
    isHeldBack: boolean
    /** When the next free credits are added. */
    nextAt: Date
  }
  /** Below this balance, the owner is notified. 0 means never. */
  lowBalanceAt: number
  isLow: boolean
  /** Debt from payments that went back after their credits had been spent. The next purchase repays it first. */
  debt: number
}

interface BalanceDependencies {
  database?: Database
  ledger?: Pick<Ledger, 'grantMonth' | 'grantTerms'>
  now?: Date
}

/** Grants the month if it is due and describes an account's balance. Throws an Error when there is no such account. */
export async function describeBalance(accountId: string, dependencies: BalanceDependencies = {}): Promise<Balance> {
  const { database = getDatabase(), ledger = getLedger(), now = new Date() } = dependencies
  await ledger.grantMonth(accountId)
  const details = await findBalanceDetails(database, accountId)
  if (details === undefined) throw new Error(`There is no account ${accountId}`)
  const { balance, booked, grantedMonth, lowBalanceAt, debt } = details
  const { month, credits: grantable } = ledger.grantTerms()
  const bought = Math.min(balance, Math.max(0, booked))
  return {
    balance,
    free: balance - bought,
    bought,
    grant: {
      month,
      credits: MONTHLY_CREDITS,
      isGranted: (grantedMonth ?? '') >= month,
      isHeldBack: (grantedMonth ?? '') < month && grantable === 0,
      nextAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
    },
    lowBalanceAt,
    isLow: isBalanceLow(balance, lowBalanceAt),
    debt,
  }
}

/** Returns whether the owner must be notified of a low balance. */
export function isBalanceLow(balance: number, lowBalanceAt: number): boolean {
  return balance < lowBalanceAt
}
