import { readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sheaf } from '../../clients/typescript/src/sheaf'
import { openDatabase } from '../../db/client'
import type { Database } from '../../db/database'
import { exportRequests, listAccountRequests } from '../../lib/requests/request-list'
import { readUsage } from '../../lib/requests/usage'
import { makeApplication } from '../fixtures/forms'
import { signIn } from '../hostile/chaos/sign-in'
import { makeDataDir } from '../support/fresh-data-dir'
import { beginHold } from '../support/hold'
import { createDatabase, startPostgres, type TestPostgres } from '../support/postgres'
import { startService, type Service, type ServiceOptions } from '../support/service'
import { holdingEngine } from '../support/shared-services'
import { deliver, startStripe, type StripeDouble } from '../support/stripe-double'
import { readAttributes, startCollector } from '../support/trace-collector'
import {
  type ApiResponse,
  type Client,
  createClient,
  eventually,
  readCalls,
  sendRequest,
  SHARED_DATABASES,
  toolPath,
} from './client'
import { makePdf } from './documents'
import { expectFile } from './expectations'
import { readText } from './page-head'

const GRANT = 100
const CALLS = 10
const PASSWORD = 'a password for the ends'
const SECRET = 'Zq7secret'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const OTHER_TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRIAL_NETWORK = '203.0.113.9'
const document = { name: 'contract.pdf', bytes: makePdf() }
const options = { angle: 90 }

/** A server of its own, because it is stopped. */
let server: TestPostgres | undefined
let stripe: StripeDouble
let collector: Awaited<ReturnType<typeof startCollector>>
let place: ServiceOptions & { dataDir: string }
let service: Service

beforeAll(async () => {
  if (SHARED_DATABASES.length > 0) server = await startPostgres()
  stripe = await startStripe()
  collector = await startCollector()
  place = {
    enginePath: await holdingEngine(),
    dataDir: await makeDataDir(),
    ...(server && { databaseUrl: await createDatabase(server) }),
    env: {
      ...stripe.env,
      ACCOUNT_WAITING: '200',
      LOG_LEVEL: 'info',
      TOOL_TIMEOUT_MS: '300000',
      TRUSTED_PROXIES: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '600000', // Only the end of the service sends traces.
      OTEL_TRACES_SAMPLER: 'parentbased_always_off', // A client asks for them.
    },
  }
  service = await startService(place)
})
afterAll(async () => {
  await service?.stop()
  await collector?.close()
  await stripe?.close()
  await server?.stop()
  await rm(place.dataDir, { recursive: true, force: true })
})

/** Sends requests at once that run or wait until the hold is released. */
const sendMany = (client: Client, name: string) =>
  Array.from({ length: CALLS }, () =>
    client.callTool('rotate-pdf', { ...document, name }, options).catch(() => undefined),
  )

/** Does something with the database. With an embedded one, only after the end of the service. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = place
  const database = await openDatabase({ dataDir, ...(databaseUrl !== undefined && { databaseUrl }) })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Ends the leases of all open requests, as if 30 s had passed. */
const passLeases = () =>
  withDatabase(database => database.rows(sql`update holds set lease_until = now() where state = 'open'`))

/** An account whose balance must be right after the next start of the service. */
let interrupted: { client: Client; balance: number } | undefined

describe.each(SHARED_DATABASES)('a service whose %s does not respond', () => {
  it('reports it, charges nothing, makes Stripe retry, and continues when it is back', async () => {
    const email = 'ends@example.test'
    const client = createClient(service.base, await service.createKey(email, { password: PASSWORD }))
    const session = await signIn(service.base, email, PASSWORD)
    expect(readText(await session.get('/status'))).toMatch(/Database\s+OK\s+The database responds/)
    expectFile(await client.callTool('rotate-pdf', document, { angle: 90 }))
    const { json: checkout } = await session.post('/api/account/purchases', { dollars: '5' })
    const paid = stripe.pay(String(checkout['url']).split('/').at(-1) ?? '')
    server?.signal('SIGSTOP')
    try {
      const [response, told] = await Promise.all([
        client.callTool('rotate-pdf', document, { angle: 90 }),
        deliver(service.base, paid),
      ])
      for (const { status, json } of [response, told])
        expect({ status, error: json['error'] }).toEqual({ status: 503, error: 'service_unavailable' })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      const line = await eventually(
        () =>
          Promise.resolve(
            service
              .log()
              .split('\n')
              .find(one => one.includes(told.requestId)),
          ),
        found => found !== undefined,
      )
      expect(line).toMatch(/checkout\.session\.completed.*service_unavailable|service_unavailable.*checkout\.session/)
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
    // The stopped server can still run a statement that it received.
    const again = await eventually(
      () => deliver(service.base, paid),
      ({ status }) => status === 200,
    )
    expect(['credited', 'duplicate']).toContain(again.json['outcome'])
    const response = await client.callTool('rotate-pdf', document, { angle: 45 })
    expect({ status: response.status, charged: response.charged }).toEqual({ status: 422, charged: 0 })
    interrupted = { client, balance: GRANT + 5000 - 1 }
  })
})

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
    const sheaf = new Sheaf({ baseUrl: service.base, apiKey: client.apiKey, maxRetries: 30 })
    const result = sheaf.reversePages({ data: document.bytes, name: hold.name })
    await eventually(
      () => client.balance(),
      balance => balance < GRANT - CALLS,
    )
    const requests = sendMany(client, hold.name)
    await eventually(
      () => readCalls(service.base),
      calls => calls.running + calls.waiting === CALLS + 1,
    )
    const spool = join(place.dataDir, 'spool')
    const [folder = ''] = readdirSync(spool).filter(name => !name.endsWith('.lock'))
    writeFileSync(join(spool, folder, '99.out'), 'An engine was still writing this document.')
    await service.kill()
    expect(await Promise.all(requests)).toEqual(requests.map(() => undefined))
    hold.release()

    if (server !== undefined) await passLeases()
    service = await startService({ ...place, port: Number(new URL(service.base).port) })
    expect(readdirSync(spool)).not.toContain(folder)
    // The client of TypeScript repeats its request until it has the file.
    expect(Buffer.from(await (await result).bytes()).toString('latin1', 0, 5)).toBe('%PDF-')
    await eventually(
      () => client.balance(),
      balance => balance === GRANT - CALLS - 1,
    )
    const response = await client.callTool('rotate-pdf', document, options)
    expectFile(response, 'application/pdf')
    expect(response.balance).toBe(GRANT - CALLS - 2)
    if (interrupted !== undefined) expect(await interrupted.client.balance()).toBe(interrupted.balance)
  })
})

describe('a service that is shut down', () => {
  const EMAIL = 'shut-down@example.test'
  let client: Client
  let responses: ApiResponse[]
  let traced: ApiResponse
  let trial: ApiResponse
  let log: string

  /** Requests with the secret in every value that a client sends. One of them succeeds. */
  async function sendSecrets(): Promise<number[]> {
    const file = { name: `${SECRET}.pdf`, bytes: makePdf({ pages: 1, text: () => SECRET }) }
    const sampled = (trace: string) => ({
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      tracestate: `v=${SECRET}`,
    })
    traced = await client.callTool(
      'rotate-pdf',
      file,
      { angle: 90, outputName: SECRET },
      { ...sampled(TRACE), 'user-agent': `curl/8.5.0 (${SECRET})`, referer: `https://x.example/${SECRET}` },
    )
    const others = [
      await client.callTool('rotate-pdf', file, { angle: SECRET }, sampled(OTHER_TRACE)),
      await client.callTool('rotate-pdf', file, { angle: 90, [SECRET]: 1 }),
      await client.callTool('form-filler', { ...file, bytes: makeApplication() }, { fields: { [SECRET]: SECRET } }),
      await client.sendForm(toolPath('rotate-pdf'), [{ name: SECRET, fileName: SECRET, value: file.bytes }]),
      await client.sendJson('/api/external/invoice-generator/pdf', { invoiceNumber: SECRET, from: { [SECRET]: 1 } }),
      await client.sendJson('/api/external/webpage-to-pdf/pdf', { url: `http://127.0.0.1/${SECRET}` }),
    ]
    return [traced, ...others].map(({ status }) => status)
  }

  /** A request of a visitor without an account. */
  const sendTrial = () =>
    sendRequest(service.base, {
      path: '/api/try/merge-pdf',
      headers: { 'content-type': 'application/json', origin: service.base, 'x-forwarded-for': TRIAL_NETWORK },
      body: JSON.stringify({ files: ['terms.pdf', 'letter.pdf'], options: {} }),
    })

  it('finishes every accepted request, informs probes and new requests, and exits with 0', async () => {
    client = createClient(service.base, await service.createKey(EMAIL, { credits: 1000 }))
    expect(await sendSecrets()).toEqual([200, 422, 422, 422, 422, 400, 400])
    trial = await sendTrial()
    expect(trial.status).toBe(200)
    responses = await Promise.all(
      Array.from({ length: 193 - CALLS }, () => client.callTool('rotate-pdf', document, options)),
    )
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
    for (const response of await Promise.all(requests)) if (response !== undefined) responses.push(response)
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 193 }, () => 200))
    expect(await service.stop()).toBe(0)
    log = service.log()
    expect((await service.account(EMAIL)).creditBalance).toBe(GRANT + 1000 - 194)
  })

  it('has logged each of the 200 requests, and no text of a client but in messages', async () => {
    await withDatabase(async database => {
      const [account] = await database.rows<{ id: string; logged: number; credits: number }>(sql`
        select id, (select count(*)::int from calls where account_id = users.id) as logged,
          (select sum(credits)::int from calls where account_id = users.id) as credits from users where email = ${EMAIL}`)
      expect(account).toMatchObject({ logged: 200, credits: 194 })
      const id = account?.id ?? ''
      expect(await readUsage(id, {}, database)).toMatchObject({ totalRequests: 200, totalCredits: 194 })
      const { requests: calls } = await listAccountRequests(id, { limit: 300 }, database)
      const idsOf = (list: readonly string[]) => [...list].sort()
      expect(idsOf(calls.slice(0, -7).map(call => call.id))).toEqual(idsOf(responses.map(({ requestId }) => requestId)))
      expect(calls.slice(-7).map(({ param }) => param)).toEqual([
        'url',
        'from.name',
        'file',
        'options.fields',
        'options',
        'options.angle',
        null,
      ])
      await database.rows(sql`update calls set message = null where account_id = ${id}`)
      const everything = (await dump(database)) + (await text(exportRequests(id, database)))
      expect(everything).toContain('options.angle')
      expect(everything.toLowerCase()).not.toContain(SECRET.toLowerCase())
      expect(everything).not.toContain(client.apiKey.slice(11, -4))
    })
  })

  it('has stored nothing of a request without an account', async () => {
    await withDatabase(async database => {
      const everything = await dump(database)
      for (const trace of [trial.requestId, TRIAL_NETWORK, 'trial']) expect(everything).not.toContain(trace)
      for (const table of ['calls', 'usage_days', 'ledger_entries', 'holds', 'idempotency_records'])
        expect(
          await database.rows(sql`
            select count(*)::int as rows from ${sql.identifier(table)}
            where account_id is null or account_id not in (select id from users)`),
          table,
        ).toEqual([{ rows: 0 }])
    })
  })

  it('has sent its traces, with its part of the trace of a request and without data of clients', () => {
    const { spans } = collector
    const lines = log.split('\n').filter(line => line.includes(`"requestId":"${traced.requestId}"`))
    expect(lines.map(line => (JSON.parse(line) as { traceId?: string }).traceId)).toEqual([TRACE])
    const span = spans.find(({ attributes }) => readAttributes(attributes)['sheaf.request_id'] === traced.requestId)
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: '00f067aa0ba902b7',
      name: 'POST /api/external/pdf-tools/rotate-pdf',
    })
    const parts = ['auth', 'body', 'parse', 'wait', 'charge', 'run', 'queue', 'send', 'open', 'work', 'save']
    const own = spans.filter(({ traceId }) => traceId === TRACE)
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(parts))
    for (const { name, startTimeUnixNano, endTimeUnixNano } of own) {
      expect(BigInt(startTimeUnixNano) >= BigInt(span?.startTimeUnixNano ?? 0), name).toBe(true)
      expect(BigInt(endTimeUnixNano) <= BigInt(span?.endTimeUnixNano ?? 0) + 1_000_000n, name).toBe(true)
    }
    expect(spans.map(({ attributes }) => readAttributes(attributes)['error.type'])).toContain(
      'pdf_tool_processing_failed',
    )
    for (const told of [SECRET, EMAIL, client.apiKey])
      expect(JSON.stringify([spans, collector.seen]).includes(told), `the traces hold ${told}`).toBe(false)
  })
})

/** All contents of all tables, as text. */
async function dump(database: Database): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts = []
  for (const { name } of tables)
    texts.push(await database.rows<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`))
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
