import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { applyMigrations } from './apply-migrations'
import type { Database } from './database'
import { createKeyOwners } from './key-owners'
import { takeLock, type LockPurpose } from './lock-file'
import { createStatements, queryPlainly } from './pglite-statements'
import * as schema from './schema'
import { createConcurrencySlots } from './concurrency-slots'

/** Opens the embedded database under `dataDir`/db for this process alone. A second process would silently lose data. */
export async function openPglite(dataDir: string, purpose: LockPurpose): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const folder = join(dataDir, 'db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700) // PGlite makes its files readable by all users.
  const lock = await takeLock(join(dataDir, 'db.lock'), purpose)
  try {
    const client = await PGlite.create(folder)
    return buildDatabase(client, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

function buildDatabase(client: PGlite, release: () => void): Database {
  const handle = drizzle(client, { schema })
  const statements = createStatements(client)
  const taskQueue = createTaskQueue()
  const keyOwners = createKeyOwners({ isExact: true })
  return {
    kind: 'pglite',
    drizzle: handle,
    keyOwners,
    rows: statement => taskQueue.run(() => statements.rows(statement)),
    transaction: work =>
      taskQueue.run(() => client.transaction(transaction => work({ ...queryPlainly(transaction), keyOwners }))),
    migrate: folder =>
      taskQueue.run(() => client.transaction(transaction => applyMigrations(queryPlainly(transaction), folder))),
    ping: async () => {
      await client.query('select 1')
    },
    close: async () => {
      if (!client.closed) await client.close()
      release()
    },
  }
}

/**
 * Statements run on this thread, and a waiting statement starts before other work. After this time, other work runs.
 */
const MAX_BLOCKING_MS = 4

/** Runs one task at a time. Without pauses, a queue of tasks would block new connections and responses. */
function createTaskQueue(): { run<T>(work: () => Promise<T>): Promise<T> } {
  const slots = createConcurrencySlots(1)
  let lastPauseMs = 0
  return {
    run: work =>
      slots.run(async () => {
        const now = performance.now()
        if (now - lastPauseMs > MAX_BLOCKING_MS) {
          await setImmediate()
          lastPauseMs = performance.now()
        }
        return work()
      }),
  }
}
