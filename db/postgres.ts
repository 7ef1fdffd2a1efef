import { setTimeout as wait } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { applyMigrations } from './apply-migrations'
import type { Database, MigrationReport, Queries } from './database'
import { createKeyOwners, type KeyOwners } from './key-owners'
import { createPool, type Pool, type Pooling } from './postgres-pool'
import * as schema from './schema'
import { type FilledStatement, fillStatement } from './statement'

/** An arbitrary number that every version of the service must share. */
const MIGRATION_LOCK = 7_305_883
const MIGRATION_WAIT_MS = 120_000
const MIGRATION_RETRY_MS = 250
/** Shorter than the timeout of a request's statement. */
const MIGRATION_LOCK_MS = '3000'

/** Opens a Postgres server behind a pool of 10 connections. Connects on first use. */
export function openPostgres(url: string, statementTimeoutMs: number, pooling: Pooling): Database {
  const pool = createPool(url, statementTimeoutMs, pooling)
  const queries = createQueries(pool.client)
  const keyOwners = createKeyOwners({ isExact: false })
  return {
    kind: 'postgres',
    drizzle: drizzle(pool.client, { schema }),
    keyOwners,
    rows: queries.rows,
    transaction: work => beginOn(pool, keyOwners, work),
    migrate: folder => migrateOnOneConnection(url, folder),
    ping: async () => {
      await pool.client.unsafe('select 1')
    },
    connections: pool.connections,
    hasStalledSince: pool.hasStalledSince,
    close: pool.close,
  }
}

/** Runs queries on a connection or in a transaction. */
export function createQueries(client: Pick<postgres.Sql, 'unsafe'>): Queries {
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL | FilledStatement) => {
      const { text, values } = fillStatement(statement)
      // A prepared statement needs one round trip instead of two. Drizzle's own execute() doesn't prepare.
      return [...(await client.unsafe<Row[]>(text, values as postgres.ParameterOrJSON<never>[], { prepare: true }))]
    },
  }
}

async function beginOn<T>(pool: Pool, keyOwners: KeyOwners, work: (queries: Queries) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  await pool.client.begin(async transaction => {
    result = { value: await work({ ...createQueries(transaction), keyOwners }) }
  })
  if (result === undefined) throw new Error('The transaction ended without doing its work')
  return result.value
}

/**
 * Migrations may take longer than a request's statement, so they use a separate connection. They run in one transaction
 * with a transaction-level lock, as poolers require. A migration waits only briefly for requests that use a table,
 * because later requests wait behind it. Then the whole migration is retried.
 */
async function migrateOnOneConnection(url: string, folder: string): Promise<MigrationReport> {
  const client = postgres(url, {
    max: 1,
    prepare: false,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'sheaf-migrate' },
  })
  const endMs = performance.now() + MIGRATION_WAIT_MS
  try {
    for (;;) {
      const report = await migrateOnce(client, folder)
      if (report !== undefined) return report
      if (performance.now() > endMs)
        throw new Error(
          'The migrations waited 2 minutes for a lock. Another instance is migrating, or a backup locks the tables. ' +
            'Start again after that.',
        )
      await wait(MIGRATION_RETRY_MS)
    }
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** Undefined when another process migrates, or uses a table that must change. */
async function migrateOnce(client: postgres.Sql, folder: string): Promise<MigrationReport | undefined> {
  let report: MigrationReport | undefined
  try {
    await client.begin(async transaction => {
      const queries = createQueries(transaction)
      await queries.rows(
        sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${MIGRATION_LOCK_MS}, true)`,
      )
      const [lock] = await queries.rows<{ isOurs: boolean }>(
        sql`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isOurs"`,
      )
      if (lock?.isOurs === true) report = await applyMigrations(queries, folder)
    })
  } catch (error) {
    if (!isLockRefused(error)) throw error
    return undefined
  }
  return report
}

/** The lock wasn't available in time, or a deadlock was detected. */
function isLockRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
}
