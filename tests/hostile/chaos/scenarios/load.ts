import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, type Upload } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { makeApplication } from '../../../fixtures/forms'
import { INVOICE_SAMPLES } from '../../../fixtures/invoice-samples'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { describeBytes, type MemoryWatch, watchMemory } from '../memory'
import { SMALL_FILE } from '../odd-files'
import { mean, percentile } from '../patience'

const CLIENTS = 32
const ACCOUNTS = 8
const SECONDS = 600
const CREDITS = 10_000_000
const MOST_ERRORS = 0.0001
const MOST_SPREAD = 8
/** Fewer requests have no meaningful 99th percentile. */
const LEAST_CALLS = 200
const MOST_SLOPE = 0.05
/** Engines are replaced after 200 jobs each. Before that, memory still resembles a fresh start. */
const LEAST_SLOPE_S = 120
const LEAST_RETRY_MS = 100

const OTHER: Upload = { name: 'other.pdf', bytes: makePdf({ pages: 20 }) }
const FORM: Upload = { name: 'form.pdf', bytes: makeApplication() }

/** The sequence of client requests, by the name in the report. */
export const MIX: Record<string, (client: Client) => ReturnType<Client['callTool']>> = {
  'rotate-pdf': client => client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 }),
  'merge-pdf': client => client.callToolAsForm('merge-pdf', [SMALL_FILE, OTHER], {}),
  'split-pdf': client => client.callTool('split-pdf', OTHER, { mode: 'every', every: 5 }),
  'page-numbers': client => client.callTool('page-numbers', OTHER, { position: 'bottom-center' }),
  'add-watermark': client => client.callToolAsForm('add-watermark', SMALL_FILE, { type: 'text', text: 'CHAOS' }),
  'flatten-pdf': client => client.callToolAsForm('flatten-pdf', FORM, {}),
  'remove-metadata': client => client.callToolAsForm('remove-metadata', SMALL_FILE, {}),
  invoice: client => client.sendJson('/api/external/invoice-generator/pdf', INVOICE_SAMPLES['invoice-classic']),
}

/** Many clients for a long time. */
export const heldLoad: Scenario = {
  name: 'load',
  description:
    `${CLIENTS} clients send mixed requests for ${SECONDS / 60} minutes. At most ${MOST_ERRORS * 100}% of the requests ` +
    `fail. The 99th percentile of their times is at most ${MOST_SPREAD} × the median. Memory doesn't grow.`,
  async run({ environment, times }) {
    const log = new CallLog()
    const { base, pid } = await environment.start()
    const customers: { email: string; client: Client }[] = []
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const email = `load-${index}@example.test`
      const { apiKey } = await environment.createClient(email, { credits: CREDITS })
      log.noteTopUp(email, CREDITS)
      customers.push({ email, client: createClient(base, apiKey) })
    }
    const seconds = times(SECONDS)
    const calls: { kind: string; call: SeenCall }[] = []
    const memory = watchMemory(pid)
    const until = performance.now() + seconds * 1000
    const kinds = Object.entries(MIX)
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const customer = customers[index % customers.length]
        for (let turn = index; customer !== undefined && performance.now() < until; turn += 1) {
          const [kind, send] = kinds[turn % kinds.length] ?? kinds[0] ?? ['', MIX['rotate-pdf']]
          if (send === undefined) return
          const call = await log.record(customer.email, () => send(customer.client))
          calls.push({ kind, call })
          if (call.retryAfterS !== undefined) await wait(Math.max(LEAST_RETRY_MS, call.retryAfterS * 1000))
        }
      }),
    )
    memory.stop()
    return [
      judgeErrors(
        calls.map(({ call }) => call),
        seconds,
      ),
      judgeBusy(calls.map(({ call }) => call)),
      ...kinds.map(([kind]) =>
        judgeSpread(
          kind,
          calls.filter(one => one.kind === kind).map(({ call }) => call),
        ),
      ),
      judgeSlope(memory, seconds),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

/** 429 and 503 with Retry-After mean that the service is busy. Any other response without a file is an error. */
const isBusy = ({ status }: SeenCall) => status === 429 || status === 503

function judgeErrors(calls: SeenCall[], seconds: number): Row {
  const errors = calls.filter(call => call.status !== 200 && !isBusy(call))
  const most = Math.floor(calls.length * MOST_ERRORS)
  const shown =
    errors.length > most
      ? errors.map(({ status, error, callId }) => `${status ?? 'a broken connection'} ${error} ${callId}`)
      : []
  return {
    what: `errors are ${MOST_ERRORS * 100} % of the calls at most`,
    done: calls.length - errors.length,
    asked: calls.length - most,
    problems: shown.slice(0, 10),
    note:
      `${errors.length} of ${calls.length} calls, ${(calls.length / seconds).toFixed(0)} a second, of ${CLIENTS} ` +
      'clients',
  }
}

function judgeBusy(calls: SeenCall[]): Row {
  const busy = calls.filter(isBusy)
  return judge(
    'who is told to come back is told when, and pays nothing',
    busy.map(({ status, charged, retryAfterS }) =>
      charged === 0 && retryAfterS !== undefined
        ? undefined
        : `${status}: charged ${charged}, Retry-After ${retryAfterS}`,
    ),
    `${busy.length} were`,
  )
}

function judgeSpread(kind: string, calls: SeenCall[]): Row {
  const elapsed = calls.filter(({ status }) => status === 200).map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs)
  const [median, late] = [percentile(elapsed, 0.5), percentile(elapsed, 0.99)]
  const what = `${kind}: 99 of 100 calls take ${MOST_SPREAD} × the median at most`
  const note =
    `${elapsed.length} calls, median ${median.toFixed(0)} ms, p99 ${late.toFixed(0)} ms, ` +
    `${(late / median).toFixed(1)} ×`
  if (elapsed.length < LEAST_CALLS)
    return { what, done: 0, asked: 0, problems: [], skipped: `${note}: ${LEAST_CALLS} are needed` }
  return judge(what, [late <= MOST_SPREAD * median ? undefined : note], note)
}

/** Compares the third quarter of the time with the last one. The first half is warm-up. */
function judgeSlope({ looks }: MemoryWatch, seconds: number): Row {
  const quarter = Math.floor(looks.length / 4)
  const [third, last] = [looks.slice(2 * quarter, 3 * quarter), looks.slice(3 * quarter)].map(part =>
    mean(part.map(({ bytes }) => bytes)),
  ) as [number, number]
  const what = `memory grows by ${MOST_SLOPE * 100} % at most from the third quarter to the last`
  const note = `${describeBytes(third)}, ${describeBytes(last)}`
  if (looks.length === 0) return { what, done: 0, asked: 0, problems: [], skipped: 'there is no /proc here' }
  if (seconds < LEAST_SLOPE_S)
    return { what, done: 0, asked: 0, problems: [], skipped: `${note}; ${LEAST_SLOPE_S} s are needed` }
  return judge(what, [last <= third * (1 + MOST_SLOPE) ? undefined : note], note)
}
