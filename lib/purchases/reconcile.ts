import type { Stripe } from 'stripe'
import type { Database } from '../../db/database'
import { listOrphans } from '../../db/queries/orphan-purchases'
import { listPurchasesSince, lockPurchase } from '../../db/queries/purchases'
import { applyStripeFact, type Outcome, PurchaseMismatch } from './apply-stripe-fact'
import { type StripeFact, readDispute, readPayment, readRefund, readCheckoutSession } from './stripe-facts'

const DAY_S = 86_400
/** A slow bank pays after some days. With a nightly reconciliation, every purchase is compared many times. */
const USUAL_DAYS = 30
/** A cardholder's bank decides within about three months. */
const DISPUTE_DAYS = 120
/** Tolerance, because our clock creates the row before Stripe creates the session. */
const CLOCK_S = 300

/** The result of a reconciliation. */
export interface Reconciliation {
  days: number
  /** Numbers of our objects at Stripe. */
  sessions: number
  /** Automatic payments. */
  payments: number
  refunds: number
  disputes: number
  differences: Difference[]
}

/** A difference between Stripe and the ledger. `isMended` is true if the ledger was updated to match Stripe. */
export interface Difference {
  purchaseId: string
  what: string
  isMended: boolean
}

interface Sources {
  database: Database
  stripe: Stripe
  days?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Compares the ledger with Stripe for the last days: sessions, refunds, disputes. An object that the ledger lacks is
 * applied like its event. Any other difference is only reported, including payments for deleted accounts. Safe to run
 * at any time and any number of times. Throws the errors of Stripe, the database or the signal.
 */
export async function reconcile({ database, stripe, days = USUAL_DAYS, signal }: Sources): Promise<Reconciliation> {
  const nowS = Math.floor(Date.now() / 1000)
  const since = { created: { gte: nowS - days * DAY_S }, limit: 100 }
  const result: Reconciliation = { days, sessions: 0, payments: 0, refunds: 0, disputes: 0, differences: [] }
  const paid = new Set<string>()
  const compare = async (fact: StripeFact) => {
    signal?.throwIfAborted()
    const difference = await applyAndCompare(database, fact)
    if (difference !== undefined) result.differences.push({ purchaseId: fact.purchaseId, ...difference })
  }
  for await (const session of stripe.checkout.sessions.list(since)) {
    const fact = readFinished(session)
    if (fact === undefined) continue
    result.sessions += 1
    if (session.payment_status === 'paid') paid.add(fact.purchaseId)
    await compare(fact)
  }
  for await (const payment of stripe.paymentIntents.list(since)) {
    const fact = readPayment(payment, payment.last_payment_error?.message)
    if (fact === undefined) continue
    result.payments += 1
    if (fact.state === 'paid') paid.add(fact.purchaseId)
    await compare(fact)
  }
  for await (const { charge } of stripe.refunds.list({ ...since, expand: ['data.charge'] })) {
    const fact =
      charge === null || typeof charge === 'string' ? undefined : await readRefund(charge, { database, stripe })
    if (fact === undefined) continue
    result.refunds += 1
    await compare(fact)
  }
  for await (const dispute of stripe.disputes.list({
    ...since,
    created: { gte: nowS - Math.max(days, DISPUTE_DAYS) * DAY_S },
  })) {
    const fact = await readDispute(dispute, { database, stripe })
    if (fact === undefined) continue
    result.disputes += 1
    await compare(fact)
  }
  for (const { id, state } of await listPurchasesSince(database, new Date((since.created.gte + CLOCK_S) * 1000))) {
    if (state === 'paid' && !paid.has(id))
      result.differences.push({
        purchaseId: id,
        what: 'is paid in the ledger but not at Stripe',
        isMended: false,
      })
  }
  for (const { purchaseId, amountCents, refundedCents } of await listOrphans(
    database,
    new Date(since.created.gte * 1000),
  )) {
    const isMended = refundedCents >= amountCents
    result.differences.push({
      purchaseId,
      what: `was paid after its account was deleted and is ${isMended ? '' : 'not yet '}refunded`,
      isMended,
    })
  }
  return result
}

/** Returns the fact of a paid or expired session. Undefined for an open session, which can't be compared yet. */
function readFinished(session: Stripe.Checkout.Session): StripeFact | undefined {
  if (session.payment_status === 'paid') return readCheckoutSession(session, 'paid')
  return session.status === 'expired' ? readCheckoutSession(session, 'expired') : undefined
}

const MISSED_TEXTS: Record<StripeFact['kind'], string> = {
  session: 'was paid but not credited',
  payment: 'was paid but not credited',
  refund: 'was refunded, but the ledger had a smaller refund',
  dispute: "is disputed, but the ledger didn't match",
}

async function applyAndCompare(
  database: Database,
  fact: StripeFact,
): Promise<Omit<Difference, 'purchaseId'> | undefined> {
  let outcome: Outcome
  try {
    outcome = await database.transaction(queries => applyStripeFact(queries, fact))
  } catch (error) {
    if (error instanceof PurchaseMismatch) return { what: `doesn't match: ${error.message}`, isMended: false }
    throw error
  }
  if (outcome === 'orphaned') return undefined // Reported together with all other orphaned payments.
  if (outcome !== 'noted') return { what: MISSED_TEXTS[fact.kind], isMended: true }
  if (fact.kind !== 'refund') return undefined
  const purchase = await lockPurchase(database, fact.purchaseId)
  const hasMoreRefunded = purchase !== undefined && purchase.refundedCents > fact.refundedCents
  return hasMoreRefunded
    ? {
        what:
          `was refunded ${purchase.refundedCents} cents in the ledger, but ${fact.refundedCents} cents at Stripe. ` +
          'A refund failed',
        isMended: false,
      }
    : undefined
}
