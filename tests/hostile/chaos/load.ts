import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResponse, type Client, createClient, slowSplit, type Upload } from '../../contract/client'
import { makeDamagedPdf, makePdf } from '../../contract/documents'
import { type CallLog, isCut, type SeenCall } from './call-log'

/** The accounts that send the requests. */
export interface Customer {
  email: string
  apiKey: string
}

/** The requests that a client may send. */
export type CallKind = 'good' | 'slow' | 'long' | 'damaged' | 'wrong'

const DOCUMENT: Upload = { name: 'small.pdf', bytes: makePdf() }
const LONG: Upload = { name: 'long.pdf', bytes: makePdf({ pages: 100 }) }
const DAMAGED: Upload = { name: 'damaged.pdf', bytes: makeDamagedPdf() }
/** A customer without credits retries after this delay. */
const PAUSE_MS = 20

const SEND: Record<CallKind, (client: Client) => Promise<ApiResponse>> = {
  good: client => client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }),
  slow: client => client.callTool('split-pdf', LONG, slowSplit(40)),
  long: client => client.callTool('split-pdf', LONG, slowSplit(1000)),
  damaged: client => client.callTool('rotate-pdf', DAMAGED, { angle: 90 }),
  wrong: client => client.callTool('rotate-pdf', DOCUMENT, { angle: 45 }),
}

/** Sends a request and records it. */
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
  /** Selects the next request. */
  choose(): CallKind
  /** Receives each request that ended. */
  onCall?: (call: SeenCall) => void
}

/** Clients that send one request after the other, until they are stopped or their service ends. */
export interface Load {
  /** Waits for running requests to end. */
  stop(): Promise<void>
  /** Resolves when every client has stopped. */
  ended: Promise<void>
}

/** Sends requests from several clients at once. The clients are distributed evenly among the customers. */
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

/** 55 % succeed, 10 % of them slowly. 30 % fail in the engine, and 5 % before it. */
export function chooseMixed(random: () => number): CallKind {
  const share = random()
  if (share < 0.55) return 'good'
  if (share < 0.65) return 'slow'
  return share < 0.95 ? 'damaged' : 'wrong'
}
