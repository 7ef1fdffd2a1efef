import { sql } from 'drizzle-orm'
import type { Queries } from '../database'

/** A sign-in through another service. */
export interface Identity {
  provider: string
  providerAccountId: string
}

/** Returns the ID of the account that a sign-in through another service is linked to. */
export async function findIdentityOwner(
  queries: Queries,
  { provider, providerAccountId }: Identity,
): Promise<string | undefined> {
  const [row] = await queries.rows<{ accountId: string }>(sql`
    select user_id as "accountId" from oauth_accounts
    where provider = ${provider} and provider_account_id = ${providerAccountId}`)
  return row?.accountId
}

/**
 * Links a sign-in through another service to an account with a verified address. Returns false for any other account.
 * Nothing else from the service is stored.
 */
export async function insertIdentity(
  queries: Queries,
  { accountId, provider, providerAccountId }: Identity & { accountId: string },
): Promise<boolean> {
  const linked = await queries.rows(sql`
    insert into oauth_accounts (user_id, type, provider, provider_account_id)
    select id, 'oauth', ${provider}, ${providerAccountId} from users
    where id = ${accountId} and email_verified is not null and deleted_at is null for share
    returning user_id`)
  return linked.length > 0
}
