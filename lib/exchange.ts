import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request and its answer as Node.js sees them, for code that Next.js only hands copies. */
export interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  /** The method as it was sent; `req.method` is one that Next.js routes. */
  method: string
  /** Our own id of this request; it stands in `X-Request-Id` of the answer and in the log. */
  requestId: string
  /** `performance.now()` when the head had arrived. */
  receivedAtMs: number
  /** Set by whoever reads the body with limits of its own; any other upload has to be complete within a minute. */
  readsBody: boolean
}

/** The exchange that the running code belongs to. Throws when it was reached by another server than ours. */
export function getExchange(): Exchange {
  const exchange = exchangeStorage().getStore()
  if (!exchange) throw new Error('No exchange: the service has to be started with `npm start` or `npm run dev`')
  return exchange
}

/** The id of the request that the running code belongs to, for the log. */
export function findRequestId(): string | undefined {
  return exchangeStorage().getStore()?.requestId
}

/**
 * The storage that the server fills; on the global object, because each of Next's bundles has its own copy of this
 * module.
 */
export function exchangeStorage(): AsyncLocalStorage<Exchange> {
  const holder = globalThis as { [KEY]?: AsyncLocalStorage<Exchange> }
  return (holder[KEY] ??= new AsyncLocalStorage())
}

const KEY = Symbol.for('sheaf.exchange')
