import {
  type ApiResponse,
  type Client,
  createClient,
  slowSplit,
  toolPath,
  type Upload,
  writeToolBody,
} from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { CallLog } from '../call-log'
import { type Scenario, judge } from '../scenario'
import { checkBooks } from '../invariants'

const PAIRS = 200
const AT_ONCE = 10
const CREDITS = 1000
/** Delivered replays of one key. */
const REPLAYS = 3
/** The number of keys with unlimited replays, in parallel and in sequence, and the number of these replays. */
const WORN_KEYS = 20
const WORN_CALLS = 12
/** Replays of each key whose client disconnects. */
const LEFT_CALLS = 2
const LEAVE_MS = 150
/** Enough to keep an engine busy for longer than that. */
const WORN_PARTS = 300
const DOCUMENT: Upload = { name: 'pair.pdf', bytes: makePdf() }
const LONG: Upload = { name: 'pair.pdf', bytes: makePdf({ pages: 40 }) }

/** The same request twice at the same moment, with one key. */
export const idempotency: Scenario = {
  name: 'idempotency',
  quickOn: 'postgres',
  description:
    `${PAIRS} pairs of simultaneous requests share an \`Idempotency-Key\`. Each pair is charged once. The second request gets ` +
    `409 or a replay. ${WORN_KEYS} other keys are used ${WORN_CALLS} more times each. They get ${REPLAYS} replays, and then 409.`,
  async run({ environment, times }) {
    const log = new CallLog()
    await environment.start()
    const email = 'pairs@example.test'
    const { apiKey } = await environment.createClient(email, { credits: CREDITS })
    log.noteTopUp(email, CREDITS)
    const client = createClient(environment.service().base, apiKey)
    const call = async (pair: number): Promise<ApiResponse | undefined> => {
      const key = { 'idempotency-key': `pair ${pair}` }
      let response: ApiResponse | undefined
      await log.record(
        email,
        async () =>
          (response = await (pair % 2
            ? client.callTool('split-pdf', LONG, slowSplit(5), key)
            : client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }, key))),
      )
      return response
    }
    const asked = times(PAIRS)
    const pairs: (string | undefined)[] = []
    const repeats: (string | undefined)[] = []
    for (let next = 0; next < asked; next += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, asked - next) }, (_, index) => next + index)
      pairs.push(
        ...(await Promise.all(
          numbers.map(async pair => findPairProblem(pair, await Promise.all([call(pair), call(pair)]))),
        )),
      )
      repeats.push(...(await Promise.all(numbers.map(async pair => findRepeatProblem(pair, await call(pair))))))
    }
    const worn = await Promise.all(
      Array.from({ length: times(WORN_KEYS) }, (_, number) => wearOut(client, { email, log, key: `worn ${number}` })),
    )
    const books = await environment.readBooks()
    const charges =
      books.entries.filter(({ kind }) => kind === 'charge').length -
      books.entries.filter(({ kind }) => kind === 'refund').length
    return [
      judge('one of a pair is charged, the other one waits for another time or is a replay', pairs),
      judge('a third call later is a replay', repeats),
      {
        what: 'charges in the ledger, refunds taken off',
        done: charges,
        asked: asked + worn.length,
        problems: charges === asked + worn.length ? [] : [`${charges} net charges for ${asked + worn.length} keys`],
      },
      judge(
        `of a key that is used ${WORN_CALLS} times more, ${REPLAYS} replays are delivered; those that were not ` +
          `don't count`,
        worn,
      ),
      ...checkBooks(books, log),
    ]
  },
}

/** Uses a key far more often than allowed, half of the times in pairs. Returns the problems. */
async function wearOut(
  client: Client,
  { email, log, key }: { email: string; log: CallLog; key: string },
): Promise<string | undefined> {
  const responses: (ApiResponse | undefined)[] = []
  const call = async (signal?: AbortSignal) => {
    let response: ApiResponse | undefined
    const body = JSON.stringify(writeToolBody(LONG, slowSplit(WORN_PARTS)))
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    await log.record(
      email,
      async () =>
        (response = await client.send({ path: toolPath('split-pdf'), body, headers, ...(signal && { signal }) })),
    )
    responses.push(response)
  }
  await call()
  for (let left = LEFT_CALLS; left > 0; left -= 1) {
    await call(AbortSignal.timeout(LEAVE_MS))
    responses.pop()
  }
  for (let round = 0; round < WORN_CALLS / 3; round += 1) {
    await Promise.all([call(), call()])
    await call()
  }
  const replays = responses.filter(isReplay).length
  const refused = responses.filter(response => response?.status === 409 && response.charged === 0)
  const last = responses.at(-1)
  const isRight = responses[0]?.charged === 1 && replays === REPLAYS && refused.length === WORN_CALLS - REPLAYS
  return isRight && last?.json['error'] === 'idempotency_key_reused'
    ? undefined
    : `${key}: ${responses.map(tell).join(', ')}`
}

/** The problems in the responses to two simultaneous requests with one key. Exactly one must be charged. */
export function findPairProblem(pair: number, responses: (ApiResponse | undefined)[]): string | undefined {
  const charged = responses.filter(response => response?.status === 200 && response.charged === 1)
  const others = responses.filter(response => !charged.includes(response))
  const areRight = others.every(
    response =>
      isReplay(response) ||
      (response?.status === 409 &&
        response.json['error'] === 'request_in_progress' &&
        response.charged === 0 &&
        Number(response.headers['retry-after']) > 0),
  )
  return charged.length === 1 && areRight ? undefined : `pair ${pair}: ${responses.map(tell).join(' and ')}`
}

/** The problems in the response to a later request with the same key. */
export function findRepeatProblem(pair: number, response: ApiResponse | undefined): string | undefined {
  return isReplay(response) ? undefined : `pair ${pair}: ${tell(response)}`
}

function isReplay(response: ApiResponse | undefined): boolean {
  return response?.status === 200 && response.charged === 0 && response.headers['idempotent-replayed'] === 'true'
}

function tell(response: ApiResponse | undefined): string {
  return response === undefined
    ? 'cut'
    : `${response.status} ${JSON.stringify(response.json['error'] ?? 'file')} charged ${response.charged}`
}
