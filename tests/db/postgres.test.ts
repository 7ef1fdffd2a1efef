import { readdirSync } from 'node:fs'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { isDatabaseUnavailable } from '../../db/database-unavailable'
import { migrateDatabase } from '../../db/migrate'
import { users } from '../../db/schema'
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
    const way = await startWay(url)
    const database = await open(way.url)
    await migrateDatabase(database)
    await way.close()
    for (let round = 0; round < 3; round += 1) {
      expect(isDatabaseUnavailable(await problemOf(database.ping()))).toBe(true)
      expect(isDatabaseUnavailable(await problemOf(database.drizzle.select().from(users)))).toBe(true)
      expect(isDatabaseUnavailable(await problemOf(database.transaction(queries => queries.rows(sql`select 1`))))).toBe(
        true,
      )
    }
    await way.open()
    await database.ping()
    expect(await database.drizzle.select().from(users)).toEqual([])
    await way.close()
  })

  it('is unavailable if it hangs: every statement fails, including those that wait for a connection, and it recovers', async () => {
    const url = await createDatabase(server)
    const way = await startWay(url)
    const database = await open(way.url, 2000)
    await migrateDatabase(database)
    await database.rows(sql`insert into users (email) values ('there@example.test')`)
    way.hang()
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
    way.goOn()
    expect(await database.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect(await database.drizzle.select({ at: users.createdAt }).from(users)).toEqual([{ at: expect.any(Date) }])
    await way.close()
  })

  it('is marked as not responding until it responds again', async () => {
    const url = await createDatabase(server)
    const way = await startWay(url)
    const database = await open(way.url, 2000)
    await database.ping()
    const before = performance.now()
    expect(database.hasStalledSince?.(before)).toBe(false)
    way.hang()
    await problemOf(database.ping())
    expect([database.hasStalledSince?.(before), database.hasStalledSince?.(performance.now())]).toEqual([true, false])
    way.goOn()
    await database.ping()
    expect(database.hasStalledSince?.(before)).toBe(false)
    await way.close()
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

/** A proxy to a server that can be closed, or hang silently. */
async function startWay(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isHanging = false
  const join = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.on('data', part => {
        if (!isHanging) to.write(part)
      })
    }
  }
  let server: Server
  const listen = (port: number) =>
    new Promise<number>(resolve => {
      server = createServer(join).listen(port, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  const port = await listen(0)
  const own = new URL(url)
  own.port = String(port)
  return {
    url: own.href,
    hang: () => {
      isHanging = true
    },
    goOn: () => {
      isHanging = false
    },
    open: () => listen(port),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
