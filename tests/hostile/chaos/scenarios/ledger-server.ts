import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../../contract/client'
import { areClosed } from '../books'
import { CallLog, isCut } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { chooseMixed, type Customer, sendCall, startLoad } from '../load'
import { isRunning, listDescendants } from '../processes'

const KILLS = 100
const CLIENTS = 16
const ACCOUNTS = 4
/** As many as one account may have waiting. */
const AT_ONCE = 50
const PLENTY = 1_000_000
/** Of the month's grant; the account that runs out has nothing else to begin with. */
const GRANT = 100
/** Credits that it gets before each round. */
const TOP_UP = 3
/** How long after its first call the service is killed. */
const LEAST_MS = 200
const MOST_MS = 1500
/** A lease of 30 s, a sweep every 10 s, and their moments. */
const RECOVERY_MS = 60_000
const ORPHANS_MS = 5_000

/** The server process is killed under load, again and again, and started again on the same data. */
export const ledgerServer: Scenario = {
  name: 'ledger-server',
  quickOn: 'pglite',
  asks: `${KILLS} kill -9 of the server under ${CLIENTS} clients: the eight invariants of the ledger`,
  async run(context) {
    const { environment, times } = context
    const log = new CallLog()
    const kills = times(KILLS)
    await environment.start()
    const customers = await createCustomers(context, log)
    await drain(context, log, customers)
    const orphans: (string | undefined)[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill > 0) await environment.start()
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

/** Spends what the first account was granted, and asks for more. */
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

/** One round; tells which processes outlived their server. */
async function killUnderLoad(
  { environment, random }: Context,
  log: CallLog,
  customers: Customer[],
): Promise<string | undefined> {
  const { base, pid } = environment.service()
  const load = startLoad({ base, log, customers, clients: CLIENTS, choose: () => chooseMixed(random) })
  await wait(LEAST_MS + random() * (MOST_MS - LEAST_MS))
  const started = listDescendants(pid)
  log.noteKill()
  process.kill(pid, 'SIGKILL')
  await load.ended
  const left = () => Promise.resolve(started.filter(({ pid }) => isRunning(pid)))
  const problem = await eventually(left, list => list.length === 0, ORPHANS_MS).then(
    () => undefined,
    async () =>
      `${(await left()).map(({ command }) => command.slice(0, 80)).join('; ')} still ran after ${ORPHANS_MS / 1000} s`,
  )
  await environment.kill()
  return problem
}

/**
 * Starts once more and waits until nothing is held any more; gives the milliseconds that took, from when it was ready.
 */
async function recover({ environment }: Context): Promise<number | undefined> {
  await environment.start()
  const since = performance.now()
  if (environment.kind === 'pglite') return 0 // the service refunds all at its start
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
