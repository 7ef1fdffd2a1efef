import { type Answer, createClient, slowSplit, type Upload } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { CallLog } from '../call-log'
import { type Chapter, judge } from '../chapter'
import { checkBooks } from '../invariants'

const PAIRS = 200
const AT_ONCE = 10
const CREDITS = 1000
const DOCUMENT: Upload = { name: 'pair.pdf', bytes: makePdf() }
const LONG: Upload = { name: 'pair.pdf', bytes: makePdf({ pages: 40 }) }

/** The same call twice at the same moment, with one key. */
export const idempotency: Chapter = {
  name: 'idempotency',
  quickOn: 'postgres',
  asks: `${PAIRS} pairs of concurrent calls with one Idempotency-Key each: charged once; the other one 409 or a replay`,
  async run({ ground, times }) {
    const log = new CallLog()
    await ground.start()
    const email = 'pairs@example.test'
    const { apiKey } = await ground.createClient(email, { credits: CREDITS })
    log.noteTopUp(email, CREDITS)
    const client = createClient(ground.service().base, apiKey)
    const call = async (pair: number): Promise<Answer | undefined> => {
      const key = { 'idempotency-key': `pair ${pair}` }
      let answer: Answer | undefined
      await log.record(email, async () => (answer = await (pair % 2 ? client.callTool('split-pdf', LONG, slowSplit(5), key) : client.callToolAsForm('rotate-pdf', DOCUMENT, { angle: 90 }, key))))
      return answer
    }
    const asked = times(PAIRS)
    const pairs: (string | undefined)[] = []
    const repeats: (string | undefined)[] = []
    for (let next = 0; next < asked; next += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, asked - next) }, (_, index) => next + index)
      pairs.push(...(await Promise.all(numbers.map(async pair => findPairFault(pair, await Promise.all([call(pair), call(pair)]))))))
      repeats.push(...(await Promise.all(numbers.map(async pair => findRepeatFault(pair, await call(pair))))))
    }
    const books = await ground.readBooks()
    const charges = books.entries.filter(({ kind }) => kind === 'charge').length - books.entries.filter(({ kind }) => kind === 'refund').length
    return [
      judge('one of a pair is charged, the other one waits for another time or is a replay', pairs),
      judge('a third call later is a replay', repeats),
      { what: 'charges in the ledger, refunds taken off', done: charges, asked, faults: charges === asked ? [] : [`${charges} net charges for ${asked} keys`] },
      ...checkBooks(books, log),
    ]
  },
}

/** What is wrong with the answers to two calls at once with one key: one of them is charged. */
export function findPairFault(pair: number, answers: (Answer | undefined)[]): string | undefined {
  const charged = answers.filter(answer => answer?.status === 200 && answer.charged === 1)
  const others = answers.filter(answer => !charged.includes(answer))
  const areRight = others.every(answer => isReplay(answer) || (answer?.status === 409 && answer.json['error'] === 'request_in_progress' && answer.charged === 0 && Number(answer.headers['retry-after']) > 0))
  return charged.length === 1 && areRight ? undefined : `pair ${pair}: ${answers.map(tell).join(' and ')}`
}

/** What is wrong with the answer to a later call with the same key. */
export function findRepeatFault(pair: number, answer: Answer | undefined): string | undefined {
  return isReplay(answer) ? undefined : `pair ${pair}: ${tell(answer)}`
}

function isReplay(answer: Answer | undefined): boolean {
  return answer?.status === 200 && answer.charged === 0 && answer.headers['idempotent-replayed'] === 'true'
}

function tell(answer: Answer | undefined): string {
  return answer === undefined ? 'cut' : `${answer.status} ${JSON.stringify(answer.json['error'] ?? 'file')} charged ${answer.charged}`
}
