import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request and its response as Node.js objects, because Next.js only passes on copies. */
export interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  /** The method as sent. `req.method` is one that Next.js can route. */
  method: string
  /** Our ID of this request, which is in the `X-Request-Id` of the response and in the log. */
  requestId: string
  /** When the request head had arrived, in `performance.now()` time. */
  receivedAtMs: number
  /** Set by code that reads the body with its own limits. Any other upload must be complete within a minute. */
  readsBody: boolean
  /** Whether the connection was closed because the client read the response too slowly. */
  isCutOff: boolean
}

/** Returns the exchange of the running code. Throws if another server than ours received the request. */
export function getExchange(): Exchange {
  const exchange = exchangeStorage().getStore()
  if (!exchange) throw new Error('No exchange. Start the service with `npm start` or `npm run dev`.')
  return exchange
}

/** Returns the request ID of the running code, for the log. */
export function findRequestId(): string | undefined {
  return exchangeStorage().getStore()?.requestId
}

/**
 * Returns the storage that the server fills. It is on the global object, because each bundle of Next.js has its own
 * copy of this module.
 */
export function exchangeStorage(): AsyncLocalStorage<Exchange> {
  const holder = globalThis as { [KEY]?: AsyncLocalStorage<Exchange> }
  return (holder[KEY] ??= new AsyncLocalStorage())
}

const KEY = Symbol.for('sheaf.exchange')
