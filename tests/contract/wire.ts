import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type ApiResponse, describeResponse } from './client'

/** A connection on which a request is written by hand. */
export interface Wire {
  /** Writes bytes and waits until the system took them; false when the connection takes no more. */
  write(bytes: string | Buffer): Promise<boolean>
  /** The first answer that is no 100 Continue; rejects when the connection ends before it is whole. */
  response: Promise<ApiResponse>
  /** Whether a 100 Continue came. */
  wasInvited(): boolean
  /** Reads nothing from here on, until `resume`. */
  pause(): void
  resume(): void
  /** How it ended for the client: an end of the answer's side, or an error. */
  ended: Promise<'closed' | 'reset'>
  socket: Socket
  /** Hangs up without a word. */
  hangUp(): void
}

/** Connects to a service. */
export async function openWire(base: string): Promise<Wire> {
  const { hostname, port } = new URL(base)
  // Half open: the client may go on sending when the service has said its last.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  const reader = createReader()
  let isInvited = false
  let failure: 'closed' | 'reset' = 'closed'
  const response = new Promise<ApiResponse>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const read = reader.take(chunk)
      if (read === 'continue') isInvited = true
      else if (read) resolve(read)
    })
    for (const end of ['end', 'close'])
      socket.on(end, () => reject(new Error(`the connection ended before an answer: ${reader.describe()}`)))
  })
  response.catch(() => {}) // whoever waits for it is told
  socket.on('error', () => {
    failure = 'reset'
  })
  const ended = new Promise<'closed' | 'reset'>(resolve => {
    socket.once('end', () => resolve('closed'))
    socket.once('close', () => resolve(failure))
  })
  return {
    async write(bytes) {
      await setImmediate() // so that who writes without end still gets to read
      if (!socket.writable) return false
      // Called when the connection ends meanwhile as well.
      return new Promise(resolve => socket.write(bytes, error => resolve(!error)))
    },
    response,
    wasInvited: () => isInvited,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ended,
    socket,
    hangUp: () => socket.destroy(),
  }
}

/** The head of a POST, as text. */
export function writeHead(path: string, headers: Record<string, string>): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}

/** A chunk of a chunked body. */
export function writeChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** Collects pieces until they are an answer with a Content-Length; large ones are put together only once. */
function createReader() {
  let pieces: Buffer[] = []
  let byteLength = 0
  let neededBytes = 0
  return {
    take(piece: Buffer): ApiResponse | 'continue' | undefined {
      pieces.push(piece)
      byteLength += piece.length
      if (byteLength < neededBytes) return undefined
      const bytes = Buffer.concat(pieces)
      pieces = [bytes]
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      const { status, headers } = parseHead(bytes.subarray(0, end).toString('latin1'))
      if (status === 100) {
        pieces = [bytes.subarray(end + 4)]
        byteLength -= end + 4
        return 'continue'
      }
      neededBytes = end + 4 + Number(headers['content-length'])
      return byteLength < neededBytes
        ? undefined
        : describeResponse(status, headers, bytes.subarray(end + 4, neededBytes))
    },
    describe: () => Buffer.concat(pieces).toString('latin1').slice(0, 300),
  }
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers }
}
