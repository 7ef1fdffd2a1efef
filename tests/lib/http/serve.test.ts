import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RequestRow } from '../../../db/queries/request-log'
import { EngineError } from '../../../engines/errors'
import { holdChunks } from '../../../engines/output-content'
import type { OutputFile } from '../../../engines/types'
import { readConfig } from '../../../lib/config'
import { PHASES } from '../../../lib/requests/phases'
import type { Charge } from '../../../lib/credits/ledger'
import { RequestError } from '../../../lib/errors'
import { createFailedWork } from '../../../lib/http/limits/failed-work-budget'
import { getBodyMemory, getFailedWork, getRequestQueue } from '../../../lib/http/limits/process-limits'
import { createLeases } from '../../../lib/http/limits/renew-leases'
import { serve } from '../../../lib/http/serve'
import type { Operation, RunContext } from '../../../lib/operations/operation'
import { createOncePerPeriod } from '../../../lib/once-per-period'
import { placeSingleton } from '../../../lib/registry'
import { type ApiResponse, send, sendRaw, startServer, type TestServer } from './harness'
import { startSite, type TestSite } from '../../support/site'
import { waitFor } from '../../support/wait-for'

const MAX_BODY_BYTES = 100_000
const REQUESTER = { accountId: 'account', network: '127.0.0.1', hasPaid: true }
const ENGINES = 2
const KEY = 'right'
const JSON_TYPE = { 'x-api-key': KEY, 'content-type': 'application/json' }
const output: Omit<OutputFile, 'content'> = {
  name: 'Żółć.pdf',
  contentType: 'application/pdf',
  warnings: ['repaired'],
  headers: { 'X-Extra': 'yes' },
  timings: { queue: 0, open: 1.23, work: 4 },
}

/** An output whose content was not read yet. */
function makeOutput(chunks: Uint8Array[] = [Buffer.from('%PDF-'), Buffer.from('1.7')]): OutputFile {
  return { ...output, content: holdChunks(chunks) }
}

/** Adds up tenths of milliseconds. */
function sum(phases: readonly (number | null)[] | null): number {
  return (phases ?? []).reduce<number>((total, tenths) => total + (tenths ?? 0), 0)
}

/** A ledger that records its calls. The balance falls with each charge. */
function createLedger(balance = 10) {
  const events: string[] = []
  const ledger = {
    charge: vi.fn(
      (call: { requestId: string; idempotency?: { key: string; requestHash: string } }): Promise<Charge> => {
        events.push('charge')
        return Promise.resolve({ balance: call ? --balance : balance, charged: 1, replayed: false })
      },
    ),
    refund: vi.fn((requestId: string) => {
      events.push('refund')
      return Promise.resolve({ balance: requestId ? ++balance : balance })
    }),
    settle: vi.fn((_requestIds: string[]) => {
      events.push('settle')
      return Promise.resolve()
    }),
    renew: () => Promise.resolve(),
    balance: vi.fn(() => Promise.resolve(balance)),
    hasReplay: vi.fn(() => Promise.resolve(false)),
  }
  return { ...ledger, events, current: () => balance }
}

let ledger: ReturnType<typeof createLedger>
let logged: RequestRow[]
let server: TestServer
let found: Operation | RequestError
let callerBalance: number
let authorization: Error | undefined
/** Whether the caller's key comes from memory, and why it is refused when it is looked up. */
let unconfirmed: { refusal?: Error } | undefined
/** Whether the caller is a visitor without an account. */
let isTrial: boolean
const run = vi.fn<(context: RunContext) => Promise<OutputFile>>()
const parse = vi.fn<Operation['parse']>()
const operation: Operation = {
  id: 'pdf-tools/test',
  refusalCode: 'pdf_tool_processing_failed',
  failureCode: 'conversion_failed',
  crashCode: 'internal_error',
  bodyRules: {
    fileFields: ['file'],
    jsonFields: ['options'],
    textFields: ['options'],
    listFields: [],
    maxStructureBytes: 50_000,
    maxFieldBytes: 1000,
  },
  parse,
}

function configure(environment: Record<string, string> = {}): void {
  placeSingleton(
    'config',
    readConfig({
      MAX_BODY_BYTES: String(MAX_BODY_BYTES),
      BODY_STALL_MS: '200',
      LOG_LEVEL: 'silent',
      ENGINES: String(ENGINES),
      ...environment,
    }),
  )
}

beforeEach(async () => {
  configure()
  ledger = createLedger()
  placeSingleton('ledger', ledger)
  const current = ledger // Requests of an earlier test are settled a moment later.
  placeSingleton(
    'leases',
    createLeases(() => current),
  )
  placeSingleton('draining', { hasBegun: false, refusesRequests: false })
  logged = []
  placeSingleton('request-log', { add: (row: RequestRow) => logged.push(row) })
  callerBalance = 10
  authorization = undefined
  unconfirmed = undefined
  isTrial = false
  found = operation
  run.mockReset().mockImplementation(() => Promise.resolve(makeOutput()))
  parse.mockReset().mockImplementation(() => Promise.resolve({ warnings: [], run }))
  server = await startServer(() =>
    serve(found, (req, mayBeUnconfirmed) => {
      if (authorization) return Promise.reject(authorization)
      if (isTrial) return Promise.resolve({ accountId: 'trial:192.0.2.0/24', via: 'trial' as const })
      if (unconfirmed?.refusal && !mayBeUnconfirmed) return Promise.reject(unconfirmed.refusal)
      if (req.headers['x-api-key'] !== KEY) return Promise.reject(new RequestError('invalid_api_key', 'No such key'))
      return Promise.resolve({
        accountId: 'account',
        balance: callerBalance,
        via: 'api' as const,
        key: { id: 'key', last4: 'last' },
        ...(unconfirmed && mayBeUnconfirmed ? { isUnconfirmed: true } : {}),
      })
    }),
  )
})

afterEach(() => server.close())

const call = (options: Parameters<typeof send>[1] = {}) =>
  send(server.port, { headers: JSON_TYPE, body: '{}', ...options })

describe('a request that succeeds', () => {
  it('returns the file and every header, and is settled after it was sent', async () => {
    const response = await call({ headers: { ...JSON_TYPE, origin: 'https://example.com' } })
    expect(response.status).toBe(200)
    expect(response.bytes.toString()).toBe('%PDF-1.7')
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '8',
      'content-disposition': 'attachment; filename="Zo_c.pdf"; filename*=UTF-8\'\'%C5%BB%C3%B3%C5%82%C4%87.pdf',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-credits-charged': '1',
      'x-credit-balance': '9',
      'x-warnings': 'browser-origin, repaired',
      'x-extra': 'yes',
    })
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{22}$/)
    expect(response.headers['server-timing']).toMatch(
      /^auth;dur=.*body;dur=.*parse;dur=.*wait;dur=.*charge;dur=.*open;dur=1\.23, work;dur=4\.00$/,
    )
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'settle']))
    expect(ledger.settle.mock.calls[0]?.[0]).toEqual([response.headers['x-request-id']])
  })

  it('is logged for its account', async () => {
    const before = Date.now()
    const { headers } = await call({
      headers: { ...JSON_TYPE, 'user-agent': 'shop/1.0 (alice)', origin: 'https://example.com' },
    })
    await waitFor(() => expect(logged).toHaveLength(1))
    const { at, ms, phases, ...row } = logged[0] ?? expect.fail()
    expect(phases?.map(tenths => tenths !== null)).toEqual(
      PHASES.map(phase => !['context', 'load', 'settle', 'print', 'send', 'save', 'run', 'fetch'].includes(phase)),
    )
    expect(sum(phases) / 10).toBeCloseTo(ms, -0.5)
    expect(row).toEqual({
      id: headers['x-request-id'],
      accountId: 'account',
      operation: 'pdf-tools/test',
      via: 'api',
      status: 200,
      error: null,
      reason: null,
      message: null,
      steps: null,
      param: null,
      engineMs: 5,
      bytesIn: 2,
      bytesOut: 8,
      credits: 1,
      replayed: false,
      delivered: true,
      browserOrigin: true,
      hasIdempotencyKey: false,
      keyId: 'key',
      keyLast4: 'last',
      address: '127.0.0.0/24',
      agent: 'shop/1.0',
    })
    expect(ms).toBeLessThan(10_000)
    expect(Math.abs(Date.parse(at) - before)).toBeLessThan(10_000)
  })

  it('names all fields that were ignored, percent-encoded, in at most 4,096 characters', async () => {
    const unknownFields = ['color', 'options[angle]', 'a, b%', 'x\r\ny', 'größe', 'half \ud800']
    parse.mockImplementationOnce(() => Promise.resolve({ warnings: ['unknown-field'], unknownFields, run }))
    const { headers } = await call()
    expect(headers['x-warnings']).toBe('unknown-field, repaired')
    expect(headers['x-unknown-fields']).toBe(
      'color, options[angle], a%2C%20b%25, x%0D%0Ay, gr%C3%B6%C3%9Fe, half%20%EF%BF%BD',
    )
    parse.mockImplementationOnce(() => Promise.resolve({ warnings: [], unknownFields: Array(5000).fill('field'), run }))
    expect((await call()).headers['x-unknown-fields']).toMatch(/^(field, ){585}\.\.\.$/)
    expect((await call()).headers['x-unknown-fields']).toBeUndefined()
  })

  it('applies the preference of the client and says so', async () => {
    const { headers } = await call({ headers: { ...JSON_TYPE, prefer: 'respond-async, Handling="Strict"' } })
    expect(headers['preference-applied']).toBe('handling=strict')
    expect(parse).toHaveBeenLastCalledWith(expect.anything(), { handling: 'strict', query: [] })
    expect((await call()).headers['preference-applied']).toBeUndefined()
  })

  it('does not use the ID that a client sends', async () => {
    expect((await call({ headers: { ...JSON_TYPE, 'x-request-id': 'mine' } })).headers['x-request-id']).not.toBe('mine')
  })

  it('is marked as a replay if it repeats a paid request, even at balance 0', async () => {
    callerBalance = 0
    ledger.hasReplay.mockResolvedValueOnce(true)
    ledger.charge.mockResolvedValueOnce({ balance: 0, charged: 0, replayed: true })
    const response = await call({ headers: { ...JSON_TYPE, 'idempotency-key': 'order-1' } })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'x-credits-charged': '0',
      'x-credit-balance': '0',
    })
    expect(ledger.charge.mock.calls[0]?.[0].idempotency).toEqual({
      key: 'order-1',
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })
})

describe('a request is refused in the order of the checks', () => {
  const broken = { headers: { 'x-api-key': 'wrong', 'content-type': 'text/plain' }, body: '{broken' }

  it('first by path, second by method', async () => {
    found = new RequestError('not_found', 'Nothing here')
    expect(await call({ method: 'GET', ...broken })).toMatchObject({ status: 404, json: { error: 'not_found' } })
    found = operation
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']) {
      expect(await call({ method, ...broken })).toMatchObject({
        status: 405,
        json: { error: 'method_not_allowed' },
        headers: { allow: 'POST' },
      })
    }
  })

  it('then by its key, without credit headers', async () => {
    const response = await call(broken)
    expect(response).toMatchObject({
      status: 401,
      json: { error: 'invalid_api_key', message: 'No such key', requestId: response.headers['x-request-id'] },
    })
    expect(response.headers['x-credit-balance']).toBeUndefined()
  })

  it('then by the balance, with the required and the available credits', async () => {
    callerBalance = 0
    expect(await call({ ...broken, headers: { ...broken.headers, 'x-api-key': KEY } })).toMatchObject({
      status: 402,
      json: { error: 'insufficient_credits', creditsRequired: 1, creditBalance: 0 },
      headers: { 'x-credits-charged': '0', 'x-credit-balance': '0' },
    })
  })

  it('then by the type, the announced length, the body and the input', async () => {
    expect(
      await call({ headers: { ...JSON_TYPE, 'content-type': 'text/plain' }, body: 'x'.repeat(MAX_BODY_BYTES + 1) }),
    ).toMatchObject({ status: 415 })
    expect(await call({ body: 'x'.repeat(MAX_BODY_BYTES + 1) })).toMatchObject({
      status: 413,
      json: { error: 'payload_too_large', maxBytes: MAX_BODY_BYTES },
    })
    expect(await call({ body: '{broken' })).toMatchObject({
      status: 422,
      json: { error: 'pdf_tool_processing_failed' },
    })
    parse.mockImplementationOnce(() => {
      throw new RequestError('pdf_tool_processing_failed', '2 errors', {
        problems: [
          { param: 'a', message: '1' },
          { param: 'b', message: '2' },
        ],
      })
    })
    expect(await call()).toMatchObject({
      status: 422,
      json: {
        problems: [
          { param: 'a', message: '1' },
          { param: 'b', message: '2' },
        ],
      },
    })
    expect(ledger.events).toEqual([])
  })

  it('and by the charge, whose balance the response reports', async () => {
    ledger.charge.mockRejectedValueOnce(
      new RequestError('insufficient_credits', 'Too late', { body: { creditsRequired: 1, creditBalance: 0 } }),
    )
    expect(await call()).toMatchObject({ status: 402, headers: { 'x-credit-balance': '0' } })
    expect(run).not.toHaveBeenCalled()
    expect(ledger.refund).not.toHaveBeenCalled()
  })
})

describe('a request whose key comes from memory', () => {
  beforeEach(() => {
    unconfirmed = {}
  })
  const end = () => (unconfirmed = { refusal: new RequestError('invalid_api_key', 'Rotated') })

  it('is charged with a check of the key', async () => {
    expect(await call()).toMatchObject({ status: 200, headers: { 'x-credit-balance': '9' } })
    expect(ledger.charge.mock.calls[0]?.[0]).toMatchObject({ unconfirmedKeyId: 'key' })
  })

  it('gets 401 if the key has ended, whatever else is wrong', async () => {
    end()
    const refused = { status: 401, json: { error: 'invalid_api_key' } }
    expect(await call({ headers: { 'x-api-key': KEY, 'content-type': 'text/plain' } })).toMatchObject(refused)
    parse.mockImplementationOnce(() => {
      throw new RequestError('pdf_tool_processing_failed', 'Wrong')
    })
    expect(await call()).toMatchObject(refused)
    ledger.charge.mockRejectedValueOnce(new Error('There is no account, or its key has ended'))
    const { headers } = await call().then(response => {
      expect(response).toMatchObject(refused)
      return response
    })
    expect(headers['x-credit-balance']).toBeUndefined()
    expect(run).not.toHaveBeenCalled()
    await waitFor(() => expect(logged).toEqual([]))
  })

  it('gets any other error if the key is active', async () => {
    expect(await call({ headers: { 'x-api-key': KEY, 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
      headers: { 'x-credit-balance': '10' },
    })
  })

  it('keeps its error after the charge, although the key has ended meanwhile', async () => {
    run.mockImplementationOnce(() => {
      end()
      return Promise.reject(new EngineError('damaged', 'This is no PDF'))
    })
    expect(await call()).toMatchObject({ status: 422 })
    expect(ledger.events).toEqual(['charge', 'refund'])
  })
})

describe('a request that fails after its charge', () => {
  it.each([
    [
      new EngineError('damaged', 'This is no PDF', { param: 'file' }),
      422,
      { error: 'pdf_tool_processing_failed', message: 'file: This is no PDF.', param: 'file' },
    ],
    [
      new EngineError('timed_out', 'It took too long'),
      502,
      { error: 'conversion_failed', message: 'It took too long.' },
    ],
    [new EngineError('busy', 'The engines are busy'), 503, { error: 'service_unavailable' }],
    [new EngineError('internal', 'Oops'), 500, { error: 'internal_error' }],
    [
      new EngineError('crashed', 'It stopped'),
      500,
      {
        error: 'internal_error',
        message:
          'The engine stopped before the work was finished. You were not charged. Try again. If the error remains, ' +
          'contact support with the requestId.',
      },
    ],
    [new TypeError('secret detail'), 500, { error: 'internal_error' }],
    [
      Object.assign(new Error('query failed'), { cause: Object.assign(new Error('down'), { code: 'ECONNREFUSED' }) }),
      503,
      { error: 'service_unavailable' },
    ],
  ])('because of %s is refunded', async (error, status, body) => {
    run.mockRejectedValueOnce(error)
    const response = await call()
    expect(response).toMatchObject({
      status,
      json: body,
      headers: {
        'x-credits-charged': '0',
        'x-credit-balance': '10',
        'content-type': 'application/json; charset=utf-8',
      },
    })
    expect(response.bytes.toString()).not.toContain('secret detail')
    if (status === 503) expect(response.headers['retry-after']).toBeDefined()
    expect(ledger.events).toEqual(['charge', 'refund'])
  })

  it('says nothing about charges to a visitor without an account', async () => {
    isTrial = true
    for (const error of [new EngineError('crashed', 'It stopped'), new TypeError('secret detail')]) {
      run.mockRejectedValueOnce(error)
      const response = await call()
      expect(response).toMatchObject({ status: 500, json: { error: 'internal_error' } })
      expect(String(response.json['message'])).toMatch(/\. Try again\. If the error remains, contact support/)
      expect(String(response.json['message'])).not.toMatch(/charged/)
    }
    expect(ledger.events).toEqual([])
  })

  it('is refunded if the database failed during the charge, because the charge may exist', async () => {
    ledger.charge.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }))
    expect(await call()).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
      headers: { 'x-credits-charged': '0' },
    })
    expect(ledger.events).toEqual(['refund'])
    expect(run).not.toHaveBeenCalled()
  })

  it('gets a response without waiting for its refund, if the database is already slow', async () => {
    ledger.charge.mockRejectedValueOnce(Object.assign(new Error('no answer in time'), { code: 'DATABASE_TIMEOUT' }))
    ledger.refund.mockImplementationOnce(() => new Promise(() => {}))
    expect(await call()).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
      headers: { 'x-credits-charged': '0', 'x-credit-balance': '10' },
    })
    expect(ledger.refund).toHaveBeenCalledTimes(1)
  })

  it('keeps its response if it turns out that it was never charged', async () => {
    ledger.charge.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
    ledger.refund.mockRejectedValueOnce(new Error('There is no call'))
    expect(await call()).toMatchObject({ status: 503, headers: { 'x-credits-charged': '0', 'x-credit-balance': '10' } })
  })

  it('gets a response although the refund must wait for the database', async () => {
    run.mockRejectedValueOnce(new EngineError('damaged', 'This is no PDF'))
    ledger.refund.mockRejectedValueOnce(new Error('away'))
    expect(await call()).toMatchObject({ status: 422, headers: { 'x-credit-balance': '10' } })
  })
})

describe('failed work', () => {
  const fail = (error: EngineError, workMs?: number) =>
    run.mockRejectedValueOnce(Object.assign(error, workMs === undefined ? {} : { workMs }))
  beforeEach(() => {
    placeSingleton('failed-work', createFailedWork({ budgetMs: 1000 }))
  })
  afterEach(() => {
    placeSingleton('failed-work', createFailedWork({ budgetMs: 600_000 }))
  })

  it('is limited per account: further requests are refused before their body is read', async () => {
    fail(new EngineError('timed_out', 'Too long'), 999)
    await call()
    fail(new EngineError('damaged', 'No PDF'), 2)
    expect(await call()).toMatchObject({ status: 422 })
    const parsed = parse.mock.calls.length
    const refused = await call()
    expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect(parse.mock.calls.length).toBe(parsed)
  })

  it('stops requests that waited while it was used up, before their charge', async () => {
    let hasParsed = () => {}
    const parsed = new Promise<void>(resolve => (hasParsed = resolve))
    parse.mockImplementationOnce(() => {
      hasParsed()
      return Promise.resolve({ warnings: [], run })
    })
    const { signal } = new AbortController()
    const slots = Array.from({ length: ENGINES + 1 }, () => getRequestQueue().acquire(REQUESTER, signal))
    const releases = await Promise.all(slots)
    const waiting = call()
    await parsed
    getFailedWork().record(REQUESTER, 1000)
    for (const release of releases) release()
    expect(await waiting).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(ledger.charge).not.toHaveBeenCalled()
  })

  it('counts the inspection of an input before the charge', async () => {
    const inspect = () => Promise.reject(Object.assign(new EngineError('damaged', 'No ZIP'), { workMs: 1000 }))
    parse.mockImplementationOnce(() => Promise.resolve({ warnings: [], run, inspect }))
    expect(await call()).toMatchObject({ status: 422 })
    expect(await call()).toMatchObject({ status: 429 })
    expect(ledger.charge).not.toHaveBeenCalled()
  })

  it('excludes failures that the input did not cause, waiting time, and successful work', async () => {
    fail(new EngineError('internal', 'Ours'), 5000)
    await call()
    fail(new EngineError('busy', 'Full'), 5000)
    await call()
    fail(new EngineError('canceled', 'Gone before it began'))
    await call()
    run.mockResolvedValueOnce({ ...makeOutput(), timings: { work: 5000 } })
    expect(await call()).toMatchObject({ status: 200 })
    expect(await call()).toMatchObject({ status: 200 })
  })

  it('includes responses that the client did not accept', async () => {
    const large = Buffer.alloc(2 ** 20)
    run.mockResolvedValueOnce({
      ...makeOutput(Array.from({ length: 60 }, () => large)),
      timings: { work: 1500 },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST /api/external/x HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: 2\r\n\r\n{}`,
    )
    await once(socket, 'data')
    socket.destroy()
    await waitFor(() => expect(ledger.events).toContain('refund'))
    expect(await call()).toMatchObject({ status: 429 })
  })

  it("doesn't include requests without credits, which are logged once a minute", async () => {
    placeSingleton('noted-insufficient_credits', createOncePerPeriod(60_000))
    callerBalance = 0
    for (let index = 0; index < 5; index++) expect(await call()).toMatchObject({ status: 402 })
    await waitFor(() => expect(logged).toMatchObject([{ status: 402, error: 'insufficient_credits' }]))
  })
})

describe('a client that disconnects', () => {
  const head = `POST /api/external/x HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n`

  it('during its request stops the work and is refunded', async () => {
    const signals: AbortSignal[] = []
    run.mockImplementationOnce(({ signal }) => {
      signals.push(signal)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new EngineError('canceled', 'Canceled'))),
      )
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`${head}Content-Length: 2\r\n\r\n{}`)
    await waitFor(() => expect(signals).toHaveLength(1))
    socket.destroy()
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'refund']))
    expect(signals[0]?.aborted).toBe(true)
    expect(logged).toMatchObject([
      { status: 499, error: null, delivered: false, credits: 0, engineMs: null, address: '127.0.0.0/24' },
    ])
  })

  it('before the end of the response is refunded', async () => {
    const large = Buffer.alloc(2 ** 20)
    run.mockResolvedValueOnce(makeOutput(Array.from({ length: 60 }, () => large)))
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`${head}Content-Length: 2\r\n\r\n{}`)
    await once(socket, 'data')
    socket.pause()
    expect(ledger.events).toEqual(['charge'])
    socket.destroy()
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'refund']))
    expect(logged).toMatchObject([{ status: 200, delivered: false, credits: 0 }])
  })

  it('during its upload is not charged', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`${head}Content-Length: 5000\r\n\r\n{"file":`)
    await waitFor(() => expect(server.server.listening).toBe(true))
    socket.end()
    await once(socket.resume(), 'close')
    expect(ledger.events).toEqual([])
  })

  it('by sending nothing more is disconnected', async () => {
    const response = await sendRaw(server.port, [`${head}Content-Length: 5000\r\n\r\n{"file":`])
    expect(response.text).toBe('')
    expect(ledger.events).toEqual([])
  })
})

describe('a response before the end of the request body', () => {
  const head = (more: string) =>
    `POST /api/external/x HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
  const megabyte = Buffer.alloc(2 ** 20, 0x20)

  it.each(['', 'Connection: close\r\n'])(
    'arrives although the client continues to send (%j), and the connection ends',
    async connection => {
      const { text, end } = await sendRaw(server.port, [
        head(`${connection}Content-Length: ${3 * megabyte.length}`),
        megabyte,
        megabyte,
        megabyte,
      ])
      expect(text).toMatch(/^HTTP\/1\.1 413 .*"maxBytes":100000/s)
      expect(text).toMatch(/\r\nConnection: close\r\n/i)
      expect(end).toBe('closed')
    },
  )

  it('arrives for a body without announced length once the body is too long', async () => {
    const chunk = Buffer.concat([Buffer.from(`${megabyte.length.toString(16)}\r\n`), megabyte, Buffer.from('\r\n')])
    const { text } = await sendRaw(server.port, [head('Transfer-Encoding: chunked'), chunk, chunk, chunk])
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('arrives although the client sends only the start of the body', async () => {
    const { text } = await sendRaw(server.port, [
      head(`Content-Length: ${64 * 2 ** 30}`),
      '{"file": {"name": "big.pdf", "dataBase64": "AAAA',
    ])
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('sends no 100 Continue before a refusal', async () => {
    const { text } = await sendRaw(server.port, [head('Expect: 100-continue\r\nContent-Length: 500000')])
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('sends 100 Continue to an accepted request', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(head('Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close'))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{}')
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
    await waitFor(() => expect(logged).toHaveLength(1))
  })

  it('keeps the connection if the body has already arrived', async () => {
    const socket = connect(server.port, '127.0.0.1')
    // One write, because the response precedes a body that arrives later.
    socket.write(`${head('Content-Length: 2').replace(KEY, 'wrong')}{}`)
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /)
    expect(response.toString()).toMatch(/\r\nConnection: keep-alive\r\n/i)
    socket.destroy()
    expect(logged).toEqual([]) // No account has this key.
  })
})

describe('files by URL', () => {
  let site: TestSite
  const SECRET = 'signature=SECRETWORDS'

  beforeEach(async () => {
    const write = (_request: unknown, response: ServerResponse, bytes: Buffer) =>
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    site = await startSite({
      '/one': 'one',
      '/two': (request, response) => write(request, response, Buffer.from('second')),
      '/most': (request, response) => write(request, response, Buffer.alloc(MAX_BODY_BYTES / 2)),
      '/lies': (_request, response) => response.writeHead(200, { 'content-length': MAX_BODY_BYTES }).flushHeaders(),
      '/endless': (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16 * 1024)));
        }
        response.writeHead(200).on('drain', more)
        more()
      },
      '/gone': (_request, response) => response.writeHead(410).end(),
      '/silent': () => {},
      '/stuck': (_request, response) => response.writeHead(200, { 'content-length': 100 }).write('x'),
    })
    configure({ WEBPAGE_ALLOWED_HOSTS: site.host, MAX_FILES: '8' })
  })

  afterEach(() => site.close())

  const input = (path: string) => ({ name: 'a.pdf', url: `${site.base}${path}?${SECRET}` })
  const callWith = (...paths: string[]) =>
    call({ body: JSON.stringify({ files: paths.map(input), options: { angle: 90 } }) })

  beforeEach(() => {
    found = { ...operation, bodyRules: { ...operation.bodyRules, fileFields: ['files'] } }
  })

  const contents = () => {
    const body = parse.mock.lastCall?.[0] ?? expect.fail()
    return body.files.map(({ chunks, byteLength }) => [Buffer.concat(chunks).toString(), byteLength])
  }
  /** Expects an error that costs nothing and repeats no secret, anywhere. */
  const expectFree = async (response: ApiResponse) => {
    expect(response.headers).toMatchObject({ 'x-credits-charged': '0', 'x-credit-balance': '10' })
    await waitFor(() => expect(logged).toHaveLength(1))
    expect([ledger.events, run.mock.calls.length]).toEqual([[], 0])
    expect(JSON.stringify([response.json, response.headers, logged])).not.toContain('SECRET')
  }

  it('are fetched after the check of the other fields, and checked with their bytes', async () => {
    const lengths: number[][] = []
    parse.mockImplementation(({ files }) => {
      lengths.push(files.map(({ byteLength }) => byteLength))
      return Promise.resolve({ warnings: [], run })
    })
    expect(await callWith('/two', '/two', '/two', '/two', '/two', '/two')).toMatchObject({ status: 200 })
    expect(contents()).toEqual(Array.from({ length: 6 }, () => ['second', 6]))
    expect(lengths).toEqual([Array(6).fill(1), Array(6).fill(6)])
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'settle']))
    const { phases, bytesIn } = logged[0] ?? expect.fail()
    expect(phases?.[PHASES.indexOf('fetch')]).toBeGreaterThan(0)
    expect(bytesIn).toBeGreaterThan(36)
    expect(getRequestQueue().status()).toEqual({ running: 0, waiting: 0 })
  })

  it('are not fetched if another field is wrong', async () => {
    parse.mockRejectedValueOnce(new RequestError('pdf_tool_processing_failed', 'options: wrong.'))
    await expectFree(await callWith('/two'))
    expect(site.requests).toEqual([])
  })

  it.each([
    [
      'the other server refuses',
      ['/two', '/gone'],
      422,
      /^files\[1\]\.url: 127\.0\.0\.1:\d+ responded with status 410\./,
    ],
    ['the length is too much', ['/lies'], 413, /^The body must be at most 100000 bytes/],
    ['they never end', ['/endless'], 413, /^The body must be at most 100000 bytes/],
    ['they are too large together', ['/most', '/most'], 413, /^The body must be at most 100000 bytes/],
    [
      'one has no end',
      ['/one', '/stuck', '/stuck'],
      422,
      /^files\[\d\]\.url: must deliver the files within 0\.15 seconds/,
      { FETCH_TIMEOUT_MS: '150' },
    ],
    [
      'the first byte is late',
      ['/silent'],
      422,
      /^files\[0\]\.url: 127\.0\.0\.1:\d+ didn't respond within 0\.1 seconds/,
      { FETCH_FIRST_BYTE_MS: '100' },
    ],
  ] as [string, string[], number, RegExp, Record<string, string>?][])(
    'cost nothing if %s',
    async (_, paths, status, message, settings = {}) => {
      configure({ WEBPAGE_ALLOWED_HOSTS: site.host, ...settings })
      const response = await callWith(...paths)
      expect(response.status).toBe(status)
      expect(response.json['message']).toMatch(message)
      if (status === 422)
        expect(response.json).toMatchObject({
          reason: 'not_fetched',
          param: expect.stringMatching(/^files\[\d\]\.url$/),
        })
      await expectFree(response)
      await waitFor(() => expect([getBodyMemory().used, getRequestQueue().status().running]).toEqual([0, 0]))
    },
  )

  it.each([
    ['more than 8 files', () => Array.from({ length: 9 }, () => input('/two')), /at most 8 files/],
    [
      'a URL with credentials',
      () => [{ name: 'a', url: 'https://user:SECRET@example.com/' }],
      /^files\[0\]\.url: must not contain a user name/,
    ],
    [
      'a private address',
      () => [{ name: 'a', url: 'http://10.0.0.1/SECRET' }],
      /^files\[0\]\.url: must have a public host\. Got 10\.0\.0\.1\./,
    ],
    [
      'bytes too',
      () => [{ ...input('/two'), dataBase64: 'AAAA' }],
      /^files\[0\]\.url: was sent together with "dataBase64"/,
    ],
    [
      'a URL that is a number',
      () => [{ name: 'a', url: 7 }],
      /^files\[0\]\.url: must be the URL of the file as a string\. Got a number/,
    ],
  ])('are refused with %s', async (_, files, message) => {
    const response = await call({ body: JSON.stringify({ files: files() }) })
    expect(response).toMatchObject({ status: 422, json: { message: expect.stringMatching(message) } })
    await expectFree(response)
    expect(site.requests).toEqual([])
  })

  it('are refused if the operator has turned them off', async () => {
    configure({ WEBPAGE_ALLOWED_HOSTS: site.host, FILES_BY_URL: 'off' })
    const response = await callWith('/two')
    expect(response.json['message']).toBe(
      'files[0].url: isn\'t supported by this server. Send the content of the file in "dataBase64", or as multipart/form-data.',
    )
    await expectFree(response)
  })

  it('take memory of uploads, and give it back', async () => {
    let most = 0
    run.mockImplementationOnce(() => {
      most = getBodyMemory().used
      return Promise.resolve(makeOutput())
    })
    expect((await callWith('/most')).status).toBe(200)
    expect(most).toBeGreaterThan(MAX_BODY_BYTES / 2)
    await waitFor(() => expect(getBodyMemory().used).toBe(0))
  })

  it('end when the client hangs up', async () => {
    const socket = connect(server.port, '127.0.0.1')
    const body = JSON.stringify({ files: [input('/stuck'), input('/silent')] })
    socket.write(
      `POST /api/external/x HTTP/1.1\r\nHost: a\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    await waitFor(() => expect(site.requests).toHaveLength(2))
    expect(getRequestQueue().lanes()).toMatchObject({ network: { running: 1 }, engines: { running: 0 } })
    socket.destroy()
    await waitFor(() => expect([getBodyMemory().used, getRequestQueue().status().running]).toEqual([0, 0]))
    await waitFor(() => expect(logged).toHaveLength(1))
    expect([ledger.events, run.mock.calls.length]).toEqual([[], 0])
  })

  it('have the same hash as long as their URLs are the same', async () => {
    const headers = { ...JSON_TYPE, 'idempotency-key': 'k' }
    const send = (path: string) => call({ headers, body: JSON.stringify({ files: [input(path)] }) })
    for (const path of ['/two', '/two', '/one']) await send(path)
    const [first, again, other] = ledger.charge.mock.calls.map(([charge]) => charge.idempotency?.requestHash)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })
})

describe('a server that shuts down', () => {
  it('finishes running requests, refuses new ones, and closes', async () => {
    let finish = () => {}
    run.mockImplementationOnce(() => new Promise(resolve => (finish = () => resolve(makeOutput()))))
    const underWay = call()
    await waitFor(() => expect(run).toHaveBeenCalled())
    const drained = server.drain({ leastMs: 0, maxMs: 10_000 })
    expect(await call()).toMatchObject({
      status: 503,
      json: { error: 'service_unavailable' },
      headers: { 'retry-after': '5', connection: 'close' },
    })
    finish()
    expect(await underWay).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await drained
    expect(server.server.listening).toBe(false)
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'settle']))
  })

  it('does not wait forever', async () => {
    run.mockImplementationOnce(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new EngineError('canceled', 'Canceled'))),
        ),
    )
    const underWay = call().catch((error: unknown) => String(error))
    await waitFor(() => expect(run).toHaveBeenCalled())
    await server.drain({ leastMs: 0, maxMs: 50 })
    expect(await underWay).toMatch(/socket hang up|ECONNRESET/)
    await waitFor(() => expect(ledger.events).toEqual(['charge', 'refund']))
  })
})

it('returns 503 if the database is unavailable before authentication', async () => {
  authorization = Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
  const response = await call()
  expect(response).toMatchObject({
    status: 503,
    json: { error: 'service_unavailable' },
    headers: { 'retry-after': '5' },
  })
  expect(response.headers['x-credit-balance']).toBeUndefined()
})
