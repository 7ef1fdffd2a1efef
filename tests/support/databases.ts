import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { migrateDatabase } from '../../db/migrate'
import { createAccount } from '../../lib/accounts/account/accounts'
import { makeDataDir } from './fresh-data-dir'
import { IS_COMPLETE } from './scope'
import { createSharedDatabase, runFolder } from './shared-services'

/** A migrated database without rows, for the tests of a file or block. */
export interface TestDatabase {
  database: Database
  /** Another handle to the same data with separate connections, as on another instance. The same handle for PGlite. */
  another(): Promise<Database>
  /** The settings that opened the database. */
  settings: { dataDir: string; databaseUrl?: string }
  /** Creates an account and returns its ID. */
  newAccount(isVerified?: boolean): Promise<string>
  stop(): Promise<void>
}

export const DATABASE_KINDS = ['pglite', 'postgres'] as const

/** The databases of files that full runs test on both. */
export const SAMPLED_KINDS = IS_COMPLETE ? DATABASE_KINDS : (['postgres'] as const)

/** The database of tests that need any. An embedded one takes several times as much processor time. */
export const ANY_KIND = IS_COMPLETE ? 'pglite' : 'postgres'

/** The databases of this worker, opened once. Its test files run one after the other. */
const workerDatabases = new Map<string, Promise<Pick<TestDatabase, 'database' | 'settings'>>>()

/** An empty database until the end of a file or block, which awaits it where it declares its tests. */
export async function prepareDatabase(kind: (typeof DATABASE_KINDS)[number]): Promise<Omit<TestDatabase, 'stop'>> {
  const starting = startDatabase(kind)
  afterAll(() => starting.then(({ stop }) => stop()))
  return starting
}

/** An empty database of a kind: an embedded one in a temporary folder, or one on the Postgres server of this run. */
export async function startDatabase(kind: (typeof DATABASE_KINDS)[number]): Promise<TestDatabase> {
  const found = workerDatabases.get(kind) ?? openWorkerDatabase(kind)
  workerDatabases.set(kind, found)
  const { database, settings } = await found
  await emptyTables(database)
  const others: Database[] = []
  return {
    database,
    settings,
    async another() {
      if (kind === 'pglite') return database
      const next = await openDatabase(settings)
      others.push(next)
      return next
    },
    async newAccount(isVerified = false) {
      const { account } = await createAccount({ email: `${randomUUID()}@example.test`, verified: isVerified }, database)
      return account?.id ?? ''
    },
    async stop() {
      await Promise.all(others.map(one => one.close()))
    },
  }
}

async function openWorkerDatabase(
  kind: (typeof DATABASE_KINDS)[number],
): Promise<Pick<TestDatabase, 'database' | 'settings'>> {
  const settings =
    kind === 'pglite'
      ? { dataDir: await makeDataDir(await runFolder()) }
      : { dataDir: '/nowhere', databaseUrl: await createSharedDatabase() }
  const database = await openDatabase(settings)
  await migrateDatabase(database)
  return { database, settings }
}

/** Without triggers, because entries of the ledger refuse to be deleted. */
function emptyTables(database: Database): Promise<void> {
  return database.transaction(async queries => {
    const tables = await queries.rows<{ name: string }>(
      sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    await queries.rows(sql`set local session_replication_role = replica`)
    await queries.rows(sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`))
  })
}
