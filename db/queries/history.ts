import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { ledgerEntries } from '../schema'

interface Page {
  accountId: string
  limit: number
  before?: number
}

/** Ledger entries of an account, newest first. */
export function listEntries(database: Database, { accountId, limit, before }: Page) {
  const { id, kind, delta, balance, callId, month, note, createdAt } = ledgerEntries
  const older = before === undefined ? undefined : lt(id, before)
  return database.drizzle
    .select({ id, kind, delta, balance, callId, month, note, createdAt })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.accountId, accountId), older))
    .orderBy(desc(id))
    .limit(limit)
}

/** Net credits spent on calls, by the UTC day of the charge, from a day on. */
export function countCharges(queries: Queries, accountId: string, fromDay: string): Promise<{ day: string; credits: number }[]> {
  return queries.rows<{ day: string; credits: number }>(sql`
    select to_char(charge.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as credits
    from ledger_entries charge
    where charge.account_id = ${accountId} and charge.kind = 'charge'
      and charge.created_at >= ${fromDay}::timestamp at time zone 'UTC'
      and not exists (select 1 from ledger_entries refund where refund.call_id = charge.call_id and refund.kind = 'refund')
    group by 1`)
}
