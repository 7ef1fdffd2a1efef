import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { eventually } from '../../../contract/client'
import { areClosed } from '../books'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, judge, type Row } from '../scenario'
import { type DatabaseProxy, openDatabaseProxy } from '../../../support/database-proxy'
import { getPostgres } from '../environment'
import { checkBooks } from '../invariants'
import { type CallKind, type Customer, startLoad } from '../load'

const ROUNDS = 5
const CLIENTS = 8
const CREDITS = 1_000_000
const EMAIL = 'away@example.test'
const SLOW_MS = 30_000
/** A request must get its response within this time. The service must work again within this time after the problem. */
const RESPONSE_MS = 5000
const RECOVERY_MS = 5000
/** Additional time, because this machine runs client and server. */
const TOLERANCE_MS = 500
const BEFORE_MS = 1500
/** Longer than a lease, to distinguish requests delivered just before from abandoned ones. */
const LONG_MS = 42_000
const SHORT_MS = 7000
const SWEPT_MS = 60_000

interface Trouble {
  what: string
  lastsMs: number
  isInQuick: boolean
  begin(scene: Scene): Promise<void> | void
  end(scene: Scene): Promise<void> | void
}

interface Scene {
  base: string
  proxy: DatabaseProxy
  databaseUrl: string
}

const TROUBLES: Trouble[] = [
  {
    what: 'stopped',
    lastsMs: SHORT_MS,
    isInQuick: true,
    begin: ({ proxy }) => proxy.refuse(),
    end: ({ proxy }) => proxy.pass(),
  },
  {
    what: 'stopped for longer than a lease',
    lastsMs: LONG_MS,
    isInQuick: false,
    begin: ({ proxy }) => proxy.refuse(),
    end: ({ proxy }) => proxy.pass(),
  },
  {
    what: 'slow by 30 s',
    lastsMs: LONG_MS,
    isInQuick: false,
    begin: ({ proxy }) => proxy.delay(SLOW_MS),
    end: ({ proxy }) => proxy.pass(),
  },
  {
    what: 'silent',
    lastsMs: SHORT_MS,
    isInQuick: false,
    begin: async () => (await getPostgres()).signal('SIGSTOP'),
    end: async () => (await getPostgres()).signal('SIGCONT'),
  },
  { what: 'crashed and restarted', lastsMs: 0, isInQuick: true, begin: crash, end: () => {} },
]

/** The Postgres server fails under load, and comes back. */
export const database: Scenario = {
  name: 'database',
  description:
    `Postgres stops, hangs, crashes, or responds ${SLOW_MS / 1000} s late, ${ROUNDS} times each. Requests get 503 ` +
    `within ${RESPONSE_MS / 1000} s. None gets a free file or a 401. After each failure, requests work again within ` +
    `${RECOVERY_MS / 1000} s.`,
  databases: ['postgres'],
  async run({ environment, times, isQuick }) {
    const log = new CallLog()
    const databaseUrl = environment.databaseUrl ?? ''
    const proxy = await openDatabaseProxy(databaseUrl)
    try {
      const service = await environment.startAnother({}, proxy.url)
      const apiKey = await service.createKey(EMAIL, { credits: CREDITS })
      log.noteTopUp(EMAIL, CREDITS)
      const scene = { base: service.base, proxy, databaseUrl }
      const rows: Row[] = []
      for (const trouble of TROUBLES.filter(({ isInQuick }) => isInQuick || !isQuick)) {
        const rounds: Round[] = []
        for (let round = 0, asked = times(ROUNDS); round < asked; round += 1)
          rounds.push(await goThrough(scene, { trouble, log, customer: { email: EMAIL, apiKey } }))
        rows.push(...describeRounds(trouble, rounds))
      }
      await eventually(() => environment.readBooks(), areClosed, SWEPT_MS).catch(() => {}) // The check below shows it.
      return [...rows, ...checkBooks(await environment.readBooks(), log)]
    } finally {
      await proxy.close()
    }
  },
}

interface Round {
  /** Requests that ran at some time during the problem. */
  calls: SeenCall[]
  beganMs: number
  endedMs: number
  /** The time from the end of the problem to the first file. Undefined if none arrived. */
  recoveryMs: number | undefined
}

async function goThrough(
  scene: Scene,
  { trouble, log, customer }: { trouble: Trouble; log: CallLog; customer: Customer },
): Promise<Round> {
  const calls: SeenCall[] = []
  const choose = (): CallKind => (calls.length % 8 === 7 ? 'slow' : 'good')
  const load = startLoad({
    base: scene.base,
    log,
    customers: [customer],
    clients: CLIENTS,
    choose,
    onCall: call => calls.push(call),
  })
  await wait(BEFORE_MS)
  const beganMs = performance.now()
  await trouble.begin(scene)
  await wait(trouble.lastsMs)
  await trouble.end(scene)
  const endedMs = performance.now()
  const findFirst = () => Promise.resolve(calls.find(call => call.sentAtMs > endedMs && call.status === 200))
  const first = await eventually(findFirst, call => call !== undefined, 6 * RECOVERY_MS).catch(() => undefined)
  await load.stop()
  return {
    calls: calls.filter(call => call.endedAtMs > beganMs && call.sentAtMs < endedMs),
    beganMs,
    endedMs,
    recoveryMs: first && first.endedAtMs - endedMs,
  }
}

function describeRounds({ what, lastsMs }: Trouble, rounds: Round[]): Row[] {
  const during = rounds.flatMap(round => round.calls.map(call => ({ call, round })))
  const latest = Math.max(
    0,
    ...during.map(({ call, round }) => call.endedAtMs - Math.max(call.sentAtMs, round.beganMs)),
  )
  const back = rounds.map(({ recoveryMs }) => recoveryMs)
  return [
    judge(
      `${what}: calls get a file that is paid for, or 503 with Retry-After in time`,
      during.map(({ call, round }) => findCallProblem(call, round)),
      `${latest.toFixed(0)} ms at most${lastsMs > 0 ? '' : ', in the moment of the crash'}`,
    ),
    judge(
      `${what}: the service is back in time, without a restart`,
      back.map(ms =>
        ms !== undefined && ms <= RECOVERY_MS + TOLERANCE_MS
          ? undefined
          : `back after ${ms?.toFixed(0) ?? 'more than 30 000'} ms`,
      ),
      `${Math.max(...back.map(ms => ms ?? Infinity)).toFixed(0)} ms at most`,
    ),
  ]
}

function findCallProblem(call: SeenCall, { beganMs }: Round): string | undefined {
  const { status, error, retryAfterS = 0 } = call
  const isRefused = status === 503 && error === 'service_unavailable' && retryAfterS > 0
  const ms = call.endedAtMs - Math.max(call.sentAtMs, beganMs)
  if (status !== 200 && !isRefused)
    return `answered with ${status ?? 'a broken connection'} ${error}, Retry-After ${retryAfterS}`
  return ms <= RESPONSE_MS + TOLERANCE_MS
    ? undefined
    : `${status} after ${ms.toFixed(0)} ms (sent ${(call.sentAtMs - beganMs).toFixed(0)} ms after the trouble began)`
}

/** Kills one of the server's processes that serve Sheaf. The server then ends all others, recovers and continues. */
async function crash({ databaseUrl }: Scene): Promise<void> {
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const [row] = await admin<
    { pid: number }[]
  >`select pid from pg_stat_activity where application_name = 'sheaf' limit 1`
  if (row === undefined) throw new Error('the service has no connection to the database')
  process.kill(row.pid, 'SIGKILL')
  await admin.end({ timeout: 1 }).catch(() => {}) // The server ended the process.
}
