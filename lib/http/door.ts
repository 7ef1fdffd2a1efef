import type { Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Watches connections come in. */
export interface Door {
  /**
   * Resolves when no connection is left that the system has completed and we have not taken; after `mostMs` at the
   * latest. With `roundMs` the look that found none must have taken less, so that hardly one can have come since.
   */
  untilEmpty(limits: { mostMs: number; roundMs?: number }): Promise<void>
}

/**
 * libuv takes one connection in each round of the event loop, and what a call does takes several rounds. Left alone, calls
 * that have come in are worked on while others wait at the port, in the order in which they came and out of reach of any
 * fairness: one client with many connections then holds up everybody.
 */
export function createDoor(server: Server): Door {
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  return {
    async untilEmpty({ mostMs, roundMs = Infinity }) {
      const until = performance.now() + mostMs
      await setImmediate() // the rest of this round; only a whole one has looked
      for (let isEmpty = false; !isEmpty && performance.now() < until; ) {
        const [before, since] = [accepted, performance.now()]
        await setImmediate()
        isEmpty = accepted === before && performance.now() - since < roundMs
      }
    },
  }
}
