import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { explainRefusedSettings } from '../../db/database-unavailable'
import { findMigrations, migrateDatabase } from '../../db/migrate'
import { createLedger } from '../../lib/credits/ledger'
import { createSharedDatabase } from '../support/shared-services'

let older: string
const opened: Database[] = []
beforeAll(() => {
  older = copyAllButLast()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(database => database.close()))
})
afterAll(() => rmSync(older, { recursive: true, force: true }))

const open = async (databaseUrl: string, pooling?: 'transaction') => {
  const database = await openDatabase({
    dataDir: '/nowhere',
    databaseUrl,
    ...(pooling === undefined ? {} : { pooling }),
  })
  opened.push(database)
  return database
}

/** The migrations of the previous version. */
function copyAllButLast(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-older-'))
  cpSync(findMigrations(), folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] }
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, -1) }))
  return folder
}

/** Sends requests on an account from several instances until `work` is done. Throws the first error. */
async function chargeDuring(
  databases: Database[],
  work: () => Promise<unknown>,
): Promise<{ calls: number; isExact: boolean }> {
  const [first] = databases
  const [account] =
    (await first?.rows<{ id: string }>(
      sql`insert into users (email, balance, granted_month) values ('a@example.test', 0, '9999-12') returning id`,
    )) ?? []
  const accountId = account?.id ?? ''
  const ledgers = databases.map(database => createLedger({ database, verifiedOnly: false }))
  await ledgers[0]?.adjust(accountId, 1_000_000, 'test')
  let isDone = false
  let calls = 0
  const calling = ledgers.map(async ledger => {
    while (!isDone) {
      const requestId = randomUUID()
      await ledger.charge({ requestId, accountId })
      await (calls % 3 === 0 ? ledger.refund(requestId) : ledger.settle([requestId]))
      calls += 1
    }
  })
  try {
    await work()
  } finally {
    isDone = true
  }
  await Promise.all(calling)
  const [sum] =
    (await first?.rows<{ isExact: boolean }>(
      sql`select (select sum(delta) from ledger_entries where account_id = ${accountId}) = balance as "isExact" from users where id = ${accountId}`,
    )) ?? []
  return { calls, isExact: sum?.isExact ?? false }
}

describe('versions side by side', () => {
  it('continue to charge while several instances apply the newest migration at once', async () => {
    const url = await createSharedDatabase()
    const [one, two, three] = [await open(url), await open(url), await open(url)]
    await one.migrate(older)
    let reports: { applied: number }[] = []
    const { calls, isExact } = await chargeDuring([one, two], async () => {
      reports = await Promise.all([migrateDatabase(two), migrateDatabase(three), migrateDatabase(three)])
    })
    expect(reports.reduce((sum, { applied }) => sum + applied, 0)).toBe(1)
    expect(calls).toBeGreaterThan(0)
    expect(isExact).toBe(true)
  })

  it('do not stop requests while something such as a backup locks the tables that a migration changes', async () => {
    const url = await createSharedDatabase()
    const [one, two] = [await open(url), await open(url)]
    await one.migrate(older)
    const backup = postgres(url, { max: 1 })
    const { isExact } = await chargeDuring([one], async () => {
      let migrating: Promise<unknown> = Promise.resolve()
      await backup.begin(async transaction => {
        await transaction`lock table ledger_entries in access share mode`
        migrating = migrateDatabase(two)
        await transaction`select pg_sleep(3.5)`
      })
      expect(await migrating).toEqual({ applied: 1, unknown: 0 })
    })
    await backup.end()
    expect(isExact).toBe(true)
  })

  it("answer the previous version's queries for balances and histories", async () => {
    const database = await open(await createSharedDatabase())
    await migrateDatabase(database)
    await database.rows(sql`insert into users (id, email) values ('a', 'a@example.test')`)
    await database.rows(
      sql`insert into ledger_entries (account_id, kind, delta, balance, reference) values ('a', 'purchase', 5, 5, 'payment')`,
    )
    // This is the query in db/queries/history.ts at 0002_calls.
    expect(
      await database.rows(
        sql`select (select coalesce(sum(delta), 0)::int from ledger_entries where account_id = 'a' and kind in ('purchase', 'adjustment')) as booked from users where id = 'a'`,
      ),
    ).toEqual([{ booked: 5 }])
    expect(
      await database.rows(
        sql`select kind, delta, balance, call_id, month, note from ledger_entries left join calls on calls.id = call_id and calls.account_id = 'a' where ledger_entries.account_id = 'a' and ledger_entries.id < 100 order by ledger_entries.id desc limit 50`,
      ),
    ).toEqual([{ kind: 'purchase', delta: 5, balance: 5, call_id: null, month: null, note: null }])
  })

  it('are distinguished: an older version detects the newer database, and changes nothing', async () => {
    const database = await open(await createSharedDatabase())
    await migrateDatabase(database)
    expect(await database.migrate(older)).toEqual({ applied: 0, unknown: 1 })
    expect(await migrateDatabase(database)).toEqual({ applied: 0, unknown: 0 })
  })
})

describe('behind a pooler in transaction mode', () => {
  it('nothing is prepared or set on a connection, and everything works', async () => {
    const database = await open(await createSharedDatabase(), 'transaction')
    await migrateDatabase(database)
    const { isExact } = await chargeDuring([database], () => database.rows(sql`select pg_sleep(0.2) is null as slept`))
    expect(isExact).toBe(true)
    expect(await database.rows(sql`select name from pg_prepared_statements`)).toEqual([])
    expect(await database.rows(sql`select current_setting('statement_timeout') as timeout`)).toEqual([{ timeout: '0' }])
  })

  it('an operator who did not configure it gets an error with the setting', async () => {
    // PgBouncer 1.18 sends a message of type E, with severity, code and text.
    const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '']
      .map(field => `${field}\0`)
      .join('')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(fields.length + 4)
    const pooler = createServer(socket =>
      socket
        .on('error', () => {})
        .once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]))),
    )
    await new Promise<void>(resolve => pooler.listen(0, '127.0.0.1', resolve))
    const address = pooler.address()
    const database = await open(`postgres://sheaf@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/sheaf`)
    const problem = await database.ping().then(
      () => undefined,
      (error: unknown) => error,
    )
    pooler.close()
    expect(explainRefusedSettings(problem)).toContain('DATABASE_POOLING=transaction')
    expect(explainRefusedSettings(new Error('other'))).toBeUndefined()
  })
})
