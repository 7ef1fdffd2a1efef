import type { ApiResponse } from '../../contract/client'

/** A request as its client saw it. */
export interface SeenCall {
  email: string
  /** Milliseconds from `performance.now()`. */
  sentAtMs: number
  endedAtMs: number
  /** Undefined if the connection broke before the end of the response. */
  status: number | undefined
  /** The request ID in the response. The ledger uses the same ID. */
  callId: string
  charged: number | undefined
  balance: number | undefined
  /** The code of an error response, or of a broken connection. */
  error: string
  /** Seconds, if the response has the header. */
  retryAfterS: number | undefined
}

/** The clients' own records, independent of the service's database. */
export class CallLog {
  readonly calls: SeenCall[] = []
  /** When the service was killed, and how many clients sent requests then. */
  readonly kills: { atMs: number; clients: number }[] = []
  readonly #topUps = new Map<string, number>()

  /** Sends a request and records its result. Never rejects. */
  async record(email: string, send: () => Promise<ApiResponse>): Promise<SeenCall> {
    const sentAtMs = performance.now()
    const seen = await send().then(describe, describeBreak)
    const call = { email, sentAtMs, endedAtMs: performance.now(), ...seen }
    this.calls.push(call)
    return call
  }

  /** Records that the service is killed now, while this many clients send requests. */
  noteKill(clients: number): void {
    this.kills.push({ atMs: performance.now(), clients })
  }

  /** Records credits that an operator added. */
  noteTopUp(email: string, credits: number): void {
    this.#topUps.set(email, this.topUpsOf(email) + credits)
  }

  topUpsOf(email: string): number {
    return this.#topUps.get(email) ?? 0
  }

  /** Requests of an account, or of all accounts. */
  of(email: string | undefined, isWanted: (call: SeenCall) => boolean = () => true): SeenCall[] {
    return this.calls.filter(call => (email === undefined || call.email === email) && isWanted(call))
  }
}

/** Returns whether a request's file arrived completely. */
export const isDelivered = ({ status }: SeenCall) => status === 200

/** Returns whether a request ended without a response. */
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
