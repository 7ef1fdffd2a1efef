import { setTimeout as wait } from 'node:timers/promises'
import { sendRequest } from '../contract/client'
import { isRunning } from '../hostile/chaos/processes'
import { createDatabase, type TestPostgres } from '../support/postgres'
import type { AccountOptions } from '../support/accounts'
import { type Service, startService } from '../support/service'
import { type Balancer, openBalancer } from './balancer'

/** Instances of the service on one Postgres database, behind a balancer that knows which instances are ready. */
export interface Fleet {
  databaseUrl: string
  balancer: Balancer
  /** The running instances by slot. A killed instance is missing. */
  running(): Service[]
  at(place: number): Service
  /** Kills an instance and its processes with SIGKILL. Resolves when they have ended. */
  kill(place: number): Promise<void>
  /** Sends SIGTERM and returns the exit code after the end. */
  end(place: number): Promise<number | null>
  /** Starts an instance in a free slot. Resolves when the balancer sends requests to the instance. */
  start(place: number): Promise<void>
  /** An account with credits, a fresh key and an optional password. */
  createCustomer(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<{ email: string; apiKey: string }>
  close(): Promise<void>
}

/** The interval and the timeout of readiness probes, as in orchestrators. */
const PROBE_EVERY_MS = 250
const PROBE_MS = 2000
/**
 * This delay lets probes notice SIGTERM before Sheaf refuses requests, even if a probe takes its full time on a busy
 * machine.
 */
const DRAIN_DELAY_MS = 5000
const READY_MS = 120_000
const END_MS = 60_000
const LOOK_AGAIN_MS = 50

const ENVIRONMENT = {
  DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
  TRUSTED_PROXIES: '1',
  ENGINES: '1',
  // These tests print no page. A browser for every start would take CPU time from the measurements.
  BROWSER_WS_ENDPOINT: 'ws://127.0.0.1:9',
  EGRESS_HOST: '127.0.0.1',
}

/** Starts several instances at once on an empty database. */
export async function openFleet(count: number, postgresServer: TestPostgres): Promise<Fleet> {
  const databaseUrl = await createDatabase(postgresServer)
  const startOne = () => startService({ databaseUrl, env: ENVIRONMENT })
  const places: (Service | undefined)[] = await Promise.all(Array.from({ length: count }, startOne))
  const running = () => places.filter(one => one !== undefined)
  const balancer = await openBalancer(running().map(portOf))
  const watch = watchReadiness(running, balancer)
  const at = (place: number) => {
    const found = places[place]
    if (found === undefined) throw new Error(`no instance runs in place ${place}`)
    return found
  }
  return {
    databaseUrl,
    balancer,
    running,
    at,
    async kill(place) {
      const service = at(place)
      places[place] = undefined
      await service.kill()
    },
    async end(place) {
      const service = at(place)
      process.kill(service.pid, 'SIGTERM')
      for (const since = performance.now(); isRunning(service.pid) && performance.now() - since < END_MS;)
        await wait(LOOK_AGAIN_MS)
      places[place] = undefined
      return service.stop()
    },
    async start(place) {
      const service = (places[place] = await startOne())
      await watch.untilReady(portOf(service))
    },
    async createCustomer(email, options) {
      const [first] = running()
      if (first === undefined) throw new Error('no instance runs')
      return { email, apiKey: await first.createKey(email, options) }
    },
    async close() {
      await watch.stop()
      await balancer.close()
      await Promise.all(running().map(service => service.kill()))
    },
  }
}

/** Updates the balancer's list from the readiness of the instances. The last instance always stays on the list. */
function watchReadiness(running: () => Service[], balancer: Balancer) {
  let ready = running().map(portOf)
  let isOver = false
  const look = async () => {
    const services = running()
    const responses = await Promise.all(services.map(isReady))
    const found = services.filter((_, index) => responses[index]).map(portOf)
    if (found.length === 0 || found.join() === ready.join()) return
    await balancer.route(found)
    ready = found
  }
  const loop = (async () => {
    for (; !isOver; await wait(PROBE_EVERY_MS)) await look()
  })()
  return {
    async untilReady(port: number) {
      for (const since = performance.now(); !ready.includes(port); await wait(LOOK_AGAIN_MS)) {
        if (performance.now() - since > READY_MS) throw new Error(`the instance at port ${port} did not become ready`)
      }
    },
    async stop() {
      isOver = true
      await loop
    },
  }
}

async function isReady({ base }: Service): Promise<boolean> {
  try {
    return (
      (await sendRequest(base, { path: '/api/ready', method: 'GET', signal: AbortSignal.timeout(PROBE_MS) })).status ===
      200
    )
  } catch {
    return false // The instance has ended, or is too busy for more requests.
  }
}

/** The port of an instance, which identifies it to the balancer. */
export function portOf({ base }: Pick<Service, 'base'>): number {
  return Number(new URL(base).port)
}
