import { openDatabase } from '../db/client'
import { migrateDatabase } from '../db/migrate'
import { createEngines } from '../engines/run'
import { parseAccountRequest, runAccountCommand } from './accounts/account-command'
import { getConfig } from './config'
import { getLedger } from './credits/ledger'
import { getDatabase, placeDatabase } from './database'
import { ENGINES } from './engines'
import { getLeases } from './http/instances'
import { describeError, getLog } from './log'
import { placeSingleton, singleton } from './registry'
import { startOperatorSocket } from './start/operator-socket'

const SWEEP_EVERY_MS = 10_000
const PURGE_EVERY_MS = 10 * 60_000

interface BootSettings {
  /** Path of the bundled engine process. */
  enginePath: string
}

/**
 * Opens the database, brings it up to date, refunds what an earlier process left open, starts the engines and the sweep,
 * and places everything in the registry, with `shutdown` to end it all. Does this once, however often it is called.
 */
export function boot(settings: BootSettings): Promise<void> {
  return singleton('boot', () => start(settings))
}

async function start({ enginePath }: BootSettings): Promise<void> {
  const { dataDir, DATABASE_URL, ENGINES: count, ENGINE_RSS_MB, MAX_WAITING } = getConfig()
  const database = placeDatabase(await openDatabase({ dataDir, ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }) }))
  await migrateDatabase(database)
  const refunded = await getLedger().sweep(database.kind === 'pglite' ? 'all' : 'expired')
  if (refunded > 0) getLog().warn({ refunded }, 'refunded calls that an earlier process left open')
  const engines = placeSingleton(ENGINES, createEngines({ childPath: enginePath, count, maxRssBytes: ENGINE_RSS_MB * 2 ** 20, maxQueue: MAX_WAITING }))
  const timers = [
    startTask('sweeping expired leases', SWEEP_EVERY_MS, () => getLedger().sweep('expired')),
    startTask('purging old records', PURGE_EVERY_MS, () => getLedger().purge()),
  ]
  // Nobody else can open an embedded database while this process has it, so it answers operators itself.
  const operators = database.kind === 'pglite' ? await startOperatorSocket(dataDir, answerOperator) : undefined
  await engines.ready()

  placeSingleton('shutdown', async () => {
    for (const timer of timers) clearInterval(timer)
    await engines.close()
    await operators?.close()
    await getLeases().close()
    await database.close()
  })
}

function answerOperator(request: unknown): Promise<unknown> {
  return runAccountCommand(parseAccountRequest(request), { database: getDatabase(), ledger: getLedger() })
}

/** Repeats a task; a failure is logged and the next round tries again. */
function startTask(name: string, everyMs: number, task: () => Promise<unknown>): NodeJS.Timeout {
  return setInterval(() => {
    task().catch((error: unknown) => getLog().warn({ cause: describeError(error) }, `${name} failed; it will be tried again`))
  }, everyMs).unref()
}
