import { claimEvent, releaseEvent } from '../../db/queries/purchases'
import { getDatabase } from '../database'
import { getLog } from '../log'
import { reconcile, type Reconciliation } from './reconcile'
import { getStripe, isSelling } from './stripe'

/**
 * Reconciles once per UTC day, on one of the instances. The next round retries after a failure. Does nothing if nothing
 * is sold.
 */
export async function reconcileNightly(signal: AbortSignal): Promise<void> {
  if (!isSelling()) return
  const database = getDatabase()
  const eventId = `reconciliation-${new Date().toISOString().slice(0, 10)}`
  if (!(await claimEvent(database, eventId))) return
  try {
    logReconciliation(await reconcile({ database, stripe: getStripe(), signal }))
  } catch (error) {
    await releaseEvent(database, eventId)
    throw error
  }
}

/** Logs each difference and the totals. */
export function logReconciliation({ differences, ...counts }: Reconciliation): void {
  for (const difference of differences) getLog().error(difference, 'the ledger differs from Stripe')
  getLog().info({ ...counts, differences: differences.length }, 'the ledger was compared with Stripe')
}
