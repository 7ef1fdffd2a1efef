import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type ApiResponse, describeResponse } from './client'

/** A connection for handwritten requests. */
export interface Wire {
  /** Writes bytes and waits until the system accepted them. Returns false if the connection accepts no more. */
  write(bytes: string | Buffer): Promise<boolean>
  /** The first response other than 100 Continue. Rejects if the connection ends early. */
  response: Promise<ApiResponse>
  /** Whether a 100 Continue arrived. */
  wasInvited(): boolean
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  /** How the connection ended for the client: the server's end, or an error. */
  ended: Promise<'closed' | 'reset'>
  socket: Socket
  /** Disconnects without a message. */
  hangUp(): void
}

/** Connects to a service. */
export async function openWire(base: string): Promise<Wire> {
  const { hostname, port } = new URL(base)
  // A half-open connection: the client may continue to send after the server has finished.
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
  response.catch(() => {}) // The waiting promise rejects with the error.
  socket.on('error', () => {
    failure = 'reset'
  })
  const ended = new Promise<'closed' | 'reset'>(resolve => {
    socket.once('end', () => resolve('closed'))
    socket.once('close', () => resolve(failure))
  })
  return {
    async write(bytes) {
      await setImmediate() // Without this pause, endless writes would prevent reading.
      if (!socket.writable) return false
      // The callback also runs if the connection ends meanwhile.
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

/** Collects chunks until they form a response with a Content-Length. Large ones are joined only once. */
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
