import type { Client } from '../../../contract/client'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { SMALL_FILE } from '../odd-files'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 1_000_000
const SIZES = [64, 250, 1200]
/** The default of ACCOUNT_WAITING. In order of arrival, so many requests of the attacker would run first. */
const WAITING = 64
const OVERTAKING = 5
/** A short run shares its machine, so no request may time out. */
const QUICK = { TOOL_TIMEOUT_MS: '300000', SLOT_TIMEOUT_MS: '300000' }

/** More requests that take seconds each than the queue can hold. */
export const fairQueue: Scenario = {
  name: 'fair-queue',
  databases: ['pglite'],
  quickOn: 'pglite',
  runsAlone: true,
  description: `One key sends ${SIZES.map(size => size.toLocaleString('en')).join(', then ')} slow requests at once. Every request of another key works. ${OTHER_KEY_RULE}`,
  async run(context) {
    await context.environment.start(context.isQuick ? QUICK : {})
    const rows: Row[] = []
    for (const connections of context.isQuick ? SIZES.slice(1, 2) : SIZES)
      rows.push(...(await trySize(context, connections)))
    return rows
  },
}

async function trySize(context: Context, connections: number): Promise<Row[]> {
  const { environment } = context
  const attacker = await environment.createClient('queue@example.test', { credits: CREDITS })
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const what = ` beside ${connections} long requests`
  const overtaking: (string | undefined)[] = []
  const { rows, outcome } = await workBeside(
    { client, works: context.isQuick ? ['files'] : ['files', 'web pages'], what, context },
    async () => {
      const attack = await startAttack('longWork', attacker, { connections })
      for (let left = OVERTAKING; left > 0; left -= 1) overtaking.push(await overtake(client, attacker))
      return attack
    },
  )
  const isRight = (one: string) => one === '200' || one === '429 rate_limited' || one === '503 service_unavailable'
  return [
    ...rows,
    judge(`a request of another key overtakes the queue of ${connections} long requests`, overtaking),
    judge(
      `${connections} long requests wait, or are told to come later`,
      [...outcome.keys()].map(one => (isRight(one) ? undefined : one)),
      describeOutcomes(outcome),
    ),
  ]
}

/** Sends a request. Returns a problem if many of the attacker's waiting requests began before it ended. */
async function overtake(client: Client, attacker: Client): Promise<string | undefined> {
  const before = await attacker.balance()
  const { status } = await client.callToolAsForm('rotate-pdf', SMALL_FILE, { angle: 90 })
  const begun = before - (await attacker.balance())
  return status === 200 && begun < WAITING / 2 ? undefined : `${status}, ${begun} of the attacker's requests came first`
}
