import { sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { archiveInvoices } from './orphan-purchases'

interface Deletion {
  accountId: string
  /** The current month, such as `2026-11`. */
  month: string
  /** Represents the account's address among the months that were already granted. */
  addressHash: string
}

/**
 * Removes the personal data of an account. Its row keeps the ID, the balance and the ledger. Everything else is
 * deleted. Returns false if it was deleted before. The many logged requests are left to `purgeDeletedRequests`.
 */
export async function deletePersonalData(
  database: Database,
  { accountId, month, addressHash }: Deletion,
): Promise<boolean> {
  const isDone = await database.transaction(async queries => {
    // Purchases are locked first, because payment events use the same order.
    await queries.rows(sql`select id from purchases where account_id = ${accountId} order by id for no key update`)
    const [account] = await queries.rows<{ email: string; isGranted: boolean }>(sql`
      select email, coalesce(granted_month, '') >= ${month} as "isGranted" from users
      where id = ${accountId} and deleted_at is null for update`)
    if (account === undefined) return false
    const { email, isGranted } = account
    if (isGranted)
      await queries.rows(
        sql`insert into spent_grants (month, address_hash) values (${month}, ${addressHash}) on conflict do nothing`,
      )
    await queueCustomerDeletions(queries, accountId)
    await queries.rows(sql`
      update users set email = lower(id) || '@deleted.invalid', name = null, image = null, email_verified = null,
        password_hash = null,
        stripe_customer_id = null,
        session_version = session_version + 1, deleted_at = clock_timestamp()
      where id = ${accountId}`)
    await queries.rows(sql`delete from top_ups where account_id = ${accountId}`)
    await queries.rows(sql`delete from notices where account_id = ${accountId}`)
    await queries.rows(
      sql`update purchases set state = 'expired' where account_id = ${accountId} and is_top_up and state = 'open'`,
    )
    await archiveInvoices(queries, accountId)
    await queries.rows(sql`delete from api_keys where account_id = ${accountId}`)
    await queries.rows(sql`delete from oauth_accounts where user_id = ${accountId}`)
    await queries.rows(sql`delete from sign_in_networks where account_id = ${accountId}`)
    await queries.rows(sql`delete from idempotency_records where account_id = ${accountId}`)
    await queries.rows(sql`delete from usage_days where account_id = ${accountId}`)
    await queries.rows(sql`delete from first_steps where account_id = ${accountId}`)
    await queries.rows(sql`delete from verification_tokens where identifier = ${email}`)
    await queries.rows(sql`delete from sign_in_attempts where email = ${email} or email = ${`mail to ${email}`}`)
    return true
  })
  database.keyOwners?.forget(accountId)
  return isDone
}

/**
 * Queues the deletion of all Stripe customers of an account, with their cards. Afterwards, nothing here shows whose
 * customers they were.
 */
export async function queueCustomerDeletions(queries: Queries, accountId: string): Promise<void> {
  await queries.rows(sql`
    insert into stripe_tasks (kind, subject)
    select 'delete_customer', customer from (
      select stripe_customer_id as customer from users where id = ${accountId}
      union select customer_id from top_ups where account_id = ${accountId}
      union select id from stripe_customers where account_id = ${accountId}
    ) customers where customer is not null
    on conflict do nothing`)
  await queries.rows(sql`delete from stripe_customers where account_id = ${accountId}`)
}

/** Completes deletions by instances of the previous version, which also delete accounts during an update. */
export async function finishDeletions(queries: Queries): Promise<void> {
  await archiveInvoices(queries)
  await queries.rows(sql`
    with gone as (
      delete from stripe_customers using users where users.id = account_id and users.deleted_at is not null
        returning stripe_customers.id
    )
    insert into stripe_tasks (kind, subject) select 'delete_customer', id from gone on conflict do nothing`)
}

/** Returns whether an account with this address was deleted this month after its grant. */
export async function hasSpentGrant(queries: Queries, month: string, addressHash: string): Promise<boolean> {
  const rows = await queries.rows(
    sql`select 1 as found from spent_grants where month = ${month} and address_hash = ${addressHash}`,
  )
  return rows.length > 0
}

/** Deletes addresses from past months. */
export async function purgeSpentGrants(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from spent_grants where month < to_char(now() at time zone 'UTC', 'YYYY-MM')`)
}
