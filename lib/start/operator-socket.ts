import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The path of a Unix socket has at most 108 bytes on Linux and 104 on macOS. Longer paths are silently truncated. */
const LONGEST_PATH_BYTES = 100
const LONGEST_MESSAGE_BYTES = 65_536

/** Handles an operator's request. The client gets the message of a thrown error. */
export type OperatorHandler = (request: unknown) => Promise<unknown>

/**
 * Listens for operators on `operator.sock` in the data folder, which only its owner can access. If the path is too long
 * for a socket, uses a private temporary folder and stores its path in `operator.path`. The caller holds the lock of
 * the data folder, so an existing socket belongs to a dead process.
 */
export async function startOperatorSocket(
  dataDir: string,
  handler: OperatorHandler,
): Promise<{ close(): Promise<void> }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  removeSocket(dataDir)
  const path = choosePath(dataDir)
  /** Connections that haven't sent a request yet. */
  const idleSockets = new Set<Socket>()
  const server = createServer(socket => {
    idleSockets.add(socket)
    socket.on('close', () => idleSockets.delete(socket))
    socket.on('error', () => socket.destroy()) // The operator closed the connection.
    void answerOperator(socket, request => {
      idleSockets.delete(socket)
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
          removeSocket(dataDir)
          resolve()
        })
        for (const socket of idleSockets) socket.destroy()
      }),
  }
}

/**
 * Sends a request to the server of a data folder. Returns undefined if no server listens. Throws an Error with the
 * server's message if it refuses.
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
        : 'The server returned no result.',
    )
  } finally {
    socket.destroy()
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Listening creates the socket synchronously, with access only for its owner from the start.
    const mask = process.umask(0o177)
    server.listen(path, resolve)
    process.umask(mask)
  })
}

async function answerOperator(socket: Socket, handler: OperatorHandler): Promise<void> {
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
    socket.on('close', () => reject(new Error('The server stopped before it replied.')))
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
        reject(new Error(`Only the owner of ${dirname(path)} can do this. Run the command as the server's user.`))
      else reject(error)
    })
  })
}

function choosePath(dataDir: string): string {
  const path = join(dataDir, 'operator.sock')
  if (Buffer.byteLength(path) <= LONGEST_PATH_BYTES) return path
  // mkdtemp creates a folder with access only for its owner.
  const temporaryPath = join(mkdtempSync(join(tmpdir(), 'sheaf-')), 'operator.sock')
  writeFileSync(pathFileOf(dataDir), temporaryPath, { mode: 0o600 })
  return temporaryPath
}

function findPath(dataDir: string): string {
  return existsSync(pathFileOf(dataDir)) ? readFileSync(pathFileOf(dataDir), 'utf8') : join(dataDir, 'operator.sock')
}

function removeSocket(dataDir: string): void {
  if (existsSync(pathFileOf(dataDir))) {
    removeTemporary(findPath(dataDir))
    rmSync(pathFileOf(dataDir), { force: true })
  }
  rmSync(join(dataDir, 'operator.sock'), { force: true })
}

function removeTemporary(path: string): void {
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // The folder was already deleted with other temporary files, or it isn't empty and thus not ours.
  }
}

function pathFileOf(dataDir: string): string {
  return join(dataDir, 'operator.path')
}
