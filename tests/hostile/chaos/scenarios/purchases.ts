import { setTimeout as wait } from 'node:timers/promises'
import { deliver, startStripe, type StripeDouble, type StripeEvent } from '../../../support/stripe-double'
import type { Books } from '../books'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge } from '../scenario'
import { checkBooks } from '../invariants'
import { signIn } from '../sign-in'

const PURCHASES = 1000
const KILLS = 20
const TIMES_EACH = 3
/** Below the hourly limit. */
const OF_ONE_ACCOUNT = 25
const SENDERS = 8
const CREDITS_PER_CENT = 10
const PASSWORD = 'correct horse battery'
const AMOUNTS = [5, 10, 25, 100, 37]

/** The payments and refunds of one account, in cents. */
interface Buyer {
  email: string
  cents: number
}

/** Every event of many purchases arrives three times, in any order, while the service is killed repeatedly. */
export const purchases: Scenario = {
  name: 'purchases',
  description:
    `Stripe delivers every event of ${PURCHASES.toLocaleString('en')} purchases ${TIMES_EACH} times, in random order. The server is killed ${KILLS} ` +
    'times. The added credits match the payments exactly.',
  async run(context) {
    const { environment, times } = context
    const stripe = await startStripe()
    try {
      await environment.start(stripe.env)
      const { buyers, events, sold } = await sell(context, stripe, times(PURCHASES))
      const kills = await deliverAll(
        context,
        shuffle(Array.from({ length: TIMES_EACH }, () => events).flat(), context.random),
      )
      const books = await environment.readBooks()
      const log = new CallLog()
      for (const { email, cents } of buyers) log.noteTopUp(email, cents * CREDITS_PER_CENT)
      return [
        {
          what: 'purchases',
          done: sold,
          asked: times(PURCHASES),
          problems: [],
          note: `${events.length} events, ${TIMES_EACH} times each`,
        },
        { what: 'kill -9 of the server', done: kills, asked: times(KILLS), problems: [] },
        judge(
          'credited is what was paid less what went back, exactly',
          buyers.map(buyer => findWrongCredits(books, buyer)),
        ),
        ...checkBooks(books, log),
      ]
    } finally {
      await stripe.close()
    }
  },
}

/** Makes accounts buy, with partial and full refunds for some payments. Returns all events of Stripe. */
async function sell({ environment, random, tell }: Context, stripe: StripeDouble, count: number) {
  const buyers: Buyer[] = []
  const events: StripeEvent[] = []
  let sold = 0
  while (sold < count) {
    const buyer = { email: `purchases-${buyers.length}@example.test`, cents: 0 }
    await environment.createClient(buyer.email, { password: PASSWORD })
    const session = await signIn(environment.service().base, buyer.email, PASSWORD)
    for (let index = 0; index < OF_ONE_ACCOUNT && sold < count; index += 1, sold += 1) {
      const dollars = AMOUNTS[Math.floor(random() * AMOUNTS.length)] ?? 5
      const { json } = await session.post('/api/account/purchases', { dollars: String(dollars) })
      const sessionId = String(json['url']).split('/').at(-1) ?? ''
      events.push(stripe.pay(sessionId))
      const { back, told } = sendBack(stripe, { sessionId, cents: dollars * 100, random })
      events.push(...told)
      buyer.cents += dollars * 100 - back
    }
    buyers.push(buyer)
  }
  tell(`${sold} purchases of ${buyers.length} accounts`)
  return { buyers, events, sold }
}

/** What happens to a payment later, mostly nothing. Returns the permanently refunded cents. */
function sendBack(
  stripe: StripeDouble,
  { sessionId, cents, random }: { sessionId: string; cents: number; random(): number },
): { back: number; told: StripeEvent[] } {
  const fate = random()
  if (fate < 0.1) return { back: 300, told: [stripe.refund(sessionId, 100), stripe.refund(sessionId, 200)] }
  if (fate < 0.15) return { back: cents, told: [stripe.refund(sessionId, cents)] }
  if (fate > 0.9)
    return {
      back: cents,
      told: [
        stripe.dispute(sessionId, { type: 'charge.dispute.created', status: 'needs_response' }),
        stripe.dispute(sessionId, { type: 'charge.dispute.closed', status: 'lost' }),
      ],
    }
  if (fate > 0.85)
    return {
      back: 0,
      told: [
        stripe.dispute(sessionId, { type: 'charge.dispute.created', status: 'needs_response' }),
        stripe.dispute(sessionId, { type: 'charge.dispute.closed', status: 'won' }),
      ],
    }
  return { back: 0, told: [] }
}

/** Sends events as Stripe does and repeats an event until it gets 200. Returns the number of kills. */
async function deliverAll({ environment, random, times }: Context, queue: StripeEvent[]): Promise<number> {
  const kills = times(KILLS)
  const aRound = Math.ceil(queue.length / (kills + 1))
  let killed = 0
  while (queue.length > 0) {
    const { base, pid } = environment.service()
    const isLast = killed === kills
    const round = queue.splice(0, isLast ? queue.length : aRound)
    const killAt = isLast ? Number.NaN : Math.floor(random() * round.length)
    const failed: StripeEvent[] = []
    let sent = 0
    const send = async () => {
      for (let event = round.shift(); event !== undefined; event = round.shift()) {
        if (sent === killAt) process.kill(pid, 'SIGKILL')
        sent += 1
        const isTaken = await deliver(base, event).then(
          ({ status }) => status === 200,
          () => false,
        )
        if (!isTaken) failed.push(event)
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, send))
    queue.push(...failed)
    if (isLast) await wait(failed.length > 0 ? RETRY_MS : 0)
    else {
      killed += 1
      await environment.kill()
      await environment.start()
    }
  }
  return killed
}

const RETRY_MS = 500

function findWrongCredits({ accounts, entries }: Books, { email, cents }: Buyer): string | undefined {
  const id = accounts.find(account => account.email === email)?.id
  const credited = entries
    .filter(({ accountId, kind }) => accountId === id && !['grant', 'charge', 'refund', 'adjustment'].includes(kind))
    .reduce((sum, { delta, owed }) => sum + delta - owed, 0)
  return credited === cents * CREDITS_PER_CENT ? undefined : `${email} paid ${cents} cents and was credited ${credited}`
}

function shuffle<T>(all: T[], random: () => number): T[] {
  return all
    .map(one => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
}
