import type { EventLoopProbe } from '../../support/event-loop'
import { type Outgoing, sendRequest } from '../client'
import type { HostileRequest } from './hostile-request'

/** A request and the longest turn of the event loop that it caused. */
export interface Measurement {
  request: HostileRequest
  ms: number
  status: number
}

interface Server {
  base: string
  probe: EventLoopProbe
  limitMs: number
}

/** Garbage collection may fall into any request, so the shortest of several attempts counts. */
const MOST_ATTEMPTS = 8
/** Nothing but the request itself takes this long, except for code that its first request loads. */
const CERTAIN_MS = 1000

/** Sends the requests one after the other. A request of several fields over the limit is split into its fields. */
export async function measureAll(server: Server, requests: Iterable<HostileRequest>): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const request of requests) {
    const measured = await measure(server, request)
    measurements.push(measured)
    if (measured.ms > server.limitMs && request.split) measurements.push(...(await measureAll(server, request.split())))
  }
  return measurements
}

async function measure(server: Server, request: HostileRequest): Promise<Measurement> {
  let best: Measurement | undefined
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const status = await send(server.base, request)
    const ms = await server.probe.readLongestMs()
    if (best === undefined || ms < best.ms) best = { request, ms, status }
    if (best.ms <= server.limitMs || (attempt > 0 && best.ms > CERTAIN_MS)) return best
  }
  return best as Measurement // There was at least one attempt.
}

/** Returns the status. 0 if the server closed the connection before a response, as it may do with malformed requests. */
async function send(base: string, { path, method, headers, body }: HostileRequest): Promise<number> {
  const outgoing: Outgoing = {
    path,
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body && { body: body() }),
  }
  try {
    return (await sendRequest(base, outgoing)).status
  } catch {
    return 0
  }
}

/** The slowest measurements as lines of a table. */
export function writeTable(measurements: readonly Measurement[], count: number): string {
  const slowest = measurements.toSorted((a, b) => b.ms - a.ms).slice(0, count)
  return slowest.map(writeLine).join('\n')
}

/** A measurement as a line. */
export function writeLine({ request: { endpoint, field, value }, ms, status }: Measurement): string {
  return `${ms.toFixed(1).padStart(9)} ms  ${status}  ${endpoint}  ${field}  ${value}`
}
