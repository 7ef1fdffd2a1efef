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
  /** What has gone back to the buyer, by refunds and by disputes. */
  returnedCents: number
  /** Once it is paid. */
  paidAt: Date | null
  receiptNumber: number | null
}

/** What a page that sells has to know. */
export interface Offer {
  isSelling: boolean
  /** Whom to ask where nothing is sold. */
  operatorEmail: string | undefined
  /** In whole US dollars. */
  packs: number[]
  leastDollars: number
  mostDollars: number
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is the id of a purchase, as far as that can be seen. */
export function isPurchaseId(text: string): boolean {
  return UUID.test(text)
}

/** A purchase of an account, by an id that a browser sent; null when the account has none of that id. */
export async function readPurchase(accountId: string, id: string): Promise<Purchase | null> {
  const found = isPurchaseId(id) ? await findPurchase(getDatabase(), accountId, id) : undefined
  return found === undefined ? null : describe(found)
}

/** The latest purchases that an account has paid, newest first. */
export async function listPurchases(accountId: string, limit: number): Promise<Purchase[]> {
  return (await listPaidPurchases(getDatabase(), accountId, limit)).map(describe)
}

/** What can be bought here. */
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
