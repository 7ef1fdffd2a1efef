import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'

export type OldestEntry = {
  accountId: string
  /** Of the account's first entry, where entries are due to be carried forward; else null. */
  entryId: string | null
}

interface Page {
  /** Id of an account; only later ones. */
  after: string
  limit: number
  /** Entries of more than so many whole days ago, in UTC, are due. */
  days: number
}

/**
 * The next accounts by id, each with its oldest entry where that is due. Needs no index but the one that lists an
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
   * The account's oldest entry, as it was found. Whoever locks it carries forward, so that sweeps never wait for each
   * other, nor calls for a sweep.
   */
  entryId: string
  days: number
  /** Entries at most. */
  limit: number
}

/**
 * Makes one carry-forward of up to `limit` of an account's entries that are due: the last of them becomes it, in its
 * place, with the balance that they came to, and the others go. Gives their number and its id; undefined when nothing
 * is due or another sweep is at it. A charge whose call is still open stays, and all that came after it.
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

/** What an entry adds to the credits that were bought or adjusted rather than granted. */
export const bookedCredits = sql`case when kind = 'carry_forward' then booked when kind in ('grant', 'charge', 'refund') then 0 else delta end`

/**
 * Entries of one account, for a list in the order of account and id. Said as a range: with an equality the order would
 * be that of the ids alone, and the planner would take the primary key for it, through entries of all other accounts.
 */
function ofAccount(accountId: SQL): SQL {
  return sql`account_id >= ${accountId} and account_id <= ${accountId}`
}

/** The first moment that is kept, computed in UTC whatever the session's time zone. */
function firstDay(days: number): SQL {
  return sql`(((now() at time zone 'UTC')::date - ${days}::int)::timestamp at time zone 'UTC')`
}
