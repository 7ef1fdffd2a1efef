import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Client } from '../../contract/client'
import type { ATTACKS, AttackSettings } from './attacks'

/** An attack under way. */
export interface RunningAttack {
  /** Ends it; gives how often its requests came to what: a status with its error, or `cut`. */
  stop(): Promise<Map<string, number>>
}

/**
 * Attacks a service with a key, from a process of its own: customers share no client, and what one of them does there
 * is not the service's work. Resolves once the attack has begun. Throws an Error when the process fails.
 */
export async function startAttack(
  name: keyof typeof ATTACKS,
  { base, apiKey }: Client,
  settings: Omit<AttackSettings, 'base' | 'apiKey'>,
): Promise<RunningAttack> {
  const path = join(import.meta.dirname, 'attack.mjs')
  const child = fork(path, [name, base, apiKey, JSON.stringify(settings)], { serialization: 'advanced' })
  const failure = once(child, 'exit').then(([code]) => {
    throw new Error(`the attack ended with ${String(code)}`)
  })
  failure.catch(() => {}) // it ends in any case; whoever waits for a message hears of it
  await Promise.race([once(child, 'message'), failure])
  return {
    async stop() {
      const told = once(child, 'message')
      child.send('stop')
      const [outcomes] = (await Promise.race([told, failure])) as [Map<string, number>]
      return outcomes
    },
  }
}

/** What came of an attack, the most frequent first. */
export function describeOutcomes(outcomes: Map<string, number>): string {
  return [...outcomes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')
}
