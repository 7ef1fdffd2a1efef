import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { getExchange } from '../../../lib/http-exchange'
import { createHttpServer, type HttpServer } from '../../../lib/http/server/http-server'

/** A running server that responds with `answer`, like a route of Next.js. */
export interface TestServer extends HttpServer {
  port: number
  close(): Promise<void>
}

export async function startServer(reply: () => Promise<Response> | Response): Promise<TestServer> {
  const errors: unknown[] = []
  const http = createHttpServer({
    isHttps: false,
    dev: false,
    minReadRate: 64 * 1024,
    onError: error => errors.push(error),
    handle: async () => sendResponse(await reply(), getExchange().res),
  })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo // The server listens on a port.
  return {
    ...http,
    port,
    async close() {
      http.server.closeAllConnections()
      if (http.server.listening) await new Promise(resolve => http.server.close(resolve))
      if (errors.length > 0) throw errors[0]
    },
  }
}

/** Writes a route's Response as Next.js does: existing headers stay, Content-Length is not copied. */
async function sendResponse(response: Response, res: ServerResponse): Promise<void> {
  if (res.headersSent) {
    res.statusCode = response.status
    for (const [name, value] of response.headers) res.appendHeader(name, value)
    res.end()
    return
  }
  res.statusCode = response.status
  response.headers.forEach((value, name) => {
    if (name !== 'content-length' && !res.hasHeader(name)) res.appendHeader(name, value)
  })
  if (res.destroyed) return
  if (!response.body) {
    res.end()
    return
  }
  await pipeline(Readable.fromWeb(response.body as ReadableStream), res).catch(() => {}) // The client has disconnected.
}

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  json: Record<string, unknown>
}

interface SendOptions {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends one request and reads its response. */
export function send(
  port: number,
  { method = 'POST', path = '/api/external/x', headers = {}, body = '' }: SendOptions = {},
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const all = { 'content-length': String(Buffer.byteLength(body)), ...headers }
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers: all, agent: false }, res => {
      readResponse(res).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function readResponse(res: IncomingMessage): Promise<ApiResponse> {
  const bytes = await buffer(res)
  const isJson = res.headers['content-type']?.startsWith('application/json')
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    bytes,
    json: isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {},
  }
}

interface RawResponse {
  text: string
  /** How the connection ended: in order, or by a reset. */
  end: 'closed' | 'reset'
}

/** Writes bytes to a connection before it reads the response, like a client that sends first and reads later. */
export function sendRaw(port: number, pieces: Iterable<string | Buffer>): Promise<RawResponse> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let end: RawResponse['end'] = 'closed'
    const source = Readable.from(pieces)
    source.pipe(socket, { end: false })
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => {
      end = 'reset'
      source.destroy()
    })
    socket.on('end', () => source.destroy())
    socket.on('close', () => resolve({ text: Buffer.concat(chunks).toString('latin1'), end }))
  })
}
