import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEventLoopProbe, type EventLoopProbe, pollUntilStopped } from '../../support/event-loop'
import { type Service, startService } from '../../support/service'
import { listOperationRequests } from './hostile-operations'
import type { HostileRequest } from './hostile-request'
import { type Measurement, measureAll, writeLine, writeTable } from './measure'

/** The longest that one request may occupy the event loop. */
const LIMIT_MS = 50
const SHOWN = 20

let service: Service
let probe: EventLoopProbe
let apiKey: string

beforeAll(async () => {
  probe = await createEventLoopProbe()
  service = await startService({ env: probe.env })
  apiKey = await service.createKey('loop@example.test', { credits: 100_000 })
})
afterAll(async () => {
  await service?.stop()
  await probe?.close()
})

/** Measures requests while a second client asks for the health of the server. */
async function judge(requests: Iterable<HostileRequest>): Promise<Measurement[]> {
  const poller = pollUntilStopped(`${service.base}/api/health`)
  const started = performance.now()
  const measurements = await measureAll({ base: service.base, probe, limitMs: LIMIT_MS }, requests)
  const { polls, failures } = await poller.stop()
  console.log(
    `${measurements.length} requests in ${Math.round((performance.now() - started) / 1000)} s, ${polls} polls`,
  )
  console.log(writeTable(measurements, SHOWN))
  expect(failures).toEqual([])
  return measurements.filter(({ ms }) => ms > LIMIT_MS)
}

function* withKey(requests: Iterable<HostileRequest>): Generator<HostileRequest> {
  for (const request of requests) {
    const { split } = request
    const headers = { 'x-api-key': apiKey, ...request.headers }
    yield { ...request, headers, ...(split && { split: () => [...withKey(split())] }) }
  }
}

it('serves hostile bodies of endpoints in short turns', async () => {
  expect((await judge(withKey(listOperationRequests()))).map(writeLine)).toEqual([])
})
