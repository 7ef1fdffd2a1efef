import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { calls, ledgerEntries } from '../schema'
import { bookedCredits } from './ledger-retention'

interface Page {
  accountId: string
  limit: number
  /** ID of an entry. Only older entries are listed. */
  before?: number | undefined
}

/**
 * Lists an account's ledger entries, newest first, with the logged details of their calls. The account is a range in
 * the query. Otherwise the planner would order by the primary key and read entries of other accounts.
 */
export function listEntries(database: Database, { accountId, limit, before }: Page) {
  const { id, kind, delta, balance, owed, callId, month, note, createdAt } = ledgerEntries
  const older =
    before === undefined
      ? lte(ledgerEntries.accountId, accountId)
      : sql`(${ledgerEntries.accountId}, ${id}) < (${accountId}, ${before}::bigint)`
  return database.drizzle
    .select({
      id,
      kind,
      delta,
      balance,
      owed,
      callId,
      month,
      note,
      createdAt,
      operation: calls.operation,
      via: calls.via,
    })
    .from(ledgerEntries)
    .leftJoin(calls, and(eq(calls.id, callId), eq(calls.accountId, accountId)))
    .where(and(gte(ledgerEntries.accountId, accountId), older))
    .orderBy(desc(ledgerEntries.accountId), desc(id))
    .limit(limit)
}

export type BalanceRow = {
  balance: number
  /** The sum of all payments and adjustments ever made, including those carried forward. */
  booked: number
  grantedMonth: string | null
  isVerified: boolean
  lowBalanceAt: number
  debt: number
}

/** Returns the details of an account's balance. Undefined if there is no such account. */
export async function findBalanceDetails(queries: Queries, accountId: string): Promise<BalanceRow | undefined> {
  const [row] = await queries.rows<BalanceRow>(sql`
    select balance, granted_month as "grantedMonth", email_verified is not null as "isVerified",
      low_balance_at as "lowBalanceAt", debt,
      (select coalesce(sum(${bookedCredits}), 0)::int from ledger_entries
        where account_id = ${accountId} and kind not in ('grant', 'charge', 'refund')) as booked
    from users where id = ${accountId}`)
  return row
}
