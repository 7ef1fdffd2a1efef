import { spawn } from 'node:child_process'
import { createServer, type Server, type Socket } from 'node:net'

/** Connections accepted in one round of the event loop, in addition to the server's own. */
const EXTRA_LISTENERS = 7
const HELPER_MS = 5000

/** A program that sends the received port back as often as requested, and ends. */
const GIVE_BACK = `process.on('message', (count, port) => {
  for (let left = count; left > 0; left--) process.send(left, port, undefined, left > 1 ? undefined : () => process.disconnect())
})`

/**
 * Further handles of a listening server's port. libuv accepts one connection per handle in each round of the event loop
 * (https://github.com/libuv/libuv/pull/3696). Under load, a round lasts as long as a request. New connections of all
 * clients then waited in the system's backlog behind those of a client that opens many. Node.js has no API for a second
 * handle of a port, but a process that is sent a handle can send it back. Node's own cluster module passes ports in
 * this way. If no process can be started, there are no further handles, and the server works without them.
 *
 * `take` gets each connection. Close the listeners together with the server.
 */
export async function openExtraListeners(server: Server, take: (socket: Socket) => void): Promise<Server[]> {
  const helper = spawn(process.execPath, ['-e', GIVE_BACK], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: HELPER_MS,
  })
  const listeners: Server[] = []
  const ended = new Promise<void>(resolve => {
    helper.once('error', () => resolve())
    helper.once('close', () => resolve())
  })
  helper.on('message', (_, handle) => {
    // Uses the same connection options as Node's HTTP server.
    listeners.push(createServer({ allowHalfOpen: true, noDelay: true }, take).listen(handle))
  })
  helper.send(EXTRA_LISTENERS, handleOf(server), () => {}) // An error ends the helper process too.
  await ended
  return listeners
}

/** Returns the handle itself. If the server were sent, the other process would accept its connections. */
function handleOf(server: Server): Server {
  return (server as unknown as { _handle: Server })._handle // `listen` reads the same member.
}
