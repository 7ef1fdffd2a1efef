import { sql } from 'drizzle-orm'
import type { Queries } from '../database'

/** A purchase that was paid after its account was deleted. */
export type Orphan = {
  purchaseId: string
  amountCents: number
  refundedCents: number
  paymentIntentId: string
}

/** Marks a paid purchase as one that is never credited. */
export async function markOrphaned(queries: Queries, purchaseId: string): Promise<void> {
  await queries.rows(sql`update purchases set is_orphaned = true where id = ${purchaseId}`)
}

/** An orphaned purchase; undefined when there is none of that id. */
export async function findOrphan(queries: Queries, purchaseId: string): Promise<Orphan | undefined> {
  const [row] = await queries.rows<Orphan>(sql`
    select id as "purchaseId", amount_cents as "amountCents", refunded_cents as "refundedCents",
      payment_intent_id as "paymentIntentId"
    from purchases where id = ${purchaseId} and is_orphaned`)
  return row
}

/** Orphaned purchases that were paid since a moment, and all older ones whose payment has not gone back. */
export function listOrphans(queries: Queries, since: Date): Promise<Orphan[]> {
  return queries.rows<Orphan>(sql`
    select id as "purchaseId", amount_cents as "amountCents", refunded_cents as "refundedCents",
      payment_intent_id as "paymentIntentId"
    from purchases where is_orphaned and (paid_at >= ${since.toISOString()}::timestamptz
      or refunded_cents < amount_cents)
    order by paid_at`)
}

/**
 * Moves the invoices of deleted accounts to a table that no id leads to, and forgets which card and which customer they
 * were paid with. Of one account where it is named, otherwise of all: a version before this one left them as they were.
 */
export async function archiveInvoices(queries: Queries, accountId?: string): Promise<void> {
  const whose = accountId === undefined ? sql`` : sql`and users.id = ${accountId}`
  await queries.rows(sql`
    with due as (
      select purchases.id, receipt_number, (paid_at at time zone 'UTC')::date as paid_on, currency, amount_cents,
        credits, billing
      from purchases join users on users.id = purchases.account_id
      where users.deleted_at is not null and purchases.receipt_number is not null ${whose}
      order by purchases.id for no key update of purchases
    ),
    archived as (
      insert into archived_invoices (receipt_number, paid_on, currency, amount_cents, credits, billing)
      select receipt_number, paid_on, currency, amount_cents, credits, billing from due
      on conflict do nothing
    )
    update purchases set receipt_number = null, billing = null, asked_customer_id = null, asked_method_id = null
    from due where purchases.id = due.id`)
}
