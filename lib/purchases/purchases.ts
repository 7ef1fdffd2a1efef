import { findPurchase, listPaidPurchases } from '../../db/queries/purchases'
import type { PurchaseState } from '../../db/schema'
import { getConfig } from '../config'
import { getDatabase } from '../database'
import { LEAST_DOLLARS, MOST_DOLLARS, PACKS } from './price'

/** A purchase as its buyer sees it. */
export interface Purchase {
  id: string
  state: PurchaseState
  credits: number
  amountCents: number
  /** Cents returned to the buyer by refunds and disputes. */
  returnedCents: number
  /** Set if the purchase is paid. */
  paidAt: Date | null
  receiptNumber: number | null
}

/** The data of a page that sells credits. */
export interface Offer {
  isSelling: boolean
  /** The contact if nothing is sold. */
  operatorEmail: string | undefined
  /** In whole US dollars. */
  packs: number[]
  leastDollars: number
  mostDollars: number
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns whether a text has the form of a purchase ID. */
export function isPurchaseId(text: string): boolean {
  return UUID.test(text)
}

/** Returns a purchase of an account, by an ID from a browser. Null if the account has none with this ID. */
export async function readPurchase(accountId: string, id: string): Promise<Purchase | null> {
  const row = isPurchaseId(id) ? await findPurchase(getDatabase(), accountId, id) : undefined
  return row === undefined ? null : describe(row)
}

/** Lists the latest paid purchases of an account, newest first. */
export async function listPurchases(accountId: string, limit: number): Promise<Purchase[]> {
  return (await listPaidPurchases(getDatabase(), accountId, limit)).map(describe)
}

/** Returns what can be bought. */
export function describeOffer(): Offer {
  const { STRIPE_SECRET_KEY, OPERATOR_EMAIL } = getConfig()
  return {
    isSelling: STRIPE_SECRET_KEY !== undefined,
    operatorEmail: OPERATOR_EMAIL,
    packs: PACKS,
    leastDollars: LEAST_DOLLARS,
    mostDollars: MOST_DOLLARS,
  }
}

function describe(row: NonNullable<Awaited<ReturnType<typeof findPurchase>>>): Purchase {
  const { id, state, credits, amountCents, refundedCents, disputedCents, paidAt, receiptNumber } = row
  return { id, state, credits, amountCents, returnedCents: refundedCents + disputedCents, paidAt, receiptNumber }
}
