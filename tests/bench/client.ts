import { Agent, request } from 'node:http'

/** The response to a request, and the time from the first byte sent to the last byte received. */
export interface Reply {
  status: number
  bytes: number
  /** The beginning of the body, if the body isn't a file. */
  beginning: string
  ms: number
  /** Milliseconds by phase, from Server-Timing. */
  timings: Record<string, number>
}

export interface Body {
  contentType: string
  bytes: Buffer
}

/** Sends requests over kept-alive connections, at most `connections` at a time. */
export class Client {
  readonly #agent: Agent
  readonly #base: string
  readonly #apiKey: string

  constructor(base: string, apiKey: string, connections = 8) {
    this.#base = base
    this.#apiKey = apiKey
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  call(path: string, { contentType, bytes }: Body): Promise<Reply> {
    const since = performance.now()
    const headers = { 'content-type': contentType, 'content-length': bytes.length, 'x-api-key': this.#apiKey }
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.#base}${path}`,
        { method: 'POST', agent: this.#agent, headers, timeout: CALL_TIMEOUT_MS },
        incoming => {
          let received = 0
          let beginning = ''
          incoming.on('data', (piece: Buffer) => {
            received += piece.length
            if (incoming.statusCode !== 200) beginning = (beginning + piece.toString('utf8')).slice(0, 300)
          })
          incoming.on('error', reject)
          incoming.on('end', () => {
            const timings = readTimings(String(incoming.headers['server-timing'] ?? ''))
            resolve({
              status: incoming.statusCode ?? 0,
              bytes: received,
              beginning,
              ms: performance.now() - since,
              timings,
            })
          })
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${CALL_TIMEOUT_MS} ms`)))
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  }

  /** Like `call`, but throws if the status is not 200. */
  async succeed(path: string, body: Body): Promise<Reply> {
    const reply = await this.call(path, body)
    if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}: ${reply.beginning}`)
    return reply
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A request body as a form with one file. */
export function multipartBody(file: Uint8Array, options: Record<string, unknown>): Body {
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="in.pdf"\r\nContent-Type: ` +
    `application/pdf\r\n\r\n`
  const tail =
    `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; ` +
    `name="options"\r\n\r\n${JSON.stringify(options)}\r\n--${BOUNDARY}--\r\n`
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([Buffer.from(head), file, Buffer.from(tail)]),
  }
}

/** A request body as JSON with one file in base64. */
export function jsonBody(file: Uint8Array, options: Record<string, unknown>): Body {
  const base64 = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('base64')
  return {
    contentType: 'application/json',
    bytes: Buffer.from(`{"file":{"name":"in.pdf","dataBase64":"${base64}"},"options":${JSON.stringify(options)}}`),
  }
}

/** The path of a PDF tool. */
export const toolPath = (tool: string) => `/api/external/pdf-tools/${tool}`

function readTimings(header: string): Record<string, number> {
  const entries = [...header.matchAll(/([a-z-]+);dur=([\d.]+)/g)].map(
    ([, phase = '', ms]) => [phase, Number(ms)] as const,
  )
  return Object.fromEntries(entries)
}

const BOUNDARY = 'bench-boundary-7d1f0c'
const CALL_TIMEOUT_MS = 60_000
