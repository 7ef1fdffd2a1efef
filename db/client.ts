import type { Database } from './database'
import type { LockPurpose } from './lock-file'
import { openPglite } from './pglite'
import { openPostgres } from './postgres'
import type { Pooling } from './postgres-pool'

interface DatabaseSettings {
  /**
   * Folder of the embedded database, which is in its subfolder `db`. Created if missing, readable only by its owner.
   */
  dataDir: string
  /** URL of a Postgres server to use instead. */
  databaseUrl?: string
  /** `transaction` if the URL leads to a pooler in transaction mode. */
  pooling?: Pooling
  /** A command holds an embedded database only for a moment, so others wait for it. */
  purpose?: LockPurpose
  /** Time after which a statement without a response fails. */
  statementTimeoutMs?: number
}

/**
 * Opens the database. For the embedded database, throws FolderLockedError when another live process has it open. A
 * Postgres server is connected to on first use. `isDatabaseUnavailable` recognizes errors of an unavailable server.
 */
export function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { dataDir, databaseUrl, purpose = 'service', statementTimeoutMs = 4_500, pooling = 'session' } = settings
  if (databaseUrl !== undefined) return Promise.resolve(openPostgres(databaseUrl, statementTimeoutMs, pooling))
  return openPglite(dataDir, purpose)
}
