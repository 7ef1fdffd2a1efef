import { and, desc, eq, gt, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { calls, type FirstStep } from '../schema'
import { deleteOldest } from '../delete-oldest'

/** A request to be logged. */
export type RequestRow = Omit<typeof calls.$inferSelect, 'at' | 'day'> & {
  /** ISO 8601. */
  at: string
  /** The key of the request. */
  keyId: string | null
  hasIdempotencyKey: boolean
}

/** A logged request as its account sees it. */
export type LoggedRequest = Omit<typeof calls.$inferSelect, 'accountId' | 'day'>

/**
 * In one statement, logs requests, adds them to their days, notes the first steps of their accounts, and updates the
 * latest use of their keys. The rows are one parameter, so that the statement has a single form to plan.
 */
export async function insertRequests(queries: Queries, rows: readonly RequestRow[]): Promise<void> {
  await queries.rows(sql`
    with given as (${readGiven(rows)}),
      logged as (${LOG_GIVEN}),
      counted as (${COUNT_DAYS}),
      tallied as (${TALLY_OPERATIONS}),
      stepped as (${NOTE_FIRST_STEPS}),
      latest as (${FIND_LATEST}),
      idle as (${LOCK_IDLE_KEYS})
    ${UPDATE_KEYS}`)
}

/** The rows as a table. */
function readGiven(rows: readonly RequestRow[]): SQL {
  return sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(
      id text, "accountId" text, at timestamptz, operation text, steps text, via text, status int, error text, reason text, message text, param text,
      ms int, "engineMs" int, "bytesIn" bigint, "bytesOut" bigint, credits int, replayed boolean, delivered boolean,
      "browserOrigin" boolean, "keyLast4" text, address text, agent text, phases int[],
      "keyId" text, "hasIdempotencyKey" boolean)`
}

/**
 * Logs the requests of accounts that aren't deleted, unless they are already logged. The planner estimates a hundred
 * rows, for which it would scan thousands of accounts. The limit makes it look up each account instead.
 */
const LOG_GIVEN = sql`
  insert into calls (id, account_id, at, day, operation, steps, via, status, error, reason, message, param, ms, engine_ms, bytes_in,
    bytes_out,
    credits, replayed, delivered, browser_origin, key_last4, address, agent, phases)
  select given.id, "accountId", at, (at at time zone 'UTC')::date, operation, steps, via, status, error, reason, message, param, ms,
    "engineMs", "bytesIn", "bytesOut",
    credits, replayed, delivered, "browserOrigin", "keyLast4", address, agent, phases
  from given cross join lateral (select 1 from users where users.id = "accountId" and users.deleted_at is null
    limit 1) as account
  on conflict (id) do nothing
  returning id, account_id, at, day, operation, via, status, error, delivered, credits, ms`

/** Adds the requests that were logged now to the sums of their days. */
const COUNT_DAYS = sql`
  insert into usage_days (account_id, day, operation, outcome, calls, credits, ms)
  select account_id, day, operation,
    case when status >= 500 then 'failed' when status >= 400 or not delivered then 'refused' else 'ok' end,
    count(*), sum(credits), sum(ms)
  from logged group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, day, operation, outcome) do update
  set calls = usage_days.calls + excluded.calls, credits = usage_days.credits + excluded.credits,
    ms = usage_days.ms + excluded.ms`

/** When each operation of an account last succeeded and first failed over the API, among the requests logged now. */
const TALLY_OPERATIONS = sql`
  select account_id, operation, max(at) filter (where status < 400 and delivered) as succeeded_at,
    min(at) filter (where error is not null) as failed_at,
    bool_or(status < 400 and delivered and id in (select id from given where "hasIdempotencyKey")) as is_idempotent
  from logged where via = 'api' group by 1, 2`

/** A scalar subquery, because the planner would read all accounts for an `exists`. */
function isOpenStep(step: FirstStep): SQL {
  return sql`((select step from first_steps known where known.account_id = tallied.account_id and known.step = ${step})
    is null)`
}

/**
 * Notes the first steps. An account recovers from an error if one of its last 20 failures was on the endpoint that
 * succeeds now. Once an account has done its first steps, they cost one lookup.
 */
const NOTE_FIRST_STEPS = sql`
  insert into first_steps (account_id, step)
  select account_id, 'idempotency' from tallied where is_idempotent and ${isOpenStep('idempotency')}
  union
  select account_id, 'recovery' from tallied
  where succeeded_at is not null and case when not ${isOpenStep('recovery')} then false
    when failed_at < succeeded_at then true
    else exists (select from (select operation, via, error from calls where calls.account_id = tallied.account_id
        and calls.status >= 400 and calls.at < succeeded_at order by calls.at desc, calls.id desc limit 20) failed
      where failed.operation = tallied.operation and failed.via = 'api' and failed.error is not null) end
  order by 1, 2
  on conflict do nothing`

/** The latest request of each key. */
const FIND_LATEST = sql`
  select distinct on ("keyId") * from given where "keyId" is not null order by "keyId", at desc`

/** The keys of these requests whose use wasn't updated within the last minute. Keys that others update are skipped. */
const LOCK_IDLE_KEYS = sql`
  select id from api_keys
  where id in (select "keyId" from latest) and (last_used_at is null
    or last_used_at < clock_timestamp() - interval '1 minute')
  for no key update skip locked`

/** Updates the latest use of these keys. */
const UPDATE_KEYS = sql`
  update api_keys set last_used_at = latest.at, last_used_operation = latest.operation,
    last_used_status = latest.status,
    last_used_address = latest.address, last_used_agent = latest.agent
  from idle join latest on "keyId" = idle.id where api_keys.id = idle.id`

const columns = {
  id: calls.id,
  at: calls.at,
  operation: calls.operation,
  steps: calls.steps,
  via: calls.via,
  status: calls.status,
  error: calls.error,
  reason: calls.reason,
  message: calls.message,
  param: calls.param,
  ms: calls.ms,
  engineMs: calls.engineMs,
  bytesIn: calls.bytesIn,
  bytesOut: calls.bytesOut,
  credits: calls.credits,
  replayed: calls.replayed,
  delivered: calls.delivered,
  browserOrigin: calls.browserOrigin,
  keyLast4: calls.keyLast4,
  address: calls.address,
  agent: calls.agent,
  phases: calls.phases,
}

/** Selects requests of an account, up to a limit. */
export interface RequestFilter {
  accountId: string
  limit: number
  operation?: string | undefined
  /** Statuses of one class, such as 200 to 299 for `2`. */
  statusClass?: 2 | 4 | 5 | undefined
  /** Only failures for this reason. */
  reason?: string | undefined
  /** ID of a request. Only earlier requests are listed. */
  before?: string | undefined
  since?: Date | undefined
  /** Only earlier requests are listed. */
  until?: Date | undefined
}

/** Logged requests of an account, newest first. */
export function listRequests(database: Database, filter: RequestFilter): Promise<LoggedRequest[]> {
  const { accountId, limit, operation, statusClass, reason, before, since, until } = filter
  const conditions: (SQL | undefined)[] = [
    eq(calls.accountId, accountId),
    operation === undefined ? undefined : eq(calls.operation, operation),
    statusClass === undefined
      ? undefined
      : and(gte(calls.status, statusClass * 100), lt(calls.status, statusClass * 100 + 100)),
    // The same condition as in the index of failures.
    statusClass === undefined || statusClass < 4 ? undefined : sql`${calls.status} >= 400`,
    // Failures have an index, so that a rare reason doesn't read all requests of the account.
    reason === undefined ? undefined : and(eq(calls.reason, reason), sql`${calls.status} >= 400`),
    since === undefined ? undefined : gte(calls.at, since),
    until === undefined ? undefined : lt(calls.at, until),
    before === undefined ? undefined : isBefore(accountId, before),
  ]
  return database.drizzle
    .select(columns)
    .from(calls)
    .where(and(...conditions))
    .orderBy(desc(calls.at), desc(calls.id))
    .limit(limit)
}

/** The comparison happens in the database, because its timestamps are more precise than a Date. */
function isBefore(accountId: string, id: string): SQL {
  const at = sql`(select cursor.at from calls cursor where cursor.id = ${id} and cursor.account_id = ${accountId})`
  return sql`(${calls.at} <= ${at} and (${calls.at} < ${at} or ${calls.id} < ${id}))`
}

/** Returns one logged request of an account. Undefined if there is none with this ID. */
export async function findRequest(
  database: Database,
  accountId: string,
  id: string,
): Promise<LoggedRequest | undefined> {
  const [request] = await database.drizzle
    .select(columns)
    .from(calls)
    .where(and(eq(calls.id, id), eq(calls.accountId, accountId)))
  return request
}

/** Returns the latest logged request of an account after a time. */
export async function findLatestRequest(
  database: Database,
  accountId: string,
  after: Date,
): Promise<LoggedRequest | undefined> {
  const [request] = await database.drizzle
    .select(columns)
    .from(calls)
    .where(and(eq(calls.accountId, accountId), gt(calls.at, after)))
    .orderBy(desc(calls.at), desc(calls.id))
    .limit(1)
  return request
}

/** Returns the number of an account's requests within the last 24 hours. */
export async function countRecentRequests(queries: Queries, accountId: string): Promise<number> {
  const [row] = await queries.rows<{ count: number }>(sql`
    select count(*)::int as count from calls where account_id = ${accountId} and at > now() - interval '24 hours'`)
  return row?.count ?? 0
}

/** Deletes up to `limit` requests from more than `days` whole days ago. Returns their number. */
export function purgeOldRequests(queries: Queries, days: number, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`calls`,
    key: sql`id`,
    due: sql`day < (now() at time zone 'UTC')::date - ${days}::int`,
    order: sql`day`,
    limit,
  })
}

/** Deletes up to `limit` requests of accounts that were deleted within the last two days. Returns their number. */
export async function purgeDeletedRequests(queries: Queries, limit: number): Promise<number> {
  const deleted = await queries.rows(sql`
    delete from calls where id in (
      select calls.id from users join calls on calls.account_id = users.id
      where users.deleted_at > now() - interval '2 days'
      limit ${limit}::int for update of calls skip locked)
    returning 1 as deleted`)
  return deleted.length
}
