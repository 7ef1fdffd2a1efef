import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { CallOutcome } from '../schema'

/** Calls of an account on one day in UTC, of one operation, that ended alike. */
export type UsageRow = {
  /** `2026-11-20` */
  day: string
  operation: string
  outcome: CallOutcome
  calls: number
  credits: number
  /** Milliseconds of all of them together. */
  ms: number
}

/** What an account used from a day on, oldest day first. */
export function listUsage(queries: Queries, accountId: string, fromDay: string): Promise<UsageRow[]> {
  return queries.rows<UsageRow>(sql`
    select day::text as day, operation, outcome, calls, credits, ms::double precision as ms
    from usage_days where account_id = ${accountId} and day >= ${fromDay}::date
    order by usage_days.day, operation, outcome`)
}

/** Deletes days that are longer than 400 days ago, and those of accounts that were deleted within the last two days. */
export async function purgeUsage(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from usage_days where day < (clock_timestamp() at time zone 'UTC')::date - 400`)
  await queries.rows(sql`delete from usage_days where account_id in (
    select id from users where deleted_at > clock_timestamp() - interval '2 days')`)
}
