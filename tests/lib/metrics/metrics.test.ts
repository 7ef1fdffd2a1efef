import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database'
import { DatabaseTimeoutError } from '../../../db/database-unavailable'
import { readConfig } from '../../../lib/config'
import { placeDatabase } from '../../../lib/database'
import { ENGINES, PAGES } from '../../../lib/running-engines'
import { getRequestQueue } from '../../../lib/http/limits/process-limits'
import { createRequestQueue } from '../../../lib/http/limits/request-queue'
import { placeSingleton } from '../../../lib/registry'
import { createMetrics, type Metrics } from '../../../lib/metrics/metrics'
import { type RunningTelemetry, startTelemetry } from '../../../lib/start/start-telemetry'
import { telemetry } from '../../../lib/telemetry/telemetry'
import { makeEndedRequest } from '../telemetry/ended-request'

const config = readConfig({ METRICS_PORT: '0', BODY_MEMORY_BYTES: '1000' })
let metrics: Metrics
beforeEach(async () => {
  placeSingleton('config', config)
  placeSingleton('database', undefined)
  placeSingleton(
    'process-limits',
    createRequestQueue({
      perAccount: 2,
      capacity: { engines: 4, browser: 2, network: 1 },
      maxWaiting: 9,
      maxWaitingPerAccount: 9,
      timeoutMs: 5000,
    }),
  )
  metrics = await createMetrics(config)
})
afterEach(() => {
  for (const name of [ENGINES, PAGES]) placeSingleton(name, undefined)
  placeSingleton('telemetry', {})
})

/**
 * The value of a series in Prometheus notation, such as `sheaf_calls_total{operation="x"}`. Undefined if it is missing.
 */
async function read(series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('request metrics', () => {
  it('have operation, status, error, bytes, engine time and recognized pages', async () => {
    const { countRequest } = metrics.telemetry
    countRequest(
      await makeEndedRequest({
        operationId: 'pdf-tools/pdf-ocr',
        timings: { auth: 2, work: 400 },
        engineMs: 420,
        bytesIn: 700,
        bytesOut: 900,
        responseHeaders: { 'X-OCR-Pages': '3' },
      }),
    )
    countRequest(await makeEndedRequest({ operationId: 'pdf-tools/pdf-ocr', status: 429, error: 'rate_limited' }))
    expect(await read('sheaf_calls_total{operation="pdf-tools/pdf-ocr",status="200",error=""}')).toBe(1)
    expect(await read('sheaf_calls_total{operation="pdf-tools/pdf-ocr",status="429",error="rate_limited"}')).toBe(1)
    expect(await read('sheaf_request_body_bytes_total{operation="pdf-tools/pdf-ocr"}')).toBe(700)
    expect(await read('sheaf_response_body_bytes_total{operation="pdf-tools/pdf-ocr"}')).toBe(900)
    expect(await read('sheaf_engine_seconds_total{operation="pdf-tools/pdf-ocr"}')).toBeCloseTo(0.42)
    expect(await read('sheaf_ocr_pages_total')).toBe(3)
    expect(await read('sheaf_call_phase_duration_seconds_sum{operation="pdf-tools/pdf-ocr",phase="work"}')).toBeCloseTo(
      0.4,
    )
    expect(await read('sheaf_call_duration_seconds_count{operation="pdf-tools/pdf-ocr"}')).toBe(2)
  })

  it('count the steps of pipelines by tool', async () => {
    const steps = ['merge-pdf', 'rotate-pdf', 'merge-pdf']
    metrics.telemetry.countRequest({ ...(await makeEndedRequest({ operationId: 'pipeline' })), steps })
    expect(await read('sheaf_pipeline_steps_total{tool="merge-pdf"}')).toBe(2)
    expect(await read('sheaf_pipeline_steps_total{tool="rotate-pdf"}')).toBe(1)
  })

  it('have no series that a client could name', async () => {
    metrics.telemetry.countRequest(
      await makeEndedRequest({
        status: 404,
        error: 'not_found',
        timings: { 'made-up': 1 },
        headers: { 'x-request-id': 'Confidential', 'user-agent': 'Confidential' },
      }),
    )
    expect(await read('sheaf_calls_total{operation="other",status="404",error="not_found"}')).toBe(1)
    expect(await read('sheaf_call_phase_duration_seconds_count{operation="other",phase="other"}')).toBe(1)
    expect(await metrics.registry.metrics()).not.toMatch(/Confidential|made-up/)
  })
})

describe('metrics read at a scrape', () => {
  it('report that nothing is up before the service starts', async () => {
    expect(
      await Promise.all(['sheaf_ready', 'sheaf_database_up', 'sheaf_browser_up', 'sheaf_engine_processes'].map(read)),
    ).toEqual([0, 0, 0, 0])
    expect(await read('sheaf_body_memory_limit_bytes')).toBe(1000)
    expect(await read('sheaf_credits_total{kind="refund"}')).toBe(0)
  })

  it('report the state of engines, browser and database', async () => {
    placeSingleton(ENGINES, {
      status: () => ({ processes: 3, busy: 2, waiting: 5, started: 9, killed: 1 }),
      residentBytes: () => Promise.resolve(500),
    })
    placeSingleton(PAGES, {
      status: () => ({ state: 'ready', running: 4, printed: 60, started: 2 }),
      residentBytes: () => 800,
    })
    placeSingleton('database', {
      ping: () => Promise.resolve(),
      connections: () => ({ most: 10, used: 7, waiting: 2 }),
    })
    const names = [
      'sheaf_ready',
      'sheaf_database_up',
      'sheaf_database_connections_used',
      'sheaf_database_connections_waiting',
      'sheaf_engine_jobs_running',
      'sheaf_engine_jobs_waiting',
      'sheaf_engine_starts_total',
      'sheaf_engine_kills_total',
      'sheaf_engine_resident_bytes',
      'sheaf_browser_up',
      'sheaf_browser_pages_running',
      'sheaf_browser_resident_bytes',
      'sheaf_browser_pages_total',
      'sheaf_browser_starts_total',
    ]
    expect(await Promise.all(names.map(read))).toEqual([1, 1, 7, 2, 2, 5, 9, 1, 500, 1, 4, 800, 60, 2])
    expect(await Promise.all(names.slice(-2).map(read))).toEqual([60, 2]) // The values aren't added up.
    placeSingleton('database', { ping: () => Promise.reject(new Error('away')) })
    expect(await Promise.all(['sheaf_ready', 'sheaf_database_up'].map(read))).toEqual([0, 0])
  })

  it('count running and waiting requests by lane', async () => {
    const { signal } = new AbortController()
    const releases = await Promise.all([
      getRequestQueue().acquire({ accountId: 'a', network: '192.0.2.1', hasPaid: true }, signal),
      getRequestQueue().acquire({ accountId: 'a', network: '192.0.2.1', hasPaid: true }, signal, 'browser'),
    ])
    const third = getRequestQueue().acquire({ accountId: 'a', network: '192.0.2.1', hasPaid: true }, signal, 'browser') // One more than an account may run.
    const lanes = (kind: string) =>
      Promise.all(['engines', 'browser'].map(lane => read(`sheaf_calls_${kind}{lane="${lane}"}`)))
    expect([await lanes('running'), await lanes('waiting'), await lanes('capacity')]).toEqual([
      [1, 1],
      [0, 1],
      [4, 2],
    ])
    for (const release of releases) release()
    ;(await third)()
    expect([await lanes('running'), await lanes('waiting')]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('count statements without a response from the database, and measure ledger statements', async () => {
    Object.assign(telemetry(), metrics.telemetry)
    const away = () => Promise.reject(new DatabaseTimeoutError('away'))
    const database = placeDatabase({
      rows: away,
      transaction: () => Promise.reject(new Error('of another kind')),
    } as unknown as Database)
    await expect(database.transaction(() => Promise.resolve())).rejects.toThrow('of another kind')
    await expect(database.rows({} as never)).rejects.toThrow('away')
    expect(await read('sheaf_database_away_errors_total')).toBe(1)
    const watched = metrics.telemetry.watchLedger({ charge: away, settle: () => Promise.resolve() } as never)
    await watched.settle([])
    await expect(watched.charge({ requestId: '', accountId: '' })).rejects.toThrow('away')
    expect(await read('sheaf_database_statement_duration_seconds_count{statement="charge"}')).toBe(1)
    expect(await read('sheaf_database_statement_duration_seconds_count{statement="settle"}')).toBe(1)
  })
})

describe('the metrics listener', () => {
  let running: RunningTelemetry | undefined
  afterEach(async () => running?.close())

  it('serves /metrics on loopback, and nothing else', async () => {
    running = await startTelemetry(config)
    const address = running.metricsAddress ?? ''
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/)
    const response = await fetch(address)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await response.text()
    for (const name of [
      'sheaf_build_info{',
      'process_resident_memory_bytes ',
      'nodejs_eventloop_lag_p99_seconds ',
      '# TYPE nodejs_gc_duration_seconds histogram',
    ])
      expect(text).toContain(name)
    expect((await fetch(address, { method: 'POST' })).status).toBe(405)
    expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404)
  })

  it('does not run unless it is configured, and nothing is counted', async () => {
    running = await startTelemetry(readConfig({}))
    expect(running.metricsAddress).toBeUndefined()
    expect(telemetry()).toEqual({})
  })

  it('names the variable whose port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo // The server listens on a port.
    await expect(startTelemetry(readConfig({ METRICS_PORT: String(port) }))).rejects.toThrow(
      `METRICS_PORT: port ${port} of 127.0.0.1 is in use. Stop the other program, or set another port.`,
    )
    await expect(startTelemetry(readConfig({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }))).rejects.toThrow(
      "METRICS_HOST: 192.0.2.1 isn't an address of this machine",
    )
    other.close()
  })

  it('does not start if its variables are invalid', () => {
    expect(() => readConfig({ METRICS_PORT: 'ninety' })).toThrow('METRICS_PORT: must be a port from 1 to 65535')
    expect(() => readConfig({ METRICS_PORT: '70000' })).toThrow('METRICS_PORT: must be a port')
    expect(() => readConfig({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT: must differ from PORT. Got 3000.')
    expect(() => readConfig({ METRICS_HOST: '0.0.0.0' })).toThrow('METRICS_HOST: METRICS_PORT must be set too.')
    expect(readConfig({ METRICS_PORT: '9464' })).toMatchObject({ METRICS_PORT: 9464, METRICS_HOST: '127.0.0.1' })
  })
})
