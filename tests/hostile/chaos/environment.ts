import { rm } from 'node:fs/promises'
import postgres from 'postgres'
import { type Client, createClient, eventually } from '../../contract/client'
import { makeDataDir } from '../../support/fresh-data-dir'
import { createDatabase, startPostgres, type TestPostgres } from '../../support/postgres'
import { type AccountOptions, type Service, startService } from '../../support/service'
import { areClosed, type Books, readPgliteBooks, readPostgresBooks } from './books'
import type { DatabaseKind } from './scenario'

/** Data that outlives the service, and the service that runs on it, to be ended and started again. */
export interface Environment {
  kind: DatabaseKind
  dataDir: string
  /** Of the Postgres database. */
  databaseUrl: string | undefined
  /** The service that runs; throws while none does. */
  service(): Service
  /** Starts the service on this data. Variables stay set for later starts, until others are given. */
  start(env?: Record<string, string>): Promise<Service>
  /** Starts one more service on the same Postgres database, or by another way to it. */
  startAnother(env: Record<string, string>, databaseUrl?: string): Promise<Service>
  /** Ends the service and all that it started, as a power cut would. */
  kill(): Promise<void>
  /** Ends the service in order; gives its exit code. */
  stop(): Promise<number | null>
  /** A client of the running service with a fresh key of an account. */
  createClient(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<Client>
  /**
   * Reads accounts and ledger. An embedded database is read while no service runs; it is stopped for that. A server is
   * given a moment to have no call open: what is delivered is written down after it was sent.
   */
  readBooks(): Promise<Books>
  close(): Promise<void>
}

/** Much less than a lease (30 s), so that a call that nobody closes is seen. */
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

/** Prepares empty data; nothing runs yet. */
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

/** The tests' server answers before it has written; here what it acknowledged has to outlive a crash of its own. */
async function createDurableDatabase(): Promise<string> {
  const postgresServer = await getPostgres()
  const url = await createDatabase(postgresServer)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`)
  await admin.end()
  return url
}
