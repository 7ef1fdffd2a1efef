import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RequestRow } from '../../../db/queries/request-log'
import { holdChunks } from '../../../engines/output-content'
import type { OutputFile } from '../../../engines/types'
import { mintApiKey } from '../../../lib/accounts/key/api-key'
import { readConfig } from '../../../lib/config'
import { getExchange } from '../../../lib/http-exchange'
import { serveInner } from '../../../lib/http/inner-request'
import { createFailedWork } from '../../../lib/http/limits/failed-work-budget'
import { getBodyMemory, getOutputMemory } from '../../../lib/http/limits/process-limits'
import { createLeases } from '../../../lib/http/limits/renew-leases'
import { openHttpRequest } from '../../../lib/http/request/http-request'
import { endWith } from '../../../lib/http/response/respond'
import { serve } from '../../../lib/http/serve'
import type { Operation, RunContext } from '../../../lib/operations/operation'
import { placeSingleton } from '../../../lib/registry'
import { waitFor } from '../../support/wait-for'
import { send, startServer, type TestServer } from './harness'

const OUTPUT_BYTES = 1000

/** What happened to one account: the end of each charge, and each row of its request log. */
interface Books {
  charges: number
  ends: string[]
  rows: RequestRow[]
}

let books: Books
let server: TestServer
/** Resolves when the work of a request may end. */
let work: Promise<void>
const telemetry = { countRequest: vi.fn() }

const operation: Operation = {
  id: 'pdf-tools/test',
  refusalCode: 'pdf_tool_processing_failed',
  failureCode: 'conversion_failed',
  crashCode: 'internal_error',
  bodyRules: {
    fileFields: [],
    jsonFields: [],
    textFields: [],
    listFields: [],
    maxStructureBytes: 50_000,
    maxFieldBytes: 1000,
  },
  parse: () => Promise.resolve({ warnings: [], run }),
}

async function run({ signal }: RunContext): Promise<OutputFile> {
  await Promise.race([work, once(signal, 'abort').then(() => signal.throwIfAborted())])
  return {
    name: 'a.pdf',
    contentType: 'application/pdf',
    content: holdChunks([Buffer.alloc(OUTPUT_BYTES)]),
    warnings: [],
    headers: {},
    timings: { queue: 0, work: 4 },
  }
}

beforeEach(async () => {
  books = { charges: 0, ends: [], rows: [] }
  work = Promise.resolve()
  telemetry.countRequest.mockReset()
  const current = books // Requests of an earlier test end a moment later.
  const ledger = {
    charge: () => {
      current.charges++
      return Promise.resolve({ balance: 9, charged: 1, replayed: false })
    },
    refund: (requestId: string) => {
      current.ends.push(`refund ${requestId}`)
      return Promise.resolve({ balance: 10 })
    },
    settle: (requestIds: string[]) => {
      current.ends.push(...requestIds.map(requestId => `settle ${requestId}`))
      return Promise.resolve()
    },
    renew: () => Promise.resolve(),
    balance: () => Promise.resolve(10),
    hasReplay: () => Promise.resolve(false),
    grantTerms: () => ({ month: '2026-11', credits: 100 }),
  }
  placeSingleton('config', readConfig({ LOG_LEVEL: 'silent', ENGINES: '2' }))
  placeSingleton('ledger', ledger)
  placeSingleton(
    'leases',
    createLeases(() => ledger, { everyMs: 2 ** 31 - 1 }), // No round settles a call that waits for others.
  )
  placeSingleton('draining', { hasBegun: false, refusesRequests: false })
  placeSingleton('failed-work', createFailedWork({ budgetMs: 1e9 }))
  placeSingleton('request-log', { add: (row: RequestRow) => current.rows.push(row) })
  placeSingleton('telemetry', telemetry)
  // A key in memory, as after the first request.
  placeSingleton('database', {
    keyOwners: { isExact: true, find: () => ({ accountId: 'account', keyId: 'key', balance: 10 }) },
  })
  readResult = bytes => bytes
  maxBytes = OUTPUT_BYTES
  server = await startServer(() => (getExchange().req.url === '/inner' ? serveInside() : serve(operation)))
})
afterEach(() => server.close())

let canceling = new AbortController()
let readResult: (bytes: Buffer) => Buffer
let maxBytes: number

/** A route whose response contains that of an operation. */
async function serveInside(): Promise<Response> {
  const outer = openHttpRequest(getExchange())
  canceling = new AbortController()
  const limit = { bytes: maxBytes, hint: 'Use another way.' }
  const inner = { operation, headers: {}, body: Buffer.from('{}'), limit, signal: canceling.signal }
  const bytes = await serveInner(outer, inner, result => readResult(result.bytes)).catch(() => Buffer.from('failed'))
  if (await outer.response.begin(200, { 'content-length': bytes.length })) outer.response.finish(bytes)
  return endWith(200)
}

const HEADERS = { 'content-type': 'application/json', 'x-api-key': mintApiKey() }

const ask = (path: string) => send(server.port, { path, headers: HEADERS, body: '{}' })

/** Sends a request and returns its connection when the request was charged. */
async function begin(path: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  const head = Object.entries({ ...HEADERS, 'content-length': '2' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const before = books.charges
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\n${head.join('')}\r\n{}`)
  await waitFor(() => expect(books.charges).toBeGreaterThan(before), { interval: 1 })
  return socket
}

const holdWork = () => {
  work = new Promise(() => {})
}
/** Each charge ended once, in one of both ways. */
const ends = () => books.ends.map(end => end.split(' ')[0])
const rows = () => books.rows.map(({ status, credits, delivered }) => ({ status, credits, delivered }))
/** A request releases its memory a moment after its last entry in the books. */
const untilReleased = () => waitFor(() => expect([getOutputMemory().heldBytes, getBodyMemory().used]).toEqual([0, 0]))

describe.each(['/outer', '/inner'])('a request to %s', path => {
  it('is charged, settled and logged once if it is delivered, and then holds no memory', async () => {
    expect((await ask(path)).bytes).toHaveLength(OUTPUT_BYTES)
    await waitFor(() => expect(ends()).toEqual(['settle']))
    await waitFor(() => expect(rows()).toEqual([{ status: 200, credits: 1, delivered: true }]))
    expect(telemetry.countRequest).toHaveBeenCalledTimes(1)
    await untilReleased()
  })

  it('is refunded and logged once if its client hangs up during the work', async () => {
    holdWork()
    ;(await begin(path)).destroy()
    await waitFor(() => expect(rows()).toEqual([{ status: 499, credits: 0, delivered: false }]))
    expect(ends()).toEqual(['refund'])
    await untilReleased()
  })

  it('keeps its books if telemetry fails', async () => {
    telemetry.countRequest.mockImplementation(() => {
      throw new Error('no such method')
    })
    await ask(path)
    await waitFor(() => expect(ends()).toEqual(['settle']))
    await waitFor(() => expect(rows()).toHaveLength(1))
    await untilReleased()
  })

  it('holds no memory after 100 results and 100 that nobody waited for', async () => {
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 25 }, () => ask(path)))
    await waitFor(() => expect(ends()).toHaveLength(100))
    holdWork()
    for (let round = 0; round < 100; round++) (await begin(path)).destroy()
    await waitFor(() => expect(ends()).toHaveLength(200))
    expect(ends().filter(end => end === 'settle')).toHaveLength(100)
    expect(new Set(books.ends).size).toBe(200)
    await waitFor(() => expect(rows().filter(({ credits }) => credits === 1)).toHaveLength(100))
    await untilReleased()
  })
})

describe('a request inside another one', () => {
  it('is refunded if the result is too large, with a hint', async () => {
    maxBytes = OUTPUT_BYTES - 1
    const response = await ask('/inner')
    expect(JSON.parse(response.bytes.toString())).toMatchObject({
      error: 'pdf_tool_processing_failed',
      message: `The result must be at most 999 bytes. Got 1000 bytes. Use another way.`,
    })
    await waitFor(() => expect(rows()).toEqual([{ status: 422, credits: 0, delivered: true }]))
    expect(ends()).toEqual(['refund'])
    await untilReleased()
  })

  it('ends if it is canceled, while the outer one goes on', async () => {
    holdWork()
    const asked = ask('/inner')
    await waitFor(() => expect(books.charges).toBe(1))
    canceling.abort()
    expect((await asked).bytes.toString()).toBe('failed')
    await waitFor(() => expect(rows()).toEqual([{ status: 499, credits: 0, delivered: false }]))
    expect(ends()).toEqual(['refund'])
  })

  it('is refunded if the outer response does not use its result', async () => {
    readResult = () => {
      throw new Error('unreadable')
    }
    expect((await ask('/inner')).bytes.toString()).toBe('failed')
    await waitFor(() => expect(ends()).toEqual(['refund']))
    await waitFor(() => expect(rows()).toEqual([{ status: 200, credits: 0, delivered: false }]))
  })
})
