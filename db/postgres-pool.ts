import postgres from 'postgres'
import type { Connections } from './database'
import { DatabaseTimeoutError } from './database-unavailable'
import { createConcurrencySlots } from './concurrency-slots'

const CONNECTIONS = 10
const CONNECT_TIMEOUT_S = 4
const LONGEST_BACKOFF_S = 1

/**
 * The kind of connection to the server. A pooler in transaction mode, such as PgBouncer, may use another connection for
 * every transaction. So prepared statements and settings don't persist. https://www.pgbouncer.org/features.html
 */
export type Pooling = 'session' | 'transaction'

export interface Pool {
  /** Stays the same object while its connections are replaced. */
  client: postgres.Sql
  connections(): Connections
  /**
   * Returns whether a statement timed out at that time of `performance.now()` or later, and no statement has completed
   * since.
   */
  hasStalledSince(ms: number): boolean
  close(): Promise<void>
}

/**
 * Creates a pool in which every statement and transaction ends within `timeoutMs`, including the wait for a connection.
 * The server's statement_timeout doesn't help when the server or the network hangs. In that case the whole pool is
 * discarded, so that nothing waits for its connections, and the next statement reconnects.
 *
 * A connection gets one statement at a time. Otherwise postgres.js would queue others behind one that waits for a row
 * lock.
 */
export function createPool(url: string, timeoutMs: number, pooling: Pooling): Pool {
  const connect = () => connectTo(url, timeoutMs, pooling)
  const first = connect()
  const slots = createConcurrencySlots(CONNECTIONS)
  let current = first
  let isClosed = false
  let stalledAtMs = -Infinity

  const replacePool = (pool: postgres.Sql) => {
    if (pool !== current || isClosed) return
    current = connect()
    Object.assign(current.options.parsers, first.options.parsers) // drizzle sets its own parsers on the client that it gets.
    Object.assign(current.options.serializers, first.options.serializers)
    void pool.end({ timeout: 0 }).catch(() => {}) // Its statements have been rejected already.
  }

  const withTimeout = <T>(start: (pool: postgres.Sql) => PromiseLike<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      let pool: postgres.Sql | undefined
      const timer = setTimeout(() => {
        stalledAtMs = performance.now()
        reject(new DatabaseTimeoutError(`The database did not respond within ${timeoutMs} ms`))
        if (pool === undefined) isLate = true
        else replacePool(pool)
      }, timeoutMs)
      let isLate = false
      const run = async () => {
        if (isLate) return
        pool = current
        try {
          resolve(await start(pool))
          stalledAtMs = -Infinity
        } catch (error) {
          reject(error)
        } finally {
          clearTimeout(timer)
        }
      }
      void slots.run(run)
    })

  const client = new Proxy(first, {
    get(_, name) {
      if (name === 'unsafe')
        return (...statement: Parameters<postgres.Sql['unsafe']>) => createLazyStatement(withTimeout, statement)
      if (name === 'begin')
        return <T>(work: (transaction: postgres.TransactionSql) => Promise<T>) => withTimeout(pool => pool.begin(work))
      return Reflect.get(current, name)
    },
  })
  const close = async () => {
    isClosed = true
    await current.end({ timeout: 5 })
  }
  return {
    client,
    connections: () => ({ most: CONNECTIONS, ...slots.status() }),
    hasStalledSince: ms => stalledAtMs >= ms,
    close,
  }
}

type RunWithTimeout = <T>(start: (pool: postgres.Sql) => PromiseLike<T>) => Promise<T>

/** Returns a statement as drizzle expects it: it runs when it is awaited, and values() returns rows as arrays. */
function createLazyStatement(withTimeout: RunWithTimeout, statement: Parameters<postgres.Sql['unsafe']>) {
  const whenAwaited = <T>(start: (pool: postgres.Sql) => PromiseLike<T>): PromiseLike<T> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- a statement that runs when it is awaited is what drizzle builds on
    then: (resolve, reject) => withTimeout(start).then(resolve, reject),
  })
  return Object.assign(
    whenAwaited(pool => pool.unsafe(...statement)),
    { values: () => whenAwaited(pool => pool.unsafe(...statement).values()) },
  )
}

function connectTo(url: string, timeoutMs: number, pooling: Pooling): postgres.Sql {
  return postgres(url, {
    max: CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT_S,
    idle_timeout: 60,
    backoff: attempt => Math.min(0.05 * 2 ** attempt, LONGEST_BACKOFF_S),
    onnotice: () => {},
    prepare: pooling === 'session',
    connection: {
      application_name: 'sheaf',
      // PgBouncer refuses a connection with settings that it doesn't know. The role may have these settings instead.
      ...(pooling === 'session'
        ? { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: 2 * timeoutMs }
        : {}),
    },
  })
}
