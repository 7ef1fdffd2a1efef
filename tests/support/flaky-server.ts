import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server does with one request, after it has read the body. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void

/** A request that a server has read. */
export interface SeenRequest {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A server that does the next step with each request, and the last step with all others. */
export interface FlakyServer {
  base: string
  seen: SeenRequest[]
  close(): Promise<void>
}

/** Starts a server on loopback that acts as the API with these steps. */
export async function startFlakyServer(steps: readonly [Step, ...Step[]]): Promise<FlakyServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const step = steps[Math.min(seen.length, steps.length - 1)] ?? steps[0]
      seen.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      step(response, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // The server listens on a port.
  return {
    base: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

/** The file of every good response. */
export const FILE = Buffer.from('%PDF-1.7 the file of the response')

const HEADERS = {
  'content-type': 'application/pdf',
  'content-disposition': 'attachment; filename="a-rotated.pdf"',
  'x-credits-charged': '1',
  'x-credit-balance': '41',
  'x-request-id': 'req_0000000000000000000000',
}

/** Returns the file. */
export const respond: Step = respondWith({})

/** Returns the file, or a report, with other headers, or without those that are undefined. */
export function respondWith(headers: Record<string, string | undefined>, body: Buffer | string = FILE): Step {
  const kept = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== undefined)
  return response => void response.writeHead(200, Object.fromEntries(kept)).end(body)
}

/** Returns the start of the file and ends the connection. */
export const cutOff: Step = response => {
  response.writeHead(200, { ...HEADERS, 'content-length': String(FILE.length) })
  response.write(FILE.subarray(0, 10), () => response.destroy())
}

/** Returns the start of the file and nothing more. */
export const stallFile: Step = response => void response.writeHead(200, HEADERS).write(FILE.subarray(0, 10))

/** Responds as a proxy that wants a login. */
export const wantLogin: Step = response =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please sign in</html>')

/** Ends the connection without a response. */
export const hangUp: Step = response => void response.destroy()

/** Never responds. */
export const ignore: Step = () => undefined

/** Refuses a request with a body that never ends. */
export const endless: Step = response => {
  const chunk = Buffer.alloc(65_536, 'x')
  const send = () => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', send)
  }
  response.writeHead(500)
  send()
}

/** Refuses a request with the start of a body. */
export const stalled: Step = response => void response.writeHead(500).write('{"error":')

/** Refuses a request with an error of the API. */
export function refuse(status: number, code: string, headers: Record<string, string> = {}): Step {
  return response =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_refused', ...headers })
      .end(JSON.stringify({ error: code, message: `Refused with ${code}.`, requestId: 'req_refused' }))
}
