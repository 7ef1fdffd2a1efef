import type { Stripe } from 'stripe'
import type { Database, Queries } from '../../db/database'
import { lockOwner } from '../../db/queries/credits'
import { addLowBalanceNotice, delayNotice, type Notice, removeNotice } from '../../db/queries/notices'
import { lockPurchase, updateState } from '../../db/queries/purchases'
import { type AskedCard, findAskedCard, findTopUp, recordAskedCard } from '../../db/queries/top-ups'
import { failPoint } from '../fail-point'
import { getLog } from '../log'
import { applyStripeFact } from './apply-stripe-fact'
import { chargeCard, describeRefusal, type CardCharge } from './charge-card'
import { type PaymentFact, readPayment } from './stripe-facts'
import { getStripe } from './stripe'

/** A queued payment. */
export type Payment = Notice & { purchaseId: string }

type Card = Pick<AskedCard, 'customerId' | 'paymentMethodId'>

/** How to continue a queued payment, decided when it is processed. */
type Plan =
  | { kind: 'done' }
  /**
   * The result of `earlierRequest` to Stripe must be looked up first. `card` is charged if there was no such request.
   */
  | { kind: 'pay'; order: CardCharge; earlierRequest: AskedCard | undefined; card: Card | undefined }

/**
 * Pays for a purchase with the saved card and books Stripe's result. Right before the charge, checks whether top-up is
 * still on and the balance still low, and stores in the same transaction that Stripe is asked. A purchase that isn't
 * wanted any more is given up. If an earlier request to Stripe got no response, its payment is looked up first. Throws
 * Stripe's error if a request fails.
 */
export async function payTopUp(database: Database, payment: Payment): Promise<void> {
  const plan = await database.transaction(queries => decidePlan(queries, payment))
  if (plan.kind === 'done') return
  const { order, earlierRequest, card } = plan
  const hasTooManyAttempts = payment.attempts > MOST_ATTEMPTS
  const pastPayment =
    earlierRequest === undefined || hasTooManyAttempts ? undefined : await findPayment(order, earlierRequest)
  if (pastPayment === undefined && card === undefined) return giveUpPurchase(database, payment)
  const fact =
    pastPayment ??
    (hasTooManyAttempts || card === undefined ? describeRefusal(order, UNREACHABLE) : await chargeCard(order, card))
  failPoint('paid')
  await database.transaction(async queries => {
    const outcome = await applyStripeFact(queries, fact)
    await removeNotice(queries, payment.id)
    getLog().info(
      { purchase: order.purchaseId, payment: fact.payment.id, state: fact.state, outcome },
      'an automatic top-up',
    )
  })
}

const UNREACHABLE = "The payment service wasn't reachable after several attempts."

/** Decides under the locks of the purchase and of its account, which are locked in the same order as for events. */
async function decidePlan(queries: Queries, { id, accountId, purchaseId, attempts }: Payment): Promise<Plan> {
  const purchase = await lockPurchase(queries, purchaseId)
  const owner = await lockOwner(queries, accountId)
  // An event may have been processed first.
  if (purchase?.state !== 'open' || owner === undefined) {
    await removeNotice(queries, id)
    return { kind: 'done' }
  }
  const order = { purchaseId, accountId, amountCents: purchase.amountCents }
  const topUp = await findTopUp(queries, accountId)
  const isStillNeeded = topUp?.isOn === true && !owner.isDeleted && owner.balance < owner.lowBalanceAt
  const saved = isStillNeeded ? readCard(topUp) : undefined
  // A previous version doesn't store this record, but a payment with an earlier attempt may have been requested.
  const earlierRequest =
    (await findAskedCard(queries, purchaseId)) ??
    (attempts > 1 && saved !== undefined ? { ...saved, hours: 0, askedAtS: nowS() - DAY_S } : undefined)
  if (earlierRequest === undefined && saved === undefined) {
    await expirePurchase(queries, { id, accountId, purchaseId })
    return { kind: 'done' }
  }
  const isSameCard =
    earlierRequest === undefined ||
    (saved?.paymentMethodId === earlierRequest.paymentMethodId && earlierRequest.hours < MOST_HOURS)
  if (saved === undefined || !isSameCard) return { kind: 'pay', order, earlierRequest, card: undefined }
  await recordAskedCard(queries, purchaseId, saved)
  return { kind: 'pay', order, earlierRequest, card: saved }
}

function readCard({
  customerId,
  paymentMethodId,
}: {
  customerId: string | null
  paymentMethodId: string | null
}): Card {
  return { customerId: customerId ?? '', paymentMethodId: paymentMethodId ?? '' }
}

/** Returns the payment that Stripe created for a purchase, if any. */
async function findPayment(
  { purchaseId }: CardCharge,
  { customerId, askedAtS }: AskedCard,
): Promise<PaymentFact | undefined> {
  const since = { customer: customerId, created: { gte: askedAtS - CLOCK_S }, limit: 100 }
  for await (const payment of getStripe().paymentIntents.list(since)) {
    if (payment.metadata['purchase_id'] === purchaseId) return readPayment(payment, describeError(payment))
  }
  return undefined
}

function describeError({ last_payment_error: error }: Stripe.PaymentIntent): string | undefined {
  return error?.message
}

async function giveUpPurchase(database: Database, payment: Payment): Promise<void> {
  await database.transaction(async queries => {
    await lockPurchase(queries, payment.purchaseId)
    await expirePurchase(queries, payment)
  })
}

/**
 * Gives a purchase up and checks the account again, because its owner wasn't notified of the low balance while the
 * payment was pending. If Stripe reports a payment later, it is credited as usual.
 */
async function expirePurchase(
  queries: Queries,
  { id, accountId, purchaseId }: Pick<Payment, 'id' | 'accountId' | 'purchaseId'>,
): Promise<void> {
  await updateState(queries, purchaseId, 'expired')
  await removeNotice(queries, id)
  await addLowBalanceNotice(queries, accountId)
  getLog().info(
    { purchase: purchaseId },
    'an automatic top-up was canceled: top-up is off, the balance recovered, or the card changed',
  )
}

/** Delays a payment if the request to Stripe failed. */
export async function delayPayment(database: Database, { id, attempts }: Notice): Promise<void> {
  await delayNotice(database, id, Math.min(MOST_DELAY_MS, LEAST_DELAY_MS * 2 ** attempts))
}

const nowS = () => Math.floor(Date.now() / 1000)

const DAY_S = 86_400
/** Tolerance between Stripe's clock and ours. */
const CLOCK_S = 300
const LEAST_DELAY_MS = 15_000
const MOST_DELAY_MS = 3600_000
/** About 18 hours. */
const MOST_ATTEMPTS = 24
/** Stripe stores an idempotency key for 24 hours, and would charge a second payment afterwards. */
const MOST_HOURS = 20
