import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAttributes, startCollector } from '../support/trace-collector'
import { startService, type Service } from '../support/service'
import { createClient, eventually } from './client'
import { makePdf } from './documents'

const SECRET = 'Confidential-5521'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const document = { name: `${SECRET}.pdf`, bytes: makePdf({ text: () => SECRET }) }

let service: Service
let collector: Awaited<ReturnType<typeof startCollector>>
let isStopped: boolean

/** Ends the service as an operator does, and returns its exit code. */
function stop(): Promise<number | null> {
  isStopped = true
  return service.stop()
}

const start = async (settings: { isSilent?: boolean }, env: Record<string, string>) => {
  isStopped = false
  collector = await startCollector(settings)
  service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...env } })
}
const end = async () => {
  if (!isStopped) await service?.stop()
  await collector?.close()
}

describe('the traces of a running service', () => {
  beforeAll(() => start({}, { OTEL_BSP_SCHEDULE_DELAY: '600000', LOG_LEVEL: 'info' }))
  afterAll(end)

  it("arrive before its end, belong to the request's trace, are named in the log, and contain no client data", async () => {
    const client = createClient(service.base, await service.createKey('traces@example.test'))
    const response = await client.callTool(
      'rotate-pdf',
      document,
      { angle: 90, outputName: SECRET },
      { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: `v=${SECRET}` },
    )
    const refused = await client.callTool('rotate-pdf', document, { angle: SECRET })
    expect([response.status, refused.status]).toEqual([200, 422])
    const { log } = service
    const lines = () =>
      log()
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line) as Record<string, unknown>)
    const line = await eventually(
      () => Promise.resolve(lines().find(({ requestId }) => requestId === response.requestId)),
      found => found !== undefined,
    )
    expect(line).toMatchObject({ traceId: TRACE })
    expect(await stop()).toBe(0)

    const { spans } = collector
    const server = spans.find(({ attributes }) => readAttributes(attributes)['sheaf.request_id'] === response.requestId)
    expect(server).toMatchObject({
      traceId: TRACE,
      parentSpanId: '00f067aa0ba902b7',
      name: 'POST /api/external/pdf-tools/rotate-pdf',
    })
    const parts = spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name)
    expect(parts).toEqual(
      expect.arrayContaining([
        'auth',
        'body',
        'parse',
        'wait',
        'charge',
        'run',
        'queue',
        'send',
        'open',
        'work',
        'save',
      ]),
    )
    for (const span of spans.filter(({ traceId }) => traceId === TRACE)) {
      expect(BigInt(span.startTimeUnixNano) >= BigInt(server?.startTimeUnixNano ?? 0), span.name).toBe(true)
      expect(BigInt(span.endTimeUnixNano) <= BigInt(server?.endTimeUnixNano ?? 0) + 1_000_000n, span.name).toBe(true)
    }
    expect(spans.map(({ attributes }) => readAttributes(attributes)['error.type'])).toContain(
      'pdf_tool_processing_failed',
    )
    for (const told of [SECRET, 'traces@example.test', client.apiKey])
      expect(JSON.stringify([spans, collector.seen]).includes(told), `the traces hold ${told}`).toBe(false)
  })
})

describe('a collector that accepts connections and never responds', () => {
  beforeAll(() => start({ isSilent: true }, { OTEL_BSP_SCHEDULE_DELAY: '10' }))
  afterAll(end)

  it('delays neither requests nor the shutdown', async () => {
    const client = createClient(service.base, await service.createKey('silence@example.test'))
    for (let i = 0; i < 10; i++) expect((await client.callTool('rotate-pdf', document, { angle: 90 })).status).toBe(200)
    await eventually(
      () => Promise.resolve(collector.seen.requests),
      requests => requests > 0,
    )
    expect((await client.callTool('rotate-pdf', document, { angle: 90 })).status).toBe(200)
    expect(await stop()).toBe(0)
  })
})
