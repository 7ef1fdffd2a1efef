import type { Queries } from '../../db/database'
import { lockAccount } from '../../db/queries/credits'
import { addNotice } from '../../db/queries/notices'
import { countFailure } from '../../db/queries/top-ups'

/** Number of failed payments in a row that turn automatic top-up off. */
export const MOST_FAILURES = 3

/** Delay before the same card is charged again, times the number of failures in a row. */
const RETRY_MS = 6 * 3600_000

/** Counts a failed automatic payment, notifies the owner, and pauses or ends the top-up. */
export async function recordFailedTopUp(
  queries: Queries,
  { accountId, purchaseId, reason }: { accountId: string; purchaseId: string; reason: string },
): Promise<void> {
  // The account is locked first, in the same order as in the deletion of an account.
  await lockAccount(queries, accountId)
  const isCounted = await countFailure(queries, accountId, { reason, most: MOST_FAILURES, pauseMs: RETRY_MS })
  if (isCounted) await addNotice(queries, { accountId, kind: 'top_up_failed', purchaseId })
}
