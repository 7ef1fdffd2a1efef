import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Answer, describeAnswer } from './client'

/** A connection on which a request is written by hand. */
export interface Wire {
  /** Writes bytes and waits until the system took them; false when the connection takes no more. */
  write(bytes: string | Buffer): Promise<boolean>
  /** The first answer that is no 100 Continue; rejects when the connection ends before it is whole. */
  answer: Promise<Answer>
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
  let received = Buffer.alloc(0)
  let isInvited = false
  let failure: 'closed' | 'reset' = 'closed'
  const answer = new Promise<Answer>((resolve, reject) => {
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      const parsed = parseAnswer(received)
      if (parsed === 'continue') {
        isInvited = true
        received = received.subarray(received.indexOf('\r\n\r\n') + 4)
      } else if (parsed) {
        resolve(parsed)
      }
    })
    socket.on('close', () => reject(new Error(`the connection ended before an answer: ${received.toString('latin1').slice(0, 300)}`)))
  })
  answer.catch(() => {}) // whoever waits for it is told
  socket.on('error', () => {
    failure = 'reset'
  })
  const ended = new Promise<'closed' | 'reset'>(resolve => {
    socket.once('end', () => resolve('closed'))
    socket.once('close', () => resolve(failure))
  })
  return {
    write: bytes =>
      new Promise(resolve => {
        if (!socket.writable) return resolve(false)
        socket.once('close', () => resolve(false))
        socket.write(bytes, error => resolve(!error))
      }),
    answer,
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
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** A chunk of a chunked body. */
export function writeChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

function parseAnswer(bytes: Buffer): Answer | 'continue' | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  if (status === 100) return 'continue'
  const headers = Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const body = bytes.subarray(end + 4)
  const length = Number(headers['content-length'] ?? Number.NaN)
  return body.length >= length ? describeAnswer(status, headers, body.subarray(0, length)) : undefined
}
