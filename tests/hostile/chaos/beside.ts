import type { ApiResponse, Client } from '../../contract/client'
import { type Context, judge, type Row } from './scenario'
import { SMALL_FILE } from './odd-files'
import { percentile } from './patience'

const MOST_RATIO = 3
/** Idle times count for at least this many milliseconds, because a multiple of a few milliseconds is random. */
const LEAST_QUIET_MS = 25
/** The rule for requests of another customer, for the description of a scenario. */
export const OTHER_KEY_RULE =
  'For another key, the 95th percentile of response times stays within a limit. The limit is ' +
  `${MOST_RATIO} × the value on an idle server, or ${MOST_RATIO * LEAST_QUIET_MS} ms if that is more.`
const CALLS = 100
const WARM_UP_CALLS = 5
/** A short run only records the times. */
const QUICK_CALLS = 20
/** The most repetitions of a request that gets Retry-After. */
const MOST_TRIES = 5
const PAGE = { html: '<!doctype html><title>Beside</title><h1>An ordinary page</h1>' }

/** A kind of work of the other customer. */
interface Work {
  send(client: Client): Promise<ApiResponse>
  /** The minimum number of requests, because the 95th percentile of a few is random. */
  leastCalls: number
}

/** The kinds of work of the other customer, by their name in the report. */
const WORKS = {
  files: { send: client => client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 }), leastCalls: 100 },
  'web pages': { send: client => client.sendJson('/api/external/webpage-to-pdf/pdf', PAGE), leastCalls: 20 },
} satisfies Record<string, Work>

type WorkName = keyof typeof WORKS

interface Seen {
  ms: number
  problem: string | undefined
}

/** The times of another customer's requests, by the name of the work. */
type Beside = Partial<Record<WorkName, Seen[]>>

/**
 * Sends requests one after the other, as a customer does that obeys Retry-After. The time of a request includes its
 * waits.
 */
async function workInTurn(
  client: Client,
  names: readonly WorkName[],
  { isQuick, times }: Pick<Context, 'isQuick' | 'times'>,
): Promise<Beside> {
  const seen: Beside = {}
  for (const name of names) {
    const work: Work = WORKS[name]
    for (let index = 0; index < WARM_UP_CALLS; index += 1) await work.send(client)
    const own: Seen[] = (seen[name] = [])
    for (let left = Math.max(isQuick ? QUICK_CALLS : work.leastCalls, times(CALLS)); left > 0; left -= 1)
      own.push(await sendPatiently(work, client))
  }
  return seen
}

async function sendPatiently({ send }: Work, client: Client): Promise<Seen> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    const { status, json, headers } = await send(client)
    const retryAfterS = Number(headers['retry-after'])
    if (status !== 200 && retryAfterS > 0 && tries < MOST_TRIES) {
      await new Promise(resolve => setTimeout(resolve, retryAfterS * 1000))
      continue
    }
    return { ms: performance.now() - since, problem: status === 200 ? undefined : `${status} ${String(json['error'])}` }
  }
}

/** An attack, as far as the parallel work needs it. */
interface Attacking<Outcome> {
  stop(): Promise<Outcome>
}

/**
 * Runs another customer's work before, during and after an attack. Checks that every request gets a file and that the
 * times meet OTHER_KEY_RULE. Other load on the machine may have grown meanwhile, so the slower of the two idle times
 * counts. A short run records the times and doesn't judge them. Returns the result of the attack's `stop`.
 */
export async function workBeside<Outcome>(
  {
    client,
    works,
    what = '',
    context,
  }: { client: Client; works: readonly WorkName[]; what?: string; context: Pick<Context, 'isQuick' | 'times'> },
  start: () => Promise<Attacking<Outcome>>,
): Promise<{ rows: Row[]; outcome: Outcome }> {
  const before = await workInTurn(client, works, context)
  const attack = await start()
  const beside = await workInTurn(client, works, context)
  const outcome = await attack.stop()
  const after = await workInTurn(client, works, context)
  const rows = works.flatMap(name =>
    judgeWork(
      name,
      [before, beside, after].map(work => work[name] ?? []),
      { what, isQuick: context.isQuick },
    ),
  )
  return { rows, outcome }
}

function judgeWork(name: WorkName, seen: Seen[][], { what, isQuick }: { what: string; isQuick: boolean }): Row[] {
  const [before, beside, after] = seen.map(calls =>
    percentile(
      calls.map(({ ms }) => ms),
      0.95,
    ),
  )
  const quiet = Math.max(before ?? Number.NaN, after ?? Number.NaN)
  const loud = beside ?? Number.NaN
  const note = `p95 ${quiet.toFixed(0)} ms alone, ${loud.toFixed(0)} ms beside, ${(loud / quiet).toFixed(1)} ×`
  const working = judge(
    `${name} of another key${what}: every request works`,
    seen.flat().map(({ problem }) => problem),
    note,
  )
  if (isQuick) return [working]
  return [
    working,
    judge(
      `${name} of another key${what} take ${MOST_RATIO} × as long, or ${MOST_RATIO * LEAST_QUIET_MS} ms, at most ` +
        'on an idle machine',
      [loud <= MOST_RATIO * Math.max(quiet, LEAST_QUIET_MS) ? undefined : note],
    ),
  ]
}
