import { setTimeout as wait } from 'node:timers/promises'
import { sendRequest } from '../contract/client'
import { isRunning } from '../hostile/chaos/processes'
import { createDatabase, type TestPostgres } from '../support/postgres'
import { type AccountOptions, type Service, startService } from '../support/service'
import { type Balancer, openBalancer } from './balancer'

/** Instances of the service on one Postgres database, behind a balancer that is told which of them are ready. */
export interface Fleet {
  databaseUrl: string
  balancer: Balancer
  /** Those that run, by their places; a killed one is missing. */
  running(): Service[]
  at(place: number): Service
  /** kill -9 of an instance with its processes; resolves when they are gone. */
  kill(place: number): Promise<void>
  /** SIGTERM; gives the exit code when it has ended. */
  end(place: number): Promise<number | null>
  /** Starts an instance in a free place; resolves when the balancer sends it calls. */
  start(place: number): Promise<void>
  /** An account with credits, a fresh key and perhaps a password. */
  createCustomer(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<{ email: string; apiKey: string }>
  close(): Promise<void>
}

/** As orchestrators do it: how often an instance is asked whether it is ready, and how long that may take. */
const PROBE_EVERY_MS = 250
const PROBE_MS = 2000
/** What SIGTERM changes is seen before calls are refused, also where a probe takes its full time on a busy machine. */
const DRAIN_DELAY_MS = 5000
const READY_MS = 120_000
const END_MS = 60_000
const LOOK_AGAIN_MS = 50

const ENVIRONMENT = {
  DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
  TRUSTED_PROXIES: '1',
  ENGINES: '1',
  // No page is printed here; a browser for every start would take the machine from what is measured.
  BROWSER_WS_ENDPOINT: 'ws://127.0.0.1:9',
  EGRESS_HOST: '127.0.0.1',
}

/** Starts a number of instances at once on an empty database. */
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

/** Keeps the balancer's list what the instances say of themselves; the last one stays on it. */
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
    return false // gone, or too busy to be given more
  }
}

/** The port of an instance, by which the balancer knows it. */
export function portOf({ base }: Pick<Service, 'base'>): number {
  return Number(new URL(base).port)
}
