import type { Stripe } from 'stripe'
import type { Database } from '../../db/database'
import { findPurchaseOfPayment, type DisputeNews } from '../../db/queries/purchases'

/** What Stripe says of one of our purchases, by an event or when it is asked. */
export type Fact =
  | { kind: 'session'; purchaseId: string; state: 'paid' | 'pending' | 'failed' | 'expired'; session: Stripe.Checkout.Session }
  | { kind: 'refund'; purchaseId: string; currency: string; refundedCents: number }
  | (DisputeNews & { kind: 'dispute'; currency: string })

export interface FactSources {
  database: Database
  stripe: Stripe
}

/** What an event means to us; undefined of events that are not about our purchases. May ask Stripe whose payment it is. */
export async function readFact(event: Stripe.Event, sources: FactSources): Promise<Fact | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
      return readSession(event.data.object, event.data.object.payment_status === 'paid' ? 'paid' : 'pending')
    case 'checkout.session.async_payment_succeeded':
      return readSession(event.data.object, 'paid')
    case 'checkout.session.async_payment_failed':
      return readSession(event.data.object, 'failed')
    case 'checkout.session.expired':
      return readSession(event.data.object, 'expired')
    case 'charge.refunded':
      return readRefund(event.data.object, sources)
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readDispute(event.data.object, sources, event.type)
    default:
      return undefined
  }
}

/** A session as it is; its purchase is the one that it was opened for. */
export function readSession(session: Stripe.Checkout.Session, state: Extract<Fact, { kind: 'session' }>['state']): Fact | undefined {
  const purchaseId = session.metadata?.['purchase_id']
  return purchaseId === undefined ? undefined : { kind: 'session', purchaseId, state, session }
}

/** What was refunded of a charge, all in all. */
export async function readRefund(charge: Stripe.Charge, sources: FactSources): Promise<Fact | undefined> {
  const purchaseId = charge.metadata['purchase_id'] ?? (await findPurchaseId(charge.payment_intent, sources))
  return purchaseId === undefined ? undefined : { kind: 'refund', purchaseId, currency: charge.currency, refundedCents: charge.amount_refunded }
}

/** A dispute as it is. An inquiry (`warning_…`) takes no money, unless an event says that it did. */
export async function readDispute(dispute: Stripe.Dispute, sources: FactSources, type = ''): Promise<Fact | undefined> {
  const purchaseId = await findPurchaseId(dispute.payment_intent, sources)
  if (purchaseId === undefined) return undefined
  const isInquiry = dispute.status.startsWith('warning_')
  const isReinstated = dispute.status === 'won' || dispute.status === 'warning_closed' || type.endsWith('.funds_reinstated')
  const isWithdrawn = !isInquiry || type.endsWith('.funds_withdrawn')
  return { kind: 'dispute', purchaseId, disputeId: dispute.id, currency: dispute.currency, amountCents: dispute.amount, isWithdrawn, isReinstated }
}

async function findPurchaseId(payment: string | Stripe.PaymentIntent | null, { database, stripe }: FactSources): Promise<string | undefined> {
  if (payment === null) return undefined
  if (typeof payment !== 'string') return payment.metadata['purchase_id']
  return (await findPurchaseOfPayment(database, payment)) ?? (await stripe.paymentIntents.retrieve(payment)).metadata['purchase_id']
}
