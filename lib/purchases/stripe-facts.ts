import type { Stripe } from 'stripe'
import type { Database } from '../../db/database'
import { findPurchaseOfPayment, type DisputeNews } from '../../db/queries/purchases'

/** A report from Stripe about one of our purchases, from an event or a request. */
export type StripeFact =
  | {
      kind: 'session'
      purchaseId: string
      state: 'paid' | 'pending' | 'failed' | 'expired'
      session: Stripe.Checkout.Session
    }
  | { kind: 'refund'; purchaseId: string; currency: string; refundedCents: number }
  | (DisputeNews & { kind: 'dispute'; currency: string })
  | PaymentFact

/** The result of an automatic payment. For a failed payment, `reason` is Stripe's message for the buyer. */
export interface PaymentFact {
  kind: 'payment'
  purchaseId: string
  state: 'paid' | 'pending' | 'failed'
  payment: Stripe.PaymentIntent
  reason?: string | undefined
}

/** A card that its owner left for later payments. */
export interface CardFact {
  kind: 'card'
  accountId: string
  session: Stripe.Checkout.Session
  paymentMethodId: string
  label: string
}

export interface FactSources {
  database: Database
  stripe: Stripe
}

/**
 * Returns the fact in an event. Undefined for events that aren't about our purchases. May ask Stripe to which purchase
 * a payment belongs.
 */
export async function readFact(event: Stripe.Event, sources: FactSources): Promise<StripeFact | CardFact | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
      if (event.data.object.mode === 'setup') return readCard(event.data.object, sources)
      return readCheckoutSession(event.data.object, event.data.object.payment_status === 'paid' ? 'paid' : 'pending')
    case 'checkout.session.async_payment_succeeded':
      return readCheckoutSession(event.data.object, 'paid')
    case 'checkout.session.async_payment_failed':
      return readCheckoutSession(event.data.object, 'failed')
    case 'checkout.session.expired':
      return readCheckoutSession(event.data.object, 'expired')
    case 'payment_intent.succeeded':
      return readPayment(event.data.object)
    case 'payment_intent.payment_failed':
      return readPayment(event.data.object, event.data.object.last_payment_error?.message)
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

/** Returns the fact in a session. The session's purchase is the one that it was opened for. */
export function readCheckoutSession(
  session: Stripe.Checkout.Session,
  state: Extract<StripeFact, { kind: 'session' }>['state'],
): StripeFact | undefined {
  const purchaseId = session.metadata?.['purchase_id']
  return purchaseId === undefined ? undefined : { kind: 'session', purchaseId, state, session }
}

/** Returns the fact in an automatic payment. Undefined for payments of Checkout, which their sessions report. */
export function readPayment(payment: Stripe.PaymentIntent, reason?: string): PaymentFact | undefined {
  const { purchase_id: purchaseId, top_up: topUp } = payment.metadata
  if (purchaseId === undefined || topUp !== 'yes') return undefined
  const state = payment.status === 'succeeded' ? 'paid' : payment.status === 'processing' ? 'pending' : 'failed'
  return { kind: 'payment', purchaseId, state, payment, reason }
}

/** Returns the card of a session that was opened to leave a card. */
async function readCard(session: Stripe.Checkout.Session, { stripe }: FactSources): Promise<CardFact | undefined> {
  const accountId = session.metadata?.['account_id']
  const setupId = typeof session.setup_intent === 'string' ? session.setup_intent : session.setup_intent?.id
  if (accountId === undefined || session.metadata?.['top_up'] !== 'card' || setupId === undefined) return undefined
  const { payment_method: method } = await stripe.setupIntents.retrieve(setupId, { expand: ['payment_method'] })
  if (method === null || typeof method === 'string') return undefined
  const label =
    method.card === undefined ? method.type : `${capitalize(method.card.brand)} ending in ${method.card.last4}`
  return { kind: 'card', accountId, session, paymentMethodId: method.id, label }
}

/** Capitalizes brands, which Stripe writes as `visa` or `mastercard`. */
function capitalize(brand: string): string {
  return `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}`
}

/** Returns the total refund of a charge. */
export async function readRefund(charge: Stripe.Charge, sources: FactSources): Promise<StripeFact | undefined> {
  const purchaseId = charge.metadata['purchase_id'] ?? (await findPurchaseId(charge.payment_intent, sources))
  return purchaseId === undefined
    ? undefined
    : { kind: 'refund', purchaseId, currency: charge.currency, refundedCents: charge.amount_refunded }
}

/** Returns the fact in a dispute. An inquiry (`warning_…`) withdraws no money, unless an event says so. */
export async function readDispute(
  dispute: Stripe.Dispute,
  sources: FactSources,
  type = '',
): Promise<StripeFact | undefined> {
  const purchaseId = await findPurchaseId(dispute.payment_intent, sources)
  if (purchaseId === undefined) return undefined
  const isInquiry = dispute.status.startsWith('warning_')
  const isReinstated =
    dispute.status === 'won' || dispute.status === 'warning_closed' || type.endsWith('.funds_reinstated')
  const isWithdrawn = !isInquiry || type.endsWith('.funds_withdrawn')
  return {
    kind: 'dispute',
    purchaseId,
    disputeId: dispute.id,
    currency: dispute.currency,
    amountCents: dispute.amount,
    isWithdrawn,
    isReinstated,
  }
}

async function findPurchaseId(
  payment: string | Stripe.PaymentIntent | null,
  { database, stripe }: FactSources,
): Promise<string | undefined> {
  if (payment === null) return undefined
  if (typeof payment !== 'string') return payment.metadata['purchase_id']
  return (
    (await findPurchaseOfPayment(database, payment)) ??
    (await stripe.paymentIntents.retrieve(payment)).metadata['purchase_id']
  )
}
