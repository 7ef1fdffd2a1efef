import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import { readConfig } from '../../../lib/config'
import { readTraceParent } from '../../../lib/telemetry/trace-parent'
import { startTracing } from '../../../lib/telemetry/tracing'
import { readAttributes, startCollector } from '../../support/trace-collector'
import { makeEndedRequest } from './ended-request'
import { waitFor } from '../../support/wait-for'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

let onTrouble: Mock<(error: unknown) => void>
beforeEach(() => {
  onTrouble = vi.fn()
})

/** Traces requests to a collector and returns what arrived there. */
async function send(calls: Parameters<typeof makeEndedRequest>[0][], environment: Record<string, string> = {}) {
  const collector = await startCollector()
  for (const [name, value] of Object.entries({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment }))
    vi.stubEnv(name, value)
  const tracing = await startTracing(onTrouble)
  const ids: (string | undefined)[] = []
  for (const facts of calls) ids.push(tracing.traceRequest(await makeEndedRequest(facts)))
  await tracing.close()
  await collector.close()
  return { ...collector, ids }
}

describe('the trace of a request', () => {
  it('has a span for the request with its attributes, its phases, and the engine run with its phases', async () => {
    const startedAtMs = performance.now()
    const facts = {
      operationId: 'pdf-tools/rotate-pdf',
      status: 200,
      timings: { auth: 2, charge: 3, queue: 1, work: 5, save: 20 }, // The engine measured more than the run lasted.
      startedAtMs: { auth: startedAtMs, charge: startedAtMs + 4 },
      ran: { startedAtMs: startedAtMs + 8, ms: 9 },
      bytesIn: 70,
      bytesOut: 90,
    }
    const { spans, seen, ids } = await send([facts])
    expect(seen).toMatchObject({
      path: '/v1/traces',
      contentType: 'application/json',
      resource: { 'service.name': 'sheaf' },
    })
    const find = (name: string) => spans.find(span => span.name === name)
    const server = find('POST /api/external/pdf-tools/rotate-pdf')
    expect(server).toMatchObject({ traceId: ids[0], kind: 2 })
    expect(server?.parentSpanId).toBeUndefined()
    expect(readAttributes(server?.attributes ?? [])).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/external/pdf-tools/rotate-pdf',
      'http.response.status_code': 200,
      'http.request.body.size': 70,
      'http.response.body.size': 90,
      'sheaf.operation': 'pdf-tools/rotate-pdf',
      'sheaf.request_id': 'req_test',
      'sheaf.delivered': true,
      'sheaf.replayed': false,
    })
    const above = spans.map(({ name, parentSpanId }) => [
      name,
      spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? 'nothing',
    ])
    const call = 'POST /api/external/pdf-tools/rotate-pdf'
    expect(above).toHaveLength(7)
    expect(Object.fromEntries(above)).toEqual({
      [call]: 'nothing',
      auth: call,
      charge: call,
      run: call,
      queue: 'run',
      work: 'run',
      save: 'run',
    })
    const ms = (name: string) =>
      Number(BigInt(find(name)?.endTimeUnixNano ?? 0) - BigInt(find(name)?.startTimeUnixNano ?? 0)) / 1e6
    for (const [name, wanted] of Object.entries({ auth: 2, charge: 3, run: 9, queue: 1, work: 5, save: 3 }))
      expect(ms(name)).toBeCloseTo(wanted, 1)
    expect(Math.abs(Number(BigInt(server?.startTimeUnixNano ?? 0) / 1_000_000n) - Date.now())).toBeLessThan(60_000)
    expect(find('work')?.startTimeUnixNano).toBe(find('queue')?.endTimeUnixNano)
  })

  it('records the error, and marks the span as failed only if the failure was ours', async () => {
    const { spans } = await send([
      { status: 401, error: 'invalid_api_key' },
      { operationId: 'webpage-to-pdf/pdf', status: 502, error: 'conversion_failed' },
    ])
    expect(
      spans.map(({ name, status, attributes }) => [name, status.code ?? 0, readAttributes(attributes)['error.type']]),
    ).toEqual([
      ['POST', 0, 'invalid_api_key'],
      ['POST /api/external/webpage-to-pdf/pdf', 2, 'conversion_failed'],
    ])
  })

  it('continues the trace of the request with its sampling decision, and without text of the request', async () => {
    const sampled = {
      traceparent: `00-${TRACE}-${SPAN}-01`,
      tracestate: 'vendor=Confidential',
      baggage: 'user=Confidential',
    }
    const { spans, ids } = await send([
      { headers: sampled },
      { headers: { traceparent: `00-${TRACE}-${SPAN}-00` } },
      { headers: { traceparent: 'Confidential' } },
    ])
    expect(spans).toHaveLength(2)
    expect(spans[0]).toMatchObject({ traceId: TRACE, parentSpanId: SPAN })
    expect(ids.slice(0, 2)).toEqual([TRACE, TRACE])
    expect(ids[2]).not.toBe(TRACE)
    expect(JSON.stringify(spans)).not.toContain('Confidential')
  })

  it('is sampled by OTEL_TRACES_SAMPLER, and names the service by OTEL_SERVICE_NAME', async () => {
    const { spans, ids } = await send([{}], { OTEL_TRACES_SAMPLER: 'always_off' })
    expect([spans.length, ids]).toEqual([0, [undefined]])
    const { seen } = await send([{}], {
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_SERVICE_NAME: 'documents',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    expect(seen.resource).toMatchObject({ 'service.name': 'documents', 'deployment.environment.name': 'test' })
  })
})

describe('a collector that is unavailable', () => {
  it('delays no request, and the shutdown does not wait for its exporter, if it never responds', async () => {
    const collector = await startCollector({ isSilent: true })
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.endpoint)
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '3600000')
    vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '3600000')
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '5')
    const tracing = await startTracing(onTrouble)
    const call = await makeEndedRequest({ operationId: 'pdf-tools/rotate-pdf', timings: { auth: 1 } })
    for (let i = 0; i < 5000; i++) tracing.traceRequest(call) // More spans than the queue holds.
    await waitFor(() => expect(collector.seen.requests).toBeGreaterThan(0))
    await tracing.close()
    await collector.close()
  })

  it('is reported once a minute, not with each batch', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9')
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100')
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '5')
    const tracing = await startTracing(onTrouble)
    for (let i = 0; i < 3; i++) {
      tracing.traceRequest(await makeEndedRequest({}))
      await waitFor(() => expect(onTrouble).toHaveBeenCalled())
    }
    await tracing.close()
    expect(onTrouble).toHaveBeenCalledTimes(1)
  })
})

describe('traceparent', () => {
  it('is read as W3C Trace Context describes it', () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      isRemote: true,
    })
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-02-later`)).toMatchObject({ traceFlags: 0 })
    for (const wrong of [
      undefined,
      '',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-x`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    ])
      expect(readTraceParent(wrong), wrong).toBeUndefined()
  })
})

it("is enabled by the collector's URL alone, and unsupported settings are refused", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(
    [
      readConfig({}),
      readConfig(endpoint),
      readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/v1/traces' }),
      readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }),
    ].map(({ hasTraces }) => hasTraces),
  ).toEqual([false, true, true, false])
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT')
  expect(() => readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json',
  )
  expect(() => readConfig({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow('OTEL_TRACES_SAMPLER')
  expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('OTEL_TRACES_SAMPLER_ARG')
})
