import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, type Client, createClient, slowSplit, type Upload } from '../../contract/client'
import { makeDamagedPdf, makePdf } from '../../contract/documents'
import { type CallLog, isCut, type SeenCall } from './call-log'

/** Whose calls they are. */
export interface Customer {
  email: string
  apiKey: string
}

/** Calls that a client may make. */
export type CallKind = 'good' | 'slow' | 'long' | 'damaged' | 'wrong'

const DOCUMENT: Upload = { name: 'small.pdf', bytes: makePdf() }
const LONG: Upload = { name: 'long.pdf', bytes: makePdf({ pages: 100 }) }
const DAMAGED: Upload = { name: 'damaged.pdf', bytes: makeDamagedPdf() }
/** A customer without credits asks again after this long. */
const PAUSE_MS = 20

const SEND: Record<CallKind, (client: Client) => Promise<ApiResponse>> = {
  good: client => client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }),
  slow: client => client.callTool('split-pdf', LONG, slowSplit(40)),
  long: client => client.callTool('split-pdf', LONG, slowSplit(1000)),
  damaged: client => client.callTool('rotate-pdf', DAMAGED, { angle: 90 }),
  wrong: client => client.callTool('rotate-pdf', DOCUMENT, { angle: 45 }),
}

/** Makes a call and notes it. */
export function sendCall(
  kind: CallKind,
  { base, log }: { base: string; log: CallLog },
  { email, apiKey }: Customer,
): Promise<SeenCall> {
  return log.record(email, () => SEND[kind](createClient(base, apiKey)))
}

interface LoadSettings {
  base: string
  log: CallLog
  customers: Customer[]
  clients: number
  /** Which call comes next. */
  choose(): CallKind
  /** Told of each call that ended. */
  onCall?: (call: SeenCall) => void
}

/** Clients that call one after the other, until they are stopped or their service is gone. */
export interface Load {
  /** Lets calls under way end; resolves when they have. */
  stop(): Promise<void>
  /** Resolves when every client has stopped. */
  ended: Promise<void>
}

/** Sends calls from a number of clients at once; clients share the customers evenly. */
export function startLoad({ base, log, customers, clients, choose, onCall }: LoadSettings): Load {
  const state = { isOver: false }
  const work = async (customer: Customer) => {
    while (!state.isOver) {
      const call = await sendCall(choose(), { base, log }, customer)
      onCall?.(call)
      if (isCut(call)) return
      if (call.status === 402 || call.status === 503) await wait(PAUSE_MS)
    }
  }
  const ended = Promise.all(
    Array.from({ length: clients }, (_, index) => {
      const customer = customers[index % customers.length]
      return customer === undefined ? Promise.resolve() : work(customer)
    }),
  ).then(() => {})
  return {
    ended,
    async stop() {
      state.isOver = true
      await ended
    },
  }
}

/** 55 % that succeed, 10 % of them slow; 30 % that fail in the engine, 5 % before it. */
export function chooseMixed(random: () => number): CallKind {
  const share = random()
  if (share < 0.55) return 'good'
  if (share < 0.65) return 'slow'
  return share < 0.95 ? 'damaged' : 'wrong'
}
