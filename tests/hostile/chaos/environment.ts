import { rm } from 'node:fs/promises'
import postgres from 'postgres'
import { type Client, createClient, eventually } from '../../contract/client'
import { makeDataDir } from '../../support/fresh-data-dir'
import { createDatabase, startPostgres, type TestPostgres } from '../../support/postgres'
import type { AccountOptions } from '../../support/accounts'
import { type Service, startService } from '../../support/service'
import { areClosed, type Books, readPgliteBooks, readPostgresBooks } from './books'
import type { DatabaseKind } from './scenario'

/** Data that outlives the service, and the service that uses it, with functions to end and restart the service. */
export interface Environment {
  kind: DatabaseKind
  dataDir: string
  /** The URL of the Postgres database. */
  databaseUrl: string | undefined
  /** The running service. Throws if none runs. */
  service(): Service
  /** Starts the service on this data. Variables stay set for later starts, until others are given. */
  start(env?: Record<string, string>): Promise<Service>
  /** Starts another service on the same Postgres database, or on another URL of it. */
  startAnother(env: Record<string, string>, databaseUrl?: string): Promise<Service>
  /** Ends the service and all its processes, as a power failure does. */
  kill(): Promise<void>
  /** Shuts the service down and returns its exit code. */
  stop(): Promise<number | null>
  /** A client of the running service with a fresh key of an account. */
  createClient(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<Client>
  /**
   * Reads accounts and ledger. An embedded database requires that no service runs, so the function stops the service.
   * With a server, the function first waits until no request is open, because Sheaf records a delivery after the
   * response.
   */
  readBooks(): Promise<Books>
  close(): Promise<void>
}

/** Much shorter than a lease (30 s), so that the check notices a request that nobody closes. */
const CLOSING_MS = 5_000

/** Other tests make do with one engine process. */
const DEFAULTS = { ENGINES: undefined }

let server: Promise<TestPostgres> | undefined

/** The Postgres server of this run. */
export function getPostgres(): Promise<TestPostgres> {
  return (server ??= startPostgres())
}

/** Ends the Postgres server, if one was started. */
export async function stopPostgres(): Promise<void> {
  await (await server)?.stop()
}

/** Prepares empty data without starting anything. */
export async function createEnvironment(kind: DatabaseKind): Promise<Environment> {
  const databaseUrl = kind === 'postgres' ? await createDurableDatabase() : undefined
  const dataDir = await makeDataDir()
  const others = new Set<Service>()
  let env: Record<string, string> = {}
  let running: Service | undefined
  const service = () => {
    if (running === undefined) throw new Error('no service runs at the moment')
    return running
  }
  const stop = async () => {
    const ending = running
    running = undefined
    return ending === undefined ? 0 : ending.stop()
  }
  return {
    kind,
    dataDir,
    databaseUrl,
    service,
    async start(given) {
      env = given ?? env
      running = await startService({
        dataDir,
        env: { ...DEFAULTS, ...env },
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      })
      return running
    },
    async startAnother(env, url = databaseUrl) {
      if (url === undefined) throw new Error('an embedded database has one service')
      const another = await startService({ env: { ...DEFAULTS, ...env }, databaseUrl: url })
      others.add(another)
      return another
    },
    async kill() {
      await running?.kill()
      running = undefined
    },
    stop,
    createClient: async (email, options) => createClient(service().base, await service().createKey(email, options)),
    async readBooks() {
      if (databaseUrl !== undefined)
        return eventually(() => readPostgresBooks(databaseUrl), areClosed, CLOSING_MS).catch(() =>
          readPostgresBooks(databaseUrl),
        )
      await stop()
      return readPgliteBooks(dataDir)
    },
    async close() {
      await Promise.all([...others].map(other => other.stop()))
      await running?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The tests' server confirms commits before writing them. Here, confirmed commits must survive a crash of the server.
 */
async function createDurableDatabase(): Promise<string> {
  const postgresServer = await getPostgres()
  const url = await createDatabase(postgresServer)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`)
  await admin.end()
  return url
}
