import type { ApiResponse, Client } from '../../contract/client'
import { type Context, judge, type Row } from './scenario'
import { SMALL_FILE } from './odd-files'
import { patience, percentile } from './patience'

const MOST_RATIO = 3
/** Of a few milliseconds a multiple is chance, so quiet times count for this much at least. */
const LEAST_QUIET_MS = 25
/** What is asked of the other customer's requests, for the `asks` of a scenario. */
export const ASKED_BESIDE =
  `95 of 100 requests of another key take ${MOST_RATIO} × their quiet time, or ${MOST_RATIO * LEAST_QUIET_MS} ms, at ` +
  'most'
const CALLS = 100
const WARM_UP_CALLS = 5
/** A request that is told to come again is sent so often at most. */
const MOST_TRIES = 5
const PAGE = { html: '<!doctype html><title>Beside</title><h1>An ordinary page</h1>' }

/** Something that the other customer does. */
interface Work {
  send(client: Client): Promise<ApiResponse>
  /** How often at least: the ninety-fifth of few is chance. */
  leastCalls: number
}

/** What the other customer may do, by its name in the report. */
const WORKS = {
  files: { send: client => client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 }), leastCalls: 100 },
  'web pages': { send: client => client.sendJson('/api/external/webpage-to-pdf/pdf', PAGE), leastCalls: 20 },
} satisfies Record<string, Work>

type WorkName = keyof typeof WORKS

interface Seen {
  ms: number
  problem: string | undefined
}

/** What another customer's requests took, by the name of the work. */
type Beside = Partial<Record<WorkName, Seen[]>>

/**
 * Sends requests one after the other, as a customer does that obeys Retry-After; the time of a request counts its
 * waits.
 */
async function workInTurn(
  client: Client,
  names: readonly WorkName[],
  { times }: Pick<Context, 'times'>,
): Promise<Beside> {
  const seen: Beside = {}
  for (const name of names) {
    const work: Work = WORKS[name]
    for (let index = 0; index < WARM_UP_CALLS; index += 1) await work.send(client)
    const own: Seen[] = (seen[name] = [])
    for (let left = Math.max(work.leastCalls, times(CALLS)); left > 0; left -= 1)
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

/** An attack, as far as the work beside it knows. */
interface Attacking<Outcome> {
  stop(): Promise<Outcome>
}

/**
 * Has another customer work before, beside and after an attack, and judges that every request gets a file and that they
 * take what ASKED_BESIDE says. The machine may have become busier with other things meanwhile, so the slower of the two
 * quiet times counts. Gives what `stop` of the attack gave.
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
  // A short run is for machines that do other things at the same time.
  const mostRatio = MOST_RATIO * (context.isQuick ? patience() : 1)
  const attack = await start()
  const beside = await workInTurn(client, works, context)
  const outcome = await attack.stop()
  const after = await workInTurn(client, works, context)
  const rows = works.flatMap(name =>
    judgeWork(name, { seen: [before, beside, after].map(work => work[name] ?? []), what, mostRatio }),
  )
  return { rows, outcome }
}

function judgeWork(
  name: WorkName,
  { seen, what, mostRatio }: { seen: Seen[][]; what: string; mostRatio: number },
): Row[] {
  const [before, beside, after] = seen.map(calls =>
    percentile(
      calls.map(({ ms }) => ms),
      0.95,
    ),
  )
  const quiet = Math.max(before ?? Number.NaN, after ?? Number.NaN)
  const loud = beside ?? Number.NaN
  const note = `p95 ${quiet.toFixed(0)} ms alone, ${loud.toFixed(0)} ms beside, ${(loud / quiet).toFixed(1)} ×`
  return [
    judge(
      `${name} of another key${what}: every request works`,
      seen.flat().map(({ problem }) => problem),
    ),
    judge(
      `${name} of another key${what} take ${MOST_RATIO} × as long, or ${MOST_RATIO * LEAST_QUIET_MS} ms, at most ` +
        'on an idle machine',
      [loud <= mostRatio * Math.max(quiet, LEAST_QUIET_MS) ? undefined : note],
      note,
    ),
  ]
}
