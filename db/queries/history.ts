import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { calls, ledgerEntries } from '../schema'
import { bookedCredits } from './ledger-retention'

interface Page {
  accountId: string
  limit: number
  /** ID of an entry. Only older entries are listed. */
  before?: number | undefined
}

const { id, kind, delta, balance, owed, callId, month, note, createdAt } = ledgerEntries

const ENTRY = {
  id,
  kind,
  delta,
  balance,
  owed,
  requestId: callId,
  month,
  note,
  createdAt,
  operation: calls.operation,
  via: calls.via,
}

/** Lists an account's ledger entries, newest first, with the logged details of their requests. */
export function listEntries(database: Database, { accountId, limit, before }: Page) {
  return database.drizzle
    .select(ENTRY)
    .from(ledgerEntries)
    .leftJoin(calls, and(eq(calls.id, callId), eq(calls.accountId, accountId)))
    .where(ofAccount(accountId, before))
    .orderBy(desc(ledgerEntries.accountId), desc(id))
    .limit(limit)
}

/**
 * Lists the same entries without refunds whose charge is in the ledger. `refundId` of a charge is the entry of its
 * refund.
 */
export function listLines(database: Database, { accountId, limit, before }: Page) {
  return database.drizzle
    .select({
      ...ENTRY,
      refundId: sql<number | null>`case ${kind} when 'charge' then ${partner('refund')} end`.mapWith(id),
    })
    .from(ledgerEntries)
    .leftJoin(calls, and(eq(calls.id, callId), eq(calls.accountId, accountId)))
    .where(and(ofAccount(accountId, before), sql`case ${kind} when 'refund' then ${partner('charge')} end is null`))
    .orderBy(desc(ledgerEntries.accountId), desc(id))
    .limit(limit)
}

/**
 * Lists refunds after an entry whose charge came before it, with both IDs. Reads at most `limit` entries. A refund soon
 * follows its charge.
 */
export async function listRefundsAcross(
  queries: Queries,
  { accountId, entryId, limit }: { accountId: string; entryId: number; limit: number },
): Promise<{ chargeId: number; refundId: number }[]> {
  const rows = await queries.rows<{ chargeId: string | null; refundId: string }>(sql`
    select refund.id::text as "refundId", (select charge.id from ledger_entries charge
      where charge.call_id = refund.call_id and charge.kind = 'charge')::text as "chargeId"
    from (select id, kind, call_id from ledger_entries
      where account_id <= ${accountId} and (account_id, id) > (${accountId}, ${entryId}::bigint)
      order by account_id, id limit ${limit}::int) refund
    where refund.kind = 'refund'`)
  return rows
    .filter(({ chargeId }) => chargeId !== null && Number(chargeId) < entryId)
    .map(({ chargeId, refundId }) => ({ chargeId: Number(chargeId), refundId: Number(refundId) }))
}

/**
 * An account's entries before an entry. The account is a range. Otherwise the planner would order by the primary key
 * and read entries of other accounts.
 */
function ofAccount(accountId: string, before: number | undefined): SQL {
  const older =
    before === undefined
      ? sql`${ledgerEntries.accountId} <= ${accountId}`
      : sql`(${ledgerEntries.accountId}, ${id}) < (${accountId}, ${before}::bigint)`
  return sql`${ledgerEntries.accountId} >= ${accountId} and ${older}`
}

/** The ID of the other entry of a request. A scalar, because the planner could read the whole table for `exists`. */
function partner(ofKind: 'charge' | 'refund'): SQL {
  return sql`(select partner.id from ledger_entries partner where partner.call_id = ${callId} and partner.kind = ${sql.raw(`'${ofKind}'`)})`
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
