import { Stripe } from 'stripe'
import { findCustomer, forgetCustomer } from '../../db/queries/purchases'
import { AccountRefusal } from '../accounts/account/account-refusal'
import type { Account } from '../accounts/account/accounts'
import { getDatabase } from '../database'
import { describeError, getLog } from '../log'
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

/**
 * Runs a Stripe request with the customer of an account. Uses a new customer before the first purchase, and if somebody
 * has deleted the customer at Stripe. Throws Stripe's errors.
 */
async function asKnownCustomer<T>(
  accountId: string,
  request: (customer: string | undefined) => Promise<T>,
): Promise<T> {
  const customer = await findCustomer(getDatabase(), accountId)
  if (customer === undefined) return request(undefined)
  try {
    return await request(customer)
  } catch (error) {
    if (!isCustomerMissing(error)) throw error
    // The stored customer is removed so that the next one can be stored.
    await forgetCustomer(getDatabase(), accountId, customer)
    return request(undefined)
  }
}

function isCustomerMissing(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return false
  return error.param === 'customer' || error.code === 'resource_missing'
}
