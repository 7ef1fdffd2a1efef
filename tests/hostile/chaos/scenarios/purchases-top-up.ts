import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../../contract/client'
import { type MailServer, startMailServer } from '../../../support/mail-server'
import { deliver, startStripe, type StripeDouble } from '../../../support/stripe-double'
import type { Books } from '../books'
import { CallLog } from '../call-log'
import { type Scenario, type Context, judge, type Row } from '../scenario'
import { withDatabase } from '../edit-database'
import { checkBooks } from '../invariants'
import { isRunning } from '../processes'
import { type CallKind, sendCall } from '../load'
import { createOwner, type Owner, paymentsOf, signInAgain, turnOn } from '../top-up-owners'

const OWNERS_OF_A_KIND = 12
/** The credits that $5 buy. */
const BOUGHT = 5000
/** The interval of the rounds that handle low balances, and the time of several rounds, in which nothing may happen. */
const ROUND_MS = 200
const ROUNDS_MS = 2000
/** After 150 s, another instance takes over a killed instance's notice. */
const MOST_WAIT_MS = 240_000

/** The scenario of each group of owners, and the most requests to charge their card, including failed payments. */
const PAYMENTS = {
  once: 1,
  refunded: 1,
  disputed: 1,
  crossed: 1,
  'turned-off': 0,
  recovered: 0,
  'new-card': 2,
  limited: 2,
  owing: 3,
}
type Kind = keyof typeof PAYMENTS

interface Cast extends Context {
  env: Record<string, string>
  stripe: StripeDouble
  mails: MailServer
  log: CallLog
  owners: Record<Kind, Owner[]>
}

/** Automatic top-up with every kind of failure around it. */
export const purchasesTopUp: Scenario = {
  name: 'purchases-top-up',
  quickOn: 'pglite',
  description:
    `${OWNERS_OF_A_KIND} accounts use automatic top-up in each of ${Object.keys(PAYMENTS).length} cases, such as ` +
    'refunds, disputes, declined cards, debts and limits. Each low balance causes one payment, even while the server ' +
    'is killed. After the owner or a refund turns off automatic top-up, no payment follows.',
  async run(context) {
    const [stripe, mails] = [await startStripe(), await startMailServer()]
    try {
      const mailEnv = { SMTP_URL: mails.url, SMTP_TLS: 'off', MAIL_FROM: 'sheaf@example.test' }
      const env = { ...stripe.env, ...mailEnv, TEST_MODE: '1', NOTICES_EVERY_MS: String(ROUND_MS) }
      await context.environment.start({ ...env, FAIL_POINT: choosePayment(context) })
      const owners = await createOwners(context, stripe)
      const cast: Cast = { ...context, env, stripe, mails, log: new CallLog(), owners }
      await queueWhileAway(cast)
      await declineCards(cast)
      await crossThresholds(cast)
      const pages = await takeMoneyBack(cast)
      await beginMonth(cast)
      return await judgeAll(cast, pages)
    } finally {
      await mails.stop()
      await stripe.close()
    }
  },
}

/** The owners whose balance falls below the threshold while the server is killed. */
const CROSSING = ['once', 'refunded', 'disputed', 'crossed', 'limited', 'owing'] as const satisfies Kind[]

/** The server is killed between Stripe's response to one of their payments and its record. */
function choosePayment({ times, random }: Context): string {
  const each = times(OWNERS_OF_A_KIND)
  const before = each * PAYMENTS['new-card']
  return `paid:${before + 1 + Math.floor(random() * each * CROSSING.length)}`
}

/** Every owner saves a card before the first request. */
async function createOwners(context: Context, stripe: StripeDouble): Promise<Record<Kind, Owner[]>> {
  const owners: Partial<Record<Kind, Owner[]>> = {}
  for (const kind of Object.keys(PAYMENTS) as Kind[]) {
    const own: Owner[] = []
    for (let index = 0; index < context.times(OWNERS_OF_A_KIND); index += 1) {
      const owner = await createOwner(context, `${kind}-${index}`)
      await turnOn(context, stripe, owner, { monthlyLimit: kind === 'limited' ? '5' : '50' })
      own.push(owner)
    }
    owners[kind] = own
  }
  context.tell('owners have left their cards')
  return owners as Record<Kind, Owner[]> // Every group had its scenario.
}

function call({ environment, log }: Cast, { email, client }: Owner, kind: CallKind = 'good') {
  return sendCall(kind, { base: environment.service().base, log }, { email, apiKey: client.apiKey })
}

/** Payments wait for Stripe. Meanwhile some owners turn top-up off, and others get credits. */
async function queueWhileAway(cast: Cast): Promise<void> {
  const { environment, stripe, log, owners } = cast
  stripe.failWith = 500
  const away = [...owners['turned-off'], ...owners.recovered]
  for (const owner of away) await call(cast, owner)
  await eventually(
    () => Promise.resolve(stripe.requests.filter(one => one === 'POST /v1/payment_intents').length),
    asked => asked >= away.length,
  )
  for (const { session } of owners['turned-off']) await session.post('/api/account/top-up/off', {})
  for (const { email } of owners.recovered) {
    await environment.service().account(email, { credits: BOUGHT })
    log.noteTopUp(email, BOUGHT)
  }
  stripe.failWith = undefined
}

async function declineCards(cast: Cast): Promise<void> {
  const { stripe, owners } = cast
  stripe.declineWith = 'Your card was declined.'
  for (const owner of owners['new-card']) await call(cast, owner)
  await untilPaid(cast, 'new-card', 1)
  stripe.declineWith = undefined
  for (const owner of owners['new-card']) await turnOn(cast, stripe, owner, { isOtherCard: true })
  await untilPaid(cast, 'new-card', 2)
}

/**
 * Some requests fail right at the threshold before the check. Then every owner sends requests, and the server is
 * killed. Owners whose request was cut off send it again. On Postgres, another server runs from then on.
 */
async function crossThresholds(cast: Cast): Promise<void> {
  const { env, environment, log, owners } = cast
  for (const owner of owners.crossed) await call(cast, owner, 'damaged')
  await wait(ROUNDS_MS)
  const { pid } = environment.service()
  const crossing = CROSSING.flatMap(kind => owners[kind])
  const seen = await Promise.all(crossing.map(owner => call(cast, owner)))
  await eventually(
    () => Promise.resolve(isRunning(pid)),
    runs => !runs,
  )
  log.noteKill(crossing.length)
  await environment.kill()
  await environment.start(env)
  if (cast.database === 'postgres') await environment.startAnother(env)
  for (const [index, owner] of crossing.entries()) if (seen[index]?.status !== 200) await call(cast, owner)
  for (const kind of CROSSING) await untilPaid(cast, kind, 1)
  for (const owner of crossing) {
    await eventually(
      () => balanceOf(cast, owner),
      balance => balance > BOUGHT,
      MOST_WAIT_MS,
    )
    log.noteTopUp(owner.email, BOUGHT)
  }
  for (const { email } of owners['new-card']) log.noteTopUp(email, BOUGHT)
}

/**
 * Refunds and disputes, a debt, and a customer that somebody deletes at Stripe. Returns the statuses of the pages for
 * another card.
 */
async function takeMoneyBack(cast: Cast): Promise<number[]> {
  const { environment, stripe, log, owners } = cast
  const spent = [...owners.limited, ...owners.owing]
  await withDatabase(environment, async run => {
    for (const { email } of spent) {
      const [account] = await run(
        'update users set balance = balance - $1::int where email = $2 returning id, balance',
        [BOUGHT, email],
      )
      await run('insert into ledger_entries (account_id, kind, delta, balance, note) values ($1, $2, $3, $4, $5)', [
        account?.['id'],
        'adjustment',
        -BOUGHT,
        account?.['balance'],
        'spent',
      ])
      log.noteTopUp(email, -BOUGHT)
    }
  })
  await environment.start()
  const { base } = environment.service()
  for (const kind of ['refunded', 'disputed', 'owing'] as const) {
    for (const owner of owners[kind]) {
      const [payment] = paymentsOf(stripe, await findId(cast, owner))
      const event =
        kind === 'disputed'
          ? stripe.dispute(payment?.id ?? '', { type: 'charge.dispute.created', status: 'needs_response' })
          : stripe.refund(payment?.id ?? '', 500)
      await deliver(base, event)
      await deliver(base, event)
      log.noteTopUp(owner.email, -BOUGHT)
    }
  }
  await Promise.all(['refunded', 'disputed'].flatMap(kind => owners[kind as Kind]).map(owner => call(cast, owner)))
  for (const { email } of owners.owing) await turnOn(cast, stripe, { session: await signInAgain(cast, email) })
  await untilPaid(cast, 'owing', PAYMENTS.owing)
  for (const { email } of owners.owing) log.noteTopUp(email, 2 * BOUGHT)
  const pages: number[] = []
  for (const { email } of owners.once) {
    const id = await findId(cast, { email })
    for (const { customer } of paymentsOf(stripe, id)) stripe.deletedCustomers.add(String(customer))
    pages.push(await turnOn(cast, stripe, { session: await signInAgain(cast, email) }, { isOtherCard: true }))
  }
  return pages
}

/** The monthly limit is reached, and then a month passes. */
async function beginMonth(cast: Cast): Promise<void> {
  const { environment, mails, log, owners } = cast
  await eventually(
    () => Promise.resolve(owners.limited.flatMap(({ email }) => findMails(mails, email, LIMIT_MAIL)).length),
    count => count >= owners.limited.length,
  )
  await wait(ROUNDS_MS)
  await withDatabase(environment, async run => {
    for (const { email } of owners.limited)
      await run(
        "update purchases set created_at = created_at - interval '40 days' where account_id = (select id from " +
          'users where email = $1)',
        [email],
      )
  })
  await environment.start()
  await untilPaid(cast, 'limited', PAYMENTS.limited)
  await wait(ROUNDS_MS)
  for (const { email } of owners.limited) log.noteTopUp(email, BOUGHT)
}

async function judgeAll(cast: Cast, pages: number[]): Promise<Row[]> {
  const { environment, mails, log, owners } = cast
  const books = await environment.readBooks()
  const told = (kinds: Kind[], what: string) =>
    kinds
      .flatMap(kind => owners[kind])
      .map(({ email }) => {
        const count = findMails(mails, email, what).length
        return count === 1 ? undefined : `${email} got ${count} mails with «${what}»`
      })
  return [
    ...(Object.keys(PAYMENTS) as Kind[]).map(kind =>
      judge(
        `${kind}: Stripe is asked for ${PAYMENTS[kind]} payments`,
        owners[kind].map(owner => findWrongPayments(cast, books, { kind, owner })),
      ),
    ),
    judge(
      'a refund and a dispute are mailed to the owner, once',
      told(['refunded', 'disputed'], 'Automatic top-up of your Sheaf account is off'),
    ),
    judge('a limit that is reached is mailed to the owner, once', told(['limited'], LIMIT_MAIL)),
    judge(
      'the page for another card opens after the customer was deleted at Stripe',
      pages.map(status => (status === 200 ? undefined : `it was answered with ${status}`)),
    ),
    ...checkBooks(books, log),
  ]
}

function findWrongPayments(
  { stripe }: Cast,
  { accounts }: Books,
  { kind, owner }: { kind: Kind; owner: Owner },
): string | undefined {
  const id = accounts.find(({ email }) => email === owner.email)?.id ?? ''
  const asked = paymentsOf(stripe, id).length
  return asked === PAYMENTS[kind] ? undefined : `${owner.email} was charged ${asked} times`
}

const LIMIT_MAIL = 'exceed your monthly limit of $5'

/** The emails to an address with these words. */
function findMails({ received }: MailServer, email: string, what: string) {
  return received.filter(({ to, text }) => to.includes(email) && text.replaceAll('=\n', '').includes(what))
}

async function untilPaid(cast: Cast, kind: Kind, count: number): Promise<void> {
  for (const owner of cast.owners[kind]) {
    const id = await findId(cast, owner)
    await eventually(
      () => Promise.resolve(paymentsOf(cast.stripe, id).length),
      found => found >= count,
      MOST_WAIT_MS,
    ).catch(() => cast.tell(`${owner.email} waits for payment ${count} in vain`))
  }
}

/** The account ID in the metadata of Stripe's card page. */
function findId({ stripe }: Cast, { email }: Pick<Owner, 'email'>): Promise<string> {
  const session = [...stripe.sessions.values()].find(
    ({ sent }) => (sent as Record<string, unknown>)['customer_email'] === email,
  )
  return Promise.resolve(String(session?.['client_reference_id']))
}

async function balanceOf({ environment }: Cast, { email }: Owner): Promise<number> {
  return (await environment.service().account(email)).creditBalance
}
