import type { CallVia } from '../../db/schema'
import type { Warning } from '../../engines/types'
import type { Charge } from '../credits/ledger'
import type { CallError } from '../errors'
import type { Exchange } from '../http-exchange'
import type { CallClient } from './call-client'

/**
 * The authenticated account, and its balance with this month's grant if it was looked up. The balance of an unconfirmed
 * caller is the latest that this process knows.
 */
export interface Caller {
  accountId: string
  balance?: number
  /** A trial has no account: it is neither charged nor in the request log. */
  via: CallVia | 'trial'
  /** The key of the request, if it has one. */
  key?: { id: string; last4: string }
  /** Whether the key is only known from memory, and another instance may have ended it. The charge checks the key. */
  isUnconfirmed?: boolean
}

/** A request in progress, with the results of its steps for the response and the log. */
export interface Call extends Exchange {
  operationId: string | undefined
  caller?: Caller
  /** Read at the start, because a closed connection has no address any more. */
  client: CallClient
  /** Whether the request has a valid `Idempotency-Key`. */
  hasIdempotencyKey?: boolean
  charge?: Charge
  /** Whether the database failed during the charge, so that the charge may have succeeded. */
  isChargeUnknown?: boolean
  /** Milliseconds by phase, in order of the phases. */
  timings: Record<string, number>
  /** Start of each phase that was measured here, in `performance.now()` time. */
  startedAtMs: Record<string, number>
  /** The work on the document as measured here, including the wait for an engine. Also set for failed work. */
  ran?: { startedAtMs: number; ms: number }
  /** Milliseconds of work on the document, without the transfer to the engine. */
  engineMs?: number
  warnings: Set<Warning>
  /** The preference of the request that is applied, such as `handling=strict` (RFC 7240). */
  preference?: string
  /** Names of fields that were ignored, as the client wrote them. */
  unknownFields: string[]
  bytesIn: number
  bytesOut: number
  /** Bytes of the response body that were handed to the connection. */
  bytesWritten: number
  /** The result. Set when the response is created, before it is sent. */
  answered?: { status: number; error?: CallError }
  /** When the first byte of the response was about to be sent, in `performance.now()` time. */
  respondingAtMs?: number
  /** Whether the connection was closed because the client read its response too slowly. */
  isCutOff?: boolean
  /** Aborts when the connection closes before the response was sent. */
  signal: AbortSignal
  /** Runs a step and records its duration. */
  measure<T>(phase: string, step: () => T | Promise<T>): Promise<T>
}
