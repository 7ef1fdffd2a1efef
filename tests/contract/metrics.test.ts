import { beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../support/service'
import { fullService, metricsOf } from '../support/shared-services'
import { type Client, createClient, eventually, SHARED_DATABASES, toolPath } from './client'
import { makePdf } from './documents'

const SECRET = 'Confidential-4410'
const EMAIL = 'metrics@example.test'
/** Only this file uses the tool on this service. */
const TOOL = 'extract-pages'
const document = { name: `${SECRET}.pdf`, bytes: makePdf({ text: () => SECRET }) }

let service: RunningService
let client: Client
let address: string
let before: string

beforeAll(async () => {
  service = await fullService()
  address = await metricsOf(service)
  before = await scrape()
  client = createClient(service.base, await service.createKey(EMAIL))
})

async function scrape(): Promise<string> {
  const response = await fetch(address)
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of a series in a scrape. 0 if the series is missing. */
function read(text: string, series: string): number {
  const line = text.split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}

const calls = (operation: string, status: number, error = '') =>
  `sheaf_calls_total{operation="${operation}",status="${status}",error="${error}"}`

describe('the metrics of a running service', () => {
  it('count requests from all bundles of the server', async () => {
    const done = await client.callTool(TOOL, document, { pages: [1], outputName: SECRET })
    const responses = [
      done,
      await client.callTool(TOOL, document, { pages: SECRET }),
      await client.callTool(TOOL, { ...document, bytes: Buffer.from(SECRET) }, { pages: [1] }),
      await client.sendJson(toolPath(SECRET), {}),
      await createClient(service.base, SECRET).sendJson(toolPath(TOOL), {}),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 422, 422, 404, 401])
    const text = await eventually(scrape, seen => read(seen, calls(`pdf-tools/${TOOL}`, 401, 'invalid_api_key')) === 1)
    const increase = (series: string) => read(text, series) - read(before, series)
    expect(increase(calls(`pdf-tools/${TOOL}`, 200))).toBe(1)
    expect(increase(calls(`pdf-tools/${TOOL}`, 422, 'pdf_tool_processing_failed'))).toBe(2)
    expect(increase(`sheaf_response_body_bytes_total{operation="pdf-tools/${TOOL}"}`)).toBeGreaterThan(
      done.bytes.length,
    )
    for (const phase of ['auth', 'body', 'parse', 'wait', 'charge', 'queue', 'send', 'open', 'work', 'save']) {
      expect(
        increase(`sheaf_call_phase_duration_seconds_count{operation="pdf-tools/${TOOL}",phase="${phase}"}`),
        phase,
      ).toBeGreaterThan(0)
    }
    // Other files use the service at the same time.
    expect(increase(calls('other', 404, 'not_found'))).toBeGreaterThanOrEqual(1)
    expect(increase('sheaf_credits_total{kind="charge"}')).toBeGreaterThanOrEqual(2)
    expect(increase('sheaf_credits_total{kind="refund"}')).toBeGreaterThanOrEqual(1)
    expect(increase('sheaf_database_statement_duration_seconds_count{statement="charge"}')).toBeGreaterThanOrEqual(2)
    // On a Postgres server the account command works alone. With an embedded database it uses the running service.
    if (SHARED_DATABASES.length === 0) expect(increase('sheaf_credits_total{kind="grant"}')).toBeGreaterThanOrEqual(100)
    expect([read(text, 'sheaf_ready'), read(text, 'sheaf_database_up')]).toEqual([1, 1])
    for (const told of [SECRET, EMAIL, client.apiKey, client.apiKey.slice(-4)])
      expect(text.includes(told), `the metrics hold ${told}`).toBe(false)
  })

  it('are not on the public port', async () => {
    for (const path of ['/metrics', '/api/metrics'])
      expect((await client.send({ path, method: 'GET' })).status).toBe(404)
  })
})
