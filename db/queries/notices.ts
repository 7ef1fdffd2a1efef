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
  delayMs?: number
}

/** Leaves something to be done, now or later. */
export async function addNotice(queries: Queries, { accountId, kind, purchaseId, delayMs = 0 }: NewNotice): Promise<void> {
  await queries.rows(sql`
    insert into notices (account_id, kind, purchase_id, due_at)
    values (${accountId}, ${kind}, ${purchaseId ?? null}, clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond')`)
}

/** Has a balance seen to that is low already, where its owner wants it topped up and nothing is under way. */
export async function addNoticeIfLow(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`
    insert into notices (account_id, kind)
    select users.id, 'low_balance' from users join top_ups on top_ups.account_id = users.id and top_ups.is_on
    where users.id = ${accountId} and balance < low_balance_at
      and not exists (select 1 from notices where notices.account_id = users.id and notices.kind in ('low_balance', 'top_up'))`)
}

/** Takes notices that are due, the oldest first; nobody else gets them until the lease has run out. */
export function takeNotices(queries: Queries, { limit, leaseMs }: { limit: number; leaseMs: number }): Promise<Notice[]> {
  return queries.rows<Notice>(sql`
    with due as (
      select id from notices where due_at <= clock_timestamp() order by due_at limit ${limit} for update skip locked
    ),
    taken as (
      update notices set attempts = attempts + 1, due_at = clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'
      from due where notices.id = due.id
      returning notices.id, notices.kind, notices.account_id, notices.purchase_id, notices.attempts
    )
    select taken.id::int as id, taken.kind, taken.account_id as "accountId", taken.purchase_id as "purchaseId", taken.attempts,
      users.email, users.balance, users.low_balance_at as "lowBalanceAt"
    from taken join users on users.id = taken.account_id order by taken.id`)
}

/** Puts a notice off that could not be done. */
export async function delayNotice(queries: Queries, id: number, delayMs: number): Promise<void> {
  await queries.rows(sql`update notices set due_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond' where id = ${id}`)
}

/** Makes a notice the payment of a purchase; false when somebody else had done with it. */
export async function turnIntoPayment(queries: Queries, id: number, purchaseId: string): Promise<boolean> {
  return (await queries.rows(sql`update notices set kind = 'top_up', purchase_id = ${purchaseId} where id = ${id} and kind = 'low_balance' returning id`)).length > 0
}

/** Forgets a notice that is done. */
export async function removeNotice(queries: Queries, id: number): Promise<void> {
  await queries.rows(sql`delete from notices where id = ${id}`)
}
