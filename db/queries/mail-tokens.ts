import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import { deleteOldest } from './delete-oldest'

interface NewMailToken {
  email: string
  tokenHash: string
  /** How long it can be followed. */
  seconds: number
}

/** Stores what makes a mailed link work. */
export async function insertMailToken(queries: Queries, { email, tokenHash, seconds }: NewMailToken): Promise<void> {
  await queries.rows(sql`
    insert into verification_tokens (identifier, token, expires)
    values (${email}, ${tokenHash}, now() + ${seconds}::double precision * interval '1 second')`)
}

/** Deletes up to `limit` tokens of mailed links that nobody followed in time; gives their number. */
export function purgeMailTokens(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`verification_tokens`,
    key: sql`identifier, token`,
    due: sql`expires <= now() - interval '1 day'`,
    order: sql`expires`,
    limit,
  })
}
