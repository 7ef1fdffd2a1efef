import { setTimeout as wait } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { applyMigrations } from './apply-migrations'
import type { Database, MigrationReport, Queries } from './database'
import { createPool, type Pool, type Pooling } from './postgres-pool'
import * as schema from './schema'

/** Any number will do, as long as every version of the service uses the same. */
const MIGRATION_LOCK = 7_305_883
const MIGRATION_WAIT_MS = 120_000
const MIGRATION_RETRY_MS = 250
/** Less than the time of a statement of a call. */
const MIGRATION_LOCK_MS = '3000'

/** A Postgres server behind a pool of 10 connections; connects on first use. */
export function openPostgres(url: string, statementTimeoutMs: number, pooling: Pooling): Database {
  const pool = createPool(url, statementTimeoutMs, pooling)
  const queries = buildQueries(pool.client)
  return {
    kind: 'postgres',
    drizzle: drizzle(pool.client, { schema }),
    rows: queries.rows,
    transaction: work => beginOn(pool, work),
    migrate: folder => migrateOnOneConnection(url, folder),
    ping: async () => {
      await pool.client.unsafe('select 1')
    },
    connections: pool.connections,
    hasStalledSince: pool.hasStalledSince,
    close: pool.close,
  }
}

const dialect = new PgDialect()

function buildQueries(client: Pick<postgres.Sql, 'unsafe'>): Queries {
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL) => {
      const { sql: text, params } = dialect.sqlToQuery(statement)
      // Prepared: one round trip instead of two. Drizzle's own execute() does not prepare.
      return [...(await client.unsafe<Row[]>(text, params as postgres.ParameterOrJSON<never>[], { prepare: true }))]
    },
  }
}

async function beginOn<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  await pool.client.begin(async transaction => {
    result = { value: await work(buildQueries(transaction)) }
  })
  if (result === undefined) throw new Error('The transaction ended without its work being done')
  return result.value
}

/**
 * Migrations may take longer than a statement of a call, so they get a connection of their own. They are one
 * transaction under a lock that ends with it, as poolers want it. A change waits but shortly for calls that use a
 * table, because later calls wait behind it; then everything is tried again.
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
          'The tables could not be brought up to date for two minutes: another instance is at it, or something ' +
            'such as a backup holds them. Start again when it has ended.',
        )
      await wait(MIGRATION_RETRY_MS)
    }
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** Undefined when somebody else is at it, or uses a table that is to be changed. */
async function migrateOnce(client: postgres.Sql, folder: string): Promise<MigrationReport | undefined> {
  let report: MigrationReport | undefined
  try {
    await client.begin(async transaction => {
      const queries = buildQueries(transaction)
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

/** Not given in time, or given up because two waited for each other. */
function isLockRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
}
