import type { ApiResponse } from '../../contract/client'
import { patience } from './patience'

/** A call as its client saw it. */
export interface SeenCall {
  email: string
  /** On the clock of `performance.now()`. */
  sentAtMs: number
  endedAtMs: number
  /** Undefined when the connection broke before the answer was whole. */
  status: number | undefined
  /** The request id that the service gave, the name of the call in its ledger. */
  callId: string
  charged: number | undefined
  balance: number | undefined
  /** The code of an error answer, or of a broken connection. */
  error: string
  /** Seconds, where the answer names them. */
  retryAfterS: number | undefined
}

/** What the clients know, written down without looking at the service's own books. */
export class CallLog {
  readonly calls: SeenCall[] = []
  /** When the service was killed, and how many times longer than usual everything took then. */
  readonly kills: { atMs: number; patience: number }[] = []
  readonly #topUps = new Map<string, number>()

  /** Sends a call and notes what came of it; never rejects. */
  async record(email: string, send: () => Promise<ApiResponse>): Promise<SeenCall> {
    const sentAtMs = performance.now()
    const seen = await send().then(describe, describeBreak)
    const call = { email, sentAtMs, endedAtMs: performance.now(), ...seen }
    this.calls.push(call)
    return call
  }

  /** Notes that the service is killed at this moment. */
  noteKill(): void {
    this.kills.push({ atMs: performance.now(), patience: patience() })
  }

  /** Notes credits that an operator added. */
  noteTopUp(email: string, credits: number): void {
    this.#topUps.set(email, this.topUpsOf(email) + credits)
  }

  topUpsOf(email: string): number {
    return this.#topUps.get(email) ?? 0
  }

  /** Calls of an account, or of all. */
  of(email: string | undefined, isWanted: (call: SeenCall) => boolean = () => true): SeenCall[] {
    return this.calls.filter(call => (email === undefined || call.email === email) && isWanted(call))
  }
}

/** Whether a call's file arrived whole. */
export const isDelivered = ({ status }: SeenCall) => status === 200

/** Whether a call ended without an answer. */
export const isCut = ({ status }: SeenCall) => status === undefined

function describe({ status, requestId, charged, balance, json, headers }: ApiResponse) {
  return {
    status,
    callId: requestId,
    charged,
    balance,
    error: typeof json['error'] === 'string' ? json['error'] : '',
    retryAfterS: headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']),
  }
}

function describeBreak(error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return { status: undefined, callId: '', charged: undefined, balance: undefined, error: code, retryAfterS: undefined }
}
