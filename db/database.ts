import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { KeyOwners } from './key-owners'
import type * as schema from './schema'

/** Runs statements and gives their rows as objects. Both drivers send one to the server in a single round trip. */
export interface Queries {
  /** The caller names the shape of a row; select no timestamps or bigints here, for the drivers disagree on those. */
  rows<Row extends Record<string, unknown>>(statement: SQL): Promise<Row[]>
  /** Whose keys are; a server has none, for other instances may change them. */
  readonly keyOwners?: KeyOwners
}

export interface MigrationReport {
  applied: number
  /** Migrations that the database has and we do not know: a newer version of the service made them. */
  unknown: number
}

/** The service's database; the same statements run on PGlite and on a Postgres server. */
export interface Database extends Queries {
  readonly kind: 'pglite' | 'postgres'
  readonly drizzle: PgDatabase<PgQueryResultHKT, typeof schema>
  /** Several statements in one transaction, at read committed: each sees what was committed before it began. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Brings the tables up to date from a folder of migrations. Safe when several instances start at once. */
  migrate(folder: string): Promise<MigrationReport>
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** How a server's connections are used at the moment; the embedded database has none. */
  connections?(): Connections
  /**
   * Whether a server left a statement unanswered at that moment of `performance.now()` or later, and has answered none
   * since.
   */
  hasStalledSince?(ms: number): boolean
  close(): Promise<void>
}

/** Connections that may be open, those with a statement or transaction, and statements that wait for one. */
export interface Connections {
  most: number
  used: number
  waiting: number
}
