import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { Queries } from './database'

interface Oldest {
  table: SQL
  /** The columns of the table's primary key. */
  key: SQL
  /** The condition must use `now()`. An index doesn't support `clock_timestamp()`, which differs from row to row. */
  due: SQL
  /** The column that `due` compares. An index lists the rows in its order. */
  order: SQL
  limit: number
}

/**
 * Deletes up to `limit` rows that are due, oldest first. Skips rows that others have locked. Returns the number of
 * deleted rows.
 */
export async function deleteOldest(queries: Queries, { table, key, due, order, limit }: Oldest): Promise<number> {
  const deleted = await queries.rows(sql`
    delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${due} order by ${order} limit ${limit}::int for update skip locked)
    returning 1 as deleted`)
  return deleted.length
}
