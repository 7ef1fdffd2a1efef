import { setTimeout as wait } from 'node:timers/promises'
import { readCalls } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { type Customer, sendCall, startLoad } from '../load'
import { isRunning, listEngines } from '../processes'
import { measureProcessTime } from '../../../bench/process-time'

const KILLS = 100
const NEIGHBORS = 4
const CREDITS = 1_000_000
/** The long request runs by then, and its engine has worked more than any other. */
const UNDER_WAY_MS = 400
/** The second attempt runs in a fresh process, which must start first. */
const RETRY_UNDER_WAY_MS = 700
/** The second process may still be starting, or have ended, so a second kill misses more often. */
const MOST_SECOND_TRIES = 12
const WATCH_MS = 100
/** The total attempts for a kill that hit no long request. */
const MOST_TRIES = 3

/** The number of kills with a second kill of the process that retries the job. */
const SECOND_SHARE = 0.2
const TOLD_ONCE = /an engine stopped during a job, the job is retried once/g

/** An engine process is killed during a job while others work. */
export const ledgerEngine: Scenario = {
  name: 'ledger-engine',
  quickOn: 'postgres',
  runsAlone: true,
  description:
    `An engine process is killed ${KILLS} times during a job. The request still returns the file and is charged once. If ` +
    'the retry is killed too, the request returns 500 and is free. Other requests are unaffected.',
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    const { base, pid, log: readLog } = await environment.start({ ENGINES: '2' })
    const victim = await createCustomer(context, log, 'victim@example.test')
    const neighbor = await createCustomer(context, log, 'neighbor@example.test')
    const countRetries = () => readLog().match(TOLD_ONCE)?.length ?? 0
    const kills = times(KILLS)
    const seconds = Math.max(1, Math.round(kills * SECOND_SHARE))
    const load = startLoad({ base, log, customers: [neighbor], clients: NEIGHBORS, choose: () => 'good' })
    const once: SeenCall[] = []
    for (let tries = 0; countRetries() < kills && tries < kills * MOST_TRIES; tries += 1) {
      const call = sendCall('long', { base, log }, victim)
      await wait(UNDER_WAY_MS)
      await killBusiest(pid)
      once.push(await call)
    }
    const hits = countRetries()
    const twice: SeenCall[] = []
    for (let tries = 0; twice.length < seconds && tries < seconds * MOST_SECOND_TRIES; tries += 1) {
      const call = sendCall('long', { base, log }, victim)
      // On a busy machine the second process starts later, so each try waits longer than the last.
      for (const underWayMs of [UNDER_WAY_MS, RETRY_UNDER_WAY_MS * (1 + tries / MOST_SECOND_TRIES)]) {
        await wait(underWayMs)
        await killBusiest(pid)
      }
      const seen = await call
      if (seen.status !== 200) twice.push(seen)
    }
    await load.stop()
    const after = await sendCall('good', { base, log }, victim)
    const calls = await readCalls(base)
    const books = await environment.readBooks()
    return [
      {
        what: 'kill -9 of a working engine',
        done: hits,
        asked: kills,
        problems: [],
        note: `${log.of(neighbor.email).length} other calls meanwhile`,
      },
      judge(
        'its file arrives all the same, for a credit',
        once.map(call => (call.status === 200 && call.charged === 1 ? undefined : tellCall(call))),
      ),
      { what: 'kill -9 at the second attempt too', done: twice.length, asked: seconds, problems: [] },
      judge(
        'then it is 500 internal_error and costs nothing',
        twice.map(call =>
          call.status === 500 && call.error === 'internal_error' && call.charged === 0 ? undefined : tellCall(call),
        ),
      ),
      judge(
        'others are untouched',
        log.of(neighbor.email).map(call => (call.status === 200 ? undefined : tellCall(call))),
      ),
      judge('the next call works, and nothing is under way any more', [
        after.status === 200 ? undefined : tellCall(after),
        calls.running + calls.waiting === 0 ? undefined : `${calls.running} run, ${calls.waiting} wait`,
      ]),
      ...checkBooks(books, log),
    ]
  },
}

async function createCustomer({ environment }: Context, log: CallLog, email: string): Promise<Customer> {
  const { apiKey } = await environment.createClient(email, { credits: CREDITS })
  log.noteTopUp(email, CREDITS)
  return { email, apiKey }
}

/** The engine with the most work in the last moment has the long request. */
async function killBusiest(servicePid: number): Promise<void> {
  const before = listEngines(servicePid).map(({ pid }) => ({ pid, ms: measureProcessTime(pid) }))
  await wait(WATCH_MS)
  const [busiest] = before
    .map(({ pid, ms }) => ({ pid, ms: measureProcessTime(pid) - ms }))
    .filter(({ pid }) => isRunning(pid))
    .sort((a, b) => b.ms - a.ms)
  if (busiest !== undefined) process.kill(busiest.pid, 'SIGKILL')
}

function tellCall({ callId, status, error, charged }: SeenCall): string {
  return `${callId || 'a call'}: ${status ?? 'cut'} ${error}, charged ${charged}`
}
