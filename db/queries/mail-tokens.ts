import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import { deleteOldest } from '../delete-oldest'

interface NewMailToken {
  email: string
  tokenHash: string
  /** How long the link is valid. */
  seconds: number
}

/** Stores the token of a mailed link. */
export async function insertMailToken(queries: Queries, { email, tokenHash, seconds }: NewMailToken): Promise<void> {
  await queries.rows(sql`
    insert into verification_tokens (identifier, token, expires)
    values (${email}, ${tokenHash}, now() + ${seconds}::double precision * interval '1 second')`)
}

/** Deletes up to `limit` expired tokens of mailed links. Returns their number. */
export function purgeMailTokens(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`verification_tokens`,
    key: sql`identifier, token`,
    due: sql`expires <= now() - interval '1 day'`,
    order: sql`expires`,
    limit,
  })
}
