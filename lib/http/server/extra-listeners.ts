import { spawn } from 'node:child_process'
import { createServer, type Server, type Socket } from 'node:net'

/** Connections that are taken in one round of the event loop, besides the server's own. */
const DOORS = 7
const HELPER_MS = 5000

/** Sends the port that it is given as often as it is told, and ends. */
const GIVE_BACK = `process.on('message', (count, port) => {
  for (let left = count; left > 0; left--) process.send(left, port, undefined, left > 1 ? undefined : () => process.disconnect())
})`

/**
 * Further handles of a listening server's port. libuv takes one connection from a handle in each round of the event
 * loop (https://github.com/libuv/libuv/pull/3696); under load a round lasts as long as a call, so that new connections,
 * whose ever they are, waited in the system's queue behind those of a client that opens many, where no turns are taken.
 * Node.js has no call for a second handle of a port, but a process that is sent one can send it back; Node's own
 * cluster passes ports that way. Where no process can be started there are none, and the server works as it would
 * without.
 *
 * `take` gets each connection. Close them with the server.
 */
export async function openExtraListeners(server: Server, take: (socket: Socket) => void): Promise<Server[]> {
  const helper = spawn(process.execPath, ['-e', GIVE_BACK], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: HELPER_MS,
  })
  const doors: Server[] = []
  const ended = new Promise<void>(resolve => {
    helper.once('error', () => resolve())
    helper.once('close', () => resolve())
  })
  helper.on('message', (_, handle) => {
    // As Node's HTTP server has its own connections.
    doors.push(createServer({ allowHalfOpen: true, noDelay: true }, take).listen(handle))
  })
  helper.send(DOORS, handleOf(server), () => {}) // an error ends the helper as well
  await ended
  return doors
}

/** The handle itself: a server that is sent would take connections in the other process. */
function handleOf(server: Server): Server {
  return (server as unknown as { _handle: Server })._handle // where `listen` takes it from as well
}
