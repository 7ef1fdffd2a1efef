import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { createClient, type Upload } from '../../contract/client'
import { makePdf } from '../../contract/documents'
import { CallLog } from '../../hostile/chaos/call-log'
import { judge } from '../../hostile/chaos/scenario'
import { patience, percentile } from '../../hostile/chaos/patience'
import { listDescendants } from '../../hostile/chaos/processes'
import type { Fleet } from '../instances'
import type { Part } from '../part'
import { createCustomers, startTraffic } from '../traffic'

const CLIENTS = 8
const ACCOUNTS = 8
const TURNS = 6
const LEAST_TURN_S = 3
const LEAST_SHARE = 0.9
/** The tick of the times in /proc/PID/stat, on every architecture that Node.js runs on (proc(5)). */
const TICK_S = 0.01
const CALLS = 200
const MOST_DATABASE_MS = 1
const DOCUMENT: Upload = { name: 'fleet.pdf', bytes: makePdf() }

/** Compares the throughput per CPU second of two instances with one. */
export const scaling: Part = {
  name: 'scaling',
  asks:
    `calls per second of the service's processor time, client and database apart: two instances at least ` +
    `${LEAST_SHARE} of one`,
  async run({ fleet, seconds }) {
    const log = new CallLog()
    const customers = await createCustomers(fleet, log, { name: 'scaling', count: ACCOUNTS })
    const turnS = Math.max(LEAST_TURN_S, seconds / 2 / TURNS)
    await measure(fleet, [0, 1], { customers, seconds: LEAST_TURN_S }) // The service warms up first.
    const one: number[] = []
    const two: number[] = []
    // The runs alternate, so that other load on the machine affects both.
    for (let turn = 0; turn < TURNS; turn += 1)
      (turn % 2 ? two : one).push(
        await measure(fleet, turn % 2 ? [0, 1] : [turn % 4 ? 1 : 0], { customers, seconds: turnS }),
      )
    const [ofOne, ofTwo] = [percentile(one, 0.5), percentile(two, 0.5)]
    const note =
      `one ${ofOne.toFixed(1)}, two ${ofTwo.toFixed(1)} calls per second of processor time: ` +
      `${(ofTwo / ofOne).toFixed(2)}; ${TURNS} turns of ${turnS.toFixed(0)} s, medians`
    if (Number.isNaN(ofOne))
      return [{ what: 'two instances against one', done: 0, asked: 0, problems: [], skipped: 'there is no /proc here' }]
    return [judge('two instances against one', [ofTwo >= LEAST_SHARE * ofOne ? undefined : note], note)]
  },
}

/** Successful requests per CPU second of the instances, including all their processes. */
async function measure(
  fleet: Fleet,
  places: number[],
  { customers, seconds }: { customers: Parameters<typeof startTraffic>[0]['customers']; seconds: number },
): Promise<number> {
  const instances = places.map(place => fleet.at(place))
  const readAll = () => instances.reduce((sum, { pid }) => sum + readFamilySeconds(pid), 0)
  const before = readAll()
  const traffic = startTraffic({ bases: instances.map(({ base }) => base), customers, clients: CLIENTS })
  await wait(seconds * 1000)
  await traffic.stop()
  return traffic.log.of(undefined, ({ status }) => status === 200 || status === 422).length / (readAll() - before)
}

/** CPU seconds of a process with its descendants, including ended ones. NaN if there is no /proc. */
function readFamilySeconds(pid: number): number {
  return [pid, ...listDescendants(pid).map(one => one.pid)].reduce((sum, one) => sum + readSeconds(one, one === pid), 0)
}

function readSeconds(pid: number, isFirst: boolean): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Utime, stime, and the times of ended children.
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * TICK_S
  } catch {
    return isFirst ? Number.NaN : 0 // The system isn't Linux, or the process has ended.
  }
}

/** The cost of a request in the database. */
export const databaseTime: Part = {
  name: 'database',
  asks: `${CALLS} calls one after the other: the database works ${MOST_DATABASE_MS} ms a call at most, by the median`,
  async run({ fleet }) {
    const admin = postgres(fleet.databaseUrl, { max: 1, onnotice: () => {} })
    try {
      if (!(await openStatistics(admin)))
        return [
          {
            what: 'time of the database',
            done: 0,
            asked: 0,
            problems: [],
            skipped: 'this Postgres has no pg_stat_statements',
          },
        ]
      const customer = await fleet.createCustomer('measured@example.test', { credits: CALLS })
      const client = createClient(fleet.at(0).base, customer.apiKey)
      const times: number[] = []
      const first = await readStatistics(admin)
      let last = first
      for (let call = 0; call < CALLS; call += 1) {
        await client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 })
        const now = await readStatistics(admin)
        times.push(now.ms - last.ms)
        last = now
      }
      const median = percentile(times, 0.5)
      const note =
        `median ${median.toFixed(2)} ms, mean ${((last.ms - first.ms) / CALLS).toFixed(2)} ms, ` +
        `${((last.statements - first.statements) / CALLS).toFixed(1)} statements a call, without fsync; what other ` +
        'instances and the sweeps do is in the mean'
      return [
        judge(
          `the database works ${MOST_DATABASE_MS} ms a call`,
          [median <= MOST_DATABASE_MS * patience() ? undefined : note],
          note,
        ),
      ]
    } finally {
      await admin.end()
    }
  },
}

async function openStatistics(admin: postgres.Sql): Promise<boolean> {
  try {
    await admin`create extension if not exists pg_stat_statements`
    await readStatistics(admin)
    return true
  } catch {
    return false // The extension isn't installed, or not preloaded.
  }
}

/** The time of all statements on this database, except for the statements that measure it. */
async function readStatistics(admin: postgres.Sql): Promise<{ ms: number; statements: number }> {
  const [row] = await admin<
    { ms: number; statements: number }[]
  >`select sum(total_exec_time)::float8 as ms, sum(calls)::float8 as statements from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'`
  return row ?? { ms: 0, statements: 0 }
}
