import { z } from 'zod'
import type { Database } from '../../db/database'
import { reconcile, type Reconciliation } from './reconcile'
import { getStripe, isSelling } from './stripe'

const requestSchema = z.strictObject({ reconcile: z.strictObject({ days: z.int().min(1).max(3650).optional() }) })

/** An operator's wish to have the ledger compared with Stripe; `days` back, 30 when missing. */
export type ReconcileRequest = z.infer<typeof requestSchema>

/** Whether an operator's request is one. */
export function isReconcileRequest(given: unknown): given is ReconcileRequest {
  return requestSchema.safeParse(given).success
}

/**
 * Compares the ledger with Stripe, in a running server as in a process of its own. Throws an Error whose message is for
 * the operator.
 */
export async function runReconcileCommand(
  { reconcile: { days } }: ReconcileRequest,
  database: Database,
): Promise<Reconciliation> {
  if (!isSelling()) throw new Error('Nothing is sold here: STRIPE_SECRET_KEY is not set.')
  return reconcile({ database, stripe: getStripe(), days })
}
