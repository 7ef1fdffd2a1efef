import * as z from 'zod'
import type { Database } from '../../db/database'
import { reconcile, type Reconciliation } from './reconcile'
import { getStripe, isSelling } from './stripe'

const requestSchema = z.strictObject({ reconcile: z.strictObject({ days: z.int().min(1).max(3650).optional() }) })

/** An operator's request to compare the ledger with Stripe for the last `days` days, 30 by default. */
export type ReconcileRequest = z.infer<typeof requestSchema>

/** Returns whether a value is such a request. */
export function isReconcileRequest(value: unknown): value is ReconcileRequest {
  return requestSchema.safeParse(value).success
}

/**
 * Compares the ledger with Stripe, in a running server or in a separate process. Throws an Error with a message for the
 * operator.
 */
export async function runReconcileCommand(
  { reconcile: { days } }: ReconcileRequest,
  database: Database,
): Promise<Reconciliation> {
  if (!isSelling()) throw new Error('Purchases are off. Set STRIPE_SECRET_KEY to use this command.')
  return reconcile({ database, stripe: getStripe(), days })
}
