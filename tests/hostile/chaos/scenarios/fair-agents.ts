import { eventually } from '../../../contract/client'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { SMALL_FILE } from '../odd-files'
import { type Context, judge, type Row, type Scenario } from '../scenario'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 100_000
const CONNECTIONS = 16
const REFUND_MS = 60_000
const ATTACKS = {
  mcpBatches: { what: 'batches of tool calls', expected: /^400 -32700$/ },
  mcpLeaving: { what: 'agents that hang up on work', expected: /^(left|cut|429 -32600|200)$/ },
} as const

/** Agents that send what HTTP can't: many requests in one message, and requests that they cancel. */
export const fairAgents: Scenario = {
  name: 'fair-agents',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `One key sends ${Object.values(ATTACKS)
      .map(({ what }) => what)
      .join(', then ')} over MCP, ${CONNECTIONS} at once. Metrics are on. Nothing is charged, and the key works ` +
    `afterward. ${OTHER_KEY_RULE}`,
  async run(context) {
    await context.environment.start({ METRICS_PORT: '0' })
    const names = Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]
    const rows: Row[] = []
    for (const name of context.isQuick ? names.slice(0, 1) : names) rows.push(...(await tryAttack(context, name)))
    return rows
  },
}

async function tryAttack({ environment, ...context }: Context, name: keyof typeof ATTACKS): Promise<Row[]> {
  const { what, expected } = ATTACKS[name]
  const attacker = await environment.createClient(`${name.toLowerCase()}@example.test`, { credits: CREDITS })
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const before = await attacker.balance()
  const { rows, outcome } = await workBeside({ client, works: ['files'], what: ` beside ${what}`, context }, () =>
    startAttack(name, attacker, { connections: CONNECTIONS }),
  )
  const balance = await eventually(attacker.balance, seen => seen === before, REFUND_MS)
  const { status } = await attacker.callTool('rotate-pdf', SMALL_FILE, { angle: 90 })
  return [
    ...rows,
    judge(
      `${what} are free, and their key works afterward`,
      [
        ...[...outcome.keys()].map(one => (expected.test(one) ? undefined : one)),
        balance === before ? undefined : `the balance is ${balance}, ${before} before`,
        status === 200 ? undefined : `${status} afterward`,
      ],
      describeOutcomes(outcome),
    ),
  ]
}
