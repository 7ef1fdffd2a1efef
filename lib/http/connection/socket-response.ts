import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type ClientResponse, EndOfResponse, type ResponseEnd } from '../../requests/client-response'
import type { Exchange } from '../../http-exchange'

/**
 * A response over a connection. It is written directly to Node's response. Next.js would drop the Content-Length and
 * split a small response into three writes and two streams.
 */
export class SocketResponse implements ClientResponse {
  readonly #exchange: Exchange
  readonly #res: ServerResponse
  readonly #end = new EndOfResponse()

  constructor(exchange: Exchange) {
    const { res } = exchange
    this.#exchange = exchange
    this.#res = res
    // A broken response can still emit "finish" after "close", when it is ended without a connection.
    res.once('finish', () => this.#end.reach('delivered'))
    res.once('close', () => this.#reachClosed())
    if (res.closed) this.#reachClosed()
  }

  get end(): ResponseEnd | undefined {
    return this.#end.value
  }

  async begin(status: number, headers: OutgoingHttpHeaders): Promise<boolean> {
    const res = this.#res
    // A body that arrived together with its head is parsed a moment later. If the body is complete, the connection can
    // be kept alive.
    if (!this.#exchange.req.complete) await setImmediate()
    if (res.headersSent || res.destroyed) return false
    res.statusCode = status
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
    return true
  }

  /** The system accepts megabytes at once if it has room, so other requests run between writes. */
  async write(part: Uint8Array): Promise<void> {
    const res = this.#res
    if (res.write(part)) return setImmediate()
    await new Promise<void>(resolve => {
      const onWritable = () => {
        res.off('drain', onWritable)
        res.off('close', onWritable)
        resolve()
      }
      res.once('drain', onWritable)
      res.once('close', onWritable)
    })
  }

  finish(part?: Uint8Array): void {
    this.#res.end(part)
  }

  giveUp(): void {
    this.#end.reach('hung-up')
    if (this.#res.headersSent) this.#res.destroy()
  }

  onEnd(listener: (end: ResponseEnd) => void): void {
    this.#end.add(listener)
  }

  #reachClosed(): void {
    this.#end.reach(this.#exchange.isCutOff ? 'cut-off' : 'hung-up')
  }
}
