import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { purchases, type PaymentKind, type PurchaseState } from '../schema'

interface NewPurchase {
  accountId: string
  amountCents: number
  credits: number
}

/** Opens a purchase before the buyer is sent to the payment page. Returns its ID. */
export async function insertPurchase(
  queries: Queries,
  { accountId, amountCents, credits }: NewPurchase,
): Promise<string> {
  const [row] = await queries.rows<{ id: string }>(sql`
    insert into purchases (account_id, amount_cents, credits) values (${accountId}, ${amountCents}, ${credits})
      returning id`)
  if (row === undefined) throw new Error('An inserted purchase returned no row')
  return row.id
}

/** Returns the number of purchases that an account's owner has opened within the last hour. */
export async function countLatePurchases(queries: Queries, accountId: string): Promise<number> {
  const [row] = await queries.rows<{ count: number }>(sql`
    select count(*)::int as count from purchases where account_id = ${accountId} and not is_top_up
      and created_at > clock_timestamp() - interval '1 hour'`)
  return row?.count ?? 0
}

/** Stores the Checkout Session of a purchase, unless an event of that session was faster. */
export async function recordSession(queries: Queries, purchaseId: string, sessionId: string): Promise<void> {
  await queries.rows(
    sql`update purchases set session_id = ${sessionId} where id = ${purchaseId} and session_id is null`,
  )
}

/** Returns the Stripe customer of an account. Undefined before its first purchase. */
export async function findCustomer(queries: Queries, accountId: string): Promise<string | undefined> {
  const [row] = await queries.rows<{ customer: string | null }>(
    sql`select stripe_customer_id as customer from users where id = ${accountId}`,
  )
  return row?.customer ?? undefined
}

/**
 * Stores a customer. Later purchases use the first customer, and all customers are stored, so that they can be deleted.
 * An account that was deleted in the meantime gets none.
 */
export async function recordCustomer(queries: Queries, accountId: string, customerId: string): Promise<void> {
  await queries.rows(sql`
    with noted as (
      update users set stripe_customer_id = ${customerId} where id = ${accountId} and stripe_customer_id is null
        and deleted_at is null
    )
    insert into stripe_customers (id, account_id)
    select ${customerId}, id from users where id = ${accountId} and deleted_at is null
    on conflict do nothing`)
}

/** Removes a customer of an account that somebody has deleted at Stripe. */
export async function forgetCustomer(queries: Queries, accountId: string, customerId: string): Promise<void> {
  await queries.rows(sql`
    with forgotten as (
      update users set stripe_customer_id = null where id = ${accountId} and stripe_customer_id = ${customerId}
    )
    delete from stripe_customers where id = ${customerId} and account_id = ${accountId}`)
}

/**
 * Marks an event of Stripe as applied. Returns false if it was applied before. A second transaction with the same event
 * waits for the first one to end.
 */
export async function claimEvent(queries: Queries, eventId: string): Promise<boolean> {
  return (
    (await queries.rows(sql`insert into stripe_events (id) values (${eventId}) on conflict do nothing returning id`))
      .length > 0
  )
}

/** Removes the mark of an event, so that it is applied when Stripe sends it again. */
export async function releaseEvent(queries: Queries, eventId: string): Promise<void> {
  await queries.rows(sql`delete from stripe_events where id = ${eventId}`)
}

/** Deletes events that Stripe doesn't send again. Stripe retries for three days, and an operator can resend for 30. */
export async function purgeEvents(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from stripe_events where received_at <= clock_timestamp() - interval '90 days'`)
}

/** A purchase with the columns that decide about ledger entries. */
export type LockedPurchase = {
  id: string
  accountId: string
  state: PurchaseState
  currency: string
  isTopUp: boolean
  amountCents: number
  credits: number
  sessionId: string | null
  paymentIntentId: string | null
  refundedCents: number
  refundBookedCents: number
  disputeBookedCents: number
  bookings: number
  isOrphaned: boolean
}

/** Returns a purchase that is locked until the transaction ends. */
export async function lockPurchase(queries: Queries, id: string): Promise<LockedPurchase | undefined> {
  const [row] = await queries.rows<LockedPurchase>(sql`
    select id, account_id as "accountId", state, currency, is_top_up as "isTopUp", amount_cents as "amountCents",
      credits, session_id as "sessionId",
      payment_intent_id as "paymentIntentId", refunded_cents as "refundedCents",
        refund_booked_cents as "refundBookedCents",
      dispute_booked_cents as "disputeBookedCents", bookings, is_orphaned as "isOrphaned"
    from purchases where id = ${id} for no key update`)
  return row
}

/** Returns the purchase of a Stripe payment, if Stripe has reported that payment. */
export async function findPurchaseOfPayment(queries: Queries, paymentIntentId: string): Promise<string | undefined> {
  const [row] = await queries.rows<{ id: string }>(
    sql`select id from purchases where payment_intent_id = ${paymentIntentId}`,
  )
  return row?.id
}

/**
 * Stores the result of a checkout. A paid purchase stays paid, and a failed one doesn't open again. Returns false if
 * nothing changed.
 */
export async function updateState(
  queries: Queries,
  id: string,
  state: 'pending' | 'failed' | 'expired',
): Promise<boolean> {
  const stateCondition = state === 'pending' ? sql`state = 'open'` : sql`state in ('open', 'pending')`
  return (
    (await queries.rows(sql`update purchases set state = ${state} where id = ${id} and ${stateCondition} returning id`))
      .length > 0
  )
}

/**
 * Marks a purchase as paid and assigns the next receipt number. Receipt numbers have no gaps, because a failed
 * transaction returns its number.
 */
export async function markPaid(
  queries: Queries,
  paid: { id: string; sessionId: string | null; paymentIntentId: string; billing: string | null },
): Promise<void> {
  const { id, sessionId, paymentIntentId, billing } = paid
  await queries.rows(sql`
    with next as (
      insert into receipt_counter (id, last) values (1, 1)
      on conflict (id) do update set last = receipt_counter.last + 1
      returning last
    )
    update purchases set state = 'paid', session_id = ${sessionId}, payment_intent_id = ${paymentIntentId},
      billing = ${billing},
      paid_at = clock_timestamp(), receipt_number = next.last
    from next where id = ${id}`)
}

/** Raises the refunded amount of a purchase. An older event never lowers it. */
export async function recordRefund(queries: Queries, id: string, refundedCents: number): Promise<void> {
  await queries.rows(
    sql`update purchases set refunded_cents = greatest(refunded_cents, ${refundedCents}::int) where id = ${id}`,
  )
}

/** The state of a dispute in an event or a response of Stripe. */
export interface DisputeNews {
  disputeId: string
  purchaseId: string
  amountCents: number
  isWithdrawn: boolean
  isReinstated: boolean
}

/**
 * Stores a dispute. Its flags are never reset, because the return of the money may be reported before its withdrawal.
 */
export async function recordDispute(
  queries: Queries,
  { disputeId, purchaseId, amountCents, isWithdrawn, isReinstated }: DisputeNews,
): Promise<void> {
  await queries.rows(sql`
    insert into disputes (id, purchase_id, amount_cents, is_withdrawn, is_reinstated)
    values (${disputeId}, ${purchaseId}, ${amountCents}, ${isWithdrawn}, ${isReinstated})
    on conflict (id) do update set is_withdrawn = disputes.is_withdrawn or excluded.is_withdrawn,
      is_reinstated = disputes.is_reinstated or excluded.is_reinstated`)
}

/** Returns the cents of a purchase that disputes have withdrawn and not returned. */
export async function sumDisputes(queries: Queries, purchaseId: string): Promise<number> {
  const [row] = await queries.rows<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents from disputes
    where purchase_id = ${purchaseId} and is_withdrawn and not is_reinstated`)
  return row?.cents ?? 0
}

/** Stores which amounts of a purchase the ledger contains. */
export async function updateBookings(
  queries: Queries,
  {
    id,
    bookings,
    refundBookedCents,
    disputeBookedCents,
  }: Pick<LockedPurchase, 'id' | 'bookings' | 'refundBookedCents' | 'disputeBookedCents'>,
): Promise<void> {
  await queries.rows(sql`
    update purchases set bookings = ${bookings}, refund_booked_cents = ${refundBookedCents},
      dispute_booked_cents = ${disputeBookedCents}
    where id = ${id}`)
}

interface Payment {
  accountId: string
  kind: PaymentKind
  /** Credits that were bought, or below 0 credits that are taken back. */
  credits: number
  reference: string
}

/**
 * Books a payment, and returns the balance. Undefined if there is no such account. Incoming credits pay a debt first.
 * Credits that are taken back but already spent become a debt, because a balance is never under 0.
 */
export async function bookPayment(
  queries: Queries,
  { accountId, kind, credits, reference }: Payment,
): Promise<number | undefined> {
  const newDebt = credits > 0 ? sql`-least(debt, ${credits}::int)` : sql`greatest(0, ${-credits}::int - balance)`
  const [account] = await queries.rows<{ balance: number }>(sql`
    with account as (select id, balance, debt, ${newDebt} as owed from users where id = ${accountId} for no key update),
    booked as (
      update users set balance = account.balance + ${credits}::int + account.owed, debt = account.debt + account.owed
      from account where users.id = account.id
      returning users.id, users.balance, account.owed
    ),
    entry as (
      insert into ledger_entries (account_id, kind, delta, balance, owed, reference)
      select id, ${kind}, ${credits}::int + owed, balance, owed, ${reference} from booked
    )
    select balance from booked`)
  queries.keyOwners?.recordBalance(accountId, account?.balance)
  return account?.balance
}

const purchaseColumns = {
  id: purchases.id,
  state: purchases.state,
  currency: purchases.currency,
  isTopUp: purchases.isTopUp,
  amountCents: purchases.amountCents,
  credits: purchases.credits,
  receiptNumber: purchases.receiptNumber,
  refundedCents: purchases.refundBookedCents,
  disputedCents: purchases.disputeBookedCents,
  billing: purchases.billing,
  createdAt: purchases.createdAt,
  paidAt: purchases.paidAt,
}

export type PurchaseRow = Pick<
  typeof purchases.$inferSelect,
  | 'id'
  | 'state'
  | 'currency'
  | 'isTopUp'
  | 'amountCents'
  | 'credits'
  | 'receiptNumber'
  | 'billing'
  | 'createdAt'
  | 'paidAt'
> & { refundedCents: number; disputedCents: number }

/** Returns a purchase if it belongs to the account. */
export async function findPurchase(
  database: Database,
  accountId: string,
  id: string,
): Promise<PurchaseRow | undefined> {
  const [row] = await database.drizzle
    .select(purchaseColumns)
    .from(purchases)
    .where(and(eq(purchases.id, id), eq(purchases.accountId, accountId)))
  return row
}

/** Lists the paid purchases of an account, newest first. */
export function listPaidPurchases(database: Database, accountId: string, limit: number): Promise<PurchaseRow[]> {
  return database.drizzle
    .select(purchaseColumns)
    .from(purchases)
    .where(and(eq(purchases.accountId, accountId), isNotNull(purchases.paidAt)))
    .orderBy(desc(purchases.paidAt))
    .limit(limit)
}

/** Lists purchases opened since a time. */
export function listPurchasesSince(database: Database, since: Date): Promise<{ id: string; state: PurchaseState }[]> {
  return database.drizzle
    .select({ id: purchases.id, state: purchases.state })
    .from(purchases)
    .where(gt(purchases.createdAt, since))
}
