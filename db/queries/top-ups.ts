import { sql, type SQL } from 'drizzle-orm'
import type { Queries } from '../database'
import type { topUps } from '../schema'

/** The settings of an account's automatic top-up, and the result of its payments. */
export type TopUpRow = Omit<typeof topUps.$inferSelect, 'accountId' | 'pausedUntil' | 'isWanted'> & {
  /** Whether a payment failed a short while ago, so that the same card isn't charged now. */
  isPaused: boolean
}

/** Returns the automatic top-up of an account. Undefined if it never had one. */
export async function findTopUp(queries: Queries, accountId: string): Promise<TopUpRow | undefined> {
  const [row] = await queries.rows<TopUpRow>(sql`
    select is_on as "isOn", amount_cents as "amountCents", monthly_limit_cents as "monthlyLimitCents",
      customer_id as "customerId", payment_method_id as "paymentMethodId",
      card_label as "cardLabel", billing, failures, last_failure as "lastFailure", stopped_by as "stoppedBy",
        limit_told_month as "limitToldMonth",
      coalesce(paused_until > clock_timestamp(), false) as "isPaused"
    from top_ups where account_id = ${accountId}`)
  return row
}

/** Stores amounts, resets failures, and turns the top-up on if there is a card. Returns whether the top-up is on. */
export async function saveTopUp(
  queries: Queries,
  accountId: string,
  { amountCents, monthlyLimitCents }: Pick<TopUpRow, 'amountCents' | 'monthlyLimitCents'>,
): Promise<boolean> {
  const [row] = await queries.rows<{ isOn: boolean }>(sql`
    insert into top_ups (account_id, amount_cents, monthly_limit_cents)
      values (${accountId}, ${amountCents}, ${monthlyLimitCents})
    on conflict (account_id) do update set amount_cents = excluded.amount_cents,
      monthly_limit_cents = excluded.monthly_limit_cents,
      is_on = top_ups.payment_method_id is not null, is_wanted = true, limit_told_month = null, ${FAILURE_RESET}
    returning is_on as "isOn"`)
  return row?.isOn ?? false
}

/** Turns the top-up off. The card stays for later. */
export async function turnTopUpOff(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`update top_ups set is_on = false, is_wanted = false where account_id = ${accountId}`)
}

/**
 * Ends the automatic top-up of an account and deletes its card and Stripe customer here. A card from a page that was
 * opened before turns nothing on.
 */
export async function forgetTopUp(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`delete from top_ups where account_id = ${accountId}`)
  await queries.rows(sql`update users set stripe_customer_id = null where id = ${accountId}`)
}

/** Turns the top-up off because a payment was refunded or disputed. Returns whether the top-up was on. */
export async function stopTopUp(
  queries: Queries,
  accountId: string,
  stoppedBy: 'refund' | 'dispute',
): Promise<boolean> {
  const [stopped] = await queries.rows(sql`
    with stopped as (
      update top_ups set is_on = false, is_wanted = false, stopped_by = ${stoppedBy} where account_id = ${accountId}
        and is_on returning account_id
    ),
    unwanted as (
      update top_ups set is_wanted = false where account_id = ${accountId} and not is_on
    )
    select account_id from stopped`)
  return stopped !== undefined
}

/** Stores a card. Turns the top-up on, unless its owner has turned it off since they requested the card page. */
export async function recordCard(
  queries: Queries,
  accountId: string,
  card: { customerId: string; paymentMethodId: string; label: string; billing: string },
): Promise<void> {
  await queries.rows(sql`
    update top_ups set customer_id = ${card.customerId}, payment_method_id = ${card.paymentMethodId},
      card_label = ${card.label}, billing = ${card.billing}, is_on = is_wanted,
      stopped_by = case when is_wanted then null else stopped_by end, failures = 0, last_failure = null,
        paused_until = null
    where account_id = ${accountId}`)
}

/**
 * Counts a failed payment. Each failure in a row delays the next payment by `pauseMs`, and `most` failures turn the
 * top-up off. Returns false if there is no top-up.
 */
export async function countFailure(
  queries: Queries,
  accountId: string,
  { reason, most, pauseMs }: { reason: string; most: number; pauseMs: number },
): Promise<boolean> {
  const rows = await queries.rows(sql`
    update top_ups set failures = failures + 1, last_failure = ${reason}, is_on = is_on and failures + 1 < ${most}::int,
      paused_until = clock_timestamp() + (failures + 1) * ${pauseMs}::double precision * interval '1 millisecond'
    where account_id = ${accountId} returning account_id`)
  return rows.length > 0
}

/** Resets failures after a successful payment. */
export async function forgetFailures(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(
    sql`update top_ups set failures = 0, last_failure = null, paused_until = null where account_id = ${accountId} and failures > 0`,
  )
}

const FAILURE_RESET = sql`stopped_by = null, failures = 0, last_failure = null, paused_until = null`

/**
 * Stores that an owner is notified of the reached limit this month, such as `2026-11`. Returns false if the owner was
 * notified before.
 */
export async function recordLimitTold(queries: Queries, accountId: string, month: string): Promise<boolean> {
  const rows = await queries.rows(sql`
    update top_ups set limit_told_month = ${month} where account_id = ${accountId} and limit_told_month is distinct
      from ${month} returning account_id`)
  return rows.length > 0
}

/**
 * Returns the cents of automatic purchases in a month in UTC, such as `2026-11`, including those that may still be
 * paid.
 */
export async function sumTopUps(queries: Queries, accountId: string, month: string): Promise<number> {
  const [row] = await queries.rows<{ cents: number }>(sql`select ${sumOf(sql`${accountId}`, month)} as cents`)
  return row?.cents ?? 0
}

function sumOf(accountId: SQL, month: string): SQL {
  return sql`(select coalesce(sum(purchases.amount_cents), 0)::int from purchases
    where purchases.account_id = ${accountId} and is_top_up and state in ('open', 'pending', 'paid')
      and purchases.created_at >= ${startOf(month)})`
}

function startOf(month: string): SQL {
  return sql`(${`${month}-01`}::timestamp at time zone 'UTC')`
}

interface Watch {
  /** The current month, such as `2026-11`. */
  month: string
  /** ID of an account. Only later accounts are listed. */
  after: string
  limit: number
}

/**
 * Lists accounts with a low balance and an active top-up, without a purchase in progress or a pause. The month's limit
 * must leave room, or the owner must not have been notified of the limit yet. The query only depends on stored state,
 * so no event can be missed.
 */
export async function listAccountsToTopUp(queries: Queries, { month, after, limit }: Watch): Promise<string[]> {
  const rows = await queries.rows<{ accountId: string }>(sql`
    select top_ups.account_id as "accountId" from top_ups join users on users.id = top_ups.account_id
    where top_ups.is_on and top_ups.account_id > ${after} and users.deleted_at is null
      and users.balance < users.low_balance_at
      and coalesce(top_ups.paused_until <= clock_timestamp(), true)
      and not exists (select 1 from purchases where ${isUnderWay(sql`top_ups.account_id`)})
      and (limit_told_month is distinct from ${month}
        or ${sumOf(sql`top_ups.account_id`, month)} + top_ups.amount_cents <= monthly_limit_cents)
    order by top_ups.account_id limit ${limit}`)
  return rows.map(({ accountId }) => accountId)
}

/** Returns whether an account has an automatic purchase that is neither paid nor given up. */
export async function hasTopUpUnderWay(queries: Queries, accountId: string): Promise<boolean> {
  return (await queries.rows(sql`select 1 as found from purchases where ${isUnderWay(sql`${accountId}`)}`)).length > 0
}

function isUnderWay(accountId: SQL): SQL {
  return sql`purchases.account_id = ${accountId} and is_top_up and state in ('open', 'pending')`
}

/**
 * Opens an automatic purchase and queues its payment. The purchase counts for `month`, even if the database's clock is
 * behind.
 */
export async function insertTopUp(
  queries: Queries,
  {
    accountId,
    amountCents,
    credits,
    month,
  }: { accountId: string; amountCents: number; credits: number; month: string },
): Promise<void> {
  await queries.rows(sql`
    with opened as (
      insert into purchases (account_id, amount_cents, credits, is_top_up, created_at)
      values (${accountId}, ${amountCents}, ${credits}, true, greatest(clock_timestamp(), ${startOf(month)}))
        returning id, account_id
    )
    insert into notices (account_id, kind, purchase_id) select account_id, 'top_up', id from opened`)
}

/** The card that Stripe was first asked to charge for a purchase, and the time since then. */
export type AskedCard = {
  customerId: string
  paymentMethodId: string
  hours: number
  /** Seconds since 1970, by Stripe's clock. */
  askedAtS: number
}

/** Returns the card that Stripe was asked to charge for a purchase. Undefined before the first request. */
export async function findAskedCard(queries: Queries, purchaseId: string): Promise<AskedCard | undefined> {
  const [row] = await queries.rows<AskedCard>(sql`
    select asked_customer_id as "customerId", asked_method_id as "paymentMethodId", extract(epoch
      from asked_at)::int as "askedAtS",
      (extract(epoch from clock_timestamp() - asked_at) / 3600)::float8 as hours
    from purchases where id = ${purchaseId} and asked_at is not null`)
  return row
}

/** Stores the card that Stripe is about to be asked to charge. An existing record stays. */
export async function recordAskedCard(
  queries: Queries,
  purchaseId: string,
  { customerId, paymentMethodId }: Pick<AskedCard, 'customerId' | 'paymentMethodId'>,
): Promise<void> {
  await queries.rows(sql`
    update purchases set asked_at = clock_timestamp(), asked_customer_id = ${customerId},
      asked_method_id = ${paymentMethodId}
    where id = ${purchaseId} and asked_at is null`)
}

/** Returns the billing details of an account's latest purchase. */
export async function findLatestBilling(queries: Queries, accountId: string): Promise<string | null> {
  const [row] = await queries.rows<{ billing: string }>(sql`
    select billing from purchases where account_id = ${accountId} and billing is not null order by created_at desc
      limit 1`)
  return row?.billing ?? null
}
