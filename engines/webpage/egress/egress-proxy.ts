import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, Agent, request as sendRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressRecord } from './egress-record'
import type { EgressPolicy, Target } from './egress-policy'
import { findSiteFile } from './page-site'
import type { PageSite } from './page-site'

/** Credentials that the browser must present. Necessary if others can reach the proxy too. */
export interface ProxyCredentials {
  username: string
  password: string
}

interface ProxySettings {
  /** Address to listen on: a loopback address for a browser on this machine. */
  listenHost: string
  credentials?: ProxyCredentials | undefined
}

/** What a page may reach. */
export interface Reachable {
  policy: EgressPolicy
  /** Files that the caller sent, and the host that serves them. */
  site?: { host: string; site: PageSite } | undefined
}

/** Limits for the requests and bytes of one page. */
const MAX_REQUESTS = 3000
const MAX_BYTES = 250_000_000
const MAX_CONNECTIONS = 128
const CONNECT_TIMEOUT_MS = 10_000

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The only way from a page to the network. This forward proxy resolves names itself, connects only to public addresses,
 * and records refused and interrupted requests. It also serves the files of a page without a URL. It refuses everything
 * until `allow` is called.
 */
export class EgressProxy {
  readonly record = new EgressRecord()
  readonly #settings: ProxySettings
  #reachable: Reachable | undefined
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 })
  readonly #sockets = new Set<Duplex>()
  #isClosed = false

  private constructor(settings: ProxySettings) {
    this.#settings = settings
    this.#server = createServer(
      { maxHeaderSize: 65_536 },
      (req, res) => void this.#forward(req, res).catch(() => res.destroy()),
    )
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.on(
      'connect',
      (req: IncomingMessage, socket: Socket, head: Buffer) =>
        void this.#tunnel(req, socket, head).catch(() => socket.destroy()),
    )
    // Through a proxy, WebSockets of pages arrive as tunnels.
    this.#server.on('upgrade', (_req, socket: Duplex) => socket.destroy())
    this.#server.on('clientError', (_error, socket: Duplex) => socket.destroy())
    this.#server.on('connection', (socket: Socket) => this.#keep(socket))
  }

  /** Starts a proxy on a free port. */
  static async open(settings: ProxySettings): Promise<EgressProxy> {
    const egress = new EgressProxy(settings)
    egress.#server.listen(0, settings.listenHost)
    await once(egress.#server, 'listening')
    return egress
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // The server listens on a port, not on a pipe.
  }

  /** Lets the page reach its own files and what the policy allows. */
  allow(reachable: Reachable): void {
    this.#reachable = reachable
  }

  /** Ends every connection at once. */
  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.on('error', () => {}) // The browser closed the connection.
    const url = URL.canParse(req.url ?? '') ? new URL(req.url ?? '') : undefined
    if (!this.#isTrusted(req)) return endWith(res, 407, { 'Proxy-Authenticate': 'Basic realm="sheaf"' })
    if (!url || url.protocol !== 'http:') return endWith(res, 400)
    if (url.host === this.#reachable?.site?.host) return this.#serve(req, res, url)
    if (!this.record.begin(MAX_REQUESTS)) return this.#refuse(res, url.href)
    const target = await this.#reachable?.policy(url.hostname, Number(url.port) || 80)
    if (!target || this.#isClosed) return this.#refuse(res, url.href)
    this.#send(req, res, url, target)
  }

  async #serve(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const file = this.#reachable?.site && (await findSiteFile(this.#reachable.site.site, url.pathname))
    if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) return endWith(res, 404)
    res.writeHead(200, {
      'Content-Type': file.contentType,
      'Content-Length': file.bytes.length,
      'Cache-Control': 'no-store',
    })
    res.end(req.method === 'HEAD' ? undefined : file.bytes)
  }

  #send(req: IncomingMessage, res: ServerResponse, url: URL, target: Target): void {
    const fail = () => {
      if (res.headersSent) res.destroy()
      else this.#refuse(res, url.href)
    }
    const upstream = sendRequest({
      ...target.dial,
      agent: this.#agent,
      method: req.method,
      path: `${url.pathname}${url.search}`,
      headers: forwardable(req.rawHeaders, ['host', url.host]),
      timeout: CONNECT_TIMEOUT_MS,
    })
    upstream.on('socket', socket => {
      this.#keep(socket)
      const check = () => {
        socket.setTimeout(0)
        if (!target.isRight(socket)) socket.destroy()
      }
      if (socket.connecting) socket.once('connect', check)
      else check() // The socket served an earlier request.
    })
    upstream.on('timeout', () => upstream.socket?.connecting && upstream.destroy())
    upstream.on('upgrade', (_response, socket) => socket.destroy())
    upstream.on('error', fail)
    upstream.on('response', response => this.#passOn(response, res, url))
    req.on('data', (chunk: Buffer) => this.#count(chunk.length))
    req.pipe(upstream)
    res.on('close', () => upstream.destroy())
  }

  #passOn(response: IncomingMessage, res: ServerResponse, url: URL): void {
    response.on('data', (chunk: Buffer) => this.#count(chunk.length))
    response.on('error', () => {}) // The `close` event reports the failure.
    response.on('close', () => {
      if (response.complete) return
      if (!res.destroyed) this.record.fail(url.href, 'cut')
      res.destroy()
    })
    res.writeHead(response.statusCode ?? 502, response.statusMessage ?? '', forwardable(response.rawHeaders))
    res.flushHeaders()
    response.pipe(res)
  }

  async #tunnel(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(req.url ?? '') ?? []
    if (!this.#isTrusted(req))
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="sheaf"\r\nContent-Length: ' +
          '0\r\n\r\n',
      )
    const origin = `${host}:${port}`
    const isAllowed = host !== undefined && this.record.begin(MAX_REQUESTS) && host !== this.#reachable?.site?.host
    const target = isAllowed ? await this.#reachable?.policy(host, Number(port)) : undefined
    if (!target || this.#isClosed) return this.#refuseTunnel(socket, origin)
    const upstream = connect(target.dial)
    this.#keep(upstream)
    upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.connecting && upstream.destroy())
    upstream.on('error', () => this.#refuseTunnel(socket, origin))
    upstream.once('connect', () => {
      upstream.setTimeout(0)
      if (!target.isRight(upstream)) return upstream.destroy()
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      for (const end of [upstream, socket]) end.on('data', (chunk: Buffer) => this.#count(chunk.length))
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }

  /** Blocked and unreachable hosts get the same response. */
  #refuse(res: ServerResponse, url: string): void {
    this.record.fail(url, 'unreachable')
    endWith(res, 502)
  }

  #refuseTunnel(socket: Socket, origin: string): void {
    this.record.fail(origin, 'unreachable')
    if (socket.writable) socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
  }

  #count(bytes: number): void {
    if (this.record.add(bytes, MAX_BYTES)) return
    for (const socket of this.#sockets) socket.destroy()
  }

  #keep(socket: Duplex): void {
    if (this.#sockets.has(socket)) return
    this.#sockets.add(socket)
    socket.on('error', () => {}) // The user of the socket handles its end.
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #isTrusted(req: IncomingMessage): boolean {
    const { credentials } = this.#settings
    if (!credentials) return true
    const expected = Buffer.from(
      `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
    )
    const presented = Buffer.from(req.headers['proxy-authorization'] ?? '')
    return presented.length === expected.length && timingSafeEqual(presented, expected)
  }
}

function endWith(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (res.headersSent) return void res.destroy()
  res.writeHead(status, { 'Content-Length': 0, ...headers })
  res.end()
}

/**
 * Returns headers in their original spelling, without hop-by-hop headers. `replacements` override headers of the same
 * name.
 */
function forwardable(raw: string[], ...replacements: [string, string][]): string[] {
  const pairs = Array.from(
    { length: raw.length / 2 },
    (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? ''] as const,
  )
  const connectionHeaders = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
  const dropped = new Set([
    ...HOP_BY_HOP,
    ...connectionHeaders.map(name => name.trim()),
    ...replacements.map(([name]) => name),
  ])
  return [...replacements, ...pairs.filter(([name]) => !dropped.has(name.toLowerCase()))].flat()
}
