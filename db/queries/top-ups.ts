import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { topUps } from '../schema'

/** What an account wants bought by itself, and how that went. */
export type TopUpRow = Omit<typeof topUps.$inferSelect, 'accountId'>

/** The automatic top-up of an account; undefined where it never had one. */
export async function findTopUp(queries: Queries, accountId: string): Promise<TopUpRow | undefined> {
  const [row] = await queries.rows<TopUpRow>(sql`
    select is_on as "isOn", amount_cents as "amountCents", monthly_limit_cents as "monthlyLimitCents", customer_id as "customerId", payment_method_id as "paymentMethodId",
      card_label as "cardLabel", billing, failures, last_failure as "lastFailure"
    from top_ups where account_id = ${accountId}`)
  return row
}

/** Notes amounts, and turns the top-up on where there is a card; failures are forgotten. Gives whether it is on. */
export async function saveTopUp(queries: Queries, accountId: string, { amountCents, monthlyLimitCents }: Pick<TopUpRow, 'amountCents' | 'monthlyLimitCents'>): Promise<boolean> {
  const [row] = await queries.rows<{ isOn: boolean }>(sql`
    insert into top_ups (account_id, amount_cents, monthly_limit_cents) values (${accountId}, ${amountCents}, ${monthlyLimitCents})
    on conflict (account_id) do update set amount_cents = excluded.amount_cents, monthly_limit_cents = excluded.monthly_limit_cents,
      is_on = top_ups.payment_method_id is not null, failures = 0, last_failure = null
    returning is_on as "isOn"`)
  return row?.isOn ?? false
}

/** Turns the top-up off; the card stays, for another time. */
export async function turnTopUpOff(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`update top_ups set is_on = false where account_id = ${accountId}`)
}

/** Notes a card and turns the top-up on; false where the account never asked for one. */
export async function noteCard(queries: Queries, accountId: string, card: { customerId: string; paymentMethodId: string; label: string; billing: string }): Promise<boolean> {
  const rows = await queries.rows(sql`
    update top_ups set customer_id = ${card.customerId}, payment_method_id = ${card.paymentMethodId}, card_label = ${card.label}, billing = ${card.billing}, is_on = true, failures = 0, last_failure = null
    where account_id = ${accountId} returning account_id`)
  return rows.length > 0
}

/** Counts a payment that did not go through; at `most` in a row the top-up is off. Gives how it stands. */
export async function countFailure(queries: Queries, accountId: string, { reason, most }: { reason: string; most: number }): Promise<Pick<TopUpRow, 'failures' | 'isOn'> | undefined> {
  const [row] = await queries.rows<Pick<TopUpRow, 'failures' | 'isOn'>>(sql`
    update top_ups set failures = failures + 1, last_failure = ${reason}, is_on = is_on and failures + 1 < ${most}::int
    where account_id = ${accountId} returning failures, is_on as "isOn"`)
  return row
}

/** Forgets failures after a payment that went through. */
export async function forgetFailures(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`update top_ups set failures = 0, last_failure = null where account_id = ${accountId} and failures > 0`)
}

/** Cents of this month (UTC) that were bought by themselves, or may still be. */
export async function sumTopUps(queries: Queries, accountId: string): Promise<number> {
  const [row] = await queries.rows<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents from purchases
    where account_id = ${accountId} and is_top_up and state in ('open', 'pending', 'paid')
      and created_at >= date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC'`)
  return row?.cents ?? 0
}

/** The buyer of an account's latest purchase, as it was told then. */
export async function findLatestBilling(queries: Queries, accountId: string): Promise<string | null> {
  const [row] = await queries.rows<{ billing: string }>(sql`
    select billing from purchases where account_id = ${accountId} and billing is not null order by created_at desc limit 1`)
  return row?.billing ?? null
}
