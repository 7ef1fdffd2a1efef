import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { RequestOutcome } from '../schema'
import { deleteOldest } from '../delete-oldest'

/** Requests of an account on one day in UTC, with the same operation and outcome. */
export type UsageRow = {
  /** `2026-11-20` */
  day: string
  operation: string
  outcome: RequestOutcome
  requests: number
  credits: number
  /** Total milliseconds of these requests. */
  ms: number
}

/** Lists an account's usage from a day on, oldest day first. */
export function listUsage(queries: Queries, accountId: string, fromDay: string): Promise<UsageRow[]> {
  return queries.rows<UsageRow>(sql`
    select day::text as day, operation, outcome, calls as requests, credits, ms::double precision as ms
    from usage_days where account_id = ${accountId} and day >= ${fromDay}::date
    order by usage_days.day, operation, outcome`)
}

/** Returns whether an account has had a successful request in the last 400 days. */
export async function hasSuccessfulRequest(queries: Queries, accountId: string): Promise<boolean> {
  const rows = await queries.rows<{ found: boolean }>(sql`
    select exists (select from usage_days where account_id = ${accountId} and outcome = 'ok') as found`)
  return rows[0]?.found === true
}

/** Deletes up to `limit` days that are more than 400 days ago. Returns their number. */
export function purgeOldUsage(queries: Queries, limit: number): Promise<number> {
  const isOld = sql`day < (now() at time zone 'UTC')::date - 400`
  return deleteOldest(queries, {
    table: sql`usage_days`,
    key: sql`account_id, day, operation, outcome`,
    due: isOld,
    order: sql`day`,
    limit,
  })
}

/**
 * Deletes days of accounts that were deleted within the last two days, because requests that ran during the deletion
 * were counted later.
 */
export async function purgeDeletedUsage(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from usage_days where account_id in (
    select id from users where deleted_at > now() - interval '2 days')`)
}
