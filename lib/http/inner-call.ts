import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { type Exchange, exchangeStorage } from '../http-exchange'
import type { Operation } from '../operations/operation'
import { serve } from './serve'
import { createRequestId } from './connection/request-id'

/** A request of an operation that another request contains, such as a tool call of an agent. */
export interface InnerRequest {
  operation: Operation
  /** Replaces headers of the outer request. */
  headers: IncomingHttpHeaders
  body: Buffer
  /** A larger response fails, and its charge is refunded. */
  maxBytes: number
}

/** The response to an inner request. The charge is final when the outer response has been delivered. */
export interface InnerResponse {
  status: number
  headers: OutgoingHttpHeaders
  bytes: Buffer
}

/** The response is larger than `maxBytes`. It was not charged. */
export class ResponseTooLarge extends Error {
  override name = 'ResponseTooLarge'
}

/**
 * Serves a request inside another one. It takes the same path as a request over HTTP: key, limits, charge and log. The
 * charge is refunded if the outer response isn't delivered. Throws ResponseTooLarge.
 */
export async function callInside(
  outer: Exchange,
  { operation, headers, body, maxBytes }: InnerRequest,
): Promise<InnerResponse> {
  const res = new CapturedResponse(outer.res, maxBytes)
  const exchange: Exchange = {
    req: createRequest(outer.req, { ...outer.req.headers, ...headers, 'content-length': String(body.length) }, body),
    res: res as unknown as ServerResponse, // It has the members that `serve` uses.
    method: 'POST',
    requestId: createRequestId(),
    receivedAtMs: performance.now(),
    readsBody: true,
  }
  const served = exchangeStorage().run(exchange, () => serve(operation))
  await Promise.race([res.captured, served.then(() => res.captured)])
  return { status: res.statusCode, headers: res.headers, bytes: res.bytes }
}

/** A request whose body has arrived, from the same client as another one. */
function createRequest({ socket }: IncomingMessage, headers: IncomingHttpHeaders, body: Buffer): IncomingMessage {
  const stream = Readable.from([body], { objectMode: false })
  return Object.assign(stream, {
    headers,
    socket,
    url: '/',
    method: 'POST',
    complete: true,
  }) as unknown as IncomingMessage
}

/** Keeps a response in memory. It finishes when the outer response has been delivered. */
class CapturedResponse extends Writable {
  statusCode = 200
  headersSent = false
  readonly headers: OutgoingHttpHeaders = {}
  /** Resolves when the response is complete. Rejects if it is too large or canceled. */
  readonly captured: Promise<void>
  readonly #outer: ServerResponse
  readonly #maxBytes: number
  readonly #chunks: Buffer[] = []
  #byteLength = 0
  #resolve: () => void = () => undefined

  constructor(outer: ServerResponse, maxBytes: number) {
    super()
    this.#outer = outer
    this.#maxBytes = maxBytes
    this.captured = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.once('error', reject)
      this.once('close', () => reject(new Error('The client hung up')))
    })
    this.captured.catch(() => undefined) // Its reader may come later.
    const cancel = () => {
      if (!outer.writableFinished) this.destroy()
    }
    if (outer.closed) cancel()
    else outer.once('close', cancel)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  setHeader(name: string, value: string | number): this {
    this.headers[name.toLowerCase()] = value
    return this
  }

  writeContinue(): void {
    // The body has arrived.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.headersSent = true
    this.#byteLength += chunk.length
    if (this.#byteLength > this.#maxBytes) return done(new ResponseTooLarge(`More than ${this.#maxBytes} bytes`))
    this.#chunks.push(Buffer.from(chunk))
    done()
  }

  override _final(done: (error?: Error) => void): void {
    this.#resolve()
    if (this.#outer.writableFinished) done()
    else this.#outer.once('finish', () => done())
  }
}
