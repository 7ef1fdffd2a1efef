import { beforeAll, describe, expect, it } from 'vitest'
import { listOperations } from '../../lib/operations/all'
import { beginHold, type Hold } from '../support/hold'
import type { RunningService } from '../support/service'
import {
  type ApiResponse,
  type Client,
  createClient,
  eventually,
  SHARED_DATABASES,
  toolPath,
  type Upload,
  writeToolBody,
} from './client'
import { makeDamagedPdf, makePdf } from './documents'
import { expectProblem, expectFile, expectRefusal } from './expectations'
import { fullService, usualService } from '../support/shared-services'
import { openWire, writeHead } from './wire'

const GRANT = 100
const TOOL = toolPath('rotate-pdf')
const JSON_TYPE = { 'content-type': 'application/json' }
const options = { angle: 90 }
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const damaged: Upload = { name: 'damaged.pdf', bytes: makeDamagedPdf() }

let service: RunningService

beforeAll(async () => {
  service = await usualService()
})

async function createAccount(email: string): Promise<Client> {
  return createClient(service.base, await service.createKey(email))
}

function rotate(client: Client, headers?: Record<string, string>): Promise<ApiResponse> {
  return client.callTool('rotate-pdf', document, options, headers)
}

/** Sends a request that runs until the hold is released. */
function rotateHeld(client: Client, { name }: Hold, headers?: Record<string, string>): Promise<ApiResponse> {
  return client.callTool('rotate-pdf', { ...document, name }, options, headers)
}

/** Waits until a request of the account has been charged and runs. */
async function untilCharged(client: Client, balance: number): Promise<void> {
  await eventually(
    () => client.balance(),
    seen => seen === balance,
  )
}

/** Sends `count` requests at once. Each succeeds or is refused for lack of credits, and no credit is spent twice. */
async function expectExactSpending(count: number, credits: number, clients: Client[]): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => rotate(clients[index % clients.length] ?? fail())),
  )
  const delivered = responses.filter(({ status }) => status === 200)
  const refused = responses.filter(({ status }) => status !== 200)
  expect({ delivered: delivered.length, refused: refused.length }).toEqual({
    delivered: credits,
    refused: count - credits,
  })
  for (const response of delivered) expectFile(response, 'application/pdf')
  expect(delivered.map(({ balance }) => balance).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: credits }, (_, balance) => balance),
  )
  for (const response of refused) {
    expectProblem(response, { status: 402, error: 'insufficient_credits' })
    expect({ ...response.json, charged: response.charged }).toMatchObject({
      creditsRequired: 1,
      creditBalance: response.balance,
      charged: 0,
    })
  }
}

function fail(): never {
  throw new Error('no client was given')
}

describe('the monthly credits', () => {
  it('are granted once, whether the account command or requests trigger the grant, and however many at once', async () => {
    const email = 'month@example.test'
    const client = await createAccount(email)
    const others = Promise.all(Array.from({ length: 3 }, () => service.account(email)))
    const responses = await Promise.all(Array.from({ length: 10 }, () => rotate(client)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    await others
    expect((await service.account(email)).creditBalance).toBe(GRANT - 10)
    expect(await client.balance()).toBe(GRANT - 10)
  })

  it("are added to the operator's credits", async () => {
    const email = 'added@example.test'
    const client = createClient(service.base, await service.createKey(email, { credits: 7 }))
    expect((await rotate(client)).balance).toBe(GRANT + 7 - 1)
  })
})

describe('150 requests at once with 100 credits', () => {
  it('are 100 files and 50 refusals, each with its own balance, and a paid request can then be repeated', async () => {
    const client = await createAccount('drained@example.test')
    const key = { 'idempotency-key': 'paid for' }
    const first = await rotate(client, key)
    expect(first.balance).toBe(GRANT - 1)
    await expectExactSpending(149, GRANT - 1, [client])

    for (const { id } of listOperations()) {
      const wire = await openWire(service.base)
      // The test announces a body and never sends it, so the refusal can't depend on the body.
      await wire.write(
        writeHead(`/api/external/${id}`, {
          'x-api-key': client.apiKey,
          'Content-Type': 'application/json',
          'Content-Length': '50000000',
        }),
      )
      const response = await wire.response
      expectRefusal(response, { status: 402, error: 'insufficient_credits', says: ['0'] }, 0)
      expect(response.json).toMatchObject({ creditsRequired: 1, creditBalance: 0 })
      wire.hangUp()
    }

    const again = await rotate(client, key)
    expectFile(again, 'application/pdf')
    expect({
      charged: again.charged,
      balance: again.balance,
      replayed: again.headers['idempotent-replayed'],
    }).toEqual({
      charged: 0,
      balance: 0,
      replayed: 'true',
    })
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expectRefusal(
      await rotate(client, { 'idempotency-key': 'never paid for' }),
      { status: 402, error: 'insufficient_credits' },
      0,
    )
  })

  it('leave the balance exact if half of them fail', async () => {
    const client = await createAccount('half@example.test')
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 ? rotate(client) : client.callTool('rotate-pdf', damaged, options),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(responses.filter(({ status, charged }) => status === 422 && charged === 0)).toHaveLength(30)
    expect(await client.balance()).toBe(GRANT - 30)
  })
})

describe.each(SHARED_DATABASES)('two services on one %s', () => {
  it('share the credits, the keys and the work', async () => {
    const second = await fullService()
    const client = await createAccount('shared@example.test')
    const there = createClient(second.base, client.apiKey)
    const key = { 'idempotency-key': 'shared' }
    const first = await rotate(client, key)
    // The first service closes the request once the response has ended.
    const again = await eventually(
      () => rotate(there, key),
      ({ status }) => status !== 409,
    )
    expect({
      charged: again.charged,
      balance: again.balance,
      replayed: again.headers['idempotent-replayed'],
    }).toEqual({ charged: 0, balance: GRANT - 1, replayed: 'true' })
    expect(again.bytes.equals(first.bytes)).toBe(true)
    await expectExactSpending(150, GRANT - 1, [client, there])

    const renewed = await service.createKey('shared@example.test')
    for (const { base } of [service, second]) {
      expectProblem(await rotate(createClient(base, client.apiKey)), { status: 401, error: 'invalid_api_key' })
      expectRefusal(await rotate(createClient(base, renewed)), { status: 402, error: 'insufficient_credits' }, 0)
    }
  })
})

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order 4711' }

  it('lets a request be repeated without a charge, in either encoding', async () => {
    const client = await createAccount('repeat@example.test')
    const first = await rotate(client, key)
    const responses = [await rotate(client, key), await client.callToolAsForm('rotate-pdf', document, options, key)]
    expect({ charged: first.charged, balance: first.balance, replayed: first.headers['idempotent-replayed'] }).toEqual({
      charged: 1,
      balance: GRANT - 1,
      replayed: undefined,
    })
    for (const response of responses) {
      expectFile(response, 'application/pdf')
      expect({
        charged: response.charged,
        balance: response.balance,
        replayed: response.headers['idempotent-replayed'],
      }).toEqual({ charged: 0, balance: GRANT - 1, replayed: 'true' })
      expect(response.bytes.equals(first.bytes)).toBe(true)
    }
    expect(new Set([first, ...responses].map(({ requestId }) => requestId)).size).toBe(3)
  })

  it('is refused for a different request: other options, another file, another tool', async () => {
    const client = await createAccount('reused@example.test')
    await rotate(client, key)
    const others = [
      () => client.callTool('rotate-pdf', document, { angle: 180 }, key),
      () => client.callTool('rotate-pdf', { ...document, bytes: makePdf({ pages: 6 }) }, options, key),
      () => client.callTool('reverse-pages', document, {}, key),
    ]
    for (const send of others) expectRefusal(await send(), { status: 409, error: 'idempotency_key_reused' }, GRANT - 1)
    expect(await client.balance()).toBe(GRANT - 1)
  })

  it('belongs to one account', async () => {
    const [one, two] = [await createAccount('one@example.test'), await createAccount('two@example.test')]
    await rotate(one, key)
    const response = await two.callTool('rotate-pdf', document, { angle: 180 }, key)
    expect({ status: response.status, charged: response.charged, balance: response.balance }).toEqual({
      status: 200,
      charged: 1,
      balance: GRANT - 1,
    })
  })

  it('is refused while its first request runs, with the time to retry', async () => {
    const client = await createAccount('running@example.test')
    const hold = beginHold()
    const first = rotateHeld(client, hold, key)
    await untilCharged(client, GRANT - 1)
    const second = await rotateHeld(client, hold, key)
    expectRefusal(second, { status: 409, error: 'request_in_progress' }, GRANT - 1)
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    hold.release()
    expectFile(await first, 'application/pdf')
    expect(await client.balance()).toBe(GRANT - 1)
  })

  it('of a failed request counts as new, for any request', async () => {
    const client = await createAccount('failed@example.test')
    for (let count = 0; count < 2; count++)
      expectRefusal(
        await client.callTool('rotate-pdf', damaged, options, key),
        { status: 422, error: 'pdf_tool_processing_failed' },
        GRANT,
      )
    const response = await rotate(client, key)
    expect({
      charged: response.charged,
      balance: response.balance,
      replayed: response.headers['idempotent-replayed'],
    }).toEqual({ charged: 1, balance: GRANT - 1, replayed: undefined })
  })
})

describe('a client that disconnects', () => {
  it('during its request gets its credit back, and its key counts as new', async () => {
    const client = await createAccount('leaving@example.test')
    const key = { 'idempotency-key': 'left' }
    const leaving = new AbortController()
    const hold = beginHold()
    const call = client.send({
      path: TOOL,
      body: JSON.stringify(writeToolBody({ ...document, name: hold.name }, options)),
      headers: { ...JSON_TYPE, ...key },
      signal: leaving.signal,
    })
    const outcome = call.then(
      () => 'answered',
      () => 'left',
    )
    await untilCharged(client, GRANT - 1)
    leaving.abort()
    expect(await outcome).toBe('left')
    await untilCharged(client, GRANT)
    hold.release()
    expect((await rotate(client, key)).charged).toBe(1)
  })

  it('before the end of the response gets its credit back', async () => {
    const client = await createAccount('unread@example.test')
    const body = JSON.stringify(
      writeToolBody({ name: 'huge.pdf', bytes: makePdf({ ballastBytes: 16 * 2 ** 20 }) }, options),
    )
    const wire = await openWire(service.base)
    await wire.write(
      writeHead(TOOL, {
        'x-api-key': client.apiKey,
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
    )
    wire.socket.once('data', () => wire.pause()) // The buffers hold far less than the response.
    await wire.write(body)
    await untilCharged(client, GRANT - 1)
    await eventually(
      () => Promise.resolve(wire.socket.bytesRead),
      bytes => bytes > 0,
    )
    wire.hangUp()
    await untilCharged(client, GRANT)
    expect((await rotate(client)).balance).toBe(GRANT - 1)
  })

  it('during its upload is never charged', async () => {
    const client = await createAccount('upload@example.test')
    const wire = await openWire(service.base)
    await wire.write(
      writeHead(TOOL, { 'x-api-key': client.apiKey, 'Content-Type': 'application/json', 'Content-Length': '1000000' }),
    )
    await wire.write('{"file": {"name": "a.pdf", "dataBase64": "JVBERi0')
    wire.hangUp()
    expect((await rotate(client)).balance).toBe(GRANT - 1)
  })
})

describe('a key that is rotated during its requests', () => {
  it('is refused from then on, and running requests continue', async () => {
    const client = await createAccount('rotating@example.test')
    const hold = beginHold()
    const running = rotateHeld(client, hold)
    await untilCharged(client, GRANT - 1)
    const renewed = await createAccount('rotating@example.test')
    expectProblem(await rotate(client), { status: 401, error: 'invalid_api_key' })
    hold.release()
    const response = await running
    expectFile(response, 'application/pdf')
    expect({ charged: response.charged, balance: response.balance }).toEqual({ charged: 1, balance: GRANT - 1 })
    expect((await rotate(renewed)).balance).toBe(GRANT - 2)
  })
})
