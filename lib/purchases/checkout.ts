import type { Stripe } from 'stripe'
import { countLatePurchases, insertPurchase, noteSession } from '../../db/queries/purchases'
import { AccountRefusal, tooManyAttempts } from '../accounts/account/account-refusal'
import type { Account } from '../accounts/account/accounts'
import { getDatabase } from '../database'
import { describeError, getLog } from '../log'
import { asKnownCustomer } from './known-customer'
import { CREDITS_PER_CENT, LEAST_DOLLARS, MOST_DOLLARS, readDollars } from './price'
import { getStripe, isSelling } from './stripe'

/** Limit for one account in an hour. Each purchase is a row here and a session at Stripe. */
const MOST_AN_HOUR = 30

interface CheckoutRequest {
  account: Account
  /** The typed amount. The rest of the price doesn't come from the browser. */
  dollars: string
  /** Origin of the site, for the return URL. */
  origin: string
}

/** Opens a purchase and a Stripe payment page. Returns the URL of that page. Throws AccountRefusal. */
export async function startCheckout({ account, dollars, origin }: CheckoutRequest): Promise<{ url: string }> {
  if (!isSelling()) throw new AccountRefusal(503, 'purchases_not_set_up', "Credits aren't for sale on this server.")
  const amountCents = readDollars(dollars)
  if (amountCents === undefined)
    throw new AccountRefusal(
      400,
      'invalid_amount',
      `The amount must be a whole number of dollars from ${LEAST_DOLLARS} to ${MOST_DOLLARS.toLocaleString('en')}.`,
    )
  const database = getDatabase()
  if ((await countLatePurchases(database, account.id)) >= MOST_AN_HOUR) throw tooManyAttempts(3600)
  const credits = amountCents * CREDITS_PER_CENT
  const purchaseId = await insertPurchase(database, { accountId: account.id, amountCents, credits })
  const session = await createSession({ account, purchaseId, amountCents, credits, origin })
  await noteSession(database, purchaseId, session.id)
  if (session.url === null) throw new Error(`Stripe returned no page for the session ${session.id}`)
  return { url: session.url }
}

interface Order {
  account: Account
  purchaseId: string
  amountCents: number
  credits: number
  origin: string
}

async function createSession(order: Order): Promise<Stripe.Checkout.Session> {
  const { account, purchaseId } = order
  try {
    return await asKnownCustomer(account.id, customer => {
      const idempotencyKey = `checkout-${purchaseId}${customer === undefined ? '' : '-known'}`
      return getStripe().checkout.sessions.create(describeSession(order, customer), { idempotencyKey })
    })
  } catch (cause) {
    getLog().error({ purchase: order.purchaseId, cause: describeError(cause) }, 'failed to open a checkout')
    throw new AccountRefusal(
      502,
      'payment_service_unavailable',
      'The payment service returned an error. You were not charged. Try again.',
    )
  }
}

function describeSession(
  { account, purchaseId, amountCents, credits, origin }: Order,
  customer: string | undefined,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { account_id: account.id, purchase_id: purchaseId }
  const creditsUrl = `${origin}/account/credits`
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: amountCents,
          product_data: { name: `${credits.toLocaleString('en')} Sheaf credits` },
        },
      },
    ],
    client_reference_id: account.id,
    metadata,
    // Stripe copies the metadata to the charge, because its refunds may be reported before the session.
    payment_intent_data: { metadata },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    ...(customer === undefined
      ? { customer_creation: 'always', customer_email: account.email }
      : { customer, customer_update: { name: 'auto', address: 'auto' } }),
    success_url: `${creditsUrl}?purchase=${purchaseId}`,
    cancel_url: `${creditsUrl}#buy`,
  }
}
