import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { NoticeKind } from '../schema'

/** A leased notice, with the account details that it needs. */
export type Notice = {
  id: number
  kind: NoticeKind
  accountId: string
  purchaseId: string | null
  /** Number of leases, including this one. */
  attempts: number
  /** The account's current values. */
  email: string
  balance: number
  lowBalanceAt: number
}

interface NewNotice {
  accountId: string
  kind: NoticeKind
  purchaseId?: string
}

/** Queues a notice. */
export async function addNotice(queries: Queries, { accountId, kind, purchaseId }: NewNotice): Promise<void> {
  await queries.rows(
    sql`insert into notices (account_id, kind, purchase_id) values (${accountId}, ${kind}, ${purchaseId ?? null})`,
  )
}

/** Queues a low-balance notice for an account, unless one is queued already. */
export async function addLowBalanceNotice(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`
    insert into notices (account_id, kind) select ${accountId}, 'low_balance'
    where not exists (select 1 from notices where account_id = ${accountId} and kind = 'low_balance')`)
}

/**
 * Queues payments for open automatic purchases that have none in the queue. An open purchase must always be either paid
 * or given up.
 */
export async function resumePayments(queries: Queries): Promise<void> {
  await queries.rows(sql`
    insert into notices (account_id, kind, purchase_id)
    select account_id, 'top_up', purchases.id from purchases join users on users.id = account_id
      and users.deleted_at is null
    where is_top_up and state = 'open'
      and not exists (select 1 from notices where notices.account_id = purchases.account_id
        and purchase_id = purchases.id and kind = 'top_up')`)
}

/** Resets the low-balance flag of accounts whose balance isn't low. Their owners weren't notified. */
export async function rearmLowBalance(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(
    sql`update users set low_told = false where id = ${accountId} and low_told and balance >= low_balance_at`,
  )
}

/** Leases due notices, oldest first. Other instances don't get them until the lease expires. */
export function takeNotices(
  queries: Queries,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Notice[]> {
  return queries.rows<Notice>(sql`
    with due as (
      select id from notices where due_at <= clock_timestamp() order by due_at limit ${limit} for update skip locked
    ),
    taken as (
      update notices set attempts = attempts + 1,
        due_at = clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'
      from due where notices.id = due.id
      returning notices.id, notices.kind, notices.account_id, notices.purchase_id, notices.attempts
    )
    select taken.id::int as id, taken.kind, taken.account_id as "accountId", taken.purchase_id as "purchaseId",
      taken.attempts,
      users.email, users.balance, users.low_balance_at as "lowBalanceAt"
    from taken join users on users.id = taken.account_id order by taken.id`)
}

/** Makes all leased or delayed notices due at once. Only call this if no other instance can be running. */
export async function releaseNotices(queries: Queries): Promise<void> {
  await queries.rows(sql`update notices set due_at = clock_timestamp() where due_at > clock_timestamp()`)
  await queries.rows(sql`update stripe_tasks set due_at = clock_timestamp() where due_at > clock_timestamp()`)
}

/** Delays a notice that failed. */
export async function delayNotice(queries: Queries, id: number, delayMs: number): Promise<void> {
  await queries.rows(
    sql`update notices set due_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond' where id = ${id}`,
  )
}

/** Deletes a finished notice. */
export async function removeNotice(queries: Queries, id: number): Promise<void> {
  await queries.rows(sql`delete from notices where id = ${id}`)
}
