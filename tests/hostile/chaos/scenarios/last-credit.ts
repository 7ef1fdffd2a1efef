import { createClient } from '../../../contract/client'
import { CallLog, type SeenCall } from '../call-log'
import { type Scenario, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { sendCall } from '../load'

const ROUNDS = 20
const AT_ONCE = 50
const GRANT = 100
const ATTEMPTS = 10

/** Many simultaneous requests with an account's last credit. */
export const lastCredit: Scenario = {
  name: 'last-credit',
  description:
    `In each of ${ROUNDS} rounds, ${AT_ONCE} simultaneous requests share a balance of 1. One request returns a file, and ` +
    `${AT_ONCE - 1} are refused.`,
  async run({ environment, times }) {
    const log = new CallLog()
    await environment.start({ ACCOUNT_WAITING: String(GRANT) })
    const { base } = environment.service()
    const email = 'last@example.test'
    const { apiKey } = await environment.createClient(email)
    const send = () => sendCall('good', { base, log }, { email, apiKey })
    const first: SeenCall[] = []
    // On a busy machine, the service refuses some of so many requests. They are sent again.
    for (let attempt = 0; attempt < ATTEMPTS && first.length < GRANT; attempt += 1) {
      const calls = await Promise.all(Array.from({ length: GRANT - first.length }, send))
      first.push(...calls.filter(({ status }) => status === 200))
    }
    const rounds: (string | undefined)[] = []
    const client = createClient(base, apiKey)
    for (let round = 0, asked = times(ROUNDS); round < asked; round += 1) {
      await environment.service().account(email, { credits: 1 })
      log.noteTopUp(email, 1)
      rounds.push(findRoundProblem(await Promise.all(Array.from({ length: AT_ONCE }, send)), await client.balance()))
    }
    return [
      judge("the month's credits are spent one by one: no two files tell the same balance", [findRepeated(first)]),
      judge('one call of each round gets the last credit', rounds),
      ...checkBooks(await environment.readBooks(), log),
    ]
  },
}

function findRoundProblem(calls: SeenCall[], balance: number): string | undefined {
  const files = calls.filter(({ status }) => status === 200)
  const refusals = calls.filter(
    ({ status, charged, balance, error }) =>
      status === 402 && charged === 0 && balance === 0 && error === 'insufficient_credits',
  )
  const isRight = files.length === 1 && files[0]?.balance === 0 && refusals.length === calls.length - 1 && balance === 0
  return isRight ? undefined : `${files.length} files, ${refusals.length} refusals of ${calls.length}; ${balance} left`
}

function findRepeated(calls: SeenCall[]): string | undefined {
  const balances = new Set(calls.map(({ balance }) => balance))
  return balances.size === GRANT ? undefined : `${balances.size} balances on ${calls.length} files`
}
