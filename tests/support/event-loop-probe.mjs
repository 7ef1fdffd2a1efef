// Loaded into the server process by tests/support/event-loop.ts. Measures how much CPU time the main thread used between
// two ticks of a short timer. A turn of the event loop that lasts long delays the tick, so its work is in one interval.
// CPU time is used instead of time, because a busy machine delays every tick.
import { openSync, readSync } from 'node:fs'
import { createServer } from 'node:net'

const TICK_MS = 2
const socketPath = process.env.EVENT_LOOP_SOCKET
const isServer = (process.argv[1] ?? '').endsWith('start.mjs') // Engine processes inherit NODE_OPTIONS.

if (isServer && socketPath !== undefined) watch(socketPath)

function watch(path) {
  const readBusyMs = openClock()
  let before = readBusyMs()
  let longest = 0
  const note = () => {
    const now = readBusyMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(note, TICK_MS).unref()
  // The reply takes one more turn, so that work right after a response belongs to its request.
  const reply = socket => {
    note()
    setImmediate(() => {
      note()
      socket.write(`${longest}\n`)
      longest = 0
    })
  }
  createServer(socket => socket.on('data', () => reply(socket)).on('error', () => {}))
    .listen(path)
    .unref()
}

/** Returns the CPU time of this thread on Linux, and of the process elsewhere. */
function openClock() {
  const buffer = Buffer.alloc(100)
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    return () => Number(buffer.latin1Slice(0, readSync(file, buffer, 0, buffer.length, 0)).split(' ', 1)[0]) / 1e6
  } catch {
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
  }
}
