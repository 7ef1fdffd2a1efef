import { readdirSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { migrateDatabase } from '../../db/migrate'
import { users } from '../../db/schema'
import { openDatabaseProxy } from '../support/database-proxy'
import { createDatabase, startPostgres, type TestPostgres } from '../support/postgres'

const MIGRATIONS = readdirSync('db/migrations').filter(name => name.endsWith('.sql')).length

let server: TestPostgres
const opened: Database[] = []
beforeAll(async () => {
  server = await startPostgres()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(database => database.close()))
})
afterAll(() => server.stop())

const open = async (databaseUrl: string, statementTimeoutMs?: number) => {
  const database = await openDatabase({ dataDir: '/nowhere', databaseUrl, statementTimeoutMs })
  opened.push(database)
  return database
}
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a Postgres server', () => {
  it('is migrated once if several instances start at the same moment', async () => {
    const url = await createDatabase(server)
    const instances = await Promise.all(Array.from({ length: 5 }, () => open(url)))
    await Promise.all(instances.map(migrateDatabase))
    const [one] = instances
    const applied = await one?.rows(sql`select hash from drizzle.__drizzle_migrations`)
    expect(applied).toHaveLength(MIGRATIONS)
    await Promise.all(instances.map(migrateDatabase))
    expect(await one?.rows(sql`select hash from drizzle.__drizzle_migrations`)).toHaveLength(MIGRATIONS)
  })

  it('is unavailable if nothing listens, and available as soon as something does', async () => {
    const url = await createDatabase(server)
    const proxy = await openDatabaseProxy(url)
    const database = await open(proxy.url)
    await migrateDatabase(database)
    await proxy.refuse()
    for (let round = 0; round < 3; round += 1) {
      expect(isDatabaseUnavailable(await problemOf(database.ping()))).toBe(true)
      expect(isDatabaseUnavailable(await problemOf(database.drizzle.select().from(users)))).toBe(true)
      expect(isDatabaseUnavailable(await problemOf(database.transaction(queries => queries.rows(sql`select 1`))))).toBe(
        true,
      )
    }
    await proxy.pass()
    await database.ping()
    expect(await database.drizzle.select().from(users)).toEqual([])
    await proxy.close()
  })

  it('is unavailable if it hangs: every statement fails, including those that wait for a connection, and it recovers', async () => {
    const url = await createDatabase(server)
    const proxy = await openDatabaseProxy(url)
    const database = await open(proxy.url, 2000)
    await migrateDatabase(database)
    await database.rows(sql`insert into users (email) values ('there@example.test')`)
    proxy.hang()
    const problems = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        problemOf(
          index % 3 === 0
            ? database.drizzle.select().from(users)
            : index % 3 === 1
              ? database.rows(sql`select 1`)
              : database.transaction(queries => queries.rows(sql`select 1`)),
        ),
      ),
    )
    expect(problems.map(isDatabaseUnavailable)).toEqual(Array.from({ length: 40 }, () => true))
    await proxy.pass()
    expect(await database.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(await database.drizzle.select({ at: users.createdAt }).from(users)).toEqual([{ at: expect.any(Date) }])
    await proxy.close()
  })

  it('is marked as not responding until it responds again', async () => {
    const url = await createDatabase(server)
    const proxy = await openDatabaseProxy(url)
    const database = await open(proxy.url, 2000)
    await database.ping()
    const before = performance.now()
    expect(database.hasStalledSince?.(before)).toBe(false)
    proxy.hang()
    await problemOf(database.ping())
    expect([database.hasStalledSince?.(before), database.hasStalledSince?.(performance.now())]).toEqual([true, false])
    await proxy.pass()
    await database.ping()
    expect(database.hasStalledSince?.(before)).toBe(false)
    await proxy.close()
  })

  it('is unavailable if its process is stopped, and continues with it', async () => {
    const url = await createDatabase(server)
    const database = await open(url, 2000)
    await database.ping()
    server.signal('SIGSTOP')
    try {
      expect(isDatabaseUnavailable(await problemOf(database.ping()))).toBe(true)
      expect(isDatabaseUnavailable(await problemOf(database.ping()))).toBe(true)
    } finally {
      server.signal('SIGCONT')
    }
    await database.ping()
  })

  it('ends a statement that takes too long', async () => {
    const database = await open(await createDatabase(server), 2000)
    expect(isDatabaseUnavailable(await problemOf(database.rows(sql`select 1 as one from pg_sleep(20)`)))).toBe(true)
    await database.ping()
  })

  it('is not unavailable if a statement is wrong', async () => {
    const database = await open(await createDatabase(server))
    expect(isDatabaseUnavailable(await problemOf(database.rows(sql`select nothing from nowhere`)))).toBe(false)
    expect(isDatabaseUnavailable(await problemOf(database.transaction(() => Promise.reject(new Error('ours')))))).toBe(
      false,
    )
  })

  it('rolls back a transaction whose work fails, and frees its connection', async () => {
    const database = await open(await createDatabase(server))
    await migrateDatabase(database)
    for (let round = 0; round < 25; round += 1) {
      const work = database.transaction(async queries => {
        await queries.rows(sql`insert into users (email) values ('undone@example.test')`)
        throw new Error('changed my mind')
      })
      await expect(work).rejects.toThrow('changed my mind')
    }
    expect(await database.rows(sql`select 1 from users`)).toEqual([])
  })
})
