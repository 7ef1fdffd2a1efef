import { setTimeout as wait } from 'node:timers/promises'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { type Scenario, judge, type Row } from '../scenario'
import { describeOutcomes, startAttack } from '../start-attack'

const CREDITS = 100_000
const CONNECTIONS = [8, 32]
/** Ten minutes of failed work per ten minutes. Four pages at a time use the budget up in 150 s. */
const BUDGET_MS = 600_000
/** In a short run the budget and the pages are smaller. */
const QUICK = { FAILED_WORK_MS: '10000', WEB_TIMEOUT_MS: '10000' }
const MINUTE_MS = 60_000
/** Much longer than the work until the first 429. */
const MOST_WAIT_MS = 15 * MINUTE_MS

/** Failed work is free, so a customer causes failures all the time. */
export const fairFailures: Scenario = {
  name: 'fair-failures',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `One key sends ${CONNECTIONS.join(' web pages at once, then ')}, and each runs until its timeout. After ` +
    `${BUDGET_MS / MINUTE_MS} minutes of failed work, this key gets 429. A second key disconnects during its requests. ${OTHER_KEY_RULE}`,
  async run(context) {
    const { environment, isQuick } = context
    await environment.start(isQuick ? QUICK : {})
    const client = await environment.createClient('beside@example.test', { credits: CREDITS })
    const rows: Row[] = []
    for (const connections of isQuick ? CONNECTIONS.slice(0, 1) : CONNECTIONS) {
      const attacker = await environment.createClient(`endless-${connections}@example.test`, { credits: CREDITS })
      const before = await attacker.balance()
      const what = ` beside ${connections} endless pages`
      const { rows: own, outcome } = await workBeside(
        { client, works: isQuick ? ['files'] : ['files', 'web pages'], what, context },
        async () => {
          const { until, stop } = await startAttack('endlessPages', attacker, { connections })
          return {
            stop: () =>
              Promise.race([until('429 rate_limited'), wait(MOST_WAIT_MS, undefined, { ref: false })]).then(stop),
          }
        },
      )
      const balance = await attacker.balance()
      const hasEnded = (outcome.get('429 rate_limited') ?? 0) > 0
      rows.push(
        ...own,
        judge(
          `${connections} endless pages fail for free, and then get 429`,
          [
            hasEnded ? undefined : 'no 429',
            balance === before ? undefined : `the balance is ${balance}, ${before} before`,
          ],
          describeOutcomes(outcome),
        ),
      )
    }
    const leaver = await environment.createClient('leaving@example.test', { credits: CREDITS })
    const what = ' beside clients that hang up on work'
    const { rows: own } = await workBeside({ client, works: ['files'], what, context }, () =>
      startAttack('leaving', leaver, { connections: CONNECTIONS[0] ?? 1 }),
    )
    return [...rows, ...own]
  },
}
