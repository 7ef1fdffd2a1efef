import type { Database } from '../../db/database'
import { findBalanceDetails } from '../../db/queries/history'
import { getDatabase } from '../database'
import { getLedger, type Ledger, MONTHLY_CREDITS } from './ledger'

/** An account's credits as its owner sees them. */
export interface Balance {
  balance: number
  /**
   * The parts of the balance that were given free and that were bought or added by hand. Every call counts against the
   * free credits first, over all time, so that what was bought is what is left last.
   */
  free: number
  bought: number
  grant: {
    /** The running month in UTC, `2026-11`. */
    month: string
    credits: number
    /** Whether this month's credits have been added. They have not while the address is to be confirmed first. */
    isGranted: boolean
    /** When the next ones will be. */
    nextAt: Date
  }
  /** Below this balance the owner is to be told; 0 for never. */
  lowBalanceAt: number
  isLow: boolean
  /** Credits that payments still owe that went back after they had been spent; the next purchase pays them first. */
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
  const found = await findBalanceDetails(database, accountId)
  if (found === undefined) throw new Error(`There is no account ${accountId}`)
  const { balance, booked, grantedMonth, lowBalanceAt, debt } = found
  const { month } = ledger.grantTerms()
  const bought = Math.min(balance, Math.max(0, booked))
  return {
    balance,
    free: balance - bought,
    bought,
    grant: {
      month,
      credits: MONTHLY_CREDITS,
      isGranted: (grantedMonth ?? '') >= month,
      nextAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
    },
    lowBalanceAt,
    isLow: isBalanceLow(balance, lowBalanceAt),
    debt,
  }
}

/** Whether the owner is to be told that a balance runs low. */
export function isBalanceLow(balance: number, lowBalanceAt: number): boolean {
  return balance < lowBalanceAt
}
