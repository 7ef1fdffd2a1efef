import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { readPageTexts } from '../support/page-texts'
import type { RunningService } from '../support/service'
import { type Client, createClient, eventually, sendRequest, toolPath, type Upload } from './client'
import { makeDamagedPdf, makePdf } from './documents'
import { expectFile, expectRefusal } from './expectations'
import { openWire, writeHead } from './wire'
import { usualService } from '../support/shared-services'

const TOOL = toolPath('rotate-pdf')
const MIB = 2 ** 20
const options = { angle: 90 }
const document: Upload = { name: 'contract.pdf', bytes: makePdf() }

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('transport@example.test'))
})

describe('requests', () => {
  it('go straight to their route handlers: their responses have nothing that the router of Next.js adds', async () => {
    const responses = [
      await client.callTool('rotate-pdf', document, options),
      await sendRequest(service.base, { path: '/api/external/invoice-generator/pdf' }),
      await sendRequest(service.base, { path: toolPath('no-such-tool') }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 404])
    for (const { headers } of responses) expect(headers).not.toHaveProperty('vary')
  })
})

describe('large files', () => {
  const large: Upload = { name: 'large.pdf', bytes: makePdf({ ballastBytes: 13 * MIB }) }

  it.each(['callTool', 'callToolAsForm'] as const)('of 13 MB arrive and return completely, by %s', async way => {
    const reply = await client[way]('rotate-pdf', large, options)
    expectFile(reply, 'application/pdf')
    expect(reply.bytes.length).toBeGreaterThan(13 * MIB)
    expect(reply.bytes.includes(large.bytes.subarray(MIB, 2 * MIB))).toBe(true)
    expect(await readPageTexts(reply.bytes)).toHaveLength(5)
  })

  it('of 20 MB in transit do not delay a small request', async () => {
    const huge = makePdf({ ballastBytes: 15 * MIB })
    const body = Buffer.from(
      JSON.stringify({ file: { name: 'huge.pdf', dataBase64: huge.toString('base64') }, options }),
    )
    expect(body.length).toBeGreaterThan(19 * MIB)
    const wire = await openWire(service.base)
    await wire.write(
      writeHead(TOOL, {
        'x-api-key': client.apiKey,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      }),
    )
    const held = body.length - MIB
    const upload = (async () => {
      for (let at = 0; at < held; at += 64 * 1024) await wire.write(body.subarray(at, Math.min(held, at + 64 * 1024)))
    })()
    for (let count = 0; count < 10; count++)
      expectFile(await client.callTool('rotate-pdf', document, options), 'application/pdf')
    await upload
    expectFile(await client.callTool('rotate-pdf', document, options), 'application/pdf')
    await wire.write(body.subarray(held))
    const reply = await wire.response
    expectFile(reply, 'application/pdf')
    expect(reply.bytes.length).toBeGreaterThan(15 * MIB)
    wire.hangUp()
  })

  it('over 100 MiB are refused by default', async () => {
    const before = await client.balance()
    const wire = await openWire(service.base)
    await wire.write(
      writeHead(TOOL, {
        'x-api-key': client.apiKey,
        'Content-Type': 'application/json',
        'Content-Length': String(100 * MIB + 1),
      }),
    )
    const reply = await wire.response
    expectRefusal(reply, { status: 413, error: 'payload_too_large' }, before)
    expect(reply.json['maxBytes']).toBe(100 * MIB)
    wire.hangUp()
  })
})

describe('a connection', () => {
  it('is kept after a file and after a refusal whose body was read', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    const send = async (file: Upload, wanted: unknown): Promise<number | undefined> => {
      const outgoing = request(`${service.base}${TOOL}`, {
        method: 'POST',
        agent,
        headers: { 'x-api-key': client.apiKey, 'content-type': 'application/json' },
      })
      outgoing.on('socket', socket => sockets.add(socket))
      outgoing.end(
        JSON.stringify({ file: { name: file.name, dataBase64: file.bytes.toString('base64') }, options: wanted }),
      )
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage] // The event's argument.
      await response.resume().toArray()
      return response.statusCode
    }
    expect([
      await send(document, options),
      await send(document, { angle: 45 }),
      await send({ name: 'a.pdf', bytes: makeDamagedPdf() }, options),
      await send(document, options),
    ]).toEqual([200, 422, 422, 200])
    expect(sockets.size).toBe(1)
    agent.destroy()
  })
})

/** The names of all members of a JSON object, at any depth. */
function listNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...listNames(member)])
}

describe('probes', () => {
  it('report that the service is healthy and ready, without authentication', async () => {
    const health = await sendRequest(service.base, { path: '/api/health', method: 'GET' })
    expect({ status: health.status, body: health.json }).toMatchObject({
      status: 200,
      body: { status: 'ok', database: 'ok', version: expect.any(String), engines: { processes: expect.any(Number) } },
    })
    expect(listNames(health.json)).not.toEqual(expect.arrayContaining([expect.stringMatching(/pid|started|crashed/)]))
    const ready = await sendRequest(service.base, { path: '/api/ready', method: 'GET' })
    expect({ status: ready.status, body: ready.json }).toEqual({ status: 200, body: { ready: true } })
    for (const { headers } of [health, ready]) {
      expect(headers['cache-control']).toContain('no-store')
      expect(headers['x-request-id']).toMatch(/^req_/)
    }
  })
})

describe('the log', () => {
  it('has one line per request, without keys, names and contents', async () => {
    const secret = 'Confidential-7731'
    const bytes = makePdf({ text: pageNumber => `${secret} ${pageNumber}` })
    const upload = { name: `${secret}.pdf`, bytes }
    const headers = { 'idempotency-key': `${secret}-key`, origin: `https://${secret.toLowerCase()}.example` }
    const wanted = { angle: 90, outputName: `${secret}-out` }
    const damaged = { name: `${secret}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${secret}`) }
    const responses = [
      await client.callTool('rotate-pdf', upload, wanted, headers),
      await client.callToolAsForm('rotate-pdf', upload, wanted),
      await client.callTool('rotate-pdf', damaged, wanted),
      await client.callTool('rotate-pdf', upload, { angle: 90, pages: secret }),
      await client.sendJson(TOOL, { [secret]: secret }),
      await client.send({ path: TOOL, body: `{"${secret}`, headers: { 'content-type': 'application/json' } }),
      await client.sendJson(`${toolPath('rotate-pdf')}?${secret}`, {}),
      await client.sendJson(toolPath(secret), {}),
      await createClient(service.base, `${client.apiKey.slice(0, -1)}!`).sendJson(TOOL, {}),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 422, 422, 422, 422, 404, 401])
    const readLines = () =>
      service
        .log()
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as Record<string, unknown>)
    await eventually(
      () => Promise.resolve(readLines().map(({ requestId }) => requestId)),
      logged => responses.every(({ requestId }) => logged.includes(requestId)),
    )
    for (const { requestId, status } of responses) {
      const lines = readLines().filter(line => line['requestId'] === requestId)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatchObject({ status, ms: { total: expect.any(Number) } })
    }
    const log = service.log()
    for (const told of [
      secret,
      client.apiKey,
      client.apiKey.slice(0, -6),
      bytes.toString('base64').slice(0, 40),
      'transport@example.test',
    ]) {
      expect(log.toLowerCase().includes(told.toLowerCase()), `the log holds ${told}`).toBe(false)
    }
  })
})
