import { createClient } from '../../contract/client'
import { SMALL_FILE } from './odd-files'

// Sends calls of one key, many at once, until it is told to end: `node flood.mjs <base> <key> <calls>`, with a channel to
// whoever started it, which is told when the first one was answered and, at the end, how many had which status.

const [base = '', apiKey = '', calls = ''] = process.argv.slice(2)
const client = createClient(base, apiKey)
const statuses = new Map<number, number>()
let isOver = false

process.once('message', () => {
  isOver = true
})
process.once('disconnect', () => process.exit(1))

async function keepCalling(): Promise<void> {
  while (!isOver) {
    const { status } = await client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (statuses.size === 1 && statuses.get(status) === 1) process.send?.('begun')
  }
}

await Promise.all(Array.from({ length: Number(calls) }, keepCalling))
process.send?.(statuses, undefined, undefined, () => process.exit(0))
