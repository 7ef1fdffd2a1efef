import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { LockPurpose } from './lock-file'
import { openPglite } from './pglite'
import { openPostgres } from './postgres'
import type * as schema from './schema'

/** Runs statements and gives their rows as objects. Both drivers send one to the server in a single round trip. */
export interface Queries {
  /** The caller names the shape of a row; select no timestamps or bigints here, for the drivers disagree on those. */
  rows<Row extends Record<string, unknown>>(statement: SQL): Promise<Row[]>
}

/** The service's database; the same statements run on PGlite and on a Postgres server. */
export interface Database extends Queries {
  readonly kind: 'pglite' | 'postgres'
  readonly drizzle: PgDatabase<PgQueryResultHKT, typeof schema>
  /** Several statements in one transaction, at read committed: each sees what was committed before it began. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Brings the tables up to date from a folder of migrations. Safe when several instances start at once. */
  migrate(folder: string): Promise<void>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

interface DatabaseSettings {
  /** Where the embedded database lives, under `db`; made when missing, readable by its owner only. */
  dataDir: string
  /** A Postgres server to use instead. */
  databaseUrl?: string
  /** A command holds an embedded database only for a moment, so that others wait for it. */
  purpose?: LockPurpose
  /** After how long a statement that is not answered fails. */
  statementTimeoutMs?: number
}

/**
 * Opens the database. The embedded one throws FolderLockedError when another live process has it open; a Postgres
 * server is connected to on first use, and whatever fails because it is away is known by `isDatabaseAway`.
 */
export function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataDir, databaseUrl, purpose = 'service', statementTimeoutMs = 4_500 } = settings
  if (databaseUrl !== undefined) return Promise.resolve(openPostgres(databaseUrl, statementTimeoutMs))
  return openPglite(dataDir, purpose)
}
