import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Reads the event loop of a service from inside its process. */
export interface EventLoopProbe {
  /** Starts the service with the probe. */
  env: Record<string, string>
  /** The CPU time in ms of the longest turn of the event loop since the last reading. */
  readLongestMs(): Promise<number>
  close(): Promise<void>
}

/** Creates a probe. `env` belongs to the environment of `startService`, and the readings work once it is ready. */
export async function createEventLoopProbe(): Promise<EventLoopProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-loop-'))
  const path = join(folder, 'socket')
  const preload = new URL('event-loop-probe.mjs', import.meta.url).href
  const read = async () => {
    const socket = (current ??= connect(path))
    socket.write('?')
    const [reading] = (await once(socket, 'data')) as [Buffer]
    return Number(reading.toString())
  }
  let current: ReturnType<typeof connect> | undefined
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, EVENT_LOOP_SOCKET: path },
    readLongestMs: read,
    async close() {
      current?.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a second client saw. */
export interface Watch {
  polls: number
  failures: string[]
}

/** Asks for `url` again and again until `stop`, which returns what happened. */
export function pollUntilStopped(url: string, { pauseMs = 50, timeoutMs = 5000 } = {}): { stop(): Promise<Watch> } {
  const watch: Watch = { polls: 0, failures: [] }
  let isStopped = false
  const poll = async () => {
    while (!isStopped) {
      watch.polls++
      const failure = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
        async response => {
          await response.arrayBuffer()
          return response.status === 200 ? undefined : `status ${response.status}`
        },
        (error: unknown) => String(error),
      )
      if (failure !== undefined) watch.failures.push(failure)
      await wait(pauseMs)
    }
    return watch
  }
  const done = poll()
  return {
    stop: () => {
      isStopped = true
      return done
    },
  }
}
