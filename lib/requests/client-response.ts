import type { OutgoingHttpHeaders } from 'node:http'
import { describeError, getLog } from '../log'

/**
 * How a response ended: `delivered` if its last byte was handed over, `hung-up` if nobody receives it any more, and
 * `cut-off` if the server closed the connection because the client read too slowly.
 */
export type ResponseEnd = 'delivered' | 'hung-up' | 'cut-off'

/**
 * The response to a request. It ends once, and whatever the request holds is settled, refunded or released at this end.
 */
export interface ClientResponse {
  /** Maximum bytes of the body, and what a client can do about it. */
  readonly limit?: { bytes: number; hint: string }
  /** Undefined until the response has ended. */
  readonly end: ResponseEnd | undefined
  /** Writes the head. Resolves to false if nobody receives the response, or if it has begun already. */
  begin(status: number, headers: OutgoingHttpHeaders): Promise<boolean>
  /** Writes a part of the body. Resolves when the next part can be written, or when the response has ended. */
  write(part: Uint8Array): Promise<void>
  /** Writes the last part of the body. */
  finish(part?: Uint8Array): void
  /** Ends the response without delivering it. Does nothing if it has ended. */
  giveUp(): void
  /** Calls `listener` at the end of the response, or at once if it has ended. */
  onEnd(listener: (end: ResponseEnd) => void): void
}

/** The end of a response and everything that happens then. */
export class EndOfResponse {
  #value: ResponseEnd | undefined
  readonly #listeners: ((end: ResponseEnd) => void)[] = []

  get value(): ResponseEnd | undefined {
    return this.#value
  }

  /** See `ClientResponse.onEnd`. */
  add(listener: (end: ResponseEnd) => void): void {
    if (this.#value === undefined) this.#listeners.push(listener)
    else runAlone(listener, this.#value)
  }

  /** Ends the response. Only the first call counts. */
  reach(end: ResponseEnd): void {
    if (this.#value !== undefined) return
    this.#value = end
    for (const listener of this.#listeners.splice(0)) runAlone(listener, end)
  }
}

/** An error in one listener must not keep the others from their work, such as a refund. */
function runAlone(listener: (end: ResponseEnd) => void, end: ResponseEnd): void {
  try {
    listener(end)
  } catch (error) {
    getLog().error({ cause: describeError(error) }, 'a step at the end of a request failed')
  }
}
