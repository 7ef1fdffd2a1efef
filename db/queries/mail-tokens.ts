import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import { deleteOldest } from './delete-oldest'

/** Deletes up to `limit` tokens of mailed links that nobody followed in time; gives their number. */
export function purgeMailTokens(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, { table: sql`verification_tokens`, key: sql`identifier, token`, due: sql`expires <= now() - interval '1 day'`, order: sql`expires`, limit })
}
