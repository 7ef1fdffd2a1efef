import { setTimeout as wait } from 'node:timers/promises'
import { OTHER_KEY_RULE, workBeside } from '../beside'
import { judge, type Scenario } from '../scenario'
import { describeOutcomes, startAttack } from '../start-attack'

const ACCOUNTS = 14
const FREE_CREDITS = 100
const BUDGET_MS = 60_000
const PAGE_MS = 58_000
/** Much longer than the work until the first failure and the first 429. */
const MOST_WAIT_MS = 10 * PAGE_MS
/** In a short run the budget and the pages are smaller. */
const QUICK = { FREE_FAILED_WORK_MS: '5000', WEB_TIMEOUT_MS: '8000' }

/** Accounts are free, and failed work is too, so a stranger opens many accounts and lets pages fail. */
export const fairStrangers: Scenario = {
  name: 'fair-strangers',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `${ACCOUNTS} new accounts of one network, which never paid, send web pages that run until their timeout. Together ` +
    `they get ${BUDGET_MS / 1000} s of failed work in 10 minutes, and then 429. ${OTHER_KEY_RULE}`,
  async run(context) {
    const { environment, isQuick } = context
    await environment.start(isQuick ? QUICK : { WEB_TIMEOUT_MS: String(PAGE_MS) })
    const client = await environment.createClient('paying@example.test', { credits: 100_000 })
    const strangers = []
    for (let index = 0; index < ACCOUNTS; index += 1)
      strangers.push(await environment.createClient(`stranger-${index}@example.test`))
    const [first, ...others] = strangers
    if (first === undefined) throw new Error('no account was created')
    const { rows, outcome } = await workBeside(
      { client, works: ['files', 'web pages'], what: ` beside ${ACCOUNTS} accounts that never paid`, context },
      async () => {
        const otherKeys = others.map(({ apiKey }) => apiKey)
        const { until, stop } = await startAttack('endlessPages', first, { connections: 1, otherKeys })
        const seen = Promise.all([until('429 rate_limited'), until('502 conversion_failed')])
        return { stop: () => Promise.race([seen, wait(MOST_WAIT_MS, undefined, { ref: false })]).then(stop) }
      },
    )
    const balances = await Promise.all(strangers.map(stranger => stranger.balance()))
    const failed = [...outcome]
      .filter(([name]) => !/^(429|503|cut)/.test(name))
      .reduce((sum, [, count]) => sum + count, 0)
    return [
      ...rows,
      judge(
        `${ACCOUNTS} accounts of one network get 429 after a few failed pages, and pay nothing`,
        [
          (outcome.get('429 rate_limited') ?? 0) > 0 ? undefined : 'no 429',
          failed > 0 && failed < ACCOUNTS ? undefined : `${failed} pages failed`,
          balances.every(balance => balance === FREE_CREDITS) ? undefined : `balances are ${balances.join(', ')}`,
        ],
        describeOutcomes(outcome),
      ),
    ]
  },
}
