import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { migrateDatabase } from '../../db/migrate'
import { findKeyOwner } from '../../db/queries/keys'
import { createLedger } from '../../lib/credits/ledger'
import { createLedgerRetention } from '../../lib/credits/ledger-retention'
import { listQueries, type Subject } from '../support/every-query'
import { openExplained } from '../support/explained-database'
import { fillDatabase } from '../support/fill-database'
import { countBuffers, findWholeReads } from '../support/judge-plan'
import { createDatabase, startPostgres } from '../support/postgres'
import { against, formatMs, median, print, printTable } from './report'

// `npm run growth [-- --rows 1000000]` measures the effect of a ledger with that many rows, 10 million by default. A
// small and a large database are on one server, and the measurements alternate between them.

const SMALL_ROWS = 10_000
/**
 * Goals: the ratio of medians with many rows to few, the database's own milliseconds per request, and the buffers of a
 * statement that touches one row and of one that touches 50 rows.
 */
const MOST_CHANGE = 1.1
const MOST_DATABASE_MS = 1
const MOST_BUFFERS = { call: 120, account: 600, sweep: 3000 }
/** Scans of tables with fewer rows are acceptable. */
const LARGE_TABLE_ROWS = 1000
const ROUNDS = 40
const CALLS_A_ROUND = 50

const SERVER = [
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
]

interface Filled {
  url: string
  rows: number
  database: Database
  subject: Subject
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000000' } } })
  const rows = Number(values.rows)
  if (!Number.isSafeInteger(rows) || rows < SMALL_ROWS)
    throw new Error(`--rows is ${values.rows}; it is a number from ${SMALL_ROWS} on`)
  print(
    `Node ${process.version}, ${availableParallelism()} cores, Postgres with ${SERVER[0]}, fsync and ` +
      'synchronous_commit off; ! marks a missed goal',
  )
  const server = await startPostgres(SERVER)
  try {
    const [small, large] = [await fill(server.url, SMALL_ROWS), await fill(server.url, rows)]
    const isIndexed = await judgeQueries(large)
    const isSteady = await compareCalls(small, large)
    await measureRetention(large)
    process.exitCode = isIndexed && isSteady ? 0 : 1
    await Promise.all([small, large].map(({ database }) => database.close()))
  } finally {
    await server.stop()
  }
}

async function fill(serverUrl: string, rows: number): Promise<Filled> {
  const url = await createDatabase({ url: serverUrl })
  const database = await openDatabase({ dataDir: '/nowhere', databaseUrl: url })
  await migrateDatabase(database)
  const startMs = performance.now()
  const subject = await fillDatabase(url, { rows, accounts: Math.max(1000, Math.round(rows / 1000)) })
  print(`${rows} rows of the ledger made in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
  return { url, rows, database, subject }
}

/**
 * Prints each query with what it read. Returns whether no query scanned a large table or read more buffers than its
 * limit.
 */
async function judgeQueries({ url, subject }: Filled): Promise<boolean> {
  const { database, takePlans } = openExplained(url)
  const large = await listLargeTables(database)
  const lines = [['query', 'part', 'statements', 'buffers', 'reads whole']]
  let isFine = true
  // Pages of new indexes are full, and the first rows split them.
  for (const { run } of listQueries(subject)) await run(database)
  for (const { name, part, run } of listQueries(subject)) {
    takePlans()
    await run(database)
    const plans = takePlans()
    const buffers = plans.map(countBuffers).reduce((sum, count) => sum + count, 0)
    const whole = plans.flatMap(findWholeReads).filter(read => large.has(read.split(' ')[0] ?? ''))
    if (whole.length > 0 || buffers > MOST_BUFFERS[part]) isFine = false
    lines.push([
      name,
      part,
      String(plans.length),
      against(buffers, MOST_BUFFERS[part], 0),
      whole.length > 0 ? `${whole.join(', ')}!` : '–',
    ])
  }
  await database.close()
  print('\nWhat each query reads, in buffers of 8 KB, with those of triggers and foreign keys')
  printTable(lines)
  return isFine
}

async function listLargeTables(database: Database): Promise<Set<string>> {
  const tables = await database.rows<{ name: string }>(
    sql`select relname::text as name from pg_class where relkind = 'r' and reltuples > ${LARGE_TABLE_ROWS}`,
  )
  return new Set(tables.map(table => table.name))
}

/** Sends requests in alternation, one after the other on one instance. Returns whether the medians meet the goal. */
async function compareCalls(small: Filled, large: Filled): Promise<boolean> {
  const times = new Map([small, large].map(filled => [filled, [] as number[]]))
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const filled of round % 2 === 0 ? [small, large] : [large, small]) {
      const durationsMs = await timeCalls(filled)
      if (round >= 0) times.get(filled)?.push(...durationsMs)
    }
  }
  const inside = new Map<Filled, number[]>()
  for (const filled of [small, large]) inside.set(filled, await measureInside(filled))
  const middle = (filled: Filled, of: Map<Filled, number[]>) => median(of.get(filled) ?? [])
  const change = middle(large, times) / middle(small, times)
  print(
    '\nKey, charge and settle of a call, one after the other; inside of the database as pg_stat_statements counts ' +
      'planning and execution',
  )
  printTable([
    ['rows', 'p50', 'p95', 'database p50', 'database p95'],
    ...[small, large].map(filled => [
      String(filled.rows),
      ...[times, inside].flatMap(of => [middle(filled, of), quantile95(of.get(filled) ?? [])].map(formatMs)),
    ]),
  ])
  print(`p50 with ${large.rows} rows to p50 with ${small.rows}: ${against(change, MOST_CHANGE)}`)
  print(`milliseconds in the database, p50: ${against(middle(large, inside), MOST_DATABASE_MS)}`)
  return change <= MOST_CHANGE && middle(large, inside) <= MOST_DATABASE_MS
}

async function timeCalls({ database, rows }: Filled): Promise<number[]> {
  const durationsMs: number[] = []
  for (let call = 0; call < CALLS_A_ROUND; call += 1) {
    const startMs = performance.now()
    await makeCall(database, rows)
    durationsMs.push(performance.now() - startMs)
  }
  return durationsMs
}

/** The database work of a request, for one account of many. */
async function makeCall(database: Database, rows: number): Promise<void> {
  const ledger = createLedger({ database, verifiedOnly: true })
  const accounts = Math.max(1000, Math.round(rows / 1000))
  const accountId = String(1 + Math.floor(Math.random() * accounts))
  const requestId = randomUUID()
  await findKeyOwner(database, `hash ${accountId}`, ledger.grantTerms())
  await ledger.charge({ requestId, accountId })
  await ledger.settle([requestId])
}

/** Milliseconds of single requests inside the database, without the network. */
async function measureInside({ url, database, rows }: Filled): Promise<number[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const durationsMs: number[] = []
  try {
    await client`create extension if not exists pg_stat_statements`
    for (let call = 0; call < 300; call += 1) {
      await client`select pg_stat_statements_reset()`
      await makeCall(database, rows)
      const [found] = await client<{ ms: number }[]>`
        select coalesce(sum(total_exec_time + total_plan_time), 0)::double precision as ms from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'`
      durationsMs.push(found?.ms ?? 0)
    }
  } finally {
    await client.end()
  }
  return durationsMs
}

/** Sums up the first third of the ledger, for at most 20 seconds, while requests run. */
async function measureRetention({ database, rows }: Filled): Promise<void> {
  const retention = createLedgerRetention({ database, days: 800 })
  const durationsMs: number[] = []
  const startMs = performance.now()
  const isOver = () => performance.now() - startMs > 20_000
  let carried = 0
  const carrying = (async () => {
    for (;;) {
      const round = await retention.run(isOver)
      carried += round
      if (round === 0 || isOver()) return
    }
  })()
  let isCarrying = true
  void carrying.finally(() => (isCarrying = false))
  while (isCarrying) {
    const callMs = performance.now()
    await makeCall(database, rows)
    durationsMs.push(performance.now() - callMs)
  }
  await carrying
  const seconds = (performance.now() - startMs) / 1000
  print(
    `\nCarried forward: ${carried} entries in ${seconds.toFixed(1)} s; calls meanwhile p50 ` +
      `${formatMs(median(durationsMs))}, p95 ${formatMs(quantile95(durationsMs))}`,
  )
}

function quantile95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}

await main()
