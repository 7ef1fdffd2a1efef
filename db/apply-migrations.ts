import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { MigrationReport, Queries } from './database'

/**
 * Applies the missing migrations of a folder in order. Records them as drizzle's own migrator does, by their creation
 * time. The caller must run this in one transaction and keep other migrators out.
 */
export async function applyMigrations(queries: Queries, folder: string): Promise<MigrationReport> {
  await queries.rows(sql`create schema if not exists drizzle`)
  await queries.rows(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  const recordedMigrations = await queries.rows<{ madeAt: string }>(
    sql`select created_at::text as "madeAt" from drizzle.__drizzle_migrations`,
  )
  const unmatchedTimes = new Set(recordedMigrations.map(({ madeAt }) => madeAt))
  let applied = 0
  for (const { sql: statements, folderMillis, hash } of readMigrationFiles({ migrationsFolder: folder })) {
    if (unmatchedTimes.delete(String(folderMillis))) continue
    for (const statement of statements) await queries.rows(sql.raw(statement))
    await queries.rows(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis}::bigint)`,
    )
    applied += 1
  }
  return { applied, unknown: unmatchedTimes.size }
}
