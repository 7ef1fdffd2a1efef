import { Stripe } from 'stripe'
import { describeError, getLog } from '../log'
import { type PaymentFact, readPayment } from './stripe-facts'
import { CREDITS_PER_CENT } from './price'
import { getStripe } from './stripe'

/** The payment to make. */
export interface CardCharge {
  purchaseId: string
  accountId: string
  amountCents: number
}

/**
 * Charges a saved card without its owner. The purchase is the idempotency key, so a repetition within a day returns the
 * same result and charges nothing. Throws Stripe's error if the request fails.
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
    return readPayment(payment) ?? describeRefusal(order, 'Stripe returned a different payment.')
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError)
      return describeRefusal(order, error.message, error.payment_intent)
    // Somebody has deleted the card or the customer at Stripe.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      getLog().error(
        { purchase: purchaseId, cause: describeError(error) },
        'Stripe rejected the request of an automatic top-up',
      )
      return describeRefusal(order, 'The saved card can no longer be charged.')
    }
    throw error
  }
}

/** Returns the fact that a payment failed. `reason` is for the buyer. */
export function describeRefusal(order: CardCharge, reason: string, payment?: Stripe.PaymentIntent): PaymentFact {
  const paymentOrStub =
    payment ??
    ({
      id: '',
      metadata: describeMetadata(order),
      currency: 'usd',
      amount: order.amountCents,
    } as unknown as Stripe.PaymentIntent) // Stripe created no payment.
  return { kind: 'payment', purchaseId: order.purchaseId, state: 'failed', payment: paymentOrStub, reason }
}

function describeMetadata({ accountId, purchaseId }: CardCharge): Record<string, string> {
  return { account_id: accountId, purchase_id: purchaseId, top_up: 'yes' }
}
