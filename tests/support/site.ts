import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net'

/** The response of a test's site: HTML, or a function that writes it. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A website on a separate loopback port. */
export interface TestSite {
  base: string
  host: string
  /** Requests so far, as `METHOD /path`. */
  requests: string[]
  /** Headers of the last request to a path. */
  headersOf(path: string): IncomingMessage['headers'] | undefined
  close(): Promise<void>
}

/** Starts a site. Unknown paths return 404. */
export async function startSite(routes: Record<string, Route>): Promise<TestSite> {
  const requests: string[] = []
  const headers = new Map<string, IncomingMessage['headers']>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    requests.push(`${request.method} ${path}`)
    headers.set(path, request.headers)
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (typeof route === 'function') return route(request, response)
    response
      .writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(route ?? 'not here')
  })
  const port = await listen(server)
  return {
    base: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    headersOf: path => headers.get(path),
    close: () => {
      server.closeAllConnections()
      return end(server)
    },
  }
}

/** A port that nothing may connect to. Counts every connection, whatever its protocol. */
export interface Canary {
  port: number
  touched: string[]
  close(): Promise<void>
}

/** Starts a canary on 127.0.0.1, or on another IP address of this machine. */
export async function startCanary(host = '127.0.0.1'): Promise<Canary> {
  const touched: string[] = []
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket)
    const at = touched.push('a connection') - 1
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      touched[at] = chunk.toString('latin1').split('\r\n')[0] ?? ''
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nCANARY')
    })
  })
  const port = await listen(server, host)
  return {
    port,
    touched,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return end(server)
    },
  }
}

function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port)) // The server listens on a port.
  })
}

function end(server: Server | TcpServer): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
  })
}
