import { createClient } from '../../contract/client'
import { measureBesideFlood } from '../../hostile/chaos/scenarios/neighbor'
import type { Part } from '../part'

const FLOOD = 64
const CALLS = 300
const CREDITS = 1_000_000
/**
 * Twice the limit of one service alone (`neighbor`): three instances, the balancer, the database and both clients share
 * the same cores.
 */
const MOST_RATIO = 6

/** One customer sends as much as possible to all instances, while another customer sends normal requests. */
export const fairTurns: Part = {
  name: 'fair-turns',
  asks:
    `one key with ${FLOOD} calls at once through the balancer: 95 of 100 calls of another key take ${MOST_RATIO} × ` +
    'their quiet time at most',
  async run({ fleet }) {
    const [flooding, other] = [
      await fleet.createCustomer('flood@example.test', { credits: CREDITS }),
      await fleet.createCustomer('neighbor@example.test', { credits: CREDITS }),
    ]
    const { base } = fleet.balancer
    return measureBesideFlood({
      flooding: createClient(base, flooding.apiKey),
      other: createClient(base, other.apiKey),
      flood: FLOOD,
      calls: CALLS,
      mostRatio: MOST_RATIO,
    })
  },
}
