import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataDir } from '../support/fresh-data-dir'
import { beginHold } from '../support/hold'
import { createDatabase, startPostgres, type TestPostgres } from '../support/postgres'
import { signIn } from '../hostile/chaos/sign-in'
import { startService, type Service, type ServiceOptions } from '../support/service'
import { holdingEngine } from '../support/shared-services'
import { type Client, createClient, eventually, readCalls, sendRequest, SHARED_DATABASES } from './client'
import { makePdf } from './documents'
import { expectFile, expectRefusal } from './expectations'
import { readText } from './page-head'

const GRANT = 100
const CALLS = 10
/** Leases of 30 s expire before a sweep, every 10 s, refunds requests that no process continues. */
const SWEPT_MS = 120_000
const PASSWORD = 'a password for the ends'
const document = { name: 'contract.pdf', bytes: makePdf() }
const options = { angle: 90 }

/** A server of its own, because it is stopped. */
let server: TestPostgres | undefined
let place: ServiceOptions & { dataDir: string }
let service: Service

beforeAll(async () => {
  if (SHARED_DATABASES.length > 0) server = await startPostgres()
  const enginePath = await holdingEngine()
  place = { enginePath, dataDir: await makeDataDir(), ...(server && { databaseUrl: await createDatabase(server) }) }
  service = await startService(place)
})
afterAll(async () => {
  await service?.stop()
  await server?.stop()
  await rm(place.dataDir, { recursive: true, force: true })
})

/** Sends requests at once that run or wait until the hold is released. */
const sendMany = (client: Client, name: string) =>
  Array.from({ length: CALLS }, () =>
    client.callTool('rotate-pdf', { ...document, name }, options).catch(() => undefined),
  )

describe('a service that is killed during its requests', () => {
  it('has charged for the delivered files and nothing else after its restart', async () => {
    const client = createClient(service.base, await service.createKey('killed@example.test'))
    // A repetition with the same key succeeds as soon as the delivery is recorded.
    for (let count = 0; count < CALLS; count++) {
      const key = { 'idempotency-key': `delivered ${count}` }
      expectFile(await client.callTool('rotate-pdf', document, options, key))
      expect((await client.callTool('rotate-pdf', document, options, key)).charged).toBe(0)
    }
    const hold = beginHold()
    const requests = sendMany(client, hold.name)
    await eventually(
      () => client.balance(),
      balance => balance < GRANT - CALLS,
    )
    await service.kill()
    expect(await Promise.all(requests)).toEqual(requests.map(() => undefined))
    hold.release()

    service = await startService(place)
    const back = createClient(service.base, client.apiKey)
    await eventually(
      () => back.balance(),
      balance => balance === GRANT - CALLS,
      SWEPT_MS,
    )
    const response = await back.callTool('rotate-pdf', document, options)
    expectFile(response, 'application/pdf')
    expect(response.balance).toBe(GRANT - CALLS - 1)
  })
})

describe.each(SHARED_DATABASES)('a service whose %s does not respond', () => {
  it('reports it, charges nothing, and continues when it is back', async () => {
    const email = 'ends@example.test'
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
    // The stopped server can still run the charge that it received. A sweep then refunds the charge.
    await eventually(
      () => client.balance(),
      balance => balance === GRANT - 1,
      SWEPT_MS,
    )
    const response = await client.callTool('rotate-pdf', document, { angle: 45 })
    expectRefusal(response, { status: 422, error: 'pdf_tool_processing_failed' }, GRANT - 1)
  })
})

describe('a service that is shut down', () => {
  it('finishes every accepted request, informs probes and new requests, and exits with 0', async () => {
    const email = 'shut-down@example.test'
    const client = createClient(service.base, await service.createKey(email))
    const hold = beginHold()
    const requests = sendMany(client, hold.name)
    await eventually(
      () => readCalls(service.base),
      calls => calls.running + calls.waiting === CALLS,
    )
    process.kill(service.pid, 'SIGTERM')
    const ready = await eventually(
      () => sendRequest(service.base, { path: '/api/ready', method: 'GET' }),
      ({ status }) => status === 503,
    )
    expect(ready.json).toEqual({ ready: false, reason: 'draining' })
    const late = await client.callTool('rotate-pdf', document, options)
    expect({
      status: late.status,
      error: late.json['error'],
      isLater: Number(late.headers['retry-after']) > 0,
    }).toEqual({ status: 503, error: 'service_unavailable', isLater: true })
    hold.release()
    expect((await Promise.all(requests)).map(response => response?.status)).toEqual(requests.map(() => 200))
    expect(await service.stop()).toBe(0)
    expect((await service.account(email)).creditBalance).toBe(GRANT - CALLS)
  })
})
