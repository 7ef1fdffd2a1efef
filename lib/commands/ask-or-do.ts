import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { explainRefusedSettings, isDatabaseUnavailable } from '../../db/database-unavailable'
import { isFolderLocked } from '../../db/lock-file'
import { migrateDatabase } from '../../db/migrate'
import type { Pooling } from '../../db/postgres-pool'
import { askOperatorSocket } from '../start/operator-socket'

/** How long to wait for a server that holds the embedded database but doesn't respond, because it starts or stops. */
const PATIENCE_MS = 60_000
const RETRY_MS = 250

/** The location of the database for an operator's command. */
export interface OperatorTarget {
  dataDir: string
  databaseUrl?: string
  /** The kind of connection behind the URL. */
  pooling?: Pooling
  patienceMs?: number
}

/**
 * Does `work` directly on a Postgres database. An embedded database can be open in one process only. If a Sheaf server
 * has it open, sends `request` to that server, which does the same work. Otherwise opens it and does `work`.
 */
export async function askOrDo(
  request: unknown,
  target: OperatorTarget,
  work: (database: Database) => Promise<unknown>,
): Promise<unknown> {
  if (target.databaseUrl !== undefined) return runDirectly(target, work)
  const deadline = Date.now() + (target.patienceMs ?? PATIENCE_MS)
  for (;;) {
    const reply = await askOperatorSocket(target.dataDir, request)
    if (reply !== undefined) return reply
    try {
      return await runDirectly(target, work)
    } catch (error) {
      if (!isFolderLocked(error) || Date.now() > deadline) throw error
    }
    await wait(RETRY_MS)
  }
}

async function runDirectly(
  { dataDir, databaseUrl, pooling }: OperatorTarget,
  work: (database: Database) => Promise<unknown>,
): Promise<unknown> {
  const database = await openDatabase({ dataDir, databaseUrl, pooling, purpose: 'command' })
  try {
    await migrateDatabase(database)
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Returns the message of an error for an operator. */
export function messageOf(error: unknown): string {
  const refused = explainRefusedSettings(error)
  if (refused !== undefined) return refused
  if (isDatabaseUnavailable(error))
    return "The database isn't reachable. Check DATABASE_URL and that the database server is running."
  return error instanceof Error ? (error.message.split('\nparams:')[0] ?? '') : String(error)
}
