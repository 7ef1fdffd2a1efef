import { Stripe } from 'stripe'
import type { Database } from '../../db/database'
import { findOrphan } from '../../db/queries/orphan-purchases'
import { lockPurchase, recordRefund } from '../../db/queries/purchases'
import { delayStripeTask, removeStripeTask, type StripeTask, takeStripeTask } from '../../db/queries/stripe-tasks'
import { describeError, getLog } from '../log'
import { getStripe, isSelling } from './stripe'

/** Longer than a request to Stripe with its retries. */
const LEASE_MS = 150_000
const LEAST_DELAY_MS = 10_000
const MOST_DELAY_MS = 6 * 3600_000

/**
 * Does due Stripe tasks: refunds of payments for deleted accounts, and deletions of their customers. Failed tasks are
 * retried without limit.
 */
export async function doStripeTasks(database: Database, isStopping: () => boolean): Promise<void> {
  if (!isSelling()) return
  while (!isStopping()) {
    const task = await takeStripeTask(database, { leaseMs: LEASE_MS })
    if (task === undefined) return
    await doTask(database, task)
  }
}

async function doTask(database: Database, task: StripeTask): Promise<void> {
  const { kind, subject, attempts } = task
  try {
    if (kind === 'refund') await refund(database, subject)
    else await deleteCustomer(subject)
    await removeStripeTask(database, task)
    getLog().info({ task: kind, subject }, 'a pending Stripe task is done')
  } catch (error) {
    getLog().error(
      { task: kind, subject, attempts, cause: describeError(error) },
      'a pending Stripe task failed, retrying',
    )
    await delayStripeTask(
      database,
      task,
      Math.min(MOST_DELAY_MS, LEAST_DELAY_MS * 2 ** Math.min(attempts, MOST_DOUBLINGS)),
    )
  }
}

const MOST_DOUBLINGS = 20

/** Refunds the rest of a payment. The event of the refund may arrive before the response, or never. */
async function refund(database: Database, purchaseId: string): Promise<void> {
  const orphan = await findOrphan(database, purchaseId)
  if (orphan === undefined || orphan.refundedCents >= orphan.amountCents) return
  const { amountCents, paymentIntentId } = orphan
  try {
    const { status } = await getStripe().refunds.create(
      { payment_intent: paymentIntentId, metadata: { purchase_id: purchaseId } },
      { idempotencyKey: `refund-${purchaseId}` },
    )
    if (status === 'failed' || status === 'canceled') throw new Error(`The refund is ${status}`)
  } catch (error) {
    if (!hasCode(error, 'charge_already_refunded')) throw error
  }
  await database.transaction(async queries => {
    await lockPurchase(queries, purchaseId)
    await recordRefund(queries, purchaseId, amountCents)
  })
}

/** Deletes a customer with all saved cards. A customer that is already deleted counts as success. */
async function deleteCustomer(customerId: string): Promise<void> {
  try {
    await getStripe().customers.del(customerId)
  } catch (error) {
    if (!hasCode(error, 'resource_missing') && !isNotFound(error)) throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code
}

function isNotFound(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404
}
