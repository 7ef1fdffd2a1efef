import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountsOf, type Accounts } from './accounts'
import { makeDataDir } from './fresh-data-dir'

const projectFolder = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 300_000 // The first start builds the service.
const STOP_MS = 60_000
const KEPT_CHARACTERS = 100_000

export interface ServiceOptions {
  /** Variables of the service besides PORT, HOST and DATA_DIR. `undefined` leaves a variable at its default. */
  env?: Record<string, string | undefined>
  /** A Postgres database instead of the embedded one. Without it, TEST_DATABASE decides. */
  databaseUrl?: string
  /**
   * Whether to start without an embedded database. Otherwise the service finds an empty one, which is faster than
   * creating it.
   */
  isFirstStart?: boolean
  /** A folder that a service used before. The service keeps the folder. Use it with that service's `databaseUrl`. */
  dataDir?: string
  /** The port of that service, because its clients know it and cookie names depend on it. A free port by default. */
  port?: number
  /** Another bundle of its engines. See `holdingEngine`. */
  enginePath?: string
  /** Called with each part of the service's output. */
  onOutput?: (part: string) => void
}

/** A service that others may use too. */
export interface RunningService extends Accounts {
  base: string
  dataDir: string
  databaseUrl: string | undefined
  pid: number
  /** The output of the service so far. */
  log(): string
}

export interface Service extends RunningService {
  /**
   * Ends the service as an operator does: SIGTERM, and SIGKILL after 60 s. Returns the exit code and removes the data.
   */
  stop(): Promise<number | null>
  /** Ends the service and all its processes as a power failure does. The data stays. */
  kill(): Promise<void>
}

/**
 * Starts the service as `npm start` does, on a free port of this machine and with separate data, and waits until it
 * responds. The service ends with the process that runs the tests, however that process ends.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const databaseUrl = options.databaseUrl ?? (await createWantedDatabase())
  const dataDir =
    options.dataDir ??
    (databaseUrl !== undefined || options.isFirstStart === true
      ? await mkdtemp(join(tmpdir(), 'sheaf-test-'))
      : await makeDataDir())
  const env = describeEnvironment(
    { ...options, databaseUrl },
    { PORT: String(options.port ?? 0), HOST: '127.0.0.1', DATA_DIR: dataDir },
  )
  const { enginePath } = options
  const script = enginePath === undefined ? ['lib/start/start.mjs'] : ['tests/support/start-holding.mjs', enginePath]
  const child = spawn(process.execPath, script, {
    cwd: projectFolder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { log, port } = readOutput(child, options.onOutput)
  const pid = child.pid
  if (pid === undefined) throw new Error('the service could not be started')
  const ended = once(child, 'exit').then(([code]) => code as number | null) // A ChildProcess reports this on exit.
  const closed = once(child, 'close')
  const guard = guardGroup(pid)
  const finish = () => {
    endGroup(pid)
    guard.kill('SIGKILL')
  }

  const stop = async () => {
    endGroup(pid, 'SIGTERM', false)
    const timer = setTimeout(() => endGroup(pid), STOP_MS)
    const code = await ended
    clearTimeout(timer)
    finish()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    return code
  }
  const timer = setTimeout(() => endGroup(pid), READY_MS)
  const ready = await Promise.race([port, ended.then(() => undefined)])
  clearTimeout(timer)
  if (ready === undefined) {
    await stop()
    await closed // Until then, parts of the output can be missing.
    throw new Error(`the service ended before it was ready:\n${log()}`)
  }
  return {
    base: `http://127.0.0.1:${ready}`,
    dataDir,
    databaseUrl,
    pid,
    ...accountsOf({ dataDir, databaseUrl, env }),
    log,
    stop,
    kill: async () => {
      finish()
      await ended
    },
  }
}

/** A new database on the Postgres server of this run if TEST_DATABASE=postgres. */
async function createWantedDatabase(): Promise<string | undefined> {
  if (process.env['TEST_DATABASE'] !== 'postgres') return undefined
  const { createSharedDatabase } = await import('./shared-services') // Only Vitest can load this module.
  return createSharedDatabase()
}

/** Removes the test runner's own settings. `undefined` leaves a variable out. */
function describeEnvironment(
  { env, databaseUrl }: Pick<ServiceOptions, 'env'> & { databaseUrl: string | undefined },
  own: Record<string, string>,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'production',
    NODE_OPTIONS: undefined,
    VITEST: undefined,
    LOG_LEVEL: 'warn',
    ENGINES: '1', // Starting an engine process takes more than a second of CPU time.
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET: databaseUrl && 'a secret for the tests, 32 characters or more',
    ...own,
    ...env,
  }
}

/** The last output of a service, and the port that its ready line names. */
function readOutput(child: ChildProcess, onOutput?: (part: string) => void) {
  let lastOutput = ''
  const port = new Promise<number>(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        onOutput?.(part)
        lastOutput = (lastOutput + part).slice(-KEPT_CHARACTERS)
        const [, found] = /^sheaf: ready on .*\D(\d+)\n/m.exec(lastOutput) ?? []
        if (found !== undefined) resolve(Number(found))
      })
    }
  })
  return { log: () => lastOutput, port }
}

/** A shell that ends the service's process group after our process ends, even by SIGKILL, because its stdin closes. */
function guardGroup(pid: number): ChildProcess {
  const guard = spawn('sh', ['-c', `read -r _; kill -s KILL -- -${pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  return guard
}

function endGroup(pid: number, signal: NodeJS.Signals = 'SIGKILL', whole = true): void {
  try {
    process.kill(whole ? -pid : pid, signal)
  } catch {
    // The group has already ended.
  }
}
