import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../../contract/client'
import { runReconcile } from '../../../support/run-reconcile'
import { deliver, startStripe, type StripeDouble } from '../../../support/stripe-double'
import type { Books } from '../books'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { listRows, withDatabase } from '../edit-database'
import { checkBooks } from '../invariants'
import { createOwner, type Owner, OWNER_PASSWORD, readSessionId, turnOn } from '../top-up-owners'

const ACCOUNTS = 20
const DOLLARS = 10
const CREDITS = 10_000
/** The Stripe double's data about every buyer. */
const BUYER = 'Ada Example'
/** After 150 s, another instance takes over a killed instance's task. */
const MOST_WAIT_MS = 240_000

/** An account with one purchase, a saved card and an open checkout. */
interface Leaver extends Owner {
  id: string
  bought: string
  open: string
}

interface Cast extends Context {
  stripe: StripeDouble
  log: CallLog
}

/** Accounts are deleted while Stripe is unavailable, and their open checkouts are paid afterwards. */
export const purchasesDeleted: Scenario = {
  name: 'purchases-deleted',
  quickOn: 'pglite',
  description:
    `${ACCOUNTS} accounts are deleted while Stripe is unavailable and the server is killed. Checkouts that are paid later ` +
    'are refunded. Customers and cards are deleted at Stripe. No record links a buyer to an account.',
  async run(context) {
    const stripe = await startStripe()
    try {
      await context.environment.start(stripe.env)
      const cast: Cast = { ...context, stripe, log: new CallLog() }
      const leavers: Leaver[] = []
      for (let index = 0; index < context.times(ACCOUNTS); index += 1)
        leavers.push(await createLeaver(cast, `leaver-${index}`))
      await leaveWhileAway(cast, leavers)
      await payLate(cast, leavers)
      return await judgeAll(cast, leavers)
    } finally {
      await stripe.close()
    }
  },
}

async function createLeaver(cast: Cast, name: string): Promise<Leaver> {
  const { environment, stripe, log } = cast
  const owner = await createOwner(cast, name)
  const order = async () =>
    readSessionId((await owner.session.post('/api/account/purchases', { dollars: String(DOLLARS) })).json['url'])
  const [open, bought] = [await order(), await order()]
  await deliver(environment.service().base, stripe.pay(bought))
  await turnOn(cast, stripe, owner)
  log.noteTopUp(owner.email, CREDITS)
  return { ...owner, open, bought, id: String(stripe.sessions.get(bought)?.['client_reference_id']) }
}

async function leaveWhileAway(cast: Cast, leavers: Leaver[]): Promise<void> {
  const { environment, stripe, log } = cast
  stripe.failWith = 500
  for (const { email, session, id } of leavers) {
    const { status } = await session.post('/api/account/delete', { password: OWNER_PASSWORD })
    if (status !== 200) throw new Error(`the deletion of ${email} was answered with ${status}`)
    log.noteTopUp(`${id}@deleted.invalid`, CREDITS)
  }
  await wait(1000)
  log.noteKill(0)
  await environment.kill()
  await environment.start()
  stripe.failWith = undefined
}

/** Each event arrives twice. The customer is new if the checkout was opened before there was one. */
async function payLate(cast: Cast, leavers: Leaver[]): Promise<void> {
  const { environment, stripe, tell } = cast
  const events = leavers.map(({ open }) => stripe.pay(open))
  for (const event of [...events, ...events]) await deliver(environment.service().base, event)
  const isDone = () =>
    leavers.every(
      leaver =>
        findRefunds(stripe, leaver).length > 0 &&
        customersOf(stripe, leaver).every(id => stripe.deletedCustomers.has(id)),
    )
  await eventually(
    () => Promise.resolve(isDone()),
    done => done,
    MOST_WAIT_MS,
  ).catch(() => tell('Stripe was not asked for everything in time'))
}

const customersOf = (stripe: StripeDouble, { open, bought }: Leaver) =>
  [open, bought].map(id => String(stripe.sessions.get(id)?.['customer']))
const paymentOf = (stripe: StripeDouble, sessionId: string) =>
  String(stripe.sessions.get(sessionId)?.['payment_intent'])
const purchaseOf = (stripe: StripeDouble, sessionId: string) =>
  (stripe.sessions.get(sessionId)?.['metadata'] as { purchase_id: string } | undefined)?.purchase_id ?? ''

function findRefunds(stripe: StripeDouble, { open }: Leaver) {
  return [...stripe.askedRefunds.values()].filter(refund => refund['payment_intent'] === paymentOf(stripe, open))
}

async function judgeAll({ environment, stripe, log }: Cast, leavers: Leaver[]): Promise<Row[]> {
  const { code, found } = await runReconcile(environment, stripe.env)
  const reported = JSON.stringify(found['differences'])
  const traces = (await withDatabase(environment, listRows)).filter(row => row.includes(BUYER))
  const books = await environment.readBooks()
  return [
    judge(
      'a checkout that is paid after the deletion is refunded, once and in full',
      leavers.map(leaver => {
        const amounts = findRefunds(stripe, leaver).map(({ amount }) => amount)
        return amounts.length === 1 && amounts[0] === DOLLARS * 100
          ? undefined
          : `of ${leaver.email} ${amounts.join(' and ') || 'nothing'} was refunded`
      }),
    ),
    judge(
      'it is not credited',
      leavers.map(leaver => findWrongCredits(books, leaver)),
    ),
    judge(
      'the reconciliation reports it',
      leavers.map(({ email, open }) =>
        code === 3 && reported.includes(purchaseOf(stripe, open)) ? undefined : `that of ${email} is missing`,
      ),
    ),
    judge(
      'every customer is deleted at Stripe',
      leavers.flatMap(leaver =>
        customersOf(stripe, leaver).map(id =>
          stripe.deletedCustomers.has(id) ? undefined : `${id} of ${leaver.email} is still there`,
        ),
      ),
    ),
    judge('invoices are kept', [traces.length >= leavers.length ? undefined : `${traces.length} rows name a buyer`]),
    judge(
      'no row that names a buyer names an account, a purchase or a payment',
      leavers.map(leaver => findJoin(stripe, traces, leaver)),
    ),
    ...checkBooks(books, log),
  ]
}

function findWrongCredits({ entries }: Books, { id, email }: Leaver): string | undefined {
  const credits = entries
    .filter(({ accountId, kind }) => accountId === id && kind === 'purchase')
    .map(({ delta }) => delta)
  return credits.length === 1 && credits[0] === CREDITS ? undefined : `${email} was credited ${credits.join(' and ')}`
}

function findJoin(stripe: StripeDouble, traces: string[], leaver: Leaver): string | undefined {
  const ids = [
    leaver.id,
    ...customersOf(stripe, leaver),
    ...[leaver.open, leaver.bought].flatMap(id => [id, paymentOf(stripe, id), purchaseOf(stripe, id)]),
  ]
  const found = ids.find(id => traces.some(row => row.includes(id)))
  return found === undefined ? undefined : `${found} stands beside the buyer of ${leaver.email}`
}
