import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, type Client, createClient, type Upload } from '../contract/client'
import { makeDamagedPdf } from '../contract/documents'
import { type Books, readPostgresBooks } from '../hostile/chaos/books'
import { CallLog, type SeenCall } from '../hostile/chaos/call-log'
import type { Row } from '../hostile/chaos/scenario'
import { MIX } from '../hostile/chaos/scenarios/load'
import { checkBooks } from '../hostile/chaos/invariants'
import type { Customer } from '../hostile/chaos/load'
import type { Fleet } from './instances'

const CREDITS = 1_000_000
const PAUSE_MS = 50
/** A lease of 30 s, a sweep every 10 s, and a margin for a busy machine. */
const RECOVERY_MS = 90_000
const LOOK_AGAIN_MS = 500

const DAMAGED: Upload = { name: 'damaged.pdf', bytes: makeDamagedPdf() }

/** The sequence of client requests: several that succeed, and one that is refused after its charge. */
const KINDS: ((client: Client) => Promise<ApiResponse>)[] = [
  ...Object.values(MIX),
  client => client.callTool('rotate-pdf', DAMAGED, { angle: 90 }),
]

/** Clients that send requests without a pause, and their results. */
export interface Traffic {
  log: CallLog
  /** Waits for running requests to end. */
  stop(): Promise<void>
}

/** Accounts with plenty of credits, recorded in a log. */
export async function createCustomers(
  fleet: Fleet,
  log: CallLog,
  { name, count }: { name: string; count: number },
): Promise<Customer[]> {
  const customers: Customer[] = []
  for (let index = 0; index < count; index += 1) {
    customers.push(await fleet.createCustomer(`${name}-${index}@example.test`, { credits: CREDITS }))
    log.noteTopUp(`${name}-${index}@example.test`, CREDITS)
  }
  return customers
}

/** Sends mixed requests to the URLs in rotation until it is stopped. */
export function startTraffic({
  bases,
  customers,
  clients,
  log = new CallLog(),
}: {
  bases: string[]
  customers: Customer[]
  clients: number
  log?: CallLog
}): Traffic {
  const state = { isOver: false }
  const work = async (index: number) => {
    const customer = customers[index % customers.length]
    for (let turn = index; !state.isOver && customer !== undefined; turn += 1) {
      const send = KINDS[turn % KINDS.length]
      const client = createClient(bases[(turn + Math.floor(turn / KINDS.length)) % bases.length] ?? '', customer.apiKey)
      const call = await log.record(customer.email, async () => assertOwn(await send?.(client)))
      if (call.status === undefined || call.status >= 429) await wait(PAUSE_MS)
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
  return {
    log,
    async stop() {
      state.isOver = true
      await ended
    },
  }
}

/** The balancer writes a response without a request ID. The client treats such a response as a broken connection. */
function assertOwn(response: ApiResponse | undefined): ApiResponse {
  if (response === undefined) throw new Error('there is no call of this kind')
  if (response.requestId !== '') return response
  throw Object.assign(new Error('answered by the balancer'), {
    code: `${response.status} of the balancer for ${String(response.headers['x-served-by'])}`,
  })
}

/** Checks the eight invariants of the ledger for the accounts of a log, once no request is open or time is up. */
export async function checkLedger(fleet: Fleet, log: CallLog): Promise<Row[]> {
  const emails = new Set(log.calls.map(({ email }) => email))
  let books: Books
  for (const since = performance.now(); ; await wait(LOOK_AGAIN_MS)) {
    books = await readPostgresBooks(fleet.databaseUrl)
    if (books.holds.every(({ state }) => state !== 'open') || performance.now() - since > RECOVERY_MS) break
  }
  const accounts = books.accounts.filter(({ email }) => emails.has(email))
  const ids = new Set(accounts.map(({ id }) => id))
  return checkBooks({ ...books, accounts, entries: books.entries.filter(({ accountId }) => ids.has(accountId)) }, log)
}

/** A request as an error message names it. */
export function tellCall({ status, error, callId, sentAtMs, endedAtMs }: SeenCall): string {
  return `${status ?? 'no answer'} ${error} ${callId} after ${(endedAtMs - sentAtMs).toFixed(0)} ms`
}
