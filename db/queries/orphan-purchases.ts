import { sql } from 'drizzle-orm'
import type { Queries } from '../database'

/** A purchase that was paid after its account was deleted. */
export type Orphan = {
  purchaseId: string
  amountCents: number
  refundedCents: number
  paymentIntentId: string
}

/** Marks a paid purchase as never to be credited. */
export async function markOrphaned(queries: Queries, purchaseId: string): Promise<void> {
  await queries.rows(sql`update purchases set is_orphaned = true where id = ${purchaseId}`)
}

/** Returns an orphaned purchase. Undefined if there is none with this ID. */
export async function findOrphan(queries: Queries, purchaseId: string): Promise<Orphan | undefined> {
  const [row] = await queries.rows<Orphan>(sql`
    select id as "purchaseId", amount_cents as "amountCents", refunded_cents as "refundedCents",
      payment_intent_id as "paymentIntentId"
    from purchases where id = ${purchaseId} and is_orphaned`)
  return row
}

/** Lists orphaned purchases that were paid since a time, and all older ones whose payment isn't refunded yet. */
export function listOrphans(queries: Queries, since: Date): Promise<Orphan[]> {
  return queries.rows<Orphan>(sql`
    select id as "purchaseId", amount_cents as "amountCents", refunded_cents as "refundedCents",
      payment_intent_id as "paymentIntentId"
    from purchases where is_orphaned and (paid_at >= ${since.toISOString()}::timestamptz
      or refunded_cents < amount_cents)
    order by paid_at`)
}

/**
 * Moves the invoices of deleted accounts to a table that no ID leads to, and deletes their card and customer. Handles
 * one account if `accountId` is given. Otherwise handles all, because a previous version left the invoices in place.
 */
export async function archiveInvoices(queries: Queries, accountId?: string): Promise<void> {
  const accountCondition = accountId === undefined ? sql`` : sql`and users.id = ${accountId}`
  await queries.rows(sql`
    with due as (
      select purchases.id, receipt_number, (paid_at at time zone 'UTC')::date as paid_on, currency, amount_cents,
        credits, billing
      from purchases join users on users.id = purchases.account_id
      where users.deleted_at is not null and purchases.receipt_number is not null ${accountCondition}
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
