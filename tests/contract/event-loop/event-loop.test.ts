import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from '../../hostile/chaos/sign-in'
import { createEventLoopProbe, type EventLoopProbe, pollUntilStopped } from '../../support/event-loop'
import { measureSlowness } from '../../run/cpu.mjs'
import { type Service, startService } from '../../support/service'
import { listArchiveRequests } from './hostile-archives'
import { listMcpRequests, listMultipartRequests, listOtherEntrances } from './hostile-messages'
import { listOperationRequests } from './hostile-operations'
import type { HostileRequest } from './hostile-request'
import { listHeaderRequests, listOutlineRequests, listRouteRequests } from './hostile-routes'
import { type Measurement, measureAll, writeLine, writeTable } from './measure'

/** The longest that one request may occupy the event loop, on a slower machine in proportion. */
const LIMIT_MS = 50 * measureSlowness()
const SHOWN = 20
const EMAIL = 'loop@example.test'
const PASSWORD = 'correct horse battery'

let service: Service
let probe: EventLoopProbe
let credentials: Record<string, string>

beforeAll(async () => {
  probe = await createEventLoopProbe()
  service = await startService({ env: probe.env })
  const key = await service.createKey(EMAIL, { credits: 100_000, password: PASSWORD })
  const session = await signIn(service.base, EMAIL, PASSWORD)
  credentials = { 'x-api-key': key, cookie: session.cookie(), origin: service.base }
})
afterAll(async () => {
  await service?.stop()
  await probe?.close()
})

const measurements: Measurement[] = []

it.each([
  ['multipart bodies', listMultipartRequests],
  ['zipped pages', listArchiveRequests],
  ['requests of the playground and the trial', listOtherEntrances],
  ['outlines', listOutlineRequests],
  ['messages of agents', listMcpRequests],
  ['headers', listHeaderRequests],
  ['paths, query strings and forms of all routes', listRouteRequests],
  ['bodies of endpoints', listOperationRequests],
])('serves hostile %s in short turns', async (_, list) => {
  const poller = pollUntilStopped(`${service.base}/api/health`)
  const found = await measureAll({ base: service.base, probe, limitMs: LIMIT_MS }, withCredentials(list()))
  measurements.push(...found)
  const { polls, failures } = await poller.stop()
  expect(polls).toBeGreaterThan(0)
  expect(failures).toEqual([])
  expect(found.filter(({ ms }) => ms > LIMIT_MS).map(writeLine)).toEqual([])
})

afterAll(() => {
  console.log(`The slowest of ${measurements.length} requests:\n${writeTable(measurements, SHOWN)}`)
})

function* withCredentials(requests: Iterable<HostileRequest>): Generator<HostileRequest> {
  for (const request of requests) {
    const { split } = request
    const headers = { ...credentials, ...request.headers }
    yield { ...request, headers, ...(split && { split: () => [...withCredentials(split())] }) }
  }
}
