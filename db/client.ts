import type { Database } from './database'
import type { LockPurpose } from './lock-file'
import { openPglite } from './pglite'
import { openPostgres } from './postgres'
import type { Pooling } from './postgres-pool'

interface DatabaseSettings {
  /** Where the embedded database lives, under `db`; made when missing, readable by its owner only. */
  dataDir: string
  /** A Postgres server to use instead. */
  databaseUrl?: string
  /** `transaction` where the address is that of a pooler in transaction mode. */
  pooling?: Pooling
  /** A command holds an embedded database only for a moment, so that others wait for it. */
  purpose?: LockPurpose
  /** After how long a statement that is not answered fails. */
  statementTimeoutMs?: number
}

/**
 * Opens the database. The embedded one throws FolderLockedError when another live process has it open; a Postgres
 * server is connected to on first use, and whatever fails because it is away is known by `isDatabaseAway`.
 */
export function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataDir, databaseUrl, purpose = 'service', statementTimeoutMs = 4_500, pooling = 'session' } = settings
  if (databaseUrl !== undefined) return Promise.resolve(openPostgres(databaseUrl, statementTimeoutMs, pooling))
  return openPglite(dataDir, purpose)
}
