import { Stripe } from 'stripe'
import { findCustomer, forgetCustomer } from '../../db/queries/purchases'
import { getDatabase } from '../database'

/**
 * Asks Stripe for something as the customer that an account is there, or as a new one: before the first purchase, and
 * after somebody has deleted that customer at Stripe. Throws what Stripe throws.
 */
export async function asKnownCustomer<T>(
  accountId: string,
  ask: (customer: string | undefined) => Promise<T>,
): Promise<T> {
  const customer = await findCustomer(getDatabase(), accountId)
  if (customer === undefined) return ask(undefined)
  try {
    return await ask(customer)
  } catch (error) {
    if (!isCustomerMissing(error)) throw error
    await forgetCustomer(getDatabase(), accountId, customer) // so that the next one is noted in its place
    return ask(undefined)
  }
}

function isCustomerMissing(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return false
  return error.param === 'customer' || error.code === 'resource_missing'
}
