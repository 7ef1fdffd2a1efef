import type { Stripe } from 'stripe'
import { AccountRefusal } from '../accounts/account/account-refusal'
import type { Account } from '../accounts/account/accounts'
import { describeError, getLog } from '../log'
import { asKnownCustomer } from './known-customer'
import { LEAST_DOLLARS, MOST_DOLLARS, readDollars } from './price'
import { getStripe, isSelling } from './stripe'

/** Returns the cents of a typed amount. Throws AccountRefusal if credits aren't for sale or the amount isn't allowed. */
export function readAmount(dollars: string): number {
  if (!isSelling()) throw new AccountRefusal(503, 'purchases_not_set_up', "Credits aren't for sale on this server.")
  const amountCents = readDollars(dollars)
  if (amountCents !== undefined) return amountCents
  throw new AccountRefusal(
    400,
    'invalid_amount',
    `The amount must be a whole number of dollars from ${LEAST_DOLLARS} to ${MOST_DOLLARS.toLocaleString('en')}.`,
  )
}

interface PaymentPage {
  account: Account
  /** What the page asks for. */
  session: Stripe.Checkout.SessionCreateParams
  /** What Stripe may change about a customer that it knows. */
  customerUpdate?: Stripe.Checkout.SessionCreateParams.CustomerUpdate
  /** Stripe opens at most one page with this key. */
  idempotencyKey?: string
  /** What the error tells the owner about money and settings. */
  reassurance: string
}

/** Opens a page of Stripe for an account. Throws AccountRefusal 502 if Stripe fails. */
export async function openPaymentPage(page: PaymentPage): Promise<Stripe.Checkout.Session> {
  const { account, session, customerUpdate, idempotencyKey, reassurance } = page
  const openFor = (customer: string | undefined) =>
    getStripe().checkout.sessions.create(
      {
        ...session,
        client_reference_id: account.id,
        billing_address_collection: 'required',
        ...(customer === undefined
          ? { customer_creation: 'always', customer_email: account.email }
          : { customer, ...(customerUpdate && { customer_update: customerUpdate }) }),
      },
      idempotencyKey === undefined
        ? {}
        : { idempotencyKey: customer === undefined ? idempotencyKey : `${idempotencyKey}-known` },
    )
  try {
    return await asKnownCustomer(account.id, openFor)
  } catch (cause) {
    getLog().error({ ...session.metadata, cause: describeError(cause) }, 'failed to open a payment page')
    throw new AccountRefusal(
      502,
      'payment_service_unavailable',
      `The payment service returned an error. ${reassurance} Try again.`,
    )
  }
}

/** Returns the URL of a page. Throws an Error if Stripe sent none. */
export function urlOf({ id, url }: Stripe.Checkout.Session): string {
  if (url === null) throw new Error(`Stripe returned no page for the session ${id}`)
  return url
}
