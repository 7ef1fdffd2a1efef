import { setMaxListeners } from 'node:events'
import { ATTACKS, type AttackSettings } from './attacks'

// Attacks a service with one key until it is told to end: `node attack.mjs <attack> <base> <key> <settings as JSON>`,
// with a channel to whoever started it, which is told when the attack has begun and, at the end, how often it came to
// what.

const [name = '', base = '', apiKey = '', settings = '{}'] = process.argv.slice(2)
const attack = ATTACKS[name as keyof typeof ATTACKS]
const outcomes = new Map<string, number>()
const ending = new AbortController()
setMaxListeners(0, ending.signal) // every connection listens to it
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
    note: outcome => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
  },
)
process.send?.(outcomes, undefined, undefined, () => process.exit(0))
