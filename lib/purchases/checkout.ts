import type { Stripe } from 'stripe'
import { countLatePurchases, insertPurchase, recordSession } from '../../db/queries/purchases'
import { tooManyAttempts } from '../accounts/account/account-refusal'
import type { Account } from '../accounts/account/accounts'
import { getDatabase } from '../database'
import { openPaymentPage, readAmount, urlOf } from './payment-page'
import { CREDITS_PER_CENT } from './price'

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
  const amountCents = readAmount(dollars)
  const database = getDatabase()
  if ((await countLatePurchases(database, account.id)) >= MOST_AN_HOUR) throw tooManyAttempts(3600)
  const credits = amountCents * CREDITS_PER_CENT
  const purchaseId = await insertPurchase(database, { accountId: account.id, amountCents, credits })
  const session = await openPaymentPage({
    account,
    session: describeSession({ account, purchaseId, amountCents, credits, origin }),
    customerUpdate: { name: 'auto', address: 'auto' },
    idempotencyKey: `checkout-${purchaseId}`,
    reassurance: 'You were not charged.',
  })
  await recordSession(database, purchaseId, session.id)
  return { url: urlOf(session) }
}

interface Order {
  account: Account
  purchaseId: string
  amountCents: number
  credits: number
  origin: string
}

function describeSession({
  account,
  purchaseId,
  amountCents,
  credits,
  origin,
}: Order): Stripe.Checkout.SessionCreateParams {
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
    metadata,
    // Stripe copies the metadata to the charge, because its refunds may be reported before the session.
    payment_intent_data: { metadata },
    tax_id_collection: { enabled: true },
    success_url: `${creditsUrl}?purchase=${purchaseId}`,
    cancel_url: `${creditsUrl}#buy`,
  }
}
