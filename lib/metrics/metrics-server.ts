import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface MetricsServerSettings {
  host: string
  port: number
  contentType: string
  /** Returns all metrics as text. */
  read(): Promise<string>
  onError(error: unknown): void
}

/** A listener that serves only `GET /metrics`. */
export interface MetricsServer {
  /** Such as `http://127.0.0.1:9464/metrics`. */
  address: string
  close(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 5000
const MOST_CONNECTIONS = 20

/** Opens the port. Rejects with an Error that names the variable to change. */
export async function openMetricsServer(settings: MetricsServerSettings): Promise<MetricsServer> {
  const { host, port } = settings
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (req, res) => {
    const isKnown = req.url?.split('?', 1)[0] === '/metrics'
    if (isKnown && (req.method === 'GET' || req.method === 'HEAD')) void respond(res, settings)
    else res.writeHead(isKnown ? 405 : 404, isKnown ? { Allow: 'GET, HEAD' } : {}).end()
  })
  server.maxConnections = MOST_CONNECTIONS
  await listen(server, host, port)
  const bound = server.address() as AddressInfo // The server listens on a port.
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}/metrics`,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(res: ServerResponse, { read, contentType, onError }: MetricsServerSettings): Promise<void> {
  try {
    const text = await read()
    res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) }).end(text)
  } catch (error) {
    onError(error)
    res.writeHead(500).end()
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(describeProblem(error.code, host, port))))
    server.listen(port, host, resolve)
  })
}

function describeProblem(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `METRICS_PORT: port ${port} of ${host} is in use. Stop the other program, or set another port.`
  if (code === 'EACCES') return `METRICS_PORT: this user can't listen on port ${port}. Set a port above 1023.`
  return (
    `METRICS_HOST: ${host} isn't an address of this machine (${code}). Use 127.0.0.1, 0.0.0.0, or an address of this ` +
    'machine.'
  )
}
