import type { Stripe } from 'stripe'
import type { Database, Queries } from '../../db/database'
import { lockOwner } from '../../db/queries/credits'
import { addLowBalanceNotice, delayNotice, type Notice, removeNotice } from '../../db/queries/notices'
import { lockPurchase, updateState } from '../../db/queries/purchases'
import { type AskedCard, findAskedCard, findTopUp, noteAskedCard } from '../../db/queries/top-ups'
import { getLog } from '../log'
import { applyStripeFact } from './apply-stripe-fact'
import { chargeCard, describeRefusal, type CardCharge } from './charge-card'
import { type PaymentFact, readPayment } from './stripe-facts'
import { getStripe } from './stripe'

/** A queued payment. */
export type Payment = Notice & { purchaseId: string }

type Card = Pick<AskedCard, 'customerId' | 'paymentMethodId'>

/** What is to be done about a queued payment, by what is so when it is its turn. */
type Plan =
  | { kind: 'done' }
  /** Stripe may have been asked before: it is looked first. `card` is the one to charge if nothing came of that. */
  | { kind: 'pay'; order: CardCharge; asked: AskedCard | undefined; card: Card | undefined }

/**
 * Pays for a purchase with the card that was left for it, and books what Stripe says. Whether top-up is still on and
 * the balance still low is decided right before, together with the note that Stripe is asked; a purchase that is not
 * wanted any more is given up. Where Stripe was asked before and nobody heard its answer, it is looked for there first.
 * Throws what Stripe throws when it can't be asked.
 */
export async function payTopUp(database: Database, payment: Payment): Promise<void> {
  const plan = await database.transaction(queries => prepare(queries, payment))
  if (plan.kind === 'done') return
  const { order, asked, card } = plan
  const isTired = payment.attempts > MOST_ATTEMPTS
  const known = asked === undefined || isTired ? undefined : await findPayment(order, asked)
  if (known === undefined && card === undefined) return giveUp(database, payment)
  const fact =
    known ?? (isTired || card === undefined ? describeRefusal(order, UNREACHABLE) : await chargeCard(order, card))
  await database.transaction(async queries => {
    const outcome = await applyStripeFact(queries, fact)
    await removeNotice(queries, payment.id)
    getLog().info(
      { purchase: order.purchaseId, payment: fact.payment.id, state: fact.state, outcome },
      'an automatic top-up',
    )
  })
}

const UNREACHABLE = 'The payment service could not be reached again and again.'

/** Decides under the locks of the purchase and of its account, in this order as events do. */
async function prepare(queries: Queries, { id, accountId, purchaseId, attempts }: Payment): Promise<Plan> {
  const purchase = await lockPurchase(queries, purchaseId)
  const owner = await lockOwner(queries, accountId)
  // An event may have been faster.
  if (purchase?.state !== 'open' || owner === undefined) {
    await removeNotice(queries, id)
    return { kind: 'done' }
  }
  const order = { purchaseId, accountId, amountCents: purchase.amountCents }
  const topUp = await findTopUp(queries, accountId)
  const isWanted = topUp?.isOn === true && !owner.isDeleted && owner.balance < owner.lowBalanceAt
  const saved = isWanted ? readCard(topUp) : undefined
  // A version before this one notes nothing, but a payment that was taken before may have been asked for.
  const asked =
    (await findAskedCard(queries, purchaseId)) ??
    (attempts > 1 && saved !== undefined ? { ...saved, hours: 0, askedAtS: nowS() - DAY_S } : undefined)
  if (asked === undefined && saved === undefined) {
    await withdraw(queries, { id, accountId, purchaseId })
    return { kind: 'done' }
  }
  const isSame = asked === undefined || (saved?.paymentMethodId === asked.paymentMethodId && asked.hours < MOST_HOURS)
  if (saved === undefined || !isSame) return { kind: 'pay', order, asked, card: undefined }
  await noteAskedCard(queries, purchaseId, saved)
  return { kind: 'pay', order, asked, card: saved }
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

/** The payment that Stripe made for a purchase, if it made one. */
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

async function giveUp(database: Database, payment: Payment): Promise<void> {
  await database.transaction(async queries => {
    await lockPurchase(queries, payment.purchaseId)
    await withdraw(queries, payment)
  })
}

/**
 * Gives a purchase up. Its owner was not told of the low balance, because it was to be paid for, so the account is
 * looked at again. Should Stripe tell of a payment after all, that is credited as any other.
 */
async function withdraw(
  queries: Queries,
  { id, accountId, purchaseId }: Pick<Payment, 'id' | 'accountId' | 'purchaseId'>,
): Promise<void> {
  await updateState(queries, purchaseId, 'expired')
  await removeNotice(queries, id)
  await addLowBalanceNotice(queries, accountId)
  getLog().info(
    { purchase: purchaseId },
    'an automatic top-up was given up: it is off, the balance is back, or there is another card',
  )
}

/** Puts off what could not be asked of Stripe. */
export async function delayPayment(database: Database, { id, attempts }: Notice): Promise<void> {
  await delayNotice(database, id, Math.min(MOST_DELAY_MS, LEAST_DELAY_MS * 2 ** attempts))
}

const nowS = () => Math.floor(Date.now() / 1000)

const DAY_S = 86_400
/** Between Stripe's clock and ours. */
const CLOCK_S = 300
const LEAST_DELAY_MS = 15_000
const MOST_DELAY_MS = 3600_000
/** Some 18 hours. */
const MOST_ATTEMPTS = 24
/** Stripe remembers the key of a request for 24 hours, and would take a second payment afterwards. */
const MOST_HOURS = 20
