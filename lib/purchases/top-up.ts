import { Stripe } from 'stripe'
import type { Database } from '../../db/database'
import { findBalance, lockAccount } from '../../db/queries/credits'
import { delayNotice, type Notice, removeNotice, turnIntoPayment } from '../../db/queries/notices'
import { insertPurchase, lockPurchase } from '../../db/queries/purchases'
import { findTopUp, sumTopUps, type TopUpRow } from '../../db/queries/top-ups'
import { describeError, getLog } from '../log'
import { applyFact } from './apply-fact'
import { type PaymentFact, readPayment } from './facts'
import { CREDITS_PER_CENT } from './price'
import { getStripe, isSelling } from './stripe'

/** What came of a look at a low balance: `paying` has become a purchase, of the others the owner is to be told. */
export type Opening = 'paying' | 'off' | 'limit-reached' | 'recovered'

/**
 * Opens a purchase for a balance that fell, where its owner wants that and the month's limit allows it. The notice
 * becomes the payment of that purchase in the same transaction, so that it is made once whatever ends in between.
 */
export function openTopUp(database: Database, notice: Notice): Promise<Opening> {
  const { accountId } = notice
  return database.transaction(async queries => {
    await lockAccount(queries, accountId)
    const topUp = await findTopUp(queries, accountId)
    if (topUp?.isOn !== true || !isSelling()) return 'off'
    if (((await findBalance(queries, accountId)) ?? 0) >= notice.lowBalanceAt) return 'recovered'
    const { amountCents, monthlyLimitCents } = topUp
    if ((await sumTopUps(queries, accountId)) + amountCents > monthlyLimitCents) return 'limit-reached'
    const purchaseId = await insertPurchase(queries, { accountId, amountCents, credits: amountCents * CREDITS_PER_CENT, isTopUp: true })
    if (!(await turnIntoPayment(queries, notice.id, purchaseId))) throw new Error(`The notice ${notice.id} is another's by now`)
    return 'paying'
  })
}

/**
 * Pays for a purchase with the card that was left for it, and books what Stripe says. Asked again, Stripe gives the same
 * answer and takes no second payment, for the key of the request is the purchase; where it can't be asked for long, that
 * counts as refused. Throws what Stripe throws when it can't be asked.
 */
export async function payTopUp(database: Database, { id, accountId, purchaseId, attempts }: Notice & { purchaseId: string }): Promise<void> {
  const [purchase, topUp] = await Promise.all([lockPurchase(database, purchaseId), findTopUp(database, accountId)])
  // An event may have been faster, also than the time for which Stripe remembers the key.
  if (purchase?.state !== 'open' || topUp === undefined) return removeNotice(database, id)
  const order = { purchaseId, accountId, amountCents: purchase.amountCents }
  const fact = attempts > MOST_ATTEMPTS ? describeRefusal(order, 'The payment service could not be reached again and again.') : await charge(order, topUp)
  await database.transaction(async queries => {
    const outcome = await applyFact(queries, fact)
    await removeNotice(queries, id)
    getLog().info({ purchase: purchaseId, payment: fact.payment.id, state: fact.state, outcome }, 'an automatic top-up')
  })
}

interface Order {
  purchaseId: string
  accountId: string
  amountCents: number
}

function describeMetadata({ accountId, purchaseId }: Order): Record<string, string> {
  return { account_id: accountId, purchase_id: purchaseId, top_up: 'yes' }
}

function describeRefusal(order: Order, reason: string, payment?: Stripe.PaymentIntent): PaymentFact {
  const known = payment ?? ({ id: '', metadata: describeMetadata(order), currency: 'usd', amount: order.amountCents } as unknown as Stripe.PaymentIntent) // Stripe made none
  return { kind: 'payment', purchaseId: order.purchaseId, state: 'failed', payment: known, reason }
}

async function charge(order: Order, { customerId, paymentMethodId }: TopUpRow): Promise<PaymentFact> {
  const { purchaseId, amountCents } = order
  try {
    const payment = await getStripe().paymentIntents.create(
      {
        ...{ amount: amountCents, currency: 'usd', metadata: describeMetadata(order), description: `${(amountCents * CREDITS_PER_CENT).toLocaleString('en')} Sheaf credits, automatic top-up` },
        ...{ customer: customerId ?? '', payment_method: paymentMethodId ?? '', allowed_payment_method_types: ['card'], off_session: true, confirm: true },
      },
      { idempotencyKey: `top-up-${purchaseId}` },
    )
    return readPayment(payment) ?? describeRefusal(order, 'Stripe answered with another payment.')
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return describeRefusal(order, error.message, error.payment_intent)
    // Somebody has removed the card or the customer at Stripe.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      getLog().error({ purchase: purchaseId, cause: describeError(error) }, 'an automatic top-up was refused as a request')
      return describeRefusal(order, 'The saved card can not be charged any more.')
    }
    throw error
  }
}

/** Puts off what could not be asked of Stripe. */
export async function delayPayment(database: Database, { id, attempts }: Notice): Promise<void> {
  await delayNotice(database, id, Math.min(MOST_DELAY_MS, LEAST_DELAY_MS * 2 ** attempts))
}

const LEAST_DELAY_MS = 15_000
const MOST_DELAY_MS = 3600_000
/** Some 18 hours: Stripe remembers the key of a request for 24, and would take a second payment afterwards. */
const MOST_ATTEMPTS = 24
