import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { openExtraListeners } from './extra-listeners'
import { type Exchange, exchangeStorage } from '../../exchange'
import { getDraining } from '../limits/instances'
import { lingerIfUnread } from '../connection/lingering-close'
import { createRequestId } from './request-id'
import { readTarget } from './request-target'
import { writeSecurityHeaders } from './security-headers'

interface ServerSettings {
  /** Answers a request; runs inside its exchange. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void> | void
  isHttps: boolean
  dev: boolean
  /** Told of what `handle` threw. */
  onError(error: unknown): void
}

/** A server and its orderly end. */
export interface HttpServer {
  server: Server
  /** Takes connections. Rejects with what the system says, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<void>
  /**
   * Says that it is not ready, and for `noticeMs` still takes calls, until balancers have seen that. Then lets no new
   * call begin, waits until every request under way is answered, `maxMs` at most, and closes. New requests are still
   * answered (calls and the readiness probe with 503), for `leastMs` at least, so that probes notice.
   */
  drain(limits?: { noticeMs?: number; leastMs?: number; maxMs?: number }): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const UPLOAD_TIMEOUT_MS = 60_000
/** Longer than the pools of common clients and proxies keep a connection, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 75_000
/**
 * Once nothing is under way: time for requests that were sent before their client saw an answer with `Connection:
 * close`.
 */
const LAST_REQUESTS_MS = 1000
/** And for answers to those; longer than an answer lingers whose request was not read (linger.ts). */
const LAST_RESPONSES_MS = 4000
const LOOK_EVERY_MS = 20
/** Where clients connect without end, that has to be enough. */
const MOST_ACCEPTING_MS = 1000
const QUIET_ROUND_MS = 0.3
/**
 * A call that is refused while draining waits a little, so that a client in a loop holds still when the port closes.
 */
const REFUSAL_DELAY_MS = 200
/** Each step of a call that ends with its connection listens for that; Node.js warns from 11 on. */
const MAX_LISTENERS = 30
/** Calls, with a key and from the playground. */
const CALLS = ['/api/external/', '/api/account/playground/']
const ROUTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The server around Next.js: exchanges, headers of every answer, time limits, unread bodies, draining. */
export function createHttpServer(settings: ServerSettings): HttpServer {
  const draining = getDraining()
  const open = new Set<ServerResponse>()

  const response = (req: IncomingMessage, res: ServerResponse) => {
    open.add(res)
    req.url = readTarget(req.url ?? '/')
    res.setMaxListeners(MAX_LISTENERS)
    res.once('close', () => open.delete(res))
    const exchange: Exchange = {
      req,
      res,
      method: replaceForeignMethod(req),
      requestId: createRequestId(),
      receivedAtMs: performance.now(),
      readsBody: false,
    }
    prepare(exchange, settings, () => draining.hasBegun)
    limitUpload(exchange)
    exchangeStorage().run(exchange, () => {
      void (draining.refusesCalls && isCall(req) ? wait(REFUSAL_DELAY_MS) : Promise.resolve())
        .then(() => settings.handle(req, res))
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
    response,
  )
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // A call may be refused by its head alone; it says itself when it wants the body.
    req.url = readTarget(req.url ?? '/')
    if (!isCall(req)) res.writeContinue()
    response(req, res)
  })

  let doors: Promise<NetServer[]> = Promise.resolve([])
  return {
    server,
    async listen(port, host) {
      server.listen(port, host)
      await once(server, 'listening')
      // Not waited for: calls come from now on, and whoever started us has to be able to end us in order.
      doors = openExtraListeners(server, socket => server.emit('connection', socket))
    },
    async drain({ noticeMs = 0, leastMs = 500, maxMs = 25_000 } = {}) {
      draining.hasBegun = true
      if (noticeMs > 0) await wait(noticeMs)
      const underWay = new Set(open)
      const answered = waitForAll(underWay)
      draining.refusesCalls = true
      await wait(leastMs)
      await Promise.race([answered, wait(maxMs - leastMs)])
      const ports = [server, ...(await doors)]
      await acceptAll(server)
      // Node's own close would reset connections whose next request is on its way; these get their 503 first.
      const closed = Promise.all(
        ports.map(port => new Promise<void>(resolve => NetServer.prototype.close.call(port, () => resolve()))),
      )
      if (underWay.size === 0) await endConnections(server, closed)
      server.closeAllConnections()
      await closed
    },
  }
}

function prepare({ req, res, requestId }: Exchange, settings: ServerSettings, isDraining: () => boolean): void {
  const path = req.url?.split('?', 1)[0] ?? '/'
  const headers = writeSecurityHeaders(path, settings)
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value)
  res.setHeader('X-Request-Id', requestId)
  req.headers['content-security-policy'] = headers['Content-Security-Policy'] // where Next.js looks for the nonce
  // PDFs don't get smaller, and an answer keeps its Content-Length.
  if (isCall(req)) delete req.headers['accept-encoding']

  const writeHead = res.writeHead.bind(res) as (...all: unknown[]) => ServerResponse
  res.writeHead = (...all: unknown[]) => {
    lingerIfUnread(req, res)
    if (isDraining()) res.shouldKeepAlive = false
    return writeHead(...all)
  }
}

/**
 * Next.js answers methods that it has no routes for by itself, with 400 or 500; so it is shown another. Gives the
 * method as sent.
 */
function replaceForeignMethod(req: IncomingMessage): string {
  const { method = '' } = req
  if (!ROUTED_METHODS.has(method)) req.method = 'PATCH'
  return method
}

/** Calls limit their uploads themselves; anything else has to be here within a minute. */
function limitUpload(exchange: Exchange): void {
  const { req, res } = exchange
  if (req.complete) return
  const timer = setTimeout(() => {
    if (!exchange.readsBody && !req.complete) req.destroy()
  }, UPLOAD_TIMEOUT_MS)
  res.once('close', () => clearTimeout(timer))
}

function isCall(req: IncomingMessage): boolean {
  return CALLS.some(path => req.url?.startsWith(path))
}

/**
 * Takes the connections that the system has completed while we were busy; it would reset them when the port closes. In
 * each round of the event loop some are taken (doors.ts), so a round without any has found none; and only after a short
 * one it is unlikely that another one has come since.
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

/** Ends what stays idle, and gives the rest time: ended amid an answer, a connection is reset. */
async function endConnections(server: Server, closed: Promise<unknown>): Promise<void> {
  const isClosed = (withinMs: number) => Promise.race([closed.then(() => true), wait(withinMs).then(() => false)])
  if (await isClosed(LAST_REQUESTS_MS)) return
  const until = performance.now() + LAST_RESPONSES_MS
  do server.closeIdleConnections()
  while (!(await isClosed(LOOK_EVERY_MS)) && performance.now() < until)
}

/** Resolves when every one of them has ended; takes those that have from the set. */
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
