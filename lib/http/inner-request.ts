import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { ReceivedRequest } from '../requests/request'
import { type ClientResponse, EndOfResponse, type ResponseEnd } from '../requests/client-response'
import { exchangeStorage, getExchange } from '../http-exchange'
import type { Operation } from '../operations/operation'
import { ClientGone } from './connection/client-gone'
import { createRequestId } from './connection/request-id'
import { serveRequest } from './serve'

/** A request of an operation that another request contains, such as a tool call of an agent. */
export interface InnerRequest {
  operation: Operation
  /** Replaces headers of the outer request. */
  headers: IncomingHttpHeaders
  body: Buffer
  /** A larger result fails, and isn't charged. */
  limit: { bytes: number; hint: string }
  /** Cancels the request. It isn't charged. */
  signal: AbortSignal
}

/** The response to an inner request. */
export interface InnerResult {
  status: number
  headers: OutgoingHttpHeaders
  bytes: Buffer
}

/**
 * Serves a request inside another one. It takes the same path as a request over HTTP: key, limits, charge and log.
 * Returns what `read` makes of the result for the outer response. The inner response ends with the outer one, so a
 * charge is final when the outer response was delivered. If the request is canceled, or if `read` throws, the inner
 * response ends at once and the charge is refunded. Throws ClientGone if no result exists, and whatever `read` throws.
 */
export async function serveInner<Content>(
  outer: ReceivedRequest,
  { operation, headers, body, limit, signal }: InnerRequest,
  read: (result: InnerResult) => Content,
): Promise<Content> {
  const response = new InnerResponse(outer.response, limit)
  const giveUp = () => response.giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  const received: ReceivedRequest = {
    requestId: createRequestId(),
    receivedAtMs: performance.now(),
    method: 'POST',
    url: outer.url,
    headers: { ...outer.headers, ...headers, 'content-length': String(body.length) },
    client: outer.client,
    network: outer.network,
    response,
    async receive(reader, { share }) {
      await share?.take(body.length)
      reader.write(body)
      return { body: await reader.end(), bytesIn: body.length }
    },
  }
  const { requestId } = received
  try {
    await exchangeStorage().run({ ...getExchange(), requestId }, () => serveRequest(received, operation))
    const content = read(response.result())
    response.isUsed = true
    return content
  } catch (error) {
    giveUp()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** A response in memory. It is delivered when its content is used and the outer response has been delivered. */
class InnerResponse implements ClientResponse {
  /** Whether the outer response contains the content. */
  isUsed = false
  readonly limit: { bytes: number; hint: string }
  readonly #end = new EndOfResponse()
  readonly #parts: Uint8Array[] = []
  #head: { status: number; headers: OutgoingHttpHeaders } | undefined
  #isComplete = false

  constructor(outer: ClientResponse, limit: { bytes: number; hint: string }) {
    this.limit = limit
    outer.onEnd(end => this.#end.reach(end === 'delivered' && !this.isUsed ? 'hung-up' : end))
  }

  get end(): ResponseEnd | undefined {
    return this.#end.value
  }

  /** The complete response. Throws ClientGone if it was given up before. */
  result(): InnerResult {
    if (!this.#head || !this.#isComplete || this.end !== undefined) throw new ClientGone('The request was canceled')
    return { ...this.#head, bytes: Buffer.concat(this.#parts) }
  }

  begin(status: number, headers: OutgoingHttpHeaders): Promise<boolean> {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    this.#head ??= { status, headers: Object.fromEntries(names) as OutgoingHttpHeaders }
    return Promise.resolve(this.end === undefined)
  }

  write(part: Uint8Array): Promise<void> {
    this.#parts.push(part)
    return Promise.resolve()
  }

  finish(part?: Uint8Array): void {
    if (part) this.#parts.push(part)
    this.#isComplete = true
  }

  giveUp(): void {
    this.#end.reach('hung-up')
  }

  onEnd(listener: (end: ResponseEnd) => void): void {
    this.#end.add(listener)
  }
}
