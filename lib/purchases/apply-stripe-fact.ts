import type { Stripe } from 'stripe'
import type { Queries } from '../../db/database'
import type { PaymentKind } from '../../db/schema'
import { lockOwner } from '../../db/queries/credits'
import { addNotice } from '../../db/queries/notices'
import { archiveInvoices, markOrphaned } from '../../db/queries/orphan-purchases'
import {
  bookPayment,
  lockPurchase,
  markPaid,
  recordCustomer,
  recordDispute,
  recordRefund,
  sumDisputes,
  updateBookings,
  updateState,
  type LockedPurchase,
} from '../../db/queries/purchases'
import { addStripeTask } from '../../db/queries/stripe-tasks'
import { findLatestBilling, findTopUp, forgetFailures, stopTopUp } from '../../db/queries/top-ups'
import { getLog } from '../log'
import { telemetry } from '../telemetry/telemetry'
import { writeBilling } from './billing'
import type { StripeFact, PaymentFact } from './stripe-facts'
import { recordFailedTopUp } from './failed-top-up'
import { CREDITS_PER_CENT } from './price'

/**
 * Thrown if a report from Stripe doesn't match its purchase. Nothing was changed. `message` is for the log and for
 * Stripe's dashboard.
 */
export class PurchaseMismatch extends Error {
  override readonly name = 'PurchaseMismatch'
}

/**
 * `credited` and `taken`: the balance changed. `noted`: the balance didn't change, because the ledger already contains
 * the fact or must wait for the payment. `orphaned`: the account was deleted before the payment arrived, so nothing is
 * credited and the payment is refunded.
 */
export type Outcome = 'credited' | 'taken' | 'noted' | 'orphaned'

/**
 * Checks a fact from Stripe against our purchase and updates the ledger, in the caller's transaction. Facts may arrive
 * in any order and any number of times. Throws PurchaseMismatch.
 */
export async function applyStripeFact(queries: Queries, fact: StripeFact): Promise<Outcome> {
  const purchase = await lockPurchase(queries, fact.purchaseId)
  if (purchase === undefined) throw new PurchaseMismatch(`Unknown purchase ${fact.purchaseId.slice(0, 64)}`)
  if (fact.kind === 'session') return applySession(queries, purchase, fact)
  if (fact.kind === 'payment') return applyPayment(queries, purchase, fact)
  assertEqual('currency', fact.currency, purchase.currency)
  if (fact.kind === 'refund') await recordRefund(queries, purchase.id, fact.refundedCents)
  else await recordDispute(queries, fact)
  return bookDifferences(queries, purchase.id)
}

async function applySession(
  queries: Queries,
  purchase: LockedPurchase,
  { session, state }: Extract<StripeFact, { kind: 'session' }>,
): Promise<Outcome> {
  assertEqual('client_reference_id', session.client_reference_id, purchase.accountId)
  assertEqual('account_id', session.metadata?.['account_id'], purchase.accountId)
  if (purchase.sessionId !== null) assertEqual('session', session.id, purchase.sessionId)
  assertEqual('currency', session.currency, purchase.currency)
  assertEqual('amount_total', session.amount_total, purchase.amountCents)
  if (purchase.state === 'paid') return 'noted'
  const isOrphaned = await hasLostOwner(queries, purchase)
  if (state !== 'paid') {
    await updateState(queries, purchase.id, state)
    await storeCustomer(queries, { accountId: purchase.accountId, customerId: idOf(session.customer), isOrphaned })
    return 'noted'
  }
  assertEqual('payment_status', session.payment_status, 'paid')
  const paymentIntentId = idOf(session.payment_intent)
  if (paymentIntentId === undefined) throw new PurchaseMismatch('payment_intent is missing')
  await markPaid(queries, {
    id: purchase.id,
    sessionId: session.id,
    paymentIntentId,
    billing: writeBilling(session.customer_details),
  })
  await storeCustomer(queries, { accountId: purchase.accountId, customerId: idOf(session.customer), isOrphaned })
  return isOrphaned ? orphanPurchase(queries, purchase) : bookPurchase(queries, purchase)
}

/**
 * Applies an automatic payment. The owner is notified by mail. After several failures in a row, no further payment is
 * tried.
 */
async function applyPayment(
  queries: Queries,
  purchase: LockedPurchase,
  { payment, state, reason = NO_REASON }: PaymentFact,
): Promise<Outcome> {
  const { id, accountId } = purchase
  assertEqual('account_id', payment.metadata['account_id'], accountId)
  assertEqual('currency', payment.currency, purchase.currency)
  assertEqual('amount', payment.amount, purchase.amountCents)
  if (purchase.state === 'paid') return 'noted'
  if (state === 'paid') {
    // This also keeps the account from being deleted while its payment is booked.
    const isOrphaned = await hasLostOwner(queries, purchase)
    // An automatic payment has no checkout, so the details come from an earlier one or from the setup of the card.
    const billing =
      (await findLatestBilling(queries, accountId)) ?? (await findTopUp(queries, accountId))?.billing ?? null
    await markPaid(queries, { id, sessionId: null, paymentIntentId: payment.id, billing })
    if (isOrphaned) return orphanPurchase(queries, purchase)
    const outcome = await bookPurchase(queries, purchase)
    await forgetFailures(queries, accountId)
    await addNotice(queries, { accountId, kind: 'topped_up', purchaseId: id })
    return outcome
  }
  const isStateChanged = await updateState(queries, id, state)
  if (isStateChanged && state === 'failed') await recordFailedTopUp(queries, { accountId, purchaseId: id, reason })
  return 'noted'
}

const NO_REASON = 'The payment failed.'

/**
 * Returns whether the account of a purchase is deleted. If it isn't, it can't be deleted before the transaction ends.
 */
async function hasLostOwner(queries: Queries, { accountId }: LockedPurchase): Promise<boolean> {
  return (await lockOwner(queries, accountId))?.isDeleted ?? true
}

/**
 * Stores a customer that Stripe created for an account. If the account is deleted, queues the deletion of the customer.
 */
async function storeCustomer(
  queries: Queries,
  customer: { accountId: string; customerId: string | undefined; isOrphaned: boolean },
): Promise<void> {
  const { accountId, customerId, isOrphaned } = customer
  if (customerId === undefined) return
  if (isOrphaned) await addStripeTask(queries, { kind: 'delete_customer', subject: customerId })
  else await recordCustomer(queries, accountId, customerId)
}

/** Handles a payment for a deleted account: refunds the payment and notifies the operator. */
async function orphanPurchase(queries: Queries, { id, accountId, amountCents }: LockedPurchase): Promise<Outcome> {
  await markOrphaned(queries, id)
  await archiveInvoices(queries, accountId)
  await addStripeTask(queries, { kind: 'refund', subject: id })
  getLog().error(
    { purchase: id, amountCents },
    'a purchase was paid after its account was deleted, its payment is refunded',
  )
  return 'orphaned'
}

async function bookPurchase(queries: Queries, purchase: LockedPurchase): Promise<Outcome> {
  const booked = await book(queries, purchase, { kind: 'purchase', credits: purchase.credits })
  await updateBookings(queries, booked)
  await bookDifferences(queries, purchase.id)
  return 'credited'
}

/**
 * Books refunds, disputes and returned money that the ledger doesn't contain yet. Refund and dispute together take no
 * more than was paid.
 */
async function bookDifferences(queries: Queries, id: string): Promise<Outcome> {
  let purchase = await lockPurchase(queries, id)
  if (purchase?.state !== 'paid' || purchase.isOrphaned) return 'noted'
  const before = purchase.bookings
  const refunded = Math.min(purchase.refundedCents, purchase.amountCents)
  const disputed = Math.min(await sumDisputes(queries, id), purchase.amountCents - refunded)
  const returned = purchase.disputeBookedCents - disputed
  if (returned > 0)
    purchase = {
      ...(await book(queries, purchase, { kind: 'dispute_reversal', credits: returned * CREDITS_PER_CENT })),
      disputeBookedCents: disputed,
    }
  const refund = refunded - purchase.refundBookedCents
  if (refund > 0)
    purchase = {
      ...(await book(queries, purchase, { kind: 'purchase_refund', credits: -refund * CREDITS_PER_CENT })),
      refundBookedCents: refunded,
    }
  const newlyDisputed = disputed - purchase.disputeBookedCents
  if (newlyDisputed > 0)
    purchase = {
      ...(await book(queries, purchase, { kind: 'dispute', credits: -newlyDisputed * CREDITS_PER_CENT })),
      disputeBookedCents: disputed,
    }
  if (purchase.bookings === before) return 'noted'
  await updateBookings(queries, purchase)
  if (refund > 0 || newlyDisputed > 0)
    await stopBuying(queries, purchase.accountId, newlyDisputed > 0 ? 'dispute' : 'refund')
  return returned > 0 && refund <= 0 ? 'credited' : 'taken'
}

/**
 * Turns automatic top-up off, because money that went back must not be charged again automatically. Runs in the
 * transaction of the booking, which lowers the balance.
 */
async function stopBuying(queries: Queries, accountId: string, reason: 'refund' | 'dispute'): Promise<void> {
  if (await stopTopUp(queries, accountId, reason)) await addNotice(queries, { accountId, kind: 'top_up_stopped' })
}

async function book(
  queries: Queries,
  purchase: LockedPurchase,
  { kind, credits }: { kind: PaymentKind; credits: number },
): Promise<LockedPurchase> {
  const bookings = purchase.bookings + 1
  await bookPayment(queries, { accountId: purchase.accountId, kind, credits, reference: `${purchase.id}/${bookings}` })
  // In the rare case that the transaction fails at its end, the credits are counted anyway.
  telemetry().countCredits?.(kind, Math.abs(credits))
  return { ...purchase, bookings }
}

function assertEqual(what: string, reported: string | number | null | undefined, stored: string | number): void {
  if (reported !== stored)
    throw new PurchaseMismatch(`${what} is ${reported ?? 'missing'}, but the purchase has ${stored}`)
}

function idOf(value: string | Pick<Stripe.Customer, 'id'> | null): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
