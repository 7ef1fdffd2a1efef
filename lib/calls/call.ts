import type { CallVia } from '../../db/schema'
import type { Warning } from '../../engines/types'
import type { Charge } from '../credits/ledger'
import type { CallError } from '../errors'
import type { Exchange } from '../exchange'
import type { CallClient } from './call-client'

/** Whose call it is, and the account's balance with this month's grant, where it had to be looked up. */
export interface Caller {
  accountId: string
  balance?: number
  via: CallVia
  /** What it was authenticated with, where that is a key. */
  key?: { id: string; last4: string }
}

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
