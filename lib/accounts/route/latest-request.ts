import type { Database } from '../../../db/database'
import { AccountRefusal } from '../account/account-refusal'
import { getDatabase } from '../../database'
import { findRequestAfter } from '../../requests/request-list'

/** The latest request, for a page that waits for it. */
export interface LatestRequest {
  call: {
    requestId: string
    at: string
    operation: string
    via: string
    status: number
    error: string | null
    ms: number
  } | null
}

/**
 * Returns the latest request of an account after a time (ISO 8601). Throws AccountRefusal if the text isn't a valid
 * time.
 */
export async function describeLatestRequest(
  accountId: string,
  after: string | null,
  database: Database = getDatabase(),
): Promise<LatestRequest> {
  const moment = new Date(after ?? '')
  if (Number.isNaN(moment.getTime())) {
    throw new AccountRefusal(
      400,
      'invalid_moment',
      '"after" must be a date and time, such as 2026-11-20T12:00:00Z. Only later requests are shown.',
    )
  }
  const request = await findRequestAfter(accountId, moment, database)
  if (request === null) return { call: null }
  const { id, at, operation, via, status, error, ms } = request
  return { call: { requestId: id, at: at.toISOString(), operation, via, status, error, ms } }
}
