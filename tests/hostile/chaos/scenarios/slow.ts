import { setTimeout as wait } from 'node:timers/promises'
import { type Client, toolPath } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { openWire, type Wire, writeHead } from '../../../contract/wire'
import { type Scenario, judge } from '../scenario'
import { patience } from '../patience'

const CONNECTIONS = 200
const BYTE_MS = 1000
const CLOSED_MS = 60_000
/** The service checks for timeouts every two seconds. */
const SPARE_MS = 5000
const CONTROL_MS = 3000
const CONTROL_EVERY_MS = 5000
const DOCUMENT = { name: 'a.pdf', bytes: makePdf() }

/** The part that a slow client sends at once, and the part that follows at a byte per second. */
const WAYS: Record<string, (key: string) => { at: string; after: string }> = {
  'a head': key => ({
    at: '',
    after: writeHead(toolPath('rotate-pdf'), { 'x-api-key': key, 'Content-Length': '100000' }),
  }),
  'a head without a key': () => ({ at: 'GET / HTTP/1.1\r\nHost: a\r\n', after: `X-Slow: ${'a'.repeat(1000)}` }),
  'the body of a call': key => ({
    at: writeHead(toolPath('rotate-pdf'), {
      'x-api-key': key,
      'Content-Type': 'application/json',
      'Content-Length': '100000',
    }),
    after: `{"options":"${'a'.repeat(1000)}`,
  }),
  'the body of a sign-in': () => ({
    at: writeHead('/api/auth/callback/credentials', {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': '100000',
    }),
    after: `email=${'a'.repeat(1000)}`,
  }),
}

/** Clients that keep connections open with a byte per second. */
export const slow: Scenario = {
  name: 'slow',
  databases: ['pglite'],
  description:
    `${CONNECTIONS} connections send a byte per second. They are closed within ${CLOSED_MS / 1000} s, and other clients are ` +
    'served meanwhile.',
  async run({ environment, times, isQuick }) {
    await environment.start()
    const client = await environment.createClient('slow@example.test', { credits: CONNECTIONS })
    // Heads time out after ten seconds, and bodies after a minute, which is too long for a short run.
    const ways = Object.entries(WAYS).filter(([what]) => !isQuick || what.startsWith('a head'))
    const count = Math.max(ways.length, times(CONNECTIONS))
    const state = { isOver: false }
    const controls = callBetween(client, state)
    const closings = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const [what, write] = ways[index % ways.length] ?? ['', () => ({ at: '', after: '' })]
        return holdOpen(client, write(client.apiKey)).then(elapsedMs =>
          elapsedMs <= CLOSED_MS + SPARE_MS ? undefined : `${what}: open after ${elapsedMs.toFixed(0)} ms`,
        )
      }),
    )
    state.isOver = true
    return [
      judge(`${count} slow connections are closed`, closings),
      judge(`a call meanwhile works within ${CONTROL_MS / 1000} s`, await controls),
    ]
  },
}

/**
 * Sends a byte per second until the service closes the connection, or gives up. Returns the milliseconds until then.
 */
async function holdOpen({ base }: Client, { at, after }: { at: string; after: string }): Promise<number> {
  const since = performance.now()
  const wire = await openWire(base)
  if (at !== '') await wire.write(at)
  const elapsed = () => performance.now() - since
  const ended = wire.ended.then(() => true)
  for (const byte of after) {
    if (elapsed() > CLOSED_MS + 2 * SPARE_MS || !(await drip(wire, byte, ended))) break
  }
  wire.hangUp()
  return elapsed()
}

async function drip(wire: Wire, byte: string, ended: Promise<boolean>): Promise<boolean> {
  if (!(await wire.write(byte))) return false
  return !(await Promise.race([ended, wait(BYTE_MS).then(() => false)]))
}

async function callBetween(client: Client, state: { isOver: boolean }): Promise<(string | undefined)[]> {
  const problems: (string | undefined)[] = []
  while (!state.isOver) {
    const since = performance.now()
    const { status } = await client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 })
    const elapsedMs = performance.now() - since
    problems.push(
      status === 200 && elapsedMs <= CONTROL_MS * patience() ? undefined : `${status} after ${elapsedMs.toFixed(0)} ms`,
    )
    await wait(CONTROL_EVERY_MS)
  }
  return problems
}
