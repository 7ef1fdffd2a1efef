import { sql } from 'drizzle-orm'
import type { Queries } from '../database'

/** A sign-in through another service. */
export interface Identity {
  provider: string
  providerAccountId: string
}

/** Id of the account that a sign-in through another service is linked to. */
export async function findIdentityOwner(
  queries: Queries,
  { provider, providerAccountId }: Identity,
): Promise<string | undefined> {
  const [found] = await queries.rows<{ accountId: string }>(sql`
    select user_id as "accountId" from oauth_accounts
    where provider = ${provider} and provider_account_id = ${providerAccountId}`)
  return found?.accountId
}

/**
 * Links a sign-in through another service to an account whose address is proved; false for any other account. Nothing
 * else of what the service tells is kept.
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
