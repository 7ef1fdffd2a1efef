import type { OutgoingHttpHeaders } from 'node:http'
import type { Warning } from '../../../engines/types'
import type { Caller } from '../../accounts/key/authorize'
import { type CallClient, describeClient } from '../../calls/call-client'
import type { Charge } from '../../credits/ledger'
import type { CallError } from '../../errors'
import { ClientGone } from './client-gone'
import type { Exchange } from './exchange'

/** A call on its way: what its steps found out, for its answer and its line in the log. */
export interface Call extends Exchange {
  operationId: string | undefined
  caller?: Caller
  /** Looked at in the beginning: a connection that is gone has no address any more. */
  client: CallClient
  charge?: Charge
  /** Whether the database went away while the call was charged, so that it may have been. */
  isChargeUnknown?: boolean
  /** Milliseconds by phase, in the order in which they came. */
  timings: Record<string, number>
  /** `performance.now()` when each phase that was measured here began. */
  startedAtMs: Record<string, number>
  /** The work on the document as seen from here, waiting for an engine included; known of work that failed as well. */
  ran?: { startedAtMs: number; ms: number }
  /** Milliseconds that the work on the document took, without the way to the engine. */
  engineMs?: number
  warnings: Set<Warning>
  /** Names of fields that were ignored, as the client wrote them. */
  unknownFields: string[]
  bytesIn: number
  bytesOut: number
  /** Of the response's body, handed to the connection. */
  bytesWritten: number
  /** How it ended; `answered` is set when the answer is made, before it is sent. */
  answered?: { status: number; error?: CallError }
  /** Whether the client read its response too slowly and was hung up on. */
  isCutOff?: boolean
  /** Fires when the connection closes before the answer was sent. */
  signal: AbortSignal
  /** Does a step and notes how long it took. */
  measure<T>(phase: string, step: () => T | Promise<T>): Promise<T>
}

/** Begins a call. `onEnd` is told of it when its connection is done with it. */
export function openCall(exchange: Exchange, operationId: string | undefined, onEnd: (call: Call) => void): Call {
  const { req, res } = exchange
  const controller = new AbortController()
  exchange.readsBody = true
  const call: Call = {
    ...exchange,
    operationId,
    client: describeClient(req),
    timings: {},
    startedAtMs: {},
    warnings: new Set(req.headers.origin === undefined ? [] : ['browser-origin']),
    unknownFields: [],
    bytesIn: 0,
    bytesOut: 0,
    bytesWritten: 0,
    signal: controller.signal,
    async measure(phase, step) {
      const started = (call.startedAtMs[phase] = performance.now())
      try {
        return await step()
      } finally {
        call.timings[phase] = performance.now() - started
      }
    },
  }
  const onClose = () => {
    if (!res.writableFinished) controller.abort(new ClientGone('The client hung up'))
    onEnd(call)
  }
  if (res.closed) onClose()
  else res.once('close', onClose)
  return call
}

/** `Server-Timing` of a call (W3C Server Timing), such as `auth;dur=0.61, body;dur=12.08`. */
export function writeServerTiming(call: Call): string {
  return Object.entries(call.timings)
    .filter(([phase]) => /^[a-z-]+$/.test(phase))
    .map(([phase, ms]) => `${phase};dur=${ms.toFixed(2)}`)
    .join(', ')
}

/** The credit headers of an authenticated call. */
export function writeCreditHeaders(balance: number, charged: 0 | 1): OutgoingHttpHeaders {
  return { 'X-Credits-Charged': String(charged), 'X-Credit-Balance': String(balance) }
}
