import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import { deleteOldest } from './delete-oldest'

/**
 * Stores that an account was signed in to from a network. Stores nothing for an account that was deleted in the
 * meantime.
 */
export async function noteSignInNetwork(queries: Queries, accountId: string, networkHash: string): Promise<void> {
  await queries.rows(sql`
    insert into sign_in_networks (network_hash, account_id)
    select ${networkHash}, id from users where id = ${accountId} and deleted_at is null
    on conflict (network_hash) do update set account_id = excluded.account_id, last_at = now()`)
}

/** Deletes up to `limit` networks without a sign-in for 90 days. Returns their number. */
export function purgeSignInNetworks(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`sign_in_networks`,
    key: sql`network_hash`,
    due: sql`last_at <= now() - interval '90 days'`,
    order: sql`last_at`,
    limit,
  })
}
