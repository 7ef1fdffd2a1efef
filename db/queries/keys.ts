import { sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { isDuplicate } from '../database-away'
import type { GrantTerms } from './credits'

export type KeyOwner = {
  keyId: string
  accountId: string
  isRotated: boolean
  balance: number
}

/**
 * Finds whose key a hash is and grants this month's credits on the way; notes the use of a rotated key. Mostly there is
 * nothing to grant or to note, and one statement that only reads is enough.
 * A grant that another call makes meanwhile is not seen: ask again when the balance does not suffice.
 */
export async function findKeyOwner(queries: Queries, hash: string, grant: GrantTerms): Promise<KeyOwner | undefined> {
  const [found] = await queries.rows<KeyOwner & { isGrantDue: boolean }>(sql`
    select api_keys.id as "keyId", account_id as "accountId", rotated_at is not null as "isRotated", balance,
      coalesce(granted_month, '') < ${grant.month} and (email_verified is not null or not ${grant.verifiedOnly}::boolean) as "isGrantDue"
    from api_keys join users on users.id = account_id where hash = ${hash}`)
  if (found === undefined || found.isRotated || found.isGrantDue) return found && grantAndNote(queries, hash, grant)
  const { keyId, accountId, isRotated, balance } = found
  return { keyId, accountId, isRotated, balance }
}

/** Grants the month to a key's owner and notes the use of a rotated key, in one statement that looks anew at both. */
async function grantAndNote(queries: Queries, hash: string, grant: GrantTerms): Promise<KeyOwner | undefined> {
  const [owner] = await queries.rows<KeyOwner>(sql`
    with presented as (
      select id, account_id, rotated_at is not null as is_rotated from api_keys where hash = ${hash}
    ),
    granted as (
      update users set balance = users.balance + ${grant.credits}::int, granted_month = ${grant.month}
      from presented
      where users.id = presented.account_id and not presented.is_rotated
        and coalesce(users.granted_month, '') < ${grant.month}
        and (users.email_verified is not null or not ${grant.verifiedOnly}::boolean)
      returning users.id, users.balance
    ),
    entry as (
      insert into ledger_entries (account_id, kind, delta, balance, month)
      select id, 'grant', ${grant.credits}::int, balance, ${grant.month} from granted
    ),
    refused as (
      update api_keys set refused_count = refused_count + 1, last_refused_at = now()
      from presented where api_keys.id = presented.id and presented.is_rotated
    )
    select presented.id as "keyId", account_id as "accountId", is_rotated as "isRotated",
      coalesce((select balance from granted), users.balance) as balance
    from presented join users on users.id = presented.account_id`)
  return owner
}

interface NewKey {
  accountId: string
  hash: string
  last4: string
}

/** Stores an account's first key; false when it has an active one. */
export async function insertFirstKey(database: Database, key: NewKey): Promise<boolean> {
  try {
    await insertKey(database, key)
    return true
  } catch (error) {
    if (isDuplicate(error, 'api_keys_one_active')) return false
    throw error
  }
}

/**
 * Puts a key in the place of the active one, or of none; where `last4` is given, only in the place of an active one that
 * ends so, and gives false when there is none. Rotations of one account happen one after the other.
 */
export async function replaceKey(database: Database, key: NewKey, last4?: string): Promise<boolean> {
  try {
    return await replaceOnce(database, key, last4)
  } catch (error) {
    if (!isDuplicate(error, 'api_keys_one_active')) throw error
    return replaceOnce(database, key, last4) // a first key was created while we looked for the one to replace; now it is there
  }
}

function replaceOnce(database: Database, key: NewKey, last4: string | undefined): Promise<boolean> {
  return database.transaction(async queries => {
    await queries.rows(sql`select id from users where id = ${key.accountId} for no key update`)
    const ended = await queries.rows(sql`
      update api_keys set rotated_at = clock_timestamp()
      where account_id = ${key.accountId} and rotated_at is null ${last4 === undefined ? sql`` : sql`and last4 = ${last4}`}
      returning id`)
    if (last4 !== undefined && ended.length === 0) return false
    await insertKey(queries, key)
    return true
  })
}

async function insertKey(queries: Queries, { accountId, hash, last4 }: NewKey): Promise<void> {
  await queries.rows(sql`insert into api_keys (account_id, hash, last4) values (${accountId}, ${hash}, ${last4})`)
}

export type KeySummary = {
  last4: string
  /** Seconds since 1970. */
  createdAtS: number
  /** How often rotated keys of the account were tried, over the last 90 days. */
  refusedCount: number
  lastRefusedAtS: number | null
}

/** What may be shown of an account's active key; undefined when it has none. */
export async function findActiveKey(queries: Queries, accountId: string): Promise<KeySummary | undefined> {
  const [key] = await queries.rows<KeySummary>(sql`
    select last4, extract(epoch from created_at)::double precision as "createdAtS",
      (select coalesce(sum(refused_count), 0)::int from api_keys old
        where old.account_id = api_keys.account_id and old.rotated_at is not null) as "refusedCount",
      (select extract(epoch from max(last_refused_at))::double precision from api_keys old
        where old.account_id = api_keys.account_id and old.rotated_at is not null) as "lastRefusedAtS"
    from api_keys where account_id = ${accountId} and rotated_at is null`)
  return key
}

/** Deletes keys that were rotated more than 90 days ago. */
export async function purgeKeys(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from api_keys where rotated_at <= now() - interval '90 days'`)
}
