import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeDataDir } from '../support/fresh-data-dir'
import { createDatabase, startPostgres, type TestPostgres } from '../support/postgres'
import { signIn } from '../hostile/chaos/sign-in'
import { startService, type Service, type ServiceOptions } from '../support/service'
import {
  type ApiResponse,
  type Client,
  createClient,
  eventually,
  readCalls,
  sendRequest,
  SHARED_DATABASES,
  slowSplit,
  type Upload,
} from './client'
import { makePdf } from './documents'
import { expectFile, expectRefusal } from './expectations'
import { readText } from './page-head'

const GRANT = 100
const CALLS = 20
/** Leases of 30 s expire before a sweep, every 10 s, refunds the requests of another process. */
const SWEPT_MS = 120_000
/**
 * Sheaf records a delivery a moment after it, and no response tells when. A service that is killed in between refunds
 * the credit. The slow requests together take longer than this delay.
 */
const NOTED_MS = 3000
/** So few parts that running requests end within the 25 s of a shutdown, also on a busy machine. */
const QUICK_PARTS = 20
const email = 'ends@example.test'
const PASSWORD = 'a password for the ends'
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const large: Upload = { name: 'large.pdf', bytes: makePdf({ pages: 400 }) }

let server: TestPostgres | undefined
let place: { dataDir: string; databaseUrl?: string }
let running: Service | undefined

beforeAll(async () => {
  if (SHARED_DATABASES.length > 0) server = await startPostgres()
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await rm(place.dataDir, { recursive: true, force: true })
})
afterAll(async () => {
  await server?.stop()
})

/** A service whose data survives it. */
async function start(): Promise<Service> {
  place = { dataDir: await makeDataDir(), ...(server ? { databaseUrl: await createDatabase(server) } : {}) }
  return restart()
}

async function restart(): Promise<Service> {
  const options: ServiceOptions = place
  running = await startService(options)
  return running
}

/**
 * Sends 20 requests at once. The number of parts makes every second one slow. `delivered` counts the complete files.
 */
function sendMany(
  client: Client,
  parts: number,
): { outcomes: Promise<(ApiResponse | 'cut')[]>; delivered: () => number } {
  let delivered = 0
  const outcomes = Array.from({ length: CALLS }, async (_, index) => {
    try {
      const response = await (index % 2
        ? client.callTool('split-pdf', large, slowSplit(parts))
        : client.callTool('rotate-pdf', document, { angle: 90 }))
      if (response.status === 200) delivered++
      return response
    } catch {
      return 'cut'
    }
  })
  return { outcomes: Promise.all(outcomes), delivered: () => delivered }
}

describe('a service that is killed during its requests', () => {
  it('has charged for the delivered files and nothing else after its restart', async () => {
    const service = await start()
    const client = createClient(service.base, await service.createKey(email))
    const { outcomes, delivered } = sendMany(client, 1000)
    await eventually(
      () => Promise.resolve(delivered()),
      count => count > 0,
    )
    const noted = delivered()
    await wait(NOTED_MS)
    await service.kill()
    expect((await outcomes).filter(outcome => outcome === 'cut').length).toBeGreaterThan(0)

    const again = await restart()
    const back = createClient(again.base, client.apiKey)
    const isRight = (balance: number | undefined, calls = 0) =>
      balance !== undefined && balance >= GRANT - delivered() - calls && balance <= GRANT - noted - calls
    await eventually(
      () => back.balance(),
      balance => isRight(balance),
      SWEPT_MS,
    )
    const response = await back.callTool('rotate-pdf', document, { angle: 90 })
    expectFile(response, 'application/pdf')
    expect(response.balance).toSatisfy((balance: number | undefined) => isRight(balance, 1))
  })
})

describe('a service that is shut down', () => {
  it('finishes every accepted request, informs probes and new requests, and exits with 0', async () => {
    const service = await start()
    const client = createClient(service.base, await service.createKey(email))
    const { outcomes, delivered } = sendMany(client, QUICK_PARTS)
    await eventually(
      () => readCalls(service.base),
      calls => calls.running + calls.waiting + delivered() >= CALLS,
    )
    process.kill(service.pid, 'SIGTERM')
    const ready = await eventually(
      () => sendRequest(service.base, { path: '/api/ready', method: 'GET' }),
      ({ status }) => status === 503,
    )
    expect(ready.json).toEqual({ ready: false, reason: 'draining' })
    const late = await client.callTool('rotate-pdf', document, { angle: 90 }).catch(() => undefined)
    if (late)
      expect({
        status: late.status,
        error: late.json['error'],
        isLater: Number(late.headers['retry-after']) > 0,
      }).toEqual({ status: 503, error: 'service_unavailable', isLater: true })
    expect((await outcomes).map(outcome => (outcome === 'cut' ? outcome : outcome.status))).toEqual(
      Array.from({ length: CALLS }, () => 200),
    )
    expect(await service.stop()).toBe(0)
    expect((await service.account(email)).creditBalance).toBe(GRANT - CALLS)
  })
})

describe.each(SHARED_DATABASES)('a service whose %s does not respond', () => {
  it('reports it, charges nothing, and continues when it is back', async () => {
    const service = await start()
    const client = createClient(service.base, await service.createKey(email, { password: PASSWORD }))
    const session = await signIn(service.base, email, PASSWORD)
    expect(readText(await session.get('/status'))).toMatch(/Database\s+OK\s+The database responds/)
    expectFile(await client.callTool('rotate-pdf', document, { angle: 90 }))
    server?.signal('SIGSTOP')
    try {
      const response = await client.callTool('rotate-pdf', document, { angle: 90 })
      expect({ status: response.status, error: response.json['error'] }).toEqual({
        status: 503,
        error: 'service_unavailable',
      })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      const ready = await sendRequest(service.base, { path: '/api/ready', method: 'GET' })
      expect({ status: ready.status, body: ready.json }).toEqual({
        status: 503,
        body: { ready: false, reason: 'database' },
      })
      expect((await sendRequest(service.base, { path: '/api/health', method: 'GET' })).status).toBe(200)
      const status = await session.get('/status')
      expect(status.status).toBe(200)
      expect(readText(status)).toMatch(/Unavailable\s+Requests fail at the moment/)
      expect(readText(status)).toMatch(/Database\s+Unavailable\s+The database does not respond/)
    } finally {
      server?.signal('SIGCONT')
    }
    await eventually(
      () => sendRequest(service.base, { path: '/api/ready', method: 'GET' }),
      ({ status }) => status === 200,
    )
    const response = await client.callTool('rotate-pdf', document, { angle: 45 })
    expectRefusal(response, { status: 422, error: 'pdf_tool_processing_failed' }, GRANT - 1)
  })
})
