import { setTimeout as wait } from 'node:timers/promises'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Context, judge, type Row, type Scenario } from '../scenario'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 100_000
const CONNECTIONS = [4, 16]
/** Far less than the default, so that the budget ends within the run. */
const BUDGET_MS = 30_000
const QUICK_BUDGET_MS = 4000
/** One key has at least one engine all the time. Uploads and refusals take time too. */
const SPARE_SHARE = 4
const SECOND_MS = 1000

/** Broken archives are free, so an attacker sends those that take longest. */
export const fairArchives: Scenario = {
  name: 'fair-archives',
  databases: ['pglite'],
  quickOn: 'pglite',
  runsAlone: true,
  description:
    `One key sends ZIP bombs of pages on ${CONNECTIONS.join(', then ')} connections, 24 MB each. All are refused for ` +
    `free. After ${BUDGET_MS / SECOND_MS} seconds of failed work, this key gets 429. ${OTHER_KEY_RULE}`,
  async run(context) {
    const budgetMs = context.isQuick ? QUICK_BUDGET_MS : BUDGET_MS
    await context.environment.start({ FAILED_WORK_MS: String(budgetMs) })
    const rows: Row[] = []
    for (const connections of context.isQuick ? CONNECTIONS.slice(0, 1) : CONNECTIONS)
      rows.push(...(await tryConnections(context, { connections, budgetMs })))
    return rows
  },
}

async function tryConnections(
  context: Context,
  { connections, budgetMs }: { connections: number; budgetMs: number },
): Promise<Row[]> {
  const { environment, isQuick } = context
  const client = await environment.createClient('beside@example.test', { credits: CREDITS })
  const attacker = await environment.createClient(`archives-${connections}@example.test`, { credits: CREDITS })
  const before = await attacker.balance()
  const works = isQuick ? (['files'] as const) : (['files', 'web pages'] as const)
  const { rows, outcome } = await workBeside(
    { client, works, what: ' beside ZIP bombs of pages', context },
    async () => {
      const { stop } = await startAttack('pageArchives', attacker, { connections })
      const longEnough = wait(budgetMs * SPARE_SHARE)
      return { stop: () => longEnough.then(stop) }
    },
  )
  const isRight = (one: string) => one === '400 invalid_payload' || one === '429 rate_limited'
  const balance = await attacker.balance()
  return [
    ...rows,
    judge(
      `${connections} connections with ZIP bombs of pages get 400 for free, and then 429`,
      [
        ...[...outcome.keys()].map(one => (isRight(one) ? undefined : one)),
        ...['400 invalid_payload', '429 rate_limited'].map(one => (outcome.has(one) ? undefined : `no ${one}`)),
        balance === before ? undefined : `the balance is ${balance}, ${before} before`,
      ],
      describeOutcomes(outcome),
    ),
  ]
}
