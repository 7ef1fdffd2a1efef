import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type Service } from '../support/service'
import { type Client, createClient, eventually, SHARED_DATABASES, toolPath } from './client'
import { makePdf } from './documents'

const SECRET = 'Confidential-4410'
const EMAIL = 'metrics@example.test'
const document = { name: `${SECRET}.pdf`, bytes: makePdf({ text: () => SECRET }) }

let service: Service
let client: Client
let address: string

beforeAll(async () => {
  service = await startService({ env: { METRICS_PORT: '0' } })
  client = createClient(service.base, await service.createKey(EMAIL))
  address = await eventually(
    () => Promise.resolve(/metrics on (http:\S+)/.exec(service.log())?.[1] ?? ''),
    found => found !== '',
  )
})
afterAll(async () => {
  await service?.stop()
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
    const before = await scrape()
    const done = await client.callTool('rotate-pdf', document, { angle: 90, outputName: SECRET })
    const responses = [
      done,
      await client.callTool('rotate-pdf', document, { angle: SECRET }),
      await client.callTool('rotate-pdf', { ...document, bytes: Buffer.from(SECRET) }, { angle: 90 }),
      await client.sendJson(toolPath(SECRET), {}),
      await createClient(service.base, SECRET).sendJson(toolPath('rotate-pdf'), {}),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 422, 422, 404, 401])
    const text = await eventually(
      scrape,
      seen => read(seen, calls('pdf-tools/rotate-pdf', 401, 'invalid_api_key')) === 1,
    )
    const increase = (series: string) => read(text, series) - read(before, series)
    expect(increase(calls('pdf-tools/rotate-pdf', 200))).toBe(1)
    expect(increase(calls('pdf-tools/rotate-pdf', 422, 'pdf_tool_processing_failed'))).toBe(2)
    expect(increase(calls('other', 404, 'not_found'))).toBe(1)
    expect(increase('sheaf_credits_total{kind="charge"}')).toBe(2)
    expect(increase('sheaf_credits_total{kind="refund"}')).toBe(1)
    expect(increase('sheaf_response_body_bytes_total{operation="pdf-tools/rotate-pdf"}')).toBeGreaterThan(
      done.bytes.length,
    )
    for (const phase of ['auth', 'body', 'parse', 'wait', 'charge', 'queue', 'send', 'open', 'work', 'save']) {
      expect(
        increase(`sheaf_call_phase_duration_seconds_count{operation="pdf-tools/rotate-pdf",phase="${phase}"}`),
        phase,
      ).toBeGreaterThan(0)
    }
    expect(increase('sheaf_database_statement_duration_seconds_count{statement="charge"}')).toBe(2)
    // On a Postgres server the account command works alone. With an embedded database it uses the running service.
    expect(read(text, 'sheaf_credits_total{kind="grant"}')).toBe(SHARED_DATABASES.length > 0 ? 0 : 100)
    expect([read(text, 'sheaf_ready'), read(text, 'sheaf_database_up')]).toEqual([1, 1])
    for (const told of [SECRET, EMAIL, client.apiKey, client.apiKey.slice(-4)])
      expect(text.includes(told), `the metrics hold ${told}`).toBe(false)
  })

  it('are not on the public port', async () => {
    for (const path of ['/metrics', '/api/metrics'])
      expect((await client.send({ path, method: 'GET' })).status).toBe(404)
  })
})

it('end the start if their port is taken, with the next step', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // The server listens on a port.
  await expect(startService({ env: { METRICS_PORT: String(port) } })).rejects.toThrow(
    `sheaf: METRICS_PORT: port ${port} of 127.0.0.1 is in use. Stop the other program, or set another port.\n`,
  )
  other.close()
})
