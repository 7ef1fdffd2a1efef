import { openDatabase } from '../db/client'
import type { Database } from '../db/database'
import { isDatabaseAway } from '../db/database-away'
import { migrateDatabase } from '../db/migrate'
import { createEngines } from '../engines/run'
import { parseAccountRequest, runAccountCommand } from './accounts/account-command'
import { requireAuthSecret } from './accounts/auth-secret'
import { type Config, getConfig } from './config'
import { getLedger } from './credits/ledger'
import { startSweeper } from './credits/sweeper'
import { getDatabase, placeDatabase } from './database'
import { ENGINES } from './engines'
import { getLeases } from './http/instances'
import { describeError, getLog } from './log'
import { placeSingleton, singleton } from './registry'
import { startOperatorSocket } from './start/operator-socket'

interface BootSettings {
  /** Path of the bundled engine process. */
  enginePath: string
}

/**
 * Opens the database, brings it up to date, refunds what an earlier process left open, starts the engines and the sweep,
 * and places everything in the registry, with `shutdown` to end it all. Does this once, however often it is called.
 * Rejects with an Error whose message tells the operator what is missing or in the way.
 */
export function boot(settings: BootSettings): Promise<void> {
  return singleton('boot', () => start(settings))
}

async function start({ enginePath }: BootSettings): Promise<void> {
  const config = getConfig()
  const { dataDir, ENGINES: count, ENGINE_RSS_MB, MAX_WAITING } = config
  requireAuthSecret(config)
  const database = placeDatabase(await openMigrated(config))
  const refunded = await getLedger().sweep(database.kind === 'pglite' ? 'all' : 'expired')
  if (refunded > 0) getLog().warn({ refunded }, 'refunded calls that an earlier process left open')
  const engines = placeSingleton(ENGINES, createEngines({ childPath: enginePath, count, maxRssBytes: ENGINE_RSS_MB * 2 ** 20, maxQueue: MAX_WAITING }))
  const sweeper = startSweeper({
    ledger: getLedger(),
    database,
    onError: error => getLog().warn({ cause: describeError(error) }, 'sweeping failed; it will be tried again'),
  })
  // Nobody else can open an embedded database while this process has it, so it answers operators itself.
  const operators = database.kind === 'pglite' ? await startOperatorSocket(dataDir, answerOperator) : undefined
  await engines.ready()

  placeSingleton('shutdown', async () => {
    await engines.close()
    await operators?.close()
    await getLeases().close()
    await sweeper.stop()
    await database.close()
  })
}

async function openMigrated({ dataDir, DATABASE_URL }: Config): Promise<Database> {
  try {
    const database = await openDatabase({ dataDir, ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }) })
    await migrateDatabase(database)
    return database
  } catch (error) {
    if (DATABASE_URL === undefined || !isDatabaseAway(error)) throw error
    const { host } = new URL(DATABASE_URL) // nothing else of it: it holds a password
    throw new Error(`The database at ${host} cannot be reached; check DATABASE_URL and that the server runs.`, { cause: error })
  }
}

function answerOperator(request: unknown): Promise<unknown> {
  return runAccountCommand(parseAccountRequest(request), { database: getDatabase(), ledger: getLedger() })
}
