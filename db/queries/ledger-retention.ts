import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'

export type OldestEntry = {
  accountId: string
  /** ID of the account's first entry, if entries are due to be carried forward. Otherwise null. */
  entryId: string | null
}

interface Page {
  /** ID of an account. Only later accounts are listed. */
  after: string
  limit: number
  /** Entries from more than this number of whole days ago, in UTC, are due. */
  days: number
}

/**
 * Lists the next accounts by ID, each with its oldest entry if that entry is due. Only needs the index that lists an
 * account's entries.
 */
export function listOldestEntries(queries: Queries, { after, limit, days }: Page): Promise<OldestEntry[]> {
  return queries.rows<OldestEntry>(sql`
    select account.id as "accountId", oldest.id as "entryId"
    from (select id from users where id > ${after} order by id limit ${limit}::int) account
    left join lateral (
      select min(id)::text as id
      from (select id, kind, created_at from ledger_entries where ${ofAccount(sql`account.id`)}
        order by account_id, id limit 2) first
      having bool_or(kind <> 'carry_forward' and created_at < ${firstDay(days)})
    ) oldest on true
    order by account.id`)
}

interface Batch {
  accountId: string
  /**
   * The account's oldest entry, as it was found. The sweep that locks this entry carries forward, so sweeps never wait
   * for each other, and requests don't wait for a sweep.
   */
  entryId: string
  days: number
  /** Maximum number of entries. */
  limit: number
}

/**
 * Combines up to `limit` due entries of an account into one carry-forward. The last of these entries becomes the
 * carry-forward, with its balance, and the others are deleted. Returns their number and the ID of the carry-forward.
 * Undefined if nothing is due or another sweep is at work. A charge whose request is still open stays, with all later
 * entries.
 */
export function carryForward(
  database: Database,
  { accountId, entryId, days, limit }: Batch,
): Promise<{ entries: number; entryId: string } | undefined> {
  return database.transaction(async queries => {
    const locked = await queries.rows(
      sql`select 1 as locked from ledger_entries where id = ${entryId}::bigint for update skip locked`,
    )
    if (locked.length === 0) return undefined
    const [last] = await queries.rows<{ id: string | null; entries: number }>(sql`
      select max(id)::text as id, count(*)::int as entries
      from (select id, kind, created_at from ledger_entries where ${ofAccount(sql`${accountId}`)}
        order by account_id, id limit ${limit}::int) first
      where created_at < ${firstDay(days)} and id < coalesce((
        select min(charge.id) from holds join ledger_entries charge on charge.call_id = holds.call_id
        where holds.state = 'open' and holds.account_id = ${accountId}), id + 1)
      having bool_or(kind <> 'carry_forward')`)
    if (last === undefined || last.id === null) return undefined
    const isBefore = sql`account_id >= ${accountId} and (account_id, id) < (${accountId}, ${last.id}::bigint)`
    await queries.rows(sql`
      update ledger_entries set kind = 'carry_forward', delta = balance, call_id = null, month = null, reference = null,
        note = 'Carried forward until ' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'),
        owed = owed + (select coalesce(sum(owed), 0) from ledger_entries where ${isBefore}),
        booked = ${bookedCredits} + (select coalesce(sum(${bookedCredits}), 0) from ledger_entries where ${isBefore})
      where id = ${last.id}::bigint`)
    await queries.rows(sql`delete from ledger_entries where ${isBefore}`)
    return { entries: last.entries, entryId: last.id }
  })
}

/** The part of an entry that was bought or adjusted rather than granted. */
export const bookedCredits = sql`case when kind = 'carry_forward' then booked when kind in ('grant', 'charge', 'refund') then 0 else delta end`

/**
 * Selects entries of one account, ordered by account and ID. The condition is a range. With an equality, the planner
 * would order by ID alone and scan the primary key through entries of all other accounts.
 */
function ofAccount(accountId: SQL): SQL {
  return sql`account_id >= ${accountId} and account_id <= ${accountId}`
}

/** The earliest time that is kept, computed in UTC whatever the session's time zone. */
function firstDay(days: number): SQL {
  return sql`(((now() at time zone 'UTC')::date - ${days}::int)::timestamp at time zone 'UTC')`
}
