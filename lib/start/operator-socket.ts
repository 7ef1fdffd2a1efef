import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A Unix socket's path holds 108 bytes on Linux and 104 on macOS; longer ones are cut off without a word. */
const LONGEST_PATH_BYTES = 100
const LONGEST_MESSAGE_BYTES = 65_536

/** Answers an operator's request; what it throws is told by its message. */
export type OperatorHandler = (request: unknown) => Promise<unknown>

/**
 * Listens for operators on `operator.sock` in the data folder, which only its owner may enter; on a path too long for a
 * socket in a private temporary folder, whose place is then noted in `operator.path`. The caller holds the lock of the
 * data folder, so that a socket that is there already is a dead process's.
 */
export async function startOperatorSocket(
  dataDir: string,
  handler: OperatorHandler,
): Promise<{ close(): Promise<void> }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  removeOld(dataDir)
  const path = choosePath(dataDir)
  const silent = new Set<Socket>() // have asked nothing yet
  const server = createServer(socket => {
    silent.add(socket)
    socket.on('close', () => silent.delete(socket))
    socket.on('error', () => socket.destroy()) // the operator went away; nobody is left to tell
    void response(socket, request => {
      silent.delete(socket)
      return handler(request)
    })
  })
  await listen(server, path)
  chmodSync(path, 0o600)
  server.unref()
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => {
          removeOld(dataDir)
          resolve()
        })
        for (const socket of silent) socket.destroy()
      }),
  }
}

/**
 * Sends a request to the server of a data folder; undefined when none is listening. Throws an Error with the server's
 * message when it refuses.
 */
export async function askOperatorSocket(dataDir: string, request: unknown): Promise<unknown> {
  const socket = await connect(findPath(dataDir))
  if (socket === undefined) return undefined
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    const reply: unknown = JSON.parse(await readLine(socket))
    if (typeof reply === 'object' && reply !== null && 'result' in reply) return reply.result
    throw new Error(
      typeof reply === 'object' && reply !== null && 'error' in reply
        ? String(reply.error)
        : 'The server gave no answer',
    )
  } finally {
    socket.destroy()
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const mask = process.umask(0o177) // the socket is made at once, and is its owner's alone from its first moment on
    server.listen(path, resolve)
    process.umask(mask)
  })
}

async function response(socket: Socket, handler: OperatorHandler): Promise<void> {
  const reply = await readLine(socket)
    .then(line => handler(JSON.parse(line)))
    .then(
      result => ({ result }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    )
  socket.end(`${JSON.stringify(reply)}\n`)
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > LONGEST_MESSAGE_BYTES) reject(new Error('The message is too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server ended before it answered')))
  })
}

function connect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', error => {
      const code = 'code' in error ? error.code : ''
      if (code === 'ENOENT' || code === 'ECONNREFUSED') resolve(undefined)
      else if (code === 'EACCES')
        reject(
          new Error(`Only the owner of ${dirname(path)} may do this; run the command as the user that runs the server`),
        )
      else reject(error)
    })
  })
}

function choosePath(dataDir: string): string {
  const path = join(dataDir, 'operator.sock')
  if (Buffer.byteLength(path) <= LONGEST_PATH_BYTES) return path
  const place = join(mkdtempSync(join(tmpdir(), 'sheaf-')), 'operator.sock') // mkdtemp makes it for its owner alone
  writeFileSync(noteOf(dataDir), place, { mode: 0o600 })
  return place
}

function findPath(dataDir: string): string {
  return existsSync(noteOf(dataDir)) ? readFileSync(noteOf(dataDir), 'utf8') : join(dataDir, 'operator.sock')
}

function removeOld(dataDir: string): void {
  if (existsSync(noteOf(dataDir))) {
    removeTemporary(findPath(dataDir))
    rmSync(noteOf(dataDir), { force: true })
  }
  rmSync(join(dataDir, 'operator.sock'), { force: true })
}

function removeTemporary(path: string): void {
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // gone already, with the rest of the temporary files; or not empty, and then not ours to remove
  }
}

function noteOf(dataDir: string): string {
  return join(dataDir, 'operator.path')
}
