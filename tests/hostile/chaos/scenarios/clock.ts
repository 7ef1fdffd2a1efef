import { setTimeout as wait } from 'node:timers/promises'
import type { Books } from '../books'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { type Customer, sendCall } from '../load'

const ACCOUNTS = 20
const HOUR_MS = 3_600_000
/**
 * The time from the start of a service to the month's turn: this multiple of its first start's duration, and longer on
 * retries.
 */
const LEAD = 1.5
const LATER_LEADS_MS = [25_000, 60_000]
/** Requests are sent from before the month's turn to after it. */
const AROUND_MS = 1500
const CREATED_AT_ONCE = 4

const FIRST = Date.UTC(2028, 1, 15)
/** The clock changes of a service during requests. 2028 has a leap day. */
const TURNS = [
  { what: 'into a leap day', atMs: Date.UTC(2028, 1, 29), months: ['2028-02'], isInQuick: false },
  { what: 'from a leap day into March', atMs: Date.UTC(2028, 2, 1), months: ['2028-02', '2028-03'], isInQuick: true },
  { what: 'into a year', atMs: Date.UTC(2029, 0, 1), months: ['2028-12', '2029-01'], isInQuick: false },
]
/** The clock changes of two services, also if one is half an hour behind the turn and the other one ahead. */
const COMMON_TURN = Date.UTC(2029, 1, 1)
const APART_TURN = Date.UTC(2029, 2, 1)
const MONTHS_OF_TWO = ['2029-01', '2029-02', '2029-03']

/** Months turn, the clock goes back, and clocks differ. */
export const clock: Scenario = {
  name: 'clock',
  quickOn: 'pglite',
  description:
    `${ACCOUNTS} accounts get their free credits once a month. The test covers ends of months and years, and a leap ` +
    'day. The clock is also set back by an hour, and two servers have different clocks.',
  async run(context) {
    const { environment } = context
    const log = new CallLog()
    const since = performance.now()
    await environment.start(offsetTo(FIRST))
    const leadsMs = [LEAD * (performance.now() - since) + AROUND_MS, ...LATER_LEADS_MS]
    const customers = await createCustomers(context, log)
    const stages: (string | undefined)[] = []
    const turns = TURNS.filter(({ isInQuick }) => isInQuick || !context.isQuick)
    for (const { what, atMs } of turns)
      stages.push(tellStage(what, await meetTurn(context, { log, customers, leadsMs, atMs, services: 1 })))
    const lastTurn = turns.at(-1)?.atMs ?? FIRST
    stages.push(
      tellStage('set back by an hour', await callAt(context, { log, customers }, lastTurn + HOUR_MS / 2 - HOUR_MS)),
    )
    if (!context.isQuick)
      stages.push(tellStage('set right again', await callAt(context, { log, customers }, lastTurn + HOUR_MS)))
    const isShared = context.database === 'postgres'
    if (isShared) {
      stages.push(
        tellStage(
          'two services over one turn',
          await meetTurn(context, { log, customers, leadsMs, atMs: COMMON_TURN, services: 2 }),
        ),
      )
      stages.push(tellStage('two services an hour apart', await callApart(context, { log, customers })))
    }
    const books = await environment.readBooks()
    const months = [...new Set([...turns.flatMap(({ months }) => months), ...(isShared ? MONTHS_OF_TWO : [])])]
    return [
      judge('every call around a turn works', stages, `${log.calls.length} calls`),
      judge(`one grant for each account and month: ${months.join(', ')}`, findGrantProblems(books, months)),
      ...checkBooks(books, log),
    ]
  },
}

interface Callers {
  log: CallLog
  customers: Customer[]
}

/** Variables of a service with a shifted clock for months. */
function offsetTo(moment: number): Record<string, string> {
  return { TEST_MODE: '1', CLOCK_OFFSET_MS: String(Math.round(moment - Date.now())) }
}

async function createCustomers({ environment, times }: Context, log: CallLog): Promise<Customer[]> {
  const emails = Array.from({ length: Math.max(2, times(ACCOUNTS)) }, (_, index) => `clock-${index}@example.test`)
  const customers: Customer[] = []
  while (customers.length < emails.length) {
    const next = emails.slice(customers.length, customers.length + CREATED_AT_ONCE)
    customers.push(
      ...(await Promise.all(
        next.map(async email => ({ email, apiKey: (await environment.createClient(email)).apiKey })),
      )),
    )
  }
  await callEach([environment.service().base], { log, customers })
  return customers
}

/** Sends requests on every account from before a turn to after it. Returns the number of failed requests. */
async function meetTurn(
  { environment }: Context,
  { log, customers, leadsMs, atMs, services }: Callers & { leadsMs: number[]; atMs: number; services: 1 | 2 },
): Promise<number> {
  for (const leadMs of leadsMs) {
    await environment.stop()
    const turnMs = performance.now() + leadMs
    const env = offsetTo(atMs - leadMs)
    const [, second] = await Promise.all([
      environment.start(env),
      services === 2 ? environment.startAnother(env) : undefined,
    ])
    const bases = [environment.service().base, ...(second ? [second.base] : [])]
    if (performance.now() > turnMs - AROUND_MS) {
      await second?.stop()
      continue // The turn came too early, so the next attempt gets more time.
    }
    const before = await callEach(bases, { log, customers })
    await wait(Math.max(0, turnMs - AROUND_MS - performance.now()))
    const isOver = () => performance.now() > turnMs + AROUND_MS
    const around = await Promise.all(
      customers.map((customer, index) => keepCalling(bases, index, { log, customer, isOver })),
    )
    await second?.stop()
    return [before, ...around].reduce((sum, failed) => sum + failed, 0)
  }
  throw new Error(`the service was not ready ${leadsMs.at(-1)} ms after its start`)
}

async function callAt({ environment }: Context, callers: Callers, moment: number): Promise<number> {
  await environment.stop()
  await environment.start(offsetTo(moment))
  return callEach([environment.service().base], callers)
}

async function callApart({ environment }: Context, { log, customers }: Callers): Promise<number> {
  await environment.stop()
  await environment.start(offsetTo(APART_TURN - HOUR_MS / 2))
  const ahead = await environment.startAnother(offsetTo(APART_TURN + HOUR_MS / 2))
  const bases = [environment.service().base, ahead.base]
  const until = performance.now() + 2 * AROUND_MS
  const failed = await Promise.all(
    customers.map((customer, index) =>
      keepCalling(bases, index, { log, customer, isOver: () => performance.now() > until }),
    ),
  )
  await ahead.stop()
  return failed.reduce((sum, count) => sum + count, 0)
}

/** One request per account, all at once. */
async function callEach(bases: string[], { log, customers }: Callers): Promise<number> {
  const calls = await Promise.all(
    customers.map((customer, index) => sendCall('good', { base: bases[index % bases.length] ?? '', log }, customer)),
  )
  return calls.filter(({ status }) => status !== 200).length
}

/**
 * Requests of one account, one after the other, to each service in turn. After the turn, each service gets one more. On
 * a busy machine, the requests before it can take until then.
 */
async function keepCalling(
  bases: string[],
  index: number,
  { log, customer, isOver }: { log: CallLog; customer: Customer; isOver(): boolean },
): Promise<number> {
  let failed = 0
  const callNext = async (turn: number) => {
    const call = await sendCall('good', { base: bases[(index + turn) % bases.length] ?? '', log }, customer)
    if (call.status !== 200) failed += 1
    await wait(PAUSE_MS)
  }
  let turn = 0
  for (; !isOver() && turn < MOST_CALLS; turn += 1) await callNext(turn)
  while (!isOver()) await wait(PAUSE_MS)
  for (const end = turn + bases.length; turn < end; turn += 1) await callNext(turn)
  return failed
}

/** The delay makes the month's credits last. */
const PAUSE_MS = 100
const MOST_CALLS = 30

function tellStage(what: string, failed: number): string | undefined {
  return failed === 0 ? undefined : `${what}: ${failed} calls failed`
}

function findGrantProblems({ accounts, entries }: Books, months: string[]): (string | undefined)[] {
  return accounts.flatMap(({ id, email }) => {
    const granted = entries
      .filter(({ accountId, kind }) => accountId === id && kind === 'grant')
      .map(({ month }) => month)
    const others = granted.filter(month => month === null || !months.includes(month))
    const each = months.map(month => {
      const count = granted.filter(one => one === month).length
      return count === 1 ? undefined : `${email} was granted ${month} ${count} times`
    })
    return others.length > 0 ? [...each, `${email} was granted ${others.join(', ')}`] : each
  })
}
