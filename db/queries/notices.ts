import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { NoticeKind } from '../schema'

/** A notice that was taken, with what is to be known of its account. */
export type Notice = {
  id: number
  kind: NoticeKind
  accountId: string
  purchaseId: string | null
  /** How often it was taken, this time too. */
  attempts: number
  /** As they are now. */
  email: string
  balance: number
  lowBalanceAt: number
}

interface NewNotice {
  accountId: string
  kind: NoticeKind
  purchaseId?: string
}

/** Leaves something to be done. */
export async function addNotice(queries: Queries, { accountId, kind, purchaseId }: NewNotice): Promise<void> {
  await queries.rows(
    sql`insert into notices (account_id, kind, purchase_id) values (${accountId}, ${kind}, ${purchaseId ?? null})`,
  )
}

/** Has an account told of its low balance, unless that is left to be done already. */
export async function addLowBalanceNotice(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`
    insert into notices (account_id, kind) select ${accountId}, 'low_balance'
    where not exists (select 1 from notices where account_id = ${accountId} and kind = 'low_balance')`)
}

/**
 * Has open automatic purchases paid that nothing is left to pay for: a purchase that is open is always either paid or
 * given up.
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

/** Has a balance watched anew that is not low, although a notice says so: nobody was told of anything. */
export async function rearmLowBalance(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(
    sql`update users set low_told = false where id = ${accountId} and low_told and balance >= low_balance_at`,
  )
}

/** Takes notices that are due, the oldest first; nobody else gets them until the lease has run out. */
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

/**
 * Makes everything due at once that an earlier process had taken or put off; only where no other instance can be
 * running.
 */
export async function releaseNotices(queries: Queries): Promise<void> {
  await queries.rows(sql`update notices set due_at = clock_timestamp() where due_at > clock_timestamp()`)
  await queries.rows(sql`update stripe_tasks set due_at = clock_timestamp() where due_at > clock_timestamp()`)
}

/** Puts a notice off that could not be done. */
export async function delayNotice(queries: Queries, id: number, delayMs: number): Promise<void> {
  await queries.rows(
    sql`update notices set due_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond' where id = ${id}`,
  )
}

/** Forgets a notice that is done. */
export async function removeNotice(queries: Queries, id: number): Promise<void> {
  await queries.rows(sql`delete from notices where id = ${id}`)
}
