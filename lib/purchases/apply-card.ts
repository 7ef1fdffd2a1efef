import type { Queries } from '../../db/database'
import { lockOwner } from '../../db/queries/credits'
import { recordCustomer } from '../../db/queries/purchases'
import { addStripeTask } from '../../db/queries/stripe-tasks'
import { recordCard } from '../../db/queries/top-ups'
import { type Outcome, PurchaseMismatch } from './apply-stripe-fact'
import { writeBilling } from './billing'
import type { CardFact } from './stripe-facts'

/**
 * Stores the card that an owner left for automatic top-up. The top-up is then on, unless the owner has turned it off in
 * the meantime. If the account was deleted, the card is deleted with its customer. Throws PurchaseMismatch.
 */
export async function applyCard(
  queries: Queries,
  { accountId, session, paymentMethodId, label }: CardFact,
): Promise<Outcome> {
  if (session.client_reference_id !== accountId)
    throw new PurchaseMismatch(
      `client_reference_id is ${session.client_reference_id ?? 'missing'}, but the session is of ${accountId.slice(0, 64)}`,
    )
  const customerId = typeof session.customer === 'string' ? session.customer : session.customer?.id
  if (customerId === undefined) throw new PurchaseMismatch('customer is missing')
  const owner = await lockOwner(queries, accountId)
  if (owner?.isDeleted !== false) {
    await addStripeTask(queries, { kind: 'delete_customer', subject: customerId })
    return 'noted'
  }
  await recordCustomer(queries, accountId, customerId)
  await recordCard(queries, accountId, {
    customerId,
    paymentMethodId,
    label,
    billing: writeBilling(session.customer_details),
  })
  return 'noted'
}
