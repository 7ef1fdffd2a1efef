import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { KeyOwners } from './key-owners'
import type * as schema from './schema'
import type { FilledStatement } from './statement'

/** Runs statements and returns their rows as objects. Both drivers send a statement to the server in one round trip. */
export interface Queries {
  /**
   * The caller specifies the shape of a row. Don't select timestamps or bigints, because the drivers return them
   * differently.
   */
  rows<Row extends Record<string, unknown>>(statement: SQL | FilledStatement): Promise<Row[]>
  /** A cache of key owners. Undefined in a migration. */
  readonly keyOwners?: KeyOwners
}

export interface MigrationReport {
  applied: number
  /** Number of applied migrations that this version doesn't know, because a newer version of the service made them. */
  unknown: number
}

/** The service's database. The same statements run on PGlite and on a Postgres server. */
export interface Database extends Queries {
  readonly kind: 'pglite' | 'postgres'
  readonly drizzle: PgDatabase<PgQueryResultHKT, typeof schema>
  /** Runs statements in one transaction at read committed. Each statement sees what was committed before it began. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Applies a folder of migrations. Safe when several instances start at once. */
  migrate(folder: string): Promise<MigrationReport>
  /** Resolves when the database responds. */
  ping(): Promise<void>
  /** Returns the current use of a server's connections. Undefined for the embedded database. */
  connections?(): Connections
  /**
   * Returns whether a statement timed out at that time of `performance.now()` or later, and no statement has completed
   * since.
   */
  hasStalledSince?(ms: number): boolean
  close(): Promise<void>
}

/** The maximum of open connections, the connections in use, and the statements that wait for a connection. */
export interface Connections {
  most: number
  used: number
  waiting: number
}
