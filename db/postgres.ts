import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Database, Queries } from './database'
import { createPool, type Pool } from './postgres-pool'
import * as schema from './schema'

/** Any number will do, as long as every version of the service uses the same. */
const MIGRATION_LOCK = 7_305_883
const MIGRATION_WAIT_MS = 120_000

/** A Postgres server behind a pool of 10 connections; connects on first use. */
export function openPostgres(url: string, statementTimeoutMs: number): Database {
  const pool = createPool(url, statementTimeoutMs)
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
    close: pool.close,
  }
}

const dialect = new PgDialect()

function buildQueries(client: Pick<postgres.Sql, 'unsafe'>): Queries {
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL) => {
      const { sql, params } = dialect.sqlToQuery(statement)
      // Prepared: one round trip instead of two. Drizzle's own execute() does not prepare.
      return [...(await client.unsafe<Row[]>(sql, params as postgres.ParameterOrJSON<never>[], { prepare: true }))]
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

/** Migrations may take longer than a statement of a call, and their lock belongs to a connection: they get their own. */
async function migrateOnOneConnection(url: string, folder: string): Promise<void> {
  const client = postgres(url, {
    max: 1,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'sheaf-migrate', lock_timeout: MIGRATION_WAIT_MS },
  })
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    await migrate(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end({ timeout: 5 }) // gives the lock back
  }
}
