import { type Placeholder, sql, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { prepareStatement } from '../statement'
import { deleteOldest } from '../delete-oldest'
import { claimRecord } from './idempotency-records'

/** The month to grant, the number of credits, and the condition. */
export interface GrantTerms {
  /** `2026-11`, in UTC. */
  month: string
  credits: number
  /** Whether only accounts with a verified address get the grant. */
  verifiedOnly: boolean
  /** The limit of all grants of a day. */
  cap?: GrantCap
}

export interface GrantCap {
  /** `2026-11-26`, in UTC. */
  day: string
  /** The most credits that all accounts together get on this day. */
  credits: number
  /** Called if a grant is due and has no room on this day. */
  onReached(): void
}

export interface ChargeInput {
  requestId: string
  accountId: string
  instanceId: string
  leaseMs: number
  grant: GrantTerms
  idempotency?: { key: string; requestHash: string }
  /** A key that must be the account's, and have been active when its request arrived `ageMs` ago. */
  key?: { id: string; ageMs: number }
}

/** The result of one attempt to charge. `charged` is the balance after the charge, or null if nothing was charged. */
export type ChargeOutcome = {
  charged: number | null
  /** The balance under the lock, with this month's grant. */
  balance: number
  /** Credits granted in the same statement. */
  granted: number
}

/**
 * In one statement, grants the month, takes one credit, writes the ledger and the hold and stores the idempotency key.
 * Charges nothing if the balance is under 1 or the idempotency key is known. Returns no row if there is no such
 * account, or if its API key has ended.
 *
 * The account's row is locked first, so the rest uses its newest version. Otherwise requests that waited during a grant
 * or a refund would be refused because of an old balance.
 */
export async function chargeOnce(queries: Queries, input: ChargeInput): Promise<ChargeOutcome | undefined> {
  const { requestId, accountId, instanceId, leaseMs, grant, idempotency, key } = input
  const [outcome] = await queries.rows<ChargeOutcome>(
    chargeStatements[idempotency === undefined ? 'plain' : 'idempotent'][key === undefined ? 'trusted' : 'checked']({
      requestId,
      accountId,
      instanceId,
      leaseMs,
      ...grant,
      ...idempotency,
      keyId: key?.id,
      keyAgeMs: key?.ageMs,
    }),
  )
  queries.keyOwners?.recordBalance(accountId, outcome?.charged ?? outcome?.balance)
  return outcome
}

const chargeStatements = {
  plain: { trusted: prepareCharge(sql`select 1`), checked: prepareCharge(sql`select 1`, isActiveKey()) },
  idempotent: { trusted: prepareCharge(claimRecord()), checked: prepareCharge(claimRecord(), isActiveKey()) },
}

function prepareCharge(claimStatement: SQL, keyCondition = sql`true`) {
  const { placeholder } = sql
  const [requestId, month] = [placeholder('requestId'), placeholder('month')]
  return prepareStatement(
    () => sql`
    with account as (${lockedAccount({ accountId: placeholder('accountId'), ...GRANT_PLACEHOLDERS }, keyCondition)}),
    claimed as (${claimStatement}),
    charged as (
      update users set balance = account.balance + account.due - 1, ${grantedMonth(month)}
      from account
      where users.id = account.id and account.balance + account.due >= 1 and exists (select 1 from claimed)
      returning users.id, users.balance, account.due
    ),
    entries as (
      insert into ledger_entries (account_id, kind, delta, balance, month, call_id)
      select id, 'grant', due, balance + 1, ${month}, null from charged where due > 0
      union all
      select id, 'charge', -1, balance, null, ${requestId} from charged
    ),
    held as (
      insert into holds (call_id, account_id, credits, instance_id, lease_until)
      select ${requestId}, id, 1, ${placeholder('instanceId')}, ${inMs(placeholder('leaseMs'))} from charged
    )
    select (select balance from charged) as charged, coalesce((select due
      from charged), 0) as granted, balance + due as balance from account`,
  )
}

/** A key that was rotated after its request had arrived still pays for it. */
function isActiveKey(): SQL {
  return sql`exists (select from api_keys where api_keys.id = ${sql.placeholder('keyId')} and account_id = users.id
    and (rotated_at is null
      or rotated_at > clock_timestamp() - ${sql.placeholder('keyAgeMs')}::double precision * interval '1 millisecond'))`
}

/**
 * Grants the month if it is due and the day's cap has room for it. Returns the balance, or no row if there is no such
 * account. A grant without room stays due.
 */
export async function grantOnce(
  queries: Queries,
  accountId: string,
  grant: GrantTerms,
): Promise<{ balance: number; granted: number } | undefined> {
  const [account] = await queries.rows<{ balance: number; granted: number; due: number }>(sql`
    with account as (${lockedAccount({ accountId, ...grant })}),
    counted as (${grant.cap === undefined ? sql`select 1` : countGrant(grant.cap)}),
    granted as (
      update users set balance = account.balance + account.due, ${grantedMonth(grant.month)}
      from account where users.id = account.id and account.due > 0 and exists (select 1 from counted)
      returning users.id, users.balance, account.due
    ),
    entry as (
      insert into ledger_entries (account_id, kind, delta, balance, month)
      select id, 'grant', due, balance, ${grant.month} from granted
    )
    select account.balance + coalesce(granted.due, 0) as balance, coalesce(granted.due, 0) as granted, account.due
    from account left join granted on true`)
  if (account === undefined) return undefined
  const { balance, granted, due } = account
  if (granted < due) grant.cap?.onReached()
  return { balance, granted }
}

/** Adds a due grant to the sum of its day, if the sum stays within the cap. Simultaneous grants wait for each other. */
function countGrant({ day, credits }: GrantCap): SQL {
  return sql`insert into granted_days as days (day, credits)
    select ${day}::date, due from account where due > 0 and due <= ${credits}::int
    on conflict (day) do update set credits = days.credits + excluded.credits
    where days.credits + excluded.credits <= ${credits}::int
    returning 1`
}

/** Returns the credits that were granted on a day, as far as they were counted for a cap. */
export async function sumGrantedOn(queries: Queries, day: string): Promise<number> {
  const [row] = await queries.rows<{ credits: number }>(sql`select credits from granted_days where day = ${day}::date`)
  return row?.credits ?? 0
}

/**
 * Whether an account bought credits or got some from the operator, and so isn't one that a stranger opens for free. The
 * condition on `kind` is that of an index.
 */
export function hasPaid(accountId: SQL): SQL {
  return sql`exists (select 1 from ledger_entries where account_id = ${accountId}
    and kind not in ('grant', 'charge', 'refund')
    and case kind when 'carry_forward' then booked > 0 when 'purchase' then true else kind = 'adjustment' and delta > 0 end)`
}

/** Returns whether an account bought credits or got some from the operator. */
export async function findHasPaid(queries: Queries, accountId: string): Promise<boolean> {
  const [row] = await queries.rows<{ hasPaid: boolean }>(sql`select ${hasPaid(sql`${accountId}`)} as "hasPaid"`)
  return row?.hasPaid ?? false
}

/** Refunds the charge of a request and deletes its idempotency record. Returns undefined if its hold isn't open. */
export async function refundOnce(
  queries: Queries,
  requestId: string,
  leases: 'any' | 'expired' = 'any',
): Promise<{ balance: number; credits: number } | undefined> {
  const leaseCondition = leases === 'any' ? sql`` : sql`and lease_until <= clock_timestamp()`
  const [refunded] = await queries.rows<{ balance: number; credits: number }>(sql`
    with hold as (
      update holds set state = 'refunded', closed_at = clock_timestamp()
      where call_id = ${requestId} and state = 'open' ${leaseCondition}
      returning call_id, account_id, credits
    ),
    refunded as (
      update users set balance = users.balance + hold.credits from hold where users.id = hold.account_id
      returning users.id, users.balance, hold.credits, hold.call_id
    ),
    entry as (
      insert into ledger_entries (account_id, kind, delta, balance, call_id)
      select id, 'refund', credits, balance, call_id from refunded where credits > 0
    ),
    forgotten as (
      delete from idempotency_records using refunded
      where idempotency_records.call_id = refunded.call_id and idempotency_records.state = 'running'
    )
    select balance, credits from refunded`)
  return refunded
}

/**
 * Closes the holds of requests and marks their idempotency records as succeeded. Leaves holds that aren't open
 * unchanged.
 */
export async function settleOnce(queries: Queries, requestIds: string[]): Promise<void> {
  await queries.rows(settleStatement({ requestIds: listOf(requestIds) }))
}

const settleStatement = prepareStatement(
  () => sql`
    with hold as (
      update holds set state = 'settled', closed_at = clock_timestamp()
      where call_id = any(${asArray(sql.placeholder('requestIds'))}) and state = 'open'
      returning call_id
    )
    update idempotency_records set state = 'succeeded' from hold where idempotency_records.call_id = hold.call_id`,
)

/** Returns the balance of the account that a request belongs to. Undefined if the request is unknown. */
export async function findBalanceOfRequest(queries: Queries, requestId: string): Promise<number | undefined> {
  const [account] = await queries.rows<{ balance: number }>(sql`
    select balance from users where id = coalesce(
      (select account_id from holds where call_id = ${requestId}),
      (select account_id from ledger_entries where call_id = ${requestId} limit 1))`)
  return account?.balance
}

/** Returns an account's balance. Undefined if there is no such account. */
export async function findBalance(queries: Queries, accountId: string): Promise<number | undefined> {
  const [account] = await queries.rows<{ balance: number }>(sql`select balance from users where id = ${accountId}`)
  return account?.balance
}

/** Extends the open holds among these requests. */
export async function renewHolds(queries: Queries, requestIds: string[], leaseMs: number): Promise<void> {
  await queries.rows(sql`
    update holds set lease_until = ${inMs(leaseMs)}
    where state = 'open' and call_id = any(${asArray(listOf(requestIds))})`)
}

/** Lists requests with an open hold, oldest first: all of them, or those with an expired lease. */
export async function listOpenRequests(queries: Queries, leases: 'any' | 'expired', limit: number): Promise<string[]> {
  const leaseCondition = leases === 'any' ? sql`` : sql`and lease_until <= clock_timestamp()`
  const holds = await queries.rows<{ requestId: string }>(sql`
    select call_id as "requestId" from holds where state = 'open' ${leaseCondition} order by lease_until limit ${limit}`)
  return holds.map(hold => hold.requestId)
}

/** Adds credits to an account or removes some, for an operator. Returns undefined if there is no such account. */
export async function adjustOnce(
  queries: Queries,
  { accountId, credits, note }: { accountId: string; credits: number; note: string },
): Promise<number | undefined> {
  const [account] = await queries.rows<{ balance: number }>(sql`
    with account as (
      update users set balance = balance + ${credits}::int where id = ${accountId} returning id, balance
    ),
    entry as (
      insert into ledger_entries (account_id, kind, delta, balance, note)
      select id, 'adjustment', ${credits}::int, balance, ${note} from account
    )
    select balance from account`)
  queries.keyOwners?.recordBalance(accountId, account?.balance)
  return account?.balance
}

/** Opens the hold of a replay, which is free. Without a hold, the ledger wouldn't know the request. */
export async function holdReplay(queries: Queries, input: ChargeInput, replayedId: string): Promise<void> {
  const { requestId, accountId, instanceId, leaseMs } = input
  await queries.rows(sql`
    insert into holds (call_id, account_id, credits, instance_id, lease_until, replays_call_id)
    values (${requestId}, ${accountId}, 0, ${instanceId}, ${inMs(leaseMs)}, ${replayedId})`)
}

/**
 * Deletes up to `limit` of each: idempotency records and counted holds of replays after a day, other closed holds after
 * an hour. Returns the larger number.
 */
export async function purgeHolds(queries: Queries, limit: number): Promise<number> {
  const isOpen = sql`select 1 from holds where holds.call_id = idempotency_records.call_id and holds.state = 'open'`
  const records = await deleteOldest(queries, {
    table: sql`idempotency_records`,
    key: sql`account_id, key`,
    due: sql`created_at <= now() - interval '24 hours' and not exists (${isOpen})`,
    order: sql`created_at`,
    limit,
  })
  const closed = await deleteOldest(queries, {
    table: sql`holds`,
    key: sql`call_id`,
    due: sql`closed_at <= now() - interval '1 hour' and (replays_call_id is null or closed_at <= now() - interval '24 hours')`,
    order: sql`closed_at`,
    limit,
  })
  return Math.max(records, closed)
}

/** Runs `work` while no other transaction can charge, refund or grant this account. */
export function withAccountLocked<T>(
  database: Database,
  accountId: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  return database.transaction(async queries => {
    await lockAccount(queries, accountId)
    return work(queries)
  })
}

/** Blocks any other charge, refund, grant or deletion of an account until the transaction ends. */
export async function lockAccount(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`select id from users where id = ${accountId} for no key update`)
}

export type Owner = {
  balance: number
  lowBalanceAt: number
  isDeleted: boolean
}

/** Returns the newest version of an account, locked as by `lockAccount`. Undefined if there is no such account. */
export async function lockOwner(queries: Queries, accountId: string): Promise<Owner | undefined> {
  const [owner] = await queries.rows<Owner>(sql`
    select balance, low_balance_at as "lowBalanceAt", deleted_at is not null as "isDeleted"
    from users where id = ${accountId} for no key update`)
  return owner
}

/** Values of a statement, or placeholders for them. */
type Slots<Values> = { [Name in keyof Values]: Values[Name] | Placeholder }

const GRANT_PLACEHOLDERS: Slots<Omit<GrantTerms, 'cap'>> = {
  month: sql.placeholder('month'),
  credits: sql.placeholder('credits'),
  verifiedOnly: sql.placeholder('verifiedOnly'),
}

/** The newest version of the account's row, locked. `due` is the part of this month's grant that is still missing. */
function lockedAccount(
  { accountId, month, credits, verifiedOnly }: Slots<Omit<GrantTerms, 'cap'> & { accountId: string }>,
  condition = sql`true`,
): SQL {
  return sql`select id, balance, case
      when coalesce(granted_month, '') < ${month} and (email_verified is not null or not ${verifiedOnly}::boolean)
      then ${credits}::int else 0 end as due
    from users where id = ${accountId} and ${condition} for no key update`
}

/** The month never goes back, because a clock that is an hour slow must not grant a month again. */
function grantedMonth(month: string | Placeholder): SQL {
  return sql`granted_month = case when account.due > 0 then ${month} else granted_month end`
}

/** One parameter, so that the statement has a single form to plan. IDs of requests have no spaces. */
function listOf(requestIds: string[]): string {
  return requestIds.join(' ')
}

function asArray(list: string | Placeholder): SQL {
  return sql`string_to_array(${list}, ' ')`
}

function inMs(ms: number | Placeholder): SQL {
  return sql`clock_timestamp() + ${ms}::double precision * interval '1 millisecond'`
}
