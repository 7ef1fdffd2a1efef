import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Database, Queries } from './database'
import { takeLock, type LockPurpose } from './lock-file'
import * as schema from './schema'

/** Opens the embedded database under `dataDir`/db for this process alone: a second opener would lose data silently. */
export async function openPglite(dataDir: string, purpose: LockPurpose): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const folder = join(dataDir, 'db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700) // PGlite makes its files readable by all
  const lock = await takeLock(join(dataDir, 'db.lock'), purpose)
  try {
    const client = await PGlite.create(folder)
    return buildDatabase(client, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

function buildDatabase(client: PGlite, release: () => void): Database {
  const handle = drizzle(client, { schema })
  const queries = buildQueries(client)
  return {
    kind: 'pglite',
    drizzle: handle,
    rows: queries.rows,
    transaction: work => client.transaction(transaction => work(buildQueries(transaction))),
    migrate: folder => migrate(handle, { migrationsFolder: folder }),
    ping: async () => {
      await client.query('select 1')
    },
    close: async () => {
      if (!client.closed) await client.close()
      release()
    },
  }
}

const dialect = new PgDialect()

function buildQueries(client: Pick<PGlite, 'query'>): Queries {
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL) => {
      const { sql, params } = dialect.sqlToQuery(statement)
      return (await client.query<Row>(sql, params)).rows
    },
  }
}
