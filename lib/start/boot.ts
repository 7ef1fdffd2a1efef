import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { explainRefusedSettings, isDatabaseUnavailable } from '../../db/database-unavailable'
import { migrateDatabase } from '../../db/migrate'
import { releaseNotices } from '../../db/queries/notices'
import type { EngineError } from '../../engines/errors'
import { createEngines, createWebPrinter } from '../../engines/create-engines'
import type { Engines, WebPrinter } from '../../engines/create-engines'
import { parseAccountRequest, runAccountCommand } from '../accounts/account-command'
import { requireAuthSecret } from '../accounts/session/auth-secret'
import { canVerifyAddresses } from '../accounts/sign-in/sign-in-ways'
import { getRequestLog } from '../requests/request-log'
import { type Config, getConfig } from '../config'
import { getLedger } from '../credits/ledger'
import { startSweeper } from '../credits/sweeper'
import { getDatabase, placeDatabase } from '../database'
import { ENGINES, PAGES } from '../running-engines'
import { getLeases, getOutputMemory } from '../http/limits/process-limits'
import { GUEST_SLOTS } from '../http/limits/request-queue'
import { describeError, getLog } from '../log'
import { sendDueNotices } from '../notices/send-due-notices'
import { runReconcileCommand, isReconcileRequest } from '../purchases/reconcile-command'
import { logReconciliation, reconcileNightly } from '../purchases/reconcile-nightly'
import { placeSingleton, singleton } from '../registry'
import { startOperatorSocket } from './operator-socket'
import { createSpoolFolder } from './spool-folder'
import { waitForDatabase } from './wait-for-database'

/** The longest wait for a database server that isn't reachable when the service starts. */
const DATABASE_WAIT_MS = 20_000

interface BootSettings {
  /** Path of the bundled engine process. */
  enginePath: string
  /** Path of the bundled process that prints pages (`engines/webpage/browser/child.ts`). */
  pagesPath: string
  /** Path of the bundled process that makes the browser's fonts (`engines/webpage/browser-fonts/make-fonts.ts`). */
  makeFontsPath: string
}

/**
 * Opens the database, migrates it, refunds open requests of an earlier process, starts the engines and the sweep, and
 * stores everything in the registry, with `shutdown` to stop it all. Runs only once, however often it is called.
 * Rejects with an Error whose message tells the operator what is missing or in the way.
 */
export function boot(settings: BootSettings): Promise<void> {
  return singleton('boot', () => start(settings))
}

async function start({ enginePath, pagesPath, makeFontsPath }: BootSettings): Promise<void> {
  const config = getConfig()
  const { dataDir, ENGINES: count, ENGINE_RSS_MB, MAX_WAITING } = config
  requireAuthSecret(config)
  const database = placeDatabase(await openMigrated(config))
  const refunded = await getLedger().sweep(database.kind === 'pglite' ? 'all' : 'expired')
  if (refunded > 0) getLog().warn({ refunded }, 'refunded requests that an earlier process left open')
  if (database.kind === 'pglite') await releaseNotices(database)
  const spool = await createSpoolFolder(dataDir)
  const engines = placeSingleton(
    ENGINES,
    createEngines({
      childPath: enginePath,
      count,
      maxRssBytes: ENGINE_RSS_MB * 2 ** 20,
      maxQueue: MAX_WAITING,
      spoolFolder: spool.path,
      mayHold: accountId => getOutputMemory().mayHold(accountId),
      onCrash: recordCrash,
    }),
  )
  const sweeper = startSweeper({
    ledger: getLedger(),
    database,
    requestLogDays: config.CALL_LOG_DAYS,
    ledgerDays: config.LEDGER_DAYS,
    renew: () => getLeases().renew(),
    nightly: reconcileNightly,
    notices: isStopping => sendDueNotices(database, isStopping),
    noticesEveryMs: config.NOTICES_EVERY_MS,
    onError: error => getLog().warn({ cause: describeError(error) }, 'the periodic cleanup failed, retrying'),
  })
  // No other process can open the embedded database, so this process handles operators' requests itself.
  const operators = database.kind === 'pglite' ? await startOperatorSocket(dataDir, handleOperatorRequest) : undefined
  await engines.ready()
  // The page printer starts in parallel with the engines.
  const pages = placeSingleton(
    PAGES,
    startPages(config, { engines, pagesPath, makeFontsPath, spoolFolder: spool.path }),
  )
  // A browser that the operator configured must work.
  if (config.PUPPETEER_EXECUTABLE_PATH !== undefined) await assertBrowser(pages)

  placeSingleton('shutdown', async () => {
    await pages.close()
    await engines.close()
    spool.remove()
    await operators?.close()
    await getLeases().close()
    await getRequestLog().close()
    await sweeper.stop()
    await database.close()
  })
}

interface PagesSettings extends Pick<BootSettings, 'pagesPath' | 'makeFontsPath'> {
  engines: Engines
  spoolFolder: string
}

/** The browser starts in the background. Until it is ready, requests for web pages wait. */
function startPages(config: Config, { engines, pagesPath, makeFontsPath, spoolFolder }: PagesSettings): WebPrinter {
  const {
    CACHE_DIR,
    PUPPETEER_EXECUTABLE_PATH,
    BROWSER_WS_ENDPOINT,
    EGRESS_HOST,
    BROWSER_SANDBOX,
    DATABASE_URL,
    WEB_PAGES,
    WEB_PAGE_RSS_MB,
    WEB_TIMEOUT_MS,
    OPEN_TIMEOUT_MS,
    TOOL_TIMEOUT_MS,
  } = config
  return createWebPrinter({
    cacheDir: CACHE_DIR,
    executablePath: PUPPETEER_EXECUTABLE_PATH,
    endpoint: BROWSER_WS_ENDPOINT,
    egressHost: EGRESS_HOST,
    searchPath: config.searchPath,
    mayLackSandbox: (BROWSER_SANDBOX ?? (DATABASE_URL === undefined ? 'preferred' : 'required')) === 'preferred',
    mostPages: WEB_PAGES + GUEST_SLOTS,
    mostPageBytes: WEB_PAGE_RSS_MB * 2 ** 20,
    childPath: pagesPath,
    makeFontsPath,
    spoolFolder,
    maxOutputBytes: config.MAX_OUTPUT_BYTES,
    allowed: config.allowedHosts,
    mostMs: WEB_TIMEOUT_MS,
    finish: (job, page) =>
      engines.run(job, { ...page, openTimeoutMs: OPEN_TIMEOUT_MS, toolTimeoutMs: TOOL_TIMEOUT_MS }),
    onNotice({ isTrouble, isRoutine = false, message, cause }) {
      const details = cause === undefined ? {} : { cause: describeError(cause) }
      if (isRoutine) getLog().info(details, message)
      else if (isTrouble) getLog().error(details, message)
      else getLog().warn(details, message)
    },
  })
}

async function assertBrowser(pages: WebPrinter): Promise<void> {
  try {
    await pages.ready()
  } catch (error) {
    const { cause } = error as { cause?: unknown } // The error is an EngineError.
    throw new Error(
      cause instanceof Error ? cause.message : 'The browser at PUPPETEER_EXECUTABLE_PATH did not start.',
      { cause: error },
    )
  }
}

async function openMigrated({ dataDir, DATABASE_URL, DATABASE_POOLING }: Config): Promise<Database> {
  try {
    const database = await openDatabase({
      dataDir,
      ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL, pooling: DATABASE_POOLING }),
    })
    const { unknown } = await waitForDatabase(
      async () => {
        await database.ping()
        return migrateDatabase(database)
      },
      {
        mostMs: DATABASE_URL === undefined ? 0 : DATABASE_WAIT_MS, // The embedded database starts in this process.
        onWait: error => getLog().warn({ cause: describeError(error) }, 'waiting for the database'),
      },
    )
    if (unknown > 0)
      getLog().warn(
        { unknown },
        'A newer version of Sheaf migrated the database. This version works until the update is complete. Deploy the ' +
          'newer version, or restore the backup from before the update.',
      )
    return database
  } catch (error) {
    const refused = explainRefusedSettings(error)
    if (refused !== undefined) throw new Error(refused, { cause: error })
    if (DATABASE_URL === undefined || !isDatabaseUnavailable(error)) throw error
    const { host } = new URL(DATABASE_URL) // Only the host, because the URL contains a password.
    throw new Error(`The database at ${host} isn't reachable. Check DATABASE_URL and that the server is running.`, {
      cause: error,
    })
  }
}

async function handleOperatorRequest(request: unknown): Promise<unknown> {
  if (isReconcileRequest(request)) {
    const reconciliation = await runReconcileCommand(request, getDatabase())
    logReconciliation(reconciliation)
    return reconciliation
  }
  return runAccountCommand(parseAccountRequest(request), {
    database: getDatabase(),
    ledger: getLedger(),
    canVerify: canVerifyAddresses(),
  })
}

/** Logs the cause of a crash. A request that fails because of the crash has its own log line. */
function recordCrash(error: EngineError, isFinal: boolean): void {
  getLog().warn(
    { cause: describeError(error.cause) },
    isFinal
      ? 'an engine stopped during a job, for the second time'
      : 'an engine stopped during a job, the job is retried once',
  )
}
