import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
import type { Environment } from './environment'

/** Runs statements on a database. Returns the rows of the last statement. */
export type Run = (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Changes the service's database directly. An embedded database has no service meanwhile. */
export async function withDatabase<T>(
  { databaseUrl, dataDir, stop }: Environment,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  await stop()
  if (databaseUrl === undefined) {
    const database = await PGlite.create(join(dataDir, 'db'))
    try {
      return await work(
        async (statement, values) => (await database.query<Record<string, unknown>>(statement, values)).rows,
      )
    } finally {
      await database.close()
    }
  }
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    return await work(async (statement, values = []) => [
      ...(await client.unsafe<Record<string, unknown>[]>(statement, values as string[])),
    ])
  } finally {
    await client.end()
  }
}

/** All rows of all tables, each as text. */
export async function listRows(run: Run): Promise<string[]> {
  const tables = await run("select table_name as name from information_schema.tables where table_schema = 'public'")
  const texts: string[] = []
  for (const { name } of tables)
    for (const { row } of await run(`select t::text as row from "${String(name)}" t`)) texts.push(String(row))
  return texts
}
