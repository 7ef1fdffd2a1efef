import type { Client } from '../../../contract/client'
import { type Scenario, judge, type Row } from '../scenario'
import { SMALL_FILE } from '../odd-files'
import { percentile } from '../patience'
import { describeOutcomes, startAttack } from '../start-attack'

const FLOOD = 64
const CALLS = 400
const LEAST_CALLS = 60
const CREDITS = 1_000_000
const MOST_RATIO = 3

/** One customer sends as much as possible, while another customer sends normal requests. */
export const neighbor: Scenario = {
  name: 'neighbor',
  description:
    `One key keeps ${FLOOD} requests open: 8 run, and the others wait. For another key, the 95th percentile of ` +
    `response times is at most ${MOST_RATIO} × its value on an idle server.`,
  async run({ environment, times }) {
    await environment.start()
    const flooding = await environment.createClient('flood@example.test', { credits: CREDITS })
    const other = await environment.createClient('neighbor@example.test', { credits: CREDITS })
    return measureBesideFlood({
      flooding,
      other,
      flood: FLOOD,
      calls: Math.max(LEAST_CALLS, times(CALLS)),
      mostRatio: MOST_RATIO,
    })
  },
}

interface Neighbors {
  flooding: Client
  other: Client
  /** Simultaneous requests of the first customer. */
  flood: number
  /** Sequential requests of the other customer before, during and after the flood. */
  calls: number
  mostRatio: number
}

/** Compares the times of one key's requests during another key's flood with the times without it. */
export async function measureBesideFlood({ flooding, other, flood, calls, mostRatio }: Neighbors): Promise<Row[]> {
  await callInTurn(other, LEAST_CALLS)
  const before = await callInTurn(other, calls)
  // The request equals its neighbor's. Sheaf doesn't interrupt running requests, so longer ones would delay each other.
  const flow = await startAttack('flood', flooding, { connections: flood })
  const beside = await callInTurn(other, calls)
  const outcomes = await flow.stop()
  const after = await callInTurn(other, calls)
  // Other load on the machine may have grown meanwhile, so the idle time afterwards counts too.
  const quiet = Math.max(percentile(before.elapsed, 0.95), percentile(after.elapsed, 0.95))
  const loud = percentile(beside.elapsed, 0.95)
  const [slowest] = beside.timings.toSorted((a, b) => b.ms - a.ms)
  const note =
    `p95 ${quiet.toFixed(0)} ms alone, ${loud.toFixed(0)} ms beside the flood, ${(loud / quiet).toFixed(1)} ×; the ` +
    `slowest took ${slowest?.ms.toFixed(0)} ms, of which the service says ${slowest?.told}`
  return [
    judge('every call of the other key works', [...before.problems, ...beside.problems, ...after.problems]),
    judge(`its calls take ${mostRatio} × as long at most`, [loud <= mostRatio * quiet ? undefined : note], note),
    judge(
      'the flood waits its turn, and is served',
      [...outcomes.keys()].map(outcome => (/^(200|429|503)/.test(outcome) ? undefined : outcome)),
      describeOutcomes(outcomes),
    ),
  ]
}

async function callInTurn(
  client: Client,
  count: number,
): Promise<{ elapsed: number[]; timings: { ms: number; told: string }[]; problems: (string | undefined)[] }> {
  const timings: { ms: number; told: string }[] = []
  const problems: (string | undefined)[] = []
  for (let index = 0; index < count; index += 1) {
    const since = performance.now()
    const { status, json, headers } = await client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 })
    timings.push({ ms: performance.now() - since, told: String(headers['server-timing']) })
    problems.push(status === 200 ? undefined : `${status} ${String(json['error'])}`)
  }
  return { elapsed: timings.map(({ ms }) => ms), timings, problems }
}
