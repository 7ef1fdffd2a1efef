import { createConcurrencySlots, type ConcurrencySlots } from '../../../db/concurrency-slots'
import { singleton } from '../../registry'
import { findNetwork } from '../../requests/network'

/** Number of password checks of one network that can be ahead of other networks. Further checks wait behind them. */
const CHECKS_PER_NETWORK = 2

/**
 * Runs a password check when its client's place in the queue comes up. However many requests a network sends, it takes
 * only a small part of the shared places. The limits on attempts bound the length of the queue.
 */
export async function inPasswordCheckQueue<T>(clientAddress: string, work: () => Promise<T>): Promise<T> {
  const { network, site } = findNetwork(clientAddress)
  const name = site ?? network
  const slotsByNetwork = singleton('password-turns', () => new Map<string, ConcurrencySlots>())
  const slots = slotsByNetwork.get(name) ?? createConcurrencySlots(CHECKS_PER_NETWORK)
  slotsByNetwork.set(name, slots)
  try {
    return await slots.run(work)
  } finally {
    if (slots.status().used === 0 && slotsByNetwork.get(name) === slots) slotsByNetwork.delete(name)
  }
}
