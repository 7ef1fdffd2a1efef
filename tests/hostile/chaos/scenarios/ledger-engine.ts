import { setTimeout as wait } from 'node:timers/promises'
import { readCalls } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { type Customer, sendCall, startLoad } from '../load'
import { countReads, listEngines } from '../processes'
import { measureProcessTime } from '../../../bench/process-time'

const KILLS = 100
const NEIGHBORS = 4
const CREDITS = 1_000_000
const LOOK_MS = 10
/** An engine that computes for so long with few reads has the long job, which reads its request once. */
const LEAST_WORK_MS = 50
/** Short jobs and a starting process read more in that time. */
const MOST_READS = 8
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
    const { base, pid, log: readLog } = await environment.start({ ENGINES: '2', TOOL_TIMEOUT_MS: '300000' })
    const victim = await createCustomer(context, log, 'victim@example.test')
    const neighbor = await createCustomer(context, log, 'neighbor@example.test')
    const startWorkMs = Math.max(...measureEngines(pid).map(({ workMs }) => workMs))
    const killLongJob = (call: Promise<SeenCall>) => killLongJobOf(pid, call, startWorkMs)
    const countRetries = () => readLog().match(TOLD_ONCE)?.length ?? 0
    const kills = times(KILLS)
    const seconds = Math.max(1, Math.round(kills * SECOND_SHARE))
    const load = startLoad({ base, log, customers: [neighbor], clients: NEIGHBORS, choose: () => 'good' })
    const once: SeenCall[] = []
    for (let tries = 0; countRetries() < kills && tries < kills * MOST_TRIES; tries += 1) {
      const call = sendCall('long', { base, log }, victim)
      await killLongJob(call)
      once.push(await call)
    }
    const hits = countRetries()
    const twice: SeenCall[] = []
    for (let tries = 0; twice.length < seconds && tries < seconds * MOST_TRIES; tries += 1) {
      const call = sendCall('long', { base, log }, victim)
      while (await killLongJob(call)); // The first attempt, and then the second.
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

/**
 * Kills the engine that computes a long job. An engine that has worked less than `startWorkMs` is still starting, and
 * runs no job. Returns false if the request got its response before.
 */
async function killLongJobOf(servicePid: number, call: Promise<SeenCall>, startWorkMs: number): Promise<boolean> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  call.then(settle, settle)
  const marks = new Map<number, ReturnType<typeof measureEngine>>()
  for (; !isSettled; await wait(LOOK_MS)) {
    for (const now of measureEngines(servicePid)) {
      const mark = marks.get(now.pid)
      if (mark === undefined || now.reads - mark.reads > MOST_READS || mark.workMs < startWorkMs) {
        marks.set(now.pid, now)
      } else if (now.workMs - mark.workMs >= LEAST_WORK_MS) {
        process.kill(now.pid, 'SIGKILL')
        return true
      }
    }
  }
  return false
}

function measureEngines(servicePid: number) {
  return listEngines(servicePid).map(({ pid }) => measureEngine(pid))
}

/** The CPU time and the system calls for reading of a process so far. NaN for a process that has ended. */
function measureEngine(pid: number) {
  return { pid, workMs: measureProcessTime(pid), reads: countReads(pid) }
}

function tellCall({ callId, status, error, charged }: SeenCall): string {
  return `${callId || 'a call'}: ${status ?? 'cut'} ${error}, charged ${charged}`
}
