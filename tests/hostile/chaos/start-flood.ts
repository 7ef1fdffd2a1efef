import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Client } from '../../contract/client'

/**
 * Has a key send so many calls at once, from a process of its own: customers share no client, and what one of them waits
 * for its own is not the service's. Resolves once the first call was answered. Throws an Error when the process fails.
 */
export async function startFlood({ base, apiKey }: Client, calls: number): Promise<{ stop(): Promise<Map<number, number>> }> {
  const child = fork(join(import.meta.dirname, 'flood.mjs'), [base, apiKey, String(calls)], { serialization: 'advanced' })
  const failure = once(child, 'exit').then(([code]) => {
    throw new Error(`the flood ended with ${String(code)}`)
  })
  failure.catch(() => {}) // it ends in any case; whoever waits for a message hears of it
  await Promise.race([once(child, 'message'), failure])
  return {
    async stop() {
      const told = once(child, 'message')
      child.send('stop')
      const [statuses] = (await Promise.race([told, failure])) as [Map<number, number>]
      return statuses
    },
  }
}
