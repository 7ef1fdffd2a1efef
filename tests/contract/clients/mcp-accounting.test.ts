import { beforeAll, describe, expect, it } from 'vitest'
import { beginHold } from '../../support/hold'
import type { RunningService } from '../../support/service'
import { fullService, metricsOf } from '../../support/shared-services'
import { createClient, eventually, toolPath, type Upload, writeToolBody } from '../client'
import { makePdf } from '../documents'
import { openWire, writeHead } from '../wire'

let service: RunningService
let metricsAddress: string

beforeAll(async () => {
  service = await fullService()
  metricsAddress = await metricsOf(service)
})

interface Use {
  tool: string
  file: Upload
  options: unknown
}

/** A request with the same document and options over HTTP and over MCP. */
const TRANSPORTS = {
  http: ({ tool, file, options }: Use) => ({
    path: toolPath(tool),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(writeToolBody(file, options)),
  }),
  mcp: ({ tool, file, options }: Use) => ({
    path: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool.replaceAll('-', '_'),
        arguments: { file: { name: file.name, dataBase64: file.bytes.toString('base64') }, options },
      },
    }),
  }),
}
type Transport = keyof typeof TRANSPORTS

const file = { name: 'a.pdf', bytes: makePdf() }
const damaged = { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7 nothing') }

async function readGauge(name: string): Promise<number> {
  const text = await (await fetch(metricsAddress)).text()
  return Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}

/** The lines of the service log about the requests of a tool, which only this file uses there, without times and IDs. */
function readLines(operation: string, since: number): unknown[] {
  return service
    .log()
    .slice(since)
    .split('\n')
    .filter(line => line.includes(`"operation":"pdf-tools/${operation}"`))
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .map(({ status, error, delivered, charged, via }) => ({ status, error, delivered, charged, via }))
}

async function open(transport: Transport) {
  const apiKey = await service.createKey(`${transport}-${Math.random()}@example.test`)
  const client = createClient(service.base, apiKey)
  return { apiKey, client, use: (use: Use) => client.send(TRANSPORTS[transport](use)) }
}

describe.each(Object.keys(TRANSPORTS) as Transport[])('the books of requests over %s', transport => {
  it('have one credit and one line for a result', async () => {
    const { client, use } = await open(transport)
    const since = service.log().length
    const before = await client.balance()
    expect((await use({ tool: 'reverse-pages', file, options: {} })).status).toBe(200)
    await eventually(client.balance, balance => balance === before - 1)
    const lines = await eventually(
      () => Promise.resolve(readLines('reverse-pages', since)),
      found => found.length > 0,
    )
    expect(lines).toEqual([{ status: 200, error: undefined, delivered: true, charged: 1, via: 'api' }])
  })

  it.each([
    ['wrong options', { tool: 'delete-pages', file, options: { pages: [9] } }],
    ['a damaged file', { tool: 'delete-pages', file: damaged, options: { pages: [1] } }],
  ])('have no credit and one line for %s', async (_, wrong) => {
    const { client, use } = await open(transport)
    const since = service.log().length
    const before = await client.balance()
    await use(wrong)
    expect(await client.balance()).toBe(before)
    const lines = await eventually(
      () => Promise.resolve(readLines('delete-pages', since)),
      found => found.length > 0,
    )
    const error = 'pdf_tool_processing_failed'
    expect(lines).toEqual([{ status: 422, error, delivered: true, charged: 0, via: 'api' }])
  })

  it('have no credit and one line for a client that hangs up', async () => {
    const { apiKey, client } = await open(transport)
    const since = service.log().length
    const before = await client.balance()
    const hold = beginHold()
    const { path, headers, body } = TRANSPORTS[transport]({
      tool: 'delete-pages',
      file: { ...file, name: hold.name },
      options: { pages: [1] },
    })
    const wire = await openWire(service.base)
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    await wire.write(writeHead(path, { 'x-api-key': apiKey, ...headers, ...length }) + body)
    await eventually(client.balance, balance => balance === before - 1)
    wire.hangUp()
    expect(await eventually(client.balance, balance => balance === before)).toBe(before)
    hold.release()
    const lines = await eventually(
      () => Promise.resolve(readLines('delete-pages', since)),
      found => found.length > 0,
    )
    expect(lines).toMatchObject([{ delivered: false, charged: 0, via: 'api' }])
  })

  it('count as finished, and leave no memory behind', async () => {
    const { use } = await open(transport)
    const large = { name: 'a.pdf', bytes: makePdf({ ballastBytes: 600_000 }) }
    const counted = () => readGauge('sheaf_calls_total{operation="pdf-tools/crop-pdf",status="200",error=""}')
    const before = (await counted()) || 0
    const crop = { tool: 'crop-pdf', file: large, options: { margins: { top: 1 } } }
    const responses = await Promise.all(Array.from({ length: 10 }, () => use(crop)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    await eventually(counted, count => count === before + 10)
    expect(
      await eventually(
        () => readGauge('sheaf_output_memory_bytes'),
        bytes => bytes === 0,
      ),
    ).toBe(0)
    expect(
      await eventually(
        () => readGauge('sheaf_body_memory_bytes'),
        bytes => bytes === 0,
      ),
    ).toBe(0)
  })
})
