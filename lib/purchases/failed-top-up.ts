import type { Queries } from '../../db/database'
import { lockAccount } from '../../db/queries/credits'
import { addNotice } from '../../db/queries/notices'
import { countFailure } from '../../db/queries/top-ups'

/** Payments in a row that may fail before nothing is bought by itself any more. */
export const MOST_FAILURES = 3

/** After a payment that failed, the same card is tried so much later, times the failures in a row. */
const RETRY_MS = 6 * 3600_000

/**
 * Counts an automatic payment that did not go through, has its owner told, and leaves the card alone for some hours or
 * for good.
 */
export async function noteFailedTopUp(
  queries: Queries,
  { accountId, purchaseId, reason }: { accountId: string; purchaseId: string; reason: string },
): Promise<void> {
  await lockAccount(queries, accountId) // first, as the deletion of an account does
  const isCounted = await countFailure(queries, accountId, { reason, most: MOST_FAILURES, pauseMs: RETRY_MS })
  if (isCounted) await addNotice(queries, { accountId, kind: 'top_up_failed', purchaseId })
}
