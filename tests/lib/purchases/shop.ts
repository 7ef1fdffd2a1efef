import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import { Stripe } from 'stripe'
import type { Database } from '../../../db/database'
import { createAccount, type Account } from '../../../lib/accounts/account/accounts'
import { setLowBalance } from '../../../lib/notices/low-balance'
import { readConfig } from '../../../lib/config'
import { createLedger, type Ledger } from '../../../lib/credits/ledger'
import { placeDatabase } from '../../../lib/database'
import { sendDueNotices } from '../../../lib/notices/send-due-notices'
import { applyCard } from '../../../lib/purchases/apply-card'
import { applyStripeFact, type Outcome } from '../../../lib/purchases/apply-stripe-fact'
import { readFact } from '../../../lib/purchases/stripe-facts'
import { getStripe } from '../../../lib/purchases/stripe'
import { setTopUp } from '../../../lib/purchases/top-up-settings'
import { placeSingleton } from '../../../lib/registry'
import { ANY_KIND, type DATABASE_KINDS, startDatabase } from '../../support/databases'
import { type MailServer, startMailServer } from '../../support/mail-server'
import { startStripe, type StripeDouble, type StripeEvent, type StripeObject } from '../../support/stripe-double'

export const ORIGIN = 'http://sheaf.test'
/** Free credits of a new account, and the threshold of an account from `createOwner`. */
export const GRANT = 100
/** The credits that $5 buy. */
export const BOUGHT = 5000

/** A separate database, test doubles of Stripe and of a mail server, and actions of account owners. */
export interface Shop {
  database: Database
  /** The same data over separate connections, as on another instance. */
  another(): Promise<Database>
  double: StripeDouble
  mails: MailServer
  ledger: Ledger
  /** Creates an account with 100 credits and this low-balance threshold. */
  createOwner(lowBalanceAt?: number): Promise<Account>
  /** Lets an account save a card and turn automatic top-up on. */
  turnOn(account: Account, dollars?: string, monthlyLimit?: string): Promise<void>
  /** Creates an owner with automatic top-up, whose balance has fallen below the threshold. The next check buys credits. */
  createLowOwner(monthlyLimit?: string): Promise<Account>
  /** Runs a round in which the responses of Stripe are lost. */
  loseResponses(): Promise<void>
  /** Charges a request and returns its ID. */
  call(account: Account, requestId?: string): Promise<string>
  /** The result of an event. `ignored` if the event isn't about our data. */
  hear(event: StripeEvent): Promise<Outcome | 'ignored'>
  /** Runs a round of the sweep. */
  seeTo(): Promise<void>
  /** Makes waiting retries due. */
  hurry(): Promise<void>
  /** Ends the pauses after failed payments. */
  endPauses(): Promise<void>
  balanceOf(account: Account): Promise<number>
  paymentsOf(account: Account): StripeObject[]
  mailsTo(account: Account): string[]
  subjectsTo(account: Account): (string | undefined)[]
  stop(): Promise<void>
}

/** Opens a shop, and installs its parts for the whole process. */
export async function openShop(kind: (typeof DATABASE_KINDS)[number] = ANY_KIND): Promise<Shop> {
  const opened = await startDatabase(kind)
  const database = placeDatabase(opened.database)
  const [double, mails] = [await startStripe(), await startMailServer()]
  placeSingleton(
    'config',
    readConfig({
      ...double.env,
      SMTP_URL: mails.url,
      MAIL_FROM: 'Sheaf <sheaf@example.test>',
      PUBLIC_URL: ORIGIN,
      LOG_LEVEL: 'silent',
    }),
  )
  const { hostname, port } = new URL(double.base)
  placeSingleton(
    'stripe',
    new Stripe(double.env['STRIPE_SECRET_KEY'] ?? '', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 }),
  )
  placeSingleton('mail', createTransport({ url: mails.url }))
  const ledger = createLedger({ database, verifiedOnly: false })
  placeSingleton('ledger', ledger)
  const hear = async ({ payload }: StripeEvent) => {
    const fact = await readFact(JSON.parse(payload) as Stripe.Event, { database, stripe: getStripe() })
    if (fact === undefined) return 'ignored'
    return database.transaction(queries =>
      fact.kind === 'card' ? applyCard(queries, fact) : applyStripeFact(queries, fact),
    )
  }
  const mailsTo = ({ email }: Account) =>
    // Quoted-printable encoding breaks lines like this.
    mails.received.filter(({ to }) => to.includes(email)).map(({ text }) => text.replaceAll('=\n', ''))
  const shop: Shop = {
    database,
    another: () => opened.another(),
    double,
    mails,
    ledger,
    hear,
    mailsTo,
    async createOwner(lowBalanceAt = GRANT) {
      const { account } = await createAccount({ email: `${randomUUID()}@example.test`, verified: true }, database)
      if (account === undefined || account === null) throw new Error('the account was not made')
      await ledger.grantMonth(account.id)
      await setLowBalance(account.id, String(lowBalanceAt), database)
      return { ...account, lowBalanceAt }
    },
    async turnOn(account, dollars = '5', monthlyLimit = '50') {
      const { url } = await setTopUp({ account, dollars, monthlyLimit, isOtherCard: false, origin: ORIGIN })
      if (url !== undefined) await hear(double.leaveCard(url.split('/').at(-1) ?? ''))
    },
    async createLowOwner(monthlyLimit) {
      const account = await shop.createOwner()
      await shop.turnOn(account, '5', monthlyLimit)
      await shop.call(account)
      return account
    },
    async loseResponses() {
      double.losesResponses = true
      await shop.seeTo()
      double.losesResponses = false
    },
    call: (account, requestId = randomUUID()) =>
      ledger.charge({ requestId, accountId: account.id }).then(() => requestId),
    seeTo: () => sendDueNotices(database, () => false),
    async hurry() {
      await database.rows(sql`update notices set due_at = clock_timestamp()`)
      await database.rows(sql`update stripe_tasks set due_at = clock_timestamp()`)
    },
    async endPauses() {
      await database.rows(sql`update top_ups set paused_until = null`)
    },
    balanceOf: ({ id }) => ledger.balance(id),
    paymentsOf: ({ id }) =>
      [...double.payments.values()].filter(({ metadata }) => (metadata as { account_id: string }).account_id === id),
    subjectsTo: account =>
      mailsTo(account).map(text => /^Subject: (.*(?:\n .*)*)/m.exec(text)?.[1]?.replaceAll('\n', '')),
    async stop() {
      await double.close()
      await mails.stop()
      await opened.stop()
    },
  }
  return shop
}
