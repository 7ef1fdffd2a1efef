import type { Database } from '../../db/database'
import { listFirstSteps, recordFirstStep } from '../../db/queries/first-steps'
import { getDatabase } from '../database'

/** What the log of an account shows about its first steps. */
export interface FirstDay {
  /** Whether a request with a key and an `Idempotency-Key` returned a file. */
  isIdempotent: boolean
  /**
   * If `true`, a request with a key returned an error, and a later one to the same endpoint returned a file. The error
   * was one of the account's last 20 failures by then.
   */
  hasRecovered: boolean
  /** Whether the owner has dismissed the checklist. */
  isDismissed: boolean
}

/** Returns the first steps of an account. A request counts within a second of its end. */
export async function readFirstDay(accountId: string, database: Database = getDatabase()): Promise<FirstDay> {
  const steps = await listFirstSteps(database, accountId)
  return {
    isIdempotent: steps.includes('idempotency'),
    hasRecovered: steps.includes('recovery'),
    isDismissed: steps.includes('dismissed'),
  }
}

/** Hides the checklist of an account for good. */
export async function dismissChecklist(
  accountId: string,
  database: Database = getDatabase(),
): Promise<{ isDismissed: true }> {
  await recordFirstStep(database, accountId, 'dismissed')
  return { isDismissed: true }
}
