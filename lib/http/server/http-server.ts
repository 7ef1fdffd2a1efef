import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { openExtraListeners } from './extra-listeners'
import { type Exchange, exchangeStorage } from '../../http-exchange'
import { getDraining } from '../limits/process-limits'
import { lingerIfUnread } from '../connection/lingering-close'
import { watchReader } from '../connection/watch-reader'
import { createRequestId } from '../connection/request-id'
import { hasLongQuery, readTarget } from './request-target'
import { PATH_HEADER } from './path-header'
import { writeSecurityHeaders } from './security-headers'

interface ServerSettings {
  /** Handles a request. Runs inside its exchange. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void> | void
  isHttps: boolean
  dev: boolean
  /** Bytes per second that a client must read of a response over any 20 s. */
  minReadRate: number
  /** Called with any error that `handle` threw. */
  onError(error: unknown): void
}

/** An HTTP server that can be drained. */
export interface HttpServer {
  server: Server
  /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<void>
  /**
   * Drains the server. For `noticeMs` the server reports that it isn't ready, but still accepts requests until load
   * balancers notice. Then no new API request is admitted, and the server waits up to `maxMs` for all requests in
   * progress, and closes. Until then, new requests still get a response (503 for API requests and the readiness probe),
   * for at least `leastMs`, so that probes notice.
   */
  drain(limits?: { noticeMs?: number; leastMs?: number; maxMs?: number }): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const UPLOAD_TIMEOUT_MS = 60_000
/** Longer than common clients and proxies keep a connection in their pools, so that they close it first. */
const KEEP_ALIVE_MS = 75_000
/**
 * When no request is in progress, this time remains for requests that were sent before their client saw `Connection:
 * close`.
 */
const LAST_REQUESTS_MS = 1000
/** Time for the responses to those last requests. Longer than a lingering close (lingering-close.ts). */
const LAST_RESPONSES_MS = 4000
const LOOK_EVERY_MS = 20
/** Limit for clients that connect without end. */
const MOST_ACCEPTING_MS = 1000
const QUIET_ROUND_MS = 0.3
/**
 * While draining, refused API requests wait a little, so that a client in a loop doesn't retry while the port closes.
 */
const REFUSAL_DELAY_MS = 200
/** Longer than the User-Agent of any browser. */
const MAX_AGENT_LENGTH = 500
/** Each step of a request listens for the end of the connection. By default, Node.js warns from 11 listeners on. */
const MAX_LISTENERS = 30
/** Paths of API requests, with a key or from the playground. */
const API_PATHS = ['/api/external/', '/api/account/playground/']
const ROUTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates the server around Next.js, which handles exchanges, headers of all responses, time limits, unread bodies and
 * draining.
 */
export function createHttpServer(settings: ServerSettings): HttpServer {
  const draining = getDraining()
  const openResponses = new Set<ServerResponse>()

  const handleRequest = (req: IncomingMessage, res: ServerResponse) => {
    openResponses.add(res)
    req.url = readTarget(req.url ?? '/')
    res.setMaxListeners(MAX_LISTENERS)
    res.once('close', () => openResponses.delete(res))
    const exchange: Exchange = {
      req,
      res,
      method: replaceForeignMethod(req),
      requestId: createRequestId(),
      receivedAtMs: performance.now(),
      readsBody: false,
      isCutOff: false,
    }
    prepare(exchange, settings, () => draining.hasBegun)
    limitUpload(exchange)
    exchangeStorage().run(exchange, () => {
      void (draining.refusesRequests && isApiRequest(req) ? wait(REFUSAL_DELAY_MS) : Promise.resolve())
        .then(() => (hasLongQuery(req.url) ? refuseQuery(res) : settings.handle(req, res)))
        .catch((error: unknown) => {
          settings.onError(error)
          if (res.headersSent) res.destroy()
          else res.writeHead(500).end()
        })
    })
  }

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2000,
    },
    handleRequest,
  )
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // The head alone may be enough to refuse an API request, so the handler decides when to read the body.
    req.url = readTarget(req.url ?? '/')
    if (!isApiRequest(req)) res.writeContinue()
    handleRequest(req, res)
  })

  let extraListeners: Promise<NetServer[]> = Promise.resolve([])
  return {
    server,
    async listen(port, host) {
      server.listen(port, host)
      await once(server, 'listening')
      // We don't wait for these listeners. Requests arrive from now on, and the caller must be able to drain the
      // server.
      extraListeners = openExtraListeners(server, socket => server.emit('connection', socket))
    },
    async drain({ noticeMs = 0, leastMs = 500, maxMs = 25_000 } = {}) {
      draining.hasBegun = true
      if (noticeMs > 0) await wait(noticeMs)
      const pendingResponses = new Set(openResponses)
      const allEnded = waitForAll(pendingResponses)
      draining.refusesRequests = true
      await wait(leastMs)
      await Promise.race([allEnded, wait(maxMs - leastMs)])
      const ports = [server, ...(await extraListeners)]
      await acceptAll(server)
      // Node's own close would reset connections with a request on its way. Such requests get a 503 response first.
      const closed = Promise.all(
        ports.map(port => new Promise<void>(resolve => NetServer.prototype.close.call(port, () => resolve()))),
      )
      if (pendingResponses.size === 0) await endConnections(server, closed)
      server.closeAllConnections()
      await closed
    },
  }
}

function prepare(exchange: Exchange, settings: ServerSettings, isDraining: () => boolean): void {
  const { req, res, requestId } = exchange
  const path = req.url?.split('?', 1)[0] ?? '/'
  const headers = writeSecurityHeaders(path, settings)
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.setHeader('X-Request-Id', requestId)
  // Next.js reads the nonce from this request header.
  req.headers['content-security-policy'] = headers['Content-Security-Policy']
  req.headers[PATH_HEADER] = path
  // Next.js searches this header for names of bots with a pattern whose time grows with the square of the length.
  if (req.headers['user-agent'] !== undefined)
    req.headers['user-agent'] = req.headers['user-agent'].slice(0, MAX_AGENT_LENGTH)
  // PDFs don't get smaller with compression, and a compressed response would lose its Content-Length.
  if (isApiRequest(req)) delete req.headers['accept-encoding']

  const writeHead = res.writeHead.bind(res) as (...all: unknown[]) => ServerResponse
  res.writeHead = (...all: unknown[]) => {
    lingerIfUnread(req, res)
    watchReader(exchange, settings.minReadRate)
    if (isDraining()) res.shouldKeepAlive = false
    return writeHead(...all)
  }
}

/**
 * Next.js responds with 400 or 500 to methods that it doesn't support, so this function replaces the method. Returns
 * the method as sent.
 */
function replaceForeignMethod(req: IncomingMessage): string {
  const { method = '' } = req
  if (!ROUTED_METHODS.has(method)) req.method = 'PATCH'
  return method
}

/** Responds before any route, so the response is plain text. */
function refuseQuery(res: ServerResponse): void {
  res.writeHead(414, { 'Content-Type': 'text/plain; charset=utf-8' })
  res.end('The query string must have at most 100 parameters.\n')
}

/** API requests limit their uploads themselves. Any other upload must arrive within a minute. */
function limitUpload(exchange: Exchange): void {
  const { req, res } = exchange
  if (req.complete) return
  const timer = setTimeout(() => {
    if (!exchange.readsBody && !req.complete) req.destroy()
  }, UPLOAD_TIMEOUT_MS)
  res.once('close', () => clearTimeout(timer))
}

function isApiRequest(req: IncomingMessage): boolean {
  return API_PATHS.some(path => req.url?.startsWith(path))
}

/**
 * Accepts the connections that the system completed while the process was busy, because the system resets them when the
 * port closes. Each round of the event loop accepts some connections (extra-listeners.ts). So after a short round
 * without a new connection, it is unlikely that any is left.
 */
async function acceptAll(server: Server): Promise<void> {
  let accepted = 0
  const count = () => (accepted += 1)
  server.on('connection', count)
  const until = performance.now() + MOST_ACCEPTING_MS
  for (let isQuiet = false; !isQuiet && performance.now() < until;) {
    const [before, since] = [accepted, performance.now()]
    await setImmediate()
    isQuiet = accepted === before && performance.now() - since < QUIET_ROUND_MS
  }
  server.off('connection', count)
}

/** Closes idle connections and gives the others time. A connection closed during a response would be reset. */
async function endConnections(server: Server, closed: Promise<unknown>): Promise<void> {
  const isClosed = (withinMs: number) => Promise.race([closed.then(() => true), wait(withinMs).then(() => false)])
  if (await isClosed(LAST_REQUESTS_MS)) return
  const until = performance.now() + LAST_RESPONSES_MS
  do server.closeIdleConnections()
  while (!(await isClosed(LOOK_EVERY_MS)) && performance.now() < until)
}

/** Resolves when all responses have ended. Removes ended responses from the set. */
function waitForAll(responses: Set<ServerResponse>): Promise<void> {
  return new Promise(resolve => {
    if (responses.size === 0) resolve()
    for (const res of responses) {
      res.once('close', () => {
        responses.delete(res)
        if (responses.size === 0) resolve()
      })
    }
  })
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
