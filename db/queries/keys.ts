import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { isDuplicate } from '../database-unavailable'
import { type GrantTerms, grantOnce, hasPaid } from './credits'
import { deleteOldest } from '../delete-oldest'

export type KeyOwner = {
  keyId: string
  accountId: string
  isRotated: boolean
  balance: number
  /** Whether the account bought credits or got some from the operator. */
  hasPaid: boolean
}

/**
 * Finds the owner of a key's hash and grants this month's credits. Usually nothing is due, and one statement that only
 * reads is enough. A simultaneous grant by another request isn't visible, so query again if the balance is too low.
 */
export async function findKeyOwner(queries: Queries, hash: string, grant: GrantTerms): Promise<KeyOwner | undefined> {
  const [row] = await queries.rows<KeyOwner & { isGrantDue: boolean }>(sql`
    select api_keys.id as "keyId", account_id as "accountId", rotated_at is not null as "isRotated", balance,
      ${hasPaid(sql`users.id`)} as "hasPaid",
      ${grant.credits}::int > 0 and coalesce(granted_month, '') < ${grant.month} and (email_verified is not null
        or not ${grant.verifiedOnly}::boolean) as "isGrantDue"
    from api_keys join users on users.id = account_id where hash = ${hash}`)
  if (row === undefined) return undefined
  const { isGrantDue, ...owner } = row
  if (!isGrantDue || owner.isRotated) return owner
  const account = await grantOnce(queries, owner.accountId, grant)
  return { ...owner, balance: account?.balance ?? owner.balance }
}

interface RefusedUse {
  keyId: string
  /** Number of uses. */
  uses: number
  /** The client of the last use. */
  client: { address: string | null; agent: string | null } | undefined
}

/** Adds uses of a rotated key, with the stored details of the client. */
export async function recordRefusedUses(queries: Queries, { keyId, uses, client }: RefusedUse): Promise<void> {
  await queries.rows(sql`
    update api_keys set refused_count = refused_count + ${uses}::int, first_refused_at = coalesce(first_refused_at,
      last_refused_at, now()), last_refused_at = now(),
      last_refused_address = ${client?.address ?? null}, last_refused_agent = ${client?.agent ?? null}
    where id = ${keyId} and rotated_at is not null`)
}

/** Forgets the uses of an account's rotated keys. */
export async function forgetRefusedUses(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`
    update api_keys set refused_count = 0, first_refused_at = null, last_refused_at = null,
      last_refused_address = null, last_refused_agent = null
    where account_id = ${accountId} and rotated_at is not null and refused_count > 0`)
}

interface NewKey {
  accountId: string
  hash: string
  last4: string
  /** The version of the requesting session. A key is only stored while that session is valid. */
  sessionVersion?: number | undefined
}

/**
 * The result for a new key. `taken`: there is an active key, or none that ends as expected. `gone`: the account or
 * session ended.
 */
export type KeyOutcome = 'stored' | 'taken' | 'gone'

/** Stores an account's first key. */
export async function insertFirstKey(database: Database, key: NewKey): Promise<KeyOutcome> {
  try {
    return await insertKey(database, key)
  } catch (error) {
    if (isDuplicate(error, 'api_keys_one_active')) return 'taken'
    throw error
  }
}

/**
 * Replaces the active key, if any. With `last4`, only replaces an active key that ends in these characters. Rotations
 * of one account run one after the other.
 */
export async function replaceKey(database: Database, key: NewKey, last4?: string): Promise<KeyOutcome> {
  try {
    return await replaceOnce(database, key, last4)
  } catch (error) {
    if (!isDuplicate(error, 'api_keys_one_active')) throw error
    // A first key was created while we looked for the key to replace. Now there is one to replace.
    return await replaceOnce(database, key, last4)
  } finally {
    database.keyOwners?.forget(key.accountId)
  }
}

function replaceOnce(database: Database, key: NewKey, last4: string | undefined): Promise<KeyOutcome> {
  return database.transaction(async queries => {
    const owners = await queries.rows(sql`select id from users where ${isOwner(key)} for no key update`)
    if (owners.length === 0) return 'gone'
    const rotatedKeys = await queries.rows(sql`
      update api_keys set rotated_at = clock_timestamp()
      where account_id = ${key.accountId}
        and rotated_at is null ${last4 === undefined ? sql`` : sql`and last4 = ${last4}`}
      returning id`)
    if (last4 !== undefined && rotatedKeys.length === 0) return 'taken'
    return insertKey(queries, key)
  })
}

/** Waits for a running change of the account, so that no key is stored after the end of a session. */
async function insertKey(queries: Queries, key: NewKey): Promise<KeyOutcome> {
  const insertedKeys = await queries.rows(sql`
    insert into api_keys (account_id, hash, last4)
    select id, ${key.hash}, ${key.last4} from users where ${isOwner(key)} for share
    returning id`)
  return insertedKeys.length > 0 ? 'stored' : 'gone'
}

function isOwner({ accountId, sessionVersion }: NewKey): SQL {
  const isSession = sessionVersion === undefined ? sql`true` : sql`session_version = ${sessionVersion}`
  return sql`id = ${accountId} and deleted_at is null and ${isSession}`
}

export type KeySummary = {
  last4: string
  /** Seconds since 1970. */
  createdAtS: number
  lastUsedAtS: number | null
  lastUsedOperation: string | null
  lastUsedStatus: number | null
  lastUsedAddress: string | null
  lastUsedAgent: string | null
  /** Uses of the account's rotated keys in the last 90 days. */
  refusedCount: number
  firstRefusedAtS: number | null
  lastRefusedAtS: number | null
  /** The client of the last use. */
  lastRefusedAddress: string | null
  lastRefusedAgent: string | null
}

/** Returns the public details of an account's active key. Undefined if there is none. */
export async function findActiveKey(queries: Queries, accountId: string): Promise<KeySummary | undefined> {
  const [key] = await queries.rows<KeySummary>(sql`
    with rotated as (
      select refused_count, first_refused_at, last_refused_at, last_refused_address, last_refused_agent
      from api_keys where account_id = ${accountId} and rotated_at is not null and refused_count > 0
    ),
    refused as (
      select coalesce(sum(refused_count), 0)::int as count, min(coalesce(first_refused_at, last_refused_at)) as since,
        max(last_refused_at) as last from rotated
    ),
    latest as (select last_refused_address, last_refused_agent from rotated order by last_refused_at desc limit 1)
    select last4, ${seconds(sql`api_keys.created_at`)} as "createdAtS",
      ${seconds(sql`last_used_at`)} as "lastUsedAtS", last_used_operation as "lastUsedOperation",
        last_used_status as "lastUsedStatus",
      last_used_address as "lastUsedAddress", last_used_agent as "lastUsedAgent",
      refused.count as "refusedCount", ${seconds(sql`refused.since`)} as "firstRefusedAtS",
        ${seconds(sql`refused.last`)} as "lastRefusedAtS",
      latest.last_refused_address as "lastRefusedAddress", latest.last_refused_agent as "lastRefusedAgent"
    from api_keys cross join refused left join latest on true
    where api_keys.account_id = ${accountId} and api_keys.rotated_at is null`)
  return key
}

/** Converts a timestamp to seconds since 1970, which both drivers return as a number. */
function seconds(moment: SQL): SQL {
  return sql`extract(epoch from ${moment})::double precision`
}

/** Deletes up to `limit` keys that were rotated more than 90 days ago. Returns their number. */
export function purgeKeys(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`api_keys`,
    key: sql`id`,
    due: sql`rotated_at <= now() - interval '90 days'`,
    order: sql`rotated_at`,
    limit,
  })
}
