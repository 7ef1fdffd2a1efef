import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { FirstStep } from '../schema'

/** Lists the steps that an account has done. */
export async function listFirstSteps(queries: Queries, accountId: string): Promise<FirstStep[]> {
  const rows = await queries.rows<{ step: FirstStep }>(
    sql`select step from first_steps where account_id = ${accountId}`,
  )
  return rows.map(({ step }) => step)
}

/** Notes a step of an account, unless the account is deleted. */
export async function recordFirstStep(queries: Queries, accountId: string, step: FirstStep): Promise<void> {
  await queries.rows(sql`
    insert into first_steps (account_id, step)
    select id, ${step} from users where id = ${accountId} and deleted_at is null
    on conflict do nothing`)
}

/**
 * Deletes steps of accounts that were deleted within the last two days, because requests that ran during the deletion
 * were logged later.
 */
export async function purgeDeletedSteps(queries: Queries): Promise<void> {
  await queries.rows(sql`delete from first_steps where account_id in (
    select id from users where deleted_at > now() - interval '2 days')`)
}
