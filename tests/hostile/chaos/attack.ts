import { setMaxListeners } from 'node:events'
import { ATTACKS, type AttackSettings } from './attacks'

// Attacks a service with one key until it receives a stop message: `node attack.mjs <attack> <base> <key> <settings as
// JSON>`. The parent process has a message channel. It learns when the attack has begun, each new result and, at the
// end, the counts of the results.

const [name = '', base = '', apiKey = '', settings = '{}'] = process.argv.slice(2)
const attack = ATTACKS[name as keyof typeof ATTACKS]
const outcomes = new Map<string, number>()
const ending = new AbortController()
setMaxListeners(0, ending.signal) // Every connection adds a listener.
let hasBegun = false

process.once('message', () => ending.abort())
process.once('disconnect', () => process.exit(1))

await attack(
  { base, apiKey, ...(JSON.parse(settings) as Pick<AttackSettings, 'connections'>) },
  {
    signal: ending.signal,
    begin() {
      if (!hasBegun) process.send?.('begun')
      hasBegun = true
    },
    note(outcome) {
      if (!outcomes.has(outcome)) process.send?.(outcome)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    },
  },
)
process.send?.(outcomes, undefined, undefined, () => process.exit(0))
