import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listOperations } from '../../lib/operations/all'
import { beginHold, type Hold } from '../support/hold'
import { sample } from '../support/scope'
import { startService, type Service } from '../support/service'
import {
  type ApiResponse,
  BOUNDARY,
  type Client,
  createClient,
  eventually,
  FORM_TYPE,
  readCalls,
  toolPath,
  type Upload,
} from './client'
import { makePdf } from './documents'
import { expectFile, expectRefusal } from './expectations'
import { strictService, holdingEngine } from '../support/shared-services'
import { openWire, type Wire, writeChunk, writeHead } from './wire'

const MAX_BODY_BYTES = 4 * 2 ** 20
const MAX_WAITING = 3
const SLOT_TIMEOUT_MS = 5000
const PIECE = Buffer.alloc(64 * 1024, 'A')
const TOOL = toolPath('rotate-pdf')
const options = { angle: 90 }
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }
const large: Upload = { name: 'large.pdf', bytes: makePdf({ pages: 400 }) }

let service: Service
let client: Client

beforeAll(async () => {
  const limits = {
    MAX_BODY_BYTES,
    MAX_WAITING,
    SLOT_TIMEOUT_MS,
    KEY_CONCURRENCY: 1,
    BODY_STALL_MS: 1000,
    MAX_PAGES: 500,
  }
  service = await startService({
    enginePath: await holdingEngine(),
    env: Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
  })
  client = createClient(service.base, await service.createKey('limits@example.test'))
})
afterAll(async () => {
  await service?.stop()
})

const JSON_KIND = { kind: 'JSON', type: 'application/json', start: '{"file": {"name": "a.pdf", "dataBase64": "' }
const FORM_KIND = {
  kind: 'a form',
  type: FORM_TYPE,
  start: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`,
}

describe('a body over the limit', () => {
  const tooLarge = { status: 413, error: 'payload_too_large', says: [String(MAX_BODY_BYTES)] }

  it.each(sample(listOperations(), ({ refusalCode }) => refusalCode))(
    'is refused by $id when its length is announced, without a byte of it',
    async ({ id }) => {
      const before = await client.balance()
      const wire = await openWire(service.base)
      await wire.write(
        writeHead(`/api/external/${id}`, {
          'x-api-key': client.apiKey,
          'Content-Type': 'application/json',
          'Content-Length': String(64 * 2 ** 30),
        }),
      )
      const response = await wire.response
      expectRefusal(response, tooLarge, before)
      expect(response.json['maxBytes']).toBe(MAX_BODY_BYTES)
      expect(response.headers.connection).toBe('close')
      expect(await wire.ended).toBe('closed')
      wire.hangUp()
    },
  )

  const rows = [JSON_KIND, FORM_KIND].flatMap(kind =>
    ['announced', 'chunked'].flatMap(length =>
      ['keep-alive', 'close'].map(connection => ({ ...kind, length, connection })),
    ),
  )

  it.each(sample(rows, ({ kind, length }) => kind + length))(
    'in $kind, $length, with Connection: $connection, gets a response while it is still being sent',
    async ({ type, start, length, connection }) => {
      const before = await client.balance()
      const wire = await openUpload({
        type,
        connection,
        announcedBytes: length === 'announced' ? 64 * 2 ** 20 : undefined,
      })
      const wrap = length === 'chunked' ? writeChunk : (piece: Buffer) => piece
      await wire.write(wrap(Buffer.from(start)))
      const sent = await pump(wire, wrap(PIECE), 64 * 2 ** 20)
      const response = await wire.response
      expectRefusal(response, tooLarge, before)
      expect(response.json['maxBytes']).toBe(MAX_BODY_BYTES)
      expect(sent).toBeLessThan(64 * 2 ** 20)
      await wire.ended
      wire.hangUp()
    },
  )

  it.each([JSON_KIND, FORM_KIND])(
    'in $kind gets a response if the client sends everything before it reads',
    async ({ type, start }) => {
      const before = await client.balance()
      const wire = await openUpload({ type, connection: 'close', announcedBytes: undefined })
      wire.pause()
      await wire.write(writeChunk(Buffer.from(start)))
      const total = MAX_BODY_BYTES + 3 * 2 ** 20
      for (let sent = 0; sent < total; sent += PIECE.length) expect(await wire.write(writeChunk(PIECE))).toBe(true)
      wire.resume()
      expectRefusal(await wire.response, tooLarge, before)
      expect(await wire.ended).toBe('closed')
      wire.hangUp()
    },
  )

  it('gets no 100 Continue, and a body within the limit does', async () => {
    const expecting = (bytes: number) =>
      writeHead(TOOL, {
        'x-api-key': client.apiKey,
        'Content-Type': 'application/json',
        'Content-Length': String(bytes),
        Expect: '100-continue',
      })
    const refused = await openWire(service.base)
    await refused.write(expecting(MAX_BODY_BYTES + 1))
    expect((await refused.response).status).toBe(413)
    expect(refused.wasInvited()).toBe(false)
    refused.hangUp()

    const taken = await openWire(service.base)
    const body = JSON.stringify({ file: { name: 'a.pdf', dataBase64: document.bytes.toString('base64') }, options })
    await taken.write(expecting(Buffer.byteLength(body)))
    await eventually(() => Promise.resolve(taken.wasInvited()), Boolean)
    await taken.write(body)
    expectFile(await taken.response, 'application/pdf')
    taken.hangUp()
  })

  async function openUpload({
    type,
    connection,
    announcedBytes,
  }: {
    type: string
    connection: string
    announcedBytes: number | undefined
  }): Promise<Wire> {
    const wire = await openWire(service.base)
    const length: Record<string, string> =
      announcedBytes === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(announcedBytes) }
    await wire.write(
      writeHead(TOOL, { 'x-api-key': client.apiKey, 'Content-Type': type, Connection: connection, ...length }),
    )
    return wire
  }
})

/**
 * Sends a chunk repeatedly until a response arrives, the connection accepts no more, or `mostBytes` are sent. Returns
 * the number of bytes.
 */
async function pump(wire: Wire, piece: Buffer, mostBytes: number): Promise<number> {
  let isAnswered = false
  const note = () => {
    isAnswered = true
  }
  wire.response.then(note, note)
  let sent = 0
  while (!isAnswered && sent < mostBytes && (await wire.write(piece))) sent += piece.length
  return sent
}

describe('a request that is refused by its head', () => {
  const heads: [number, string, Record<string, string>][] = [
    [404, `POST ${toolPath('nope')}`, {}],
    [405, `PUT ${TOOL}`, {}],
    [401, `POST ${TOOL}`, { 'x-api-key': 'wrong' }],
    [413, `POST ${TOOL}`, {}],
    [415, `POST ${TOOL}`, { 'Content-Type': 'text/plain' }],
    [422, `POST ${TOOL}`, { 'Idempotency-Key': 'x'.repeat(256) }],
  ]

  it.each(heads)('gets %i although its body is still being sent: %s', async (status, start, headers) => {
    for (const connection of ['keep-alive', 'close']) {
      const wire = await open(start, { 'Content-Length': String(64 * 2 ** 20), Connection: connection, ...headers })
      await pump(wire, PIECE, 64 * 2 ** 20)
      await expectResponse(wire, status)
    }
  })

  // The server refuses the first by its URL, and the others before and after it checks the key.
  it.each(sample(heads, ([status]) => status === 404 || status === 413))(
    'gets %i if its client sends 6 MB before it reads: %s',
    async (status, start, headers) => {
      const pieces = (6 * 2 ** 20) / PIECE.length
      const wire = await open(start, { 'Content-Length': String(pieces * PIECE.length), ...headers })
      wire.pause()
      for (let sent = 0; sent < pieces; sent++) expect(await wire.write(PIECE)).toBe(true)
      wire.resume()
      await expectResponse(wire, status)
    },
  )

  async function open(start: string, headers: Record<string, string>): Promise<Wire> {
    const wire = await openWire(service.base)
    await wire.write(
      writeHead(TOOL, { 'x-api-key': client.apiKey, 'Content-Type': 'application/json', ...headers }).replace(
        `POST ${TOOL}`,
        start,
      ),
    )
    return wire
  }

  async function expectResponse(wire: Wire, status: number): Promise<void> {
    const response = await wire.response
    expect({ status: response.status, ended: await wire.ended }).toEqual({ status, ended: 'closed' })
    expect(response.json['requestId']).toBe(response.requestId)
    wire.hangUp()
  }
})

describe('a body that stops arriving', () => {
  it.each([JSON_KIND, FORM_KIND])('in $kind is disconnected and free', async ({ type, start }) => {
    const before = await client.balance()
    const wire = await openWire(service.base)
    await wire.write(writeHead(TOOL, { 'x-api-key': client.apiKey, 'Content-Type': type, 'Content-Length': '100000' }))
    await wire.write(start)
    await expect(wire.response).rejects.toThrow('the connection ended')
    expect(await client.balance()).toBe(before)
  })
})

describe('work over a limit', () => {
  it("is ended by the engine's deadline and refunded", async () => {
    const hasty = await strictService()
    const slow = createClient(hasty.base, await hasty.createKey('hasty@example.test'))
    const before = await slow.balance()
    const hold = beginHold()
    expectRefusal(
      await slow.callTool('rotate-pdf', { ...document, name: hold.name }, options),
      { status: 422, error: 'pdf_tool_processing_failed', says: [/fewer pages|smaller|simpler/] },
      before,
    )
    hold.release()
  })

  it('is refused because of its number of pages', async () => {
    const before = await client.balance()
    const response = await client.callTool('merge-pdf', [large, large], {})
    expectRefusal(response, { status: 422, error: 'pdf_tool_processing_failed', says: ['500', 'fewer pages'] }, before)
  })
})

describe('more requests of a key than the concurrency limit', () => {
  it('wait and are then refused, and requests of other keys run', async () => {
    const neighbor = createClient(service.base, await service.createKey('neighbor@example.test'))
    const before = await client.balance()
    const held = await holdOne()
    const [waiting, other] = await Promise.all([
      client.callTool('rotate-pdf', document, options),
      neighbor.callTool('rotate-pdf', document, options),
    ])
    expectRefusal(waiting, { status: 429, error: 'rate_limited', says: ['1'] }, before - 1)
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0)
    expectFile(other, 'application/pdf')
    held.hold.release()
    expectFile(await held.response, 'application/pdf')
    expect(await client.balance()).toBe(before - 1)
  })

  it('are refused at once if too many already wait', async () => {
    const before = await client.balance()
    const held = await holdOne()
    const waiting = Array.from({ length: MAX_WAITING }, () => client.callTool('rotate-pdf', document, options))
    await eventually(
      () => readCalls(service.base),
      calls => calls.waiting === MAX_WAITING,
    )
    for (let count = 0; count < 2; count++) {
      const response = await client.callTool('rotate-pdf', document, options)
      expectRefusal(response, { status: 503, error: 'service_unavailable' }, before - 1)
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
    held.hold.release()
    for (const response of [held.response, ...waiting]) expectFile(await response, 'application/pdf')
    expect(await client.balance()).toBe(before - 1 - MAX_WAITING)
  })

  /** Sends a request that runs until its hold is released, and waits until it runs. */
  async function holdOne(): Promise<{ hold: Hold; response: Promise<ApiResponse> }> {
    const before = await client.balance()
    const hold = beginHold()
    const response = client.callTool('rotate-pdf', { ...document, name: hold.name }, options)
    await eventually(
      () => client.balance(),
      balance => balance === before - 1,
    )
    return { hold, response }
  }
})
