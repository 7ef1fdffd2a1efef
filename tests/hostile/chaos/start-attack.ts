import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Client } from '../../contract/client'
import type { ATTACKS, AttackSettings } from './attacks'

/** A running attack. */
export interface RunningAttack {
  /** Resolves once a request had this result. */
  until(outcome: string): Promise<unknown>
  /** Ends the attack. Returns the counts of its results: a status with its error, or `cut`. */
  stop(): Promise<Map<string, number>>
}

/**
 * Attacks a service with a key, from a separate process, because customers share no client and the attacker's own work
 * must not count. Resolves once the attack has begun. Throws an Error if the process fails.
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
  failure.catch(() => {}) // The process ends in any case, and the waiting promise learns of it.
  const told = new Set<unknown>()
  child.on('message', message => told.add(message))
  const hear = async <T>(isMeant: (message: unknown) => boolean): Promise<T> => {
    for (;;) {
      const found = [...told].find(isMeant)
      if (found !== undefined) return found as T
      await Promise.race([once(child, 'message'), failure])
    }
  }
  await hear(message => message === 'begun')
  return {
    until: outcome => hear(message => message === outcome),
    stop() {
      child.send('stop')
      return hear(message => message instanceof Map)
    },
  }
}

/** The results of an attack, the most frequent first. */
export function describeOutcomes(outcomes: Map<string, number>): string {
  return [...outcomes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ')
}
