import { rmSync } from 'node:fs'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { migrateDatabase } from '../../db/migrate'
import { makeDataDir } from './fresh-data-dir'
import { createSharedDatabase } from './shared-services'

/** A migrated database for one test file. */
export interface TestDatabase {
  database: Database
  /** Another handle to the same data with separate connections, as on another instance. The same handle for PGlite. */
  another(): Promise<Database>
  /** The settings that opened the database. */
  settings: { dataDir: string; databaseUrl?: string }
  stop(): Promise<void>
}

export const DATABASE_KINDS = ['pglite', 'postgres'] as const

/** Opens a fresh database of a kind: an embedded one in a temporary folder, or one on the Postgres server of this run. */
export async function startDatabase(kind: (typeof DATABASE_KINDS)[number]): Promise<TestDatabase> {
  const dataDir = await makeDataDir()
  const settings = kind === 'pglite' ? { dataDir } : { dataDir, databaseUrl: await createSharedDatabase() }
  const database = await openDatabase(settings)
  await migrateDatabase(database)
  const opened = [database]
  return {
    database,
    settings,
    async another() {
      if (kind === 'pglite') return database
      const next = await openDatabase(settings)
      opened.push(next)
      return next
    },
    async stop() {
      await Promise.all(opened.map(one => one.close()))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
