import { Stripe } from 'stripe'
import { findCustomer, forgetCustomer } from '../../db/queries/purchases'
import { getDatabase } from '../database'

/**
 * Runs a Stripe request with the customer of an account. Uses a new customer before the first purchase, and if somebody
 * has deleted the customer at Stripe. Throws Stripe's errors.
 */
export async function asKnownCustomer<T>(
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
