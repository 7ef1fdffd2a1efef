import { setTimeout as wait } from 'node:timers/promises'
import { readCalls } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Chapter, type Context, judge, type Row } from '../chapter'
import { checkBooks } from '../invariants'
import { type Customer, sendCall, startLoad } from '../load'
import { isRunning, listEngines } from '../processes'
import { measureProcessTime } from '../../../bench/process-time'

const KILLS = 100
const NEIGHBOURS = 4
const CREDITS = 1_000_000
/** The long call is under way by then, and its engine has worked more than any other. */
const UNDER_WAY_MS = 400
const WATCH_MS = 100
/** A kill that hit no long call is tried again, this often in all. */
const MOST_TRIES = 3

/** An engine process is killed in mid job while others work. */
export const ledgerEngine: Chapter = {
  name: 'ledger-engine',
  quickOn: 'postgres',
  asks: `${KILLS} kill -9 of an engine process in mid job: that call 422 and refunded, all others untouched`,
  async run(context) {
    const { ground, times } = context
    const log = new CallLog()
    await ground.start({ ENGINES: '2' })
    const victim = await createCustomer(context, log, 'victim@example.test')
    const neighbour = await createCustomer(context, log, 'neighbour@example.test')
    const { base } = ground.service()
    const kills = times(KILLS)
    const hit: SeenCall[] = []
    const load = startLoad({ base, log, customers: [neighbour], clients: NEIGHBOURS, choose: () => 'good' })
    let tries = 0
    for (; hit.length < kills && tries < kills * MOST_TRIES; tries += 1) {
      const call = sendCall('long', { base, log }, victim)
      await wait(UNDER_WAY_MS)
      await killBusiest(ground.service().pid)
      const seen = await call
      if (seen.status !== 200) hit.push(seen)
    }
    await load.stop()
    const after = await sendCall('good', { base, log }, victim)
    const calls = await readCalls(base)
    const books = await ground.readBooks()
    return [
      { what: 'kill -9 of a working engine', done: hit.length, asked: kills, faults: [], note: `${log.of(neighbour.email).length} other calls meanwhile` },
      judge('its call is answered with 422 and costs nothing', hit.map(call => (call.status === 422 && call.charged === 0 ? undefined : tellCall(call)))),
      judgeOthers(log.of(neighbour.email), tries - hit.length),
      judge('the next call works, and nothing is under way any more', [after.status === 200 ? undefined : tellCall(after), calls.running + calls.waiting === 0 ? undefined : `${calls.running} run, ${calls.waiting} wait`]),
      ...checkBooks(books, log),
    ]
  },
}

async function createCustomer({ ground }: Context, log: CallLog, email: string): Promise<Customer> {
  const { apiKey } = await ground.createClient(email, { credits: CREDITS })
  log.noteTopUp(email, CREDITS)
  return { email, apiKey }
}

/** A kill that missed the long call hit at most one of the others, and that one is refunded too. */
function judgeOthers(calls: SeenCall[], missed: number): Row {
  const failed = calls.filter(({ status }) => status !== 200)
  const excused = new Set(failed.filter(({ status, charged }) => status === 422 && charged === 0).slice(0, missed))
  return judge('others are untouched', calls.map(call => (call.status === 200 || excused.has(call) ? undefined : tellCall(call))), `${missed} kills missed the long call, and hit ${excused.size} of the others`)
}

/** The engine that worked most within the last moment has the long call. */
async function killBusiest(servicePid: number): Promise<void> {
  const before = listEngines(servicePid).map(({ pid }) => ({ pid, ms: measureProcessTime(pid) }))
  await wait(WATCH_MS)
  const [busiest] = before.map(({ pid, ms }) => ({ pid, ms: measureProcessTime(pid) - ms })).filter(({ pid }) => isRunning(pid)).sort((a, b) => b.ms - a.ms)
  if (busiest !== undefined) process.kill(busiest.pid, 'SIGKILL')
}

function tellCall({ callId, status, error, charged }: SeenCall): string {
  return `${callId || 'a call'}: ${status ?? 'cut'} ${error}, charged ${charged}`
}
