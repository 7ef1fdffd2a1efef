import { eventually } from '../../../contract/client'
import type { FailPoint } from '../../../../lib/config'
import { areClosed } from '../books'
import { CallLog, isCut } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { chooseMixed, type Customer, sendCall, startLoad } from '../load'
import { isRunning, listDescendants } from '../processes'

const KILLS = 100
const CLIENTS = 16
const ACCOUNTS = 4
/** The largest queue of one account. */
const AT_ONCE = 50
const PLENTY = 1_000_000
/** The monthly grant. The account that runs out starts with nothing else. */
const GRANT = 100
/** Credits for the account before each round. */
const TOP_UP = 3
/** Where the server is killed, in turn. The point of the first kill isn't reached before the load. */
const POINTS: FailPoint[] = ['refunding', 'delivered', 'charged']
/** The server is killed when it is at its point for at most the so-manieth time. */
const MOST_PASSES = 40
/** A lease of 30 s, a sweep every 10 s, and a margin. */
const RECOVERY_MS = 60_000
/** Longer than the start of an engine process on a busy machine. It notices the end of its parent after its start. */
const ORPHANS_MS = 20_000

/** The server process is killed under load repeatedly, and restarted on the same data. */
export const ledgerServer: Scenario = {
  name: 'ledger-server',
  quickOn: 'pglite',
  description:
    `The server is killed ${KILLS} times while ${CLIENTS} clients send requests. Afterward, eight rules about charges, refunds ` +
    'and balances hold for every account.',
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    const kills = times(KILLS)
    const arm = (kill: number) => ({
      TEST_MODE: '1',
      FAIL_POINT: `${POINTS[kill % POINTS.length]}:${1 + Math.floor(context.random() * MOST_PASSES)}`,
    })
    await environment.start(arm(0))
    const customers = await createCustomers(context, log)
    await drain(context, log, customers)
    const orphans: (string | undefined)[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill > 0) await environment.start(arm(kill))
      await topUp(context, log, customers)
      orphans.push(await killUnderLoad(context, log, customers))
    }
    const recoveredMs = await recover(context)
    const books = await environment.readBooks()
    const cut = log.of(undefined, isCut).length
    const broke = log.of(undefined, ({ status }) => status === 402).length
    return [
      {
        what: 'kill -9 of the server',
        done: log.kills.length,
        asked: kills,
        problems: [],
        note: `${log.calls.length} calls, ${cut} cut off, ${broke} without credits`,
      },
      judge('the processes of a killed server end with it', orphans),
      { what: 'balance hits 0 at times', done: Math.min(broke, 1), asked: 1, problems: [] },
      recoveryRow(recoveredMs),
      ...checkBooks(books, log),
    ]
  },
}

async function createCustomers({ environment }: Context, log: CallLog): Promise<Customer[]> {
  const customers: Customer[] = []
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const email = `ledger-${index}@example.test`
    const credits = index === 0 ? 0 : PLENTY
    const { apiKey } = await environment.createClient(email, { credits })
    log.noteTopUp(email, credits)
    customers.push({ email, apiKey })
  }
  return customers
}

/** Spends the grant of the first account, and tries further requests. */
async function drain({ environment }: Context, log: CallLog, [poor]: Customer[]): Promise<void> {
  if (poor === undefined) return
  const { base } = environment.service()
  for (let left = GRANT + ACCOUNTS; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => sendCall('good', { base, log }, poor)))
  }
}

async function topUp({ environment }: Context, log: CallLog, [poor]: Customer[]): Promise<void> {
  if (poor === undefined) return
  await environment.service().account(poor.email, { credits: TOP_UP })
  log.noteTopUp(poor.email, TOP_UP)
}

/** One round. Returns the processes that outlived their server. */
async function killUnderLoad(
  { environment, random }: Context,
  log: CallLog,
  customers: Customer[],
): Promise<string | undefined> {
  const { base, pid } = environment.service()
  const started = listDescendants(pid)
  const load = startLoad({ base, log, customers, clients: CLIENTS, choose: () => chooseMixed(random) })
  await load.ended // The server kills itself.
  log.noteKill(CLIENTS)
  const left = () => Promise.resolve(started.filter(({ pid }) => isRunning(pid)))
  const problem = await eventually(left, list => list.length === 0, ORPHANS_MS).then(
    () => undefined,
    async () =>
      `${(await left()).map(({ command }) => command.slice(0, 80)).join('; ')} still ran after ${ORPHANS_MS / 1000} s`,
  )
  await environment.kill()
  return problem
}

/** Starts the service once more and waits until no hold is left. Returns the milliseconds from readiness to then. */
async function recover({ environment }: Context): Promise<number | undefined> {
  await environment.start({})
  const since = performance.now()
  if (environment.kind === 'pglite') return 0 // The service refunds all holds at its start.
  const isDone = await eventually(() => environment.readBooks(), areClosed, RECOVERY_MS).then(
    () => true,
    () => false,
  )
  return isDone ? performance.now() - since : undefined
}

function recoveryRow(ms: number | undefined): Row {
  const what = `what was open is closed within ${RECOVERY_MS / 1000} s`
  return ms === undefined
    ? { what, done: 0, asked: 1, problems: [`holds were open after ${RECOVERY_MS / 1000} s`] }
    : { what, done: 1, asked: 1, problems: [], note: `${(ms / 1000).toFixed(1)} s after the last start` }
}
