import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataDir } from './fresh-data-dir'
import { createDatabase, startPostgres } from './postgres'
import type { TestPostgres } from './postgres'

const projectFolder = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 300_000 // The first start builds the service.
const STOP_MS = 60_000
const LOOK_AGAIN_MS = 50
const KEPT_CHARACTERS = 100_000

export interface AccountOptions {
  credits?: number
  rotate?: boolean
  password?: string
  /** For an account with an unverified email, if the server could verify the email. */
  force?: boolean
  /** Only invites the address. */
  invite?: boolean
}

export interface Account {
  email: string
  /** Null if the account already had a key and `rotate` was not requested. */
  apiKey: string | null
  creditBalance: number
}

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
  /** The port of that service, because cookie names depend on it. A free port by default. */
  port?: number
}

export interface Service {
  base: string
  dataDir: string
  databaseUrl: string | undefined
  pid: number
  /** The account command of the command line, which also works after `kill` and `stop`. */
  account(email: string, options?: AccountOptions): Promise<Account>
  /** A fresh key of an account. Creates the account if it doesn't exist. */
  createKey(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<string>
  /** The complete output of the service so far. */
  log(): string
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
  const port = options.port ?? (await findFreePort())
  const env = describeEnvironment(
    { ...options, databaseUrl },
    { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
  )
  const child = spawn(process.execPath, ['lib/start/start.mjs'], {
    cwd: projectFolder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = keepOutput(child)
  const pid = child.pid
  if (pid === undefined) throw new Error('the service could not be started')
  const ended = once(child, 'exit').then(([code]) => code as number | null) // A ChildProcess reports this on exit.
  const guard = guardGroup(pid)
  const finish = () => {
    endGroup(pid)
    guard.kill('SIGKILL')
  }
  const base = `http://127.0.0.1:${port}`

  const stop = async () => {
    endGroup(pid, 'SIGTERM', false)
    const timer = setTimeout(() => endGroup(pid), STOP_MS)
    const code = await ended
    clearTimeout(timer)
    finish()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    return code
  }
  try {
    await untilReady(base, ended, log)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    base,
    dataDir,
    databaseUrl,
    pid,
    account: (email, accountOptions = {}) => runAccount(env, email, accountOptions),
    createKey: async (email, accountOptions = {}) => {
      const { apiKey } = await runAccount(env, email, { ...accountOptions, rotate: true })
      if (apiKey === null) throw new Error('the account command rotated a key and gave none')
      return apiKey
    },
    log,
    stop,
    kill: async () => {
      finish()
      await ended
    },
  }
}

let server: Promise<TestPostgres> | undefined

/** A new database on this process's Postgres server if TEST_DATABASE=postgres. */
async function createWantedDatabase(): Promise<string | undefined> {
  if (process.env['TEST_DATABASE'] !== 'postgres') return undefined
  return createDatabase(await (server ??= startPostgres()))
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

function keepOutput(child: ChildProcess): () => string {
  let lastOutput = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      lastOutput = (lastOutput + part).slice(-KEPT_CHARACTERS)
    })
  }
  return () => lastOutput
}

async function untilReady(base: string, ended: Promise<number | null>, log: () => string): Promise<void> {
  const state = { over: false }
  void ended.then(() => (state.over = true))
  for (const started = performance.now(); performance.now() - started < READY_MS; await wait(LOOK_AGAIN_MS)) {
    if (state.over) throw new Error(`the service ended before it was ready:\n${log()}`)
    if (await isHealthy(base)) return
  }
  throw new Error(`the service was not ready after ${READY_MS / 1000} s:\n${log()}`)
}

async function isHealthy(base: string): Promise<boolean> {
  try {
    const response = await fetch(`${base}/api/health`, { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false // The service isn't listening yet.
  }
}

async function runAccount(
  env: NodeJS.ProcessEnv,
  email: string,
  { credits, rotate, password, force, invite }: AccountOptions,
): Promise<Account> {
  const args = [
    email,
    ...(credits === undefined ? [] : ['--credits', String(credits)]),
    ...(rotate ? ['--rotate'] : []),
    ...(force ? ['--force'] : []),
    ...(invite ? ['--invite'] : []),
    ...(password === undefined ? [] : ['--password-stdin']),
  ]
  const child = spawn(process.execPath, ['lib/commands/account.mjs', ...args], {
    cwd: projectFolder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(password)
  let response = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (response += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the account command ended with ${code}: ${complaint}`)
  return JSON.parse(response) as Account // The command's one line, described in lib/commands/account.ts.
}

/**
 * A small process that ends the service's process group after our process ends, even by SIGKILL, because its stdin
 * closes.
 */
function guardGroup(pid: number): ChildProcess {
  const script = `process.stdin.resume().on('end', () => { try { process.kill(-${pid}, 'SIGKILL') } catch {} process.exit() })`
  const guard = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
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

/** A free port of the loopback address. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // A TCP server has an address of this type.
  probe.close()
  await once(probe, 'close')
  return port
}
