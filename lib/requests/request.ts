import type { IncomingHttpHeaders } from 'node:http'
import type { RequestVia } from '../../db/schema'
import type { Warning } from '../../engines/types'
import type { BodyReader } from '../body/body'
import type { Charge } from '../credits/ledger'
import type { RequestError } from '../errors'
import type { BodyShare } from '../http/limits/body-memory'
import type { ClientDetails } from './client-details'
import type { ClientResponse } from './client-response'

/**
 * The authenticated account, and its balance with this month's grant if it was looked up. The balance of an unconfirmed
 * caller is the latest that this process knows.
 */
export interface Caller {
  accountId: string
  balance?: number
  /** A trial has no account: it is neither charged nor in the request log. */
  via: RequestVia | 'trial'
  /** Whether the account bought credits or got some from the operator. Other accounts have smaller limits. */
  hasPaid?: boolean
  /** The key of the request, if it has one. */
  key?: { id: string; last4: string }
  /** Whether the key is only known from memory, and another instance may have ended it. The charge checks the key. */
  isUnconfirmed?: boolean
}

/** Limits for reading a body. */
export interface ReceiveLimits {
  maxBytes: number
  /** The memory that the body uses. */
  share: BodyShare | undefined
}

/** What was read of a body, and its size on the wire. */
export interface Received<Content> {
  body: Content
  bytesIn: number
}

/** A request as a client sent it, over HTTP or inside another request. */
export interface ReceivedRequest {
  /** Our ID of this request, which is in the `X-Request-Id` of the response and in the log. */
  requestId: string
  /** When the request head had arrived, in `performance.now()` time. */
  receivedAtMs: number
  /** The method as sent. */
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** Read at the start, because a closed connection has no address any more. */
  client: ClientDetails
  /** The client's network, which limits count. It is never stored. */
  network: string
  response: ClientResponse
  /** Reads the body. Rejects with the error of the reader, of the limits, or with ClientGone. */
  receive<Content>(reader: BodyReader<Content>, limits: ReceiveLimits): Promise<Received<Content>>
}

/** A request in progress, with the results of its steps for the response and the log. */
export interface RunningRequest extends ReceivedRequest {
  operationId: string | undefined
  /** See `PreparedRequest.steps`. */
  steps?: readonly string[]
  /** The resource that the request waits for. Undefined until its body is checked. */
  lane?: 'engines' | 'browser' | undefined
  caller?: Caller
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
  /** The result. Set when the response is created, before it is sent. `headers` are those of the result alone. */
  answered?: { status: number; error?: RequestError; headers?: Record<string, string> }
  /** When the first byte of the response was about to be sent, in `performance.now()` time. */
  respondingAtMs?: number
  /** Aborts when the response ends without being delivered. */
  signal: AbortSignal
  /** Runs a step and records its duration. */
  measure<T>(phase: string, step: () => T | Promise<T>): Promise<T>
}
