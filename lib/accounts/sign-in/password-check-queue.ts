import { createConcurrencySlots, type ConcurrencySlots } from '../../../db/concurrency-slots'
import { singleton } from '../../registry'
import { findNetwork } from '../../calls/network'

/** Passwords of one network that may be in line before those of other networks; its further ones wait behind them. */
const AT_ONCE = 2

/**
 * Looks at a password when it is its client's turn: one network, however many requests it sends, takes only a small
 * part of the places that all networks share. The number of those that wait is bounded by the limits on attempts.
 */
export async function inPasswordCheckQueue<T>(clientAddress: string, work: () => Promise<T>): Promise<T> {
  const { network, site } = findNetwork(clientAddress)
  const name = site ?? network
  const turns = singleton('password-turns', () => new Map<string, ConcurrencySlots>())
  const slots = turns.get(name) ?? createConcurrencySlots(AT_ONCE)
  turns.set(name, slots)
  try {
    return await slots.run(work)
  } finally {
    if (slots.status().used === 0 && turns.get(name) === slots) turns.delete(name)
  }
}
