import { Stripe } from 'stripe'
import { describeError, getLog } from '../log'
import { type PaymentFact, readPayment } from './stripe-facts'
import { CREDITS_PER_CENT } from './price'
import { getStripe } from './stripe'

/** What is to be paid. */
export interface CardCharge {
  purchaseId: string
  accountId: string
  amountCents: number
}

/**
 * Charges a saved card without its owner. Asked again within a day, Stripe gives the same answer and takes no second
 * payment, for the key of the request is the purchase. Throws what Stripe throws when it can't be asked.
 */
export async function chargeCard(
  order: CardCharge,
  { customerId, paymentMethodId }: { customerId: string; paymentMethodId: string },
): Promise<PaymentFact> {
  const { purchaseId, amountCents } = order
  try {
    const payment = await getStripe().paymentIntents.create(
      {
        ...{
          amount: amountCents,
          currency: 'usd',
          metadata: describeMetadata(order),
          description: `${(amountCents * CREDITS_PER_CENT).toLocaleString('en')} Sheaf credits, automatic top-up`,
        },
        ...{
          customer: customerId,
          payment_method: paymentMethodId,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
        },
      },
      { idempotencyKey: `top-up-${purchaseId}` },
    )
    return readPayment(payment) ?? describeRefusal(order, 'Stripe answered with another payment.')
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError)
      return describeRefusal(order, error.message, error.payment_intent)
    // Somebody has removed the card or the customer at Stripe.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      getLog().error(
        { purchase: purchaseId, cause: describeError(error) },
        'an automatic top-up was refused as a request',
      )
      return describeRefusal(order, 'The saved card can not be charged any more.')
    }
    throw error
  }
}

/** The fact that nothing was paid; `reason` is for the buyer. */
export function describeRefusal(order: CardCharge, reason: string, payment?: Stripe.PaymentIntent): PaymentFact {
  const known =
    payment ??
    ({
      id: '',
      metadata: describeMetadata(order),
      currency: 'usd',
      amount: order.amountCents,
    } as unknown as Stripe.PaymentIntent) // Stripe made none
  return { kind: 'payment', purchaseId: order.purchaseId, state: 'failed', payment: known, reason }
}

function describeMetadata({ accountId, purchaseId }: CardCharge): Record<string, string> {
  return { account_id: accountId, purchase_id: purchaseId, top_up: 'yes' }
}
