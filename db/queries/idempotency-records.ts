import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../database'

export type IdempotencyRecord = {
  requestHash: string
  state: 'running' | 'succeeded'
  /** Whether the request may still finish: its hold is open and its lease hasn't expired. */
  isLive: boolean
  /** The request that was charged. */
  requestId: string
  /** The number of delivered and running replays. */
  replays: number
  openReplays: number
}

/** Returns the record of an idempotency key, unless the record is older than a day. */
export async function findRecord(
  queries: Queries,
  accountId: string,
  key: string,
): Promise<IdempotencyRecord | undefined> {
  const [record] = await queries.rows<IdempotencyRecord>(sql`
    select request_hash as "requestHash", record.state, record.call_id as "requestId",
      (select count(*)::int from holds replay where replay.replays_call_id = record.call_id
        and replay.state = 'settled') as replays,
      (select count(*)::int from holds replay
        where replay.replays_call_id = record.call_id and replay.state = 'open'
          and replay.lease_until > clock_timestamp()) as "openReplays",
      coalesce(holds.state = 'open' and holds.lease_until > clock_timestamp(), false) as "isLive"
    from idempotency_records record left join holds on holds.call_id = record.call_id
    where record.account_id = ${accountId} and key = ${key} and created_at > clock_timestamp() - interval '24 hours'`)
  return record
}

/** Deletes an idempotency key of an account. */
export async function deleteRecord(queries: Queries, accountId: string, key: string): Promise<void> {
  await queries.rows(sql`delete from idempotency_records where account_id = ${accountId} and key = ${key}`)
}

/** The part of a charge that stores its idempotency key. Returns no row if the key is known or the balance is under 1. */
export function claimRecord(): SQL {
  const { placeholder } = sql
  return sql`insert into idempotency_records (account_id, key, request_hash, call_id)
    select id, ${placeholder('key')}, ${placeholder('requestHash')}, ${placeholder('requestId')} from account
      where balance + due >= 1
    on conflict do nothing
    returning 1`
}
