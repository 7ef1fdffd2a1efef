import { sql } from 'drizzle-orm'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { claimEvent, insertPurchase, recordSession, releaseEvent } from '../../../db/queries/purchases'
import { applyStripeFact } from '../../../lib/purchases/apply-stripe-fact'
import { getLog } from '../../../lib/log'
import { logReconciliation } from '../../../lib/purchases/reconcile-nightly'
import { readFact } from '../../../lib/purchases/stripe-facts'
import { reconcile } from '../../../lib/purchases/reconcile'
import { prepareDatabase } from '../../support/databases'
import { startStripe, type StripeDouble, type StripeEvent } from '../../support/stripe-double'

/** An embedded database would set timers for the date below. */
const { database, newAccount } = await prepareDatabase('postgres')
let double: StripeDouble
let stripe: Stripe
beforeAll(async () => {
  double = await startStripe()
  const { hostname, port } = new URL(double.base)
  stripe = new Stripe(double.env['STRIPE_SECRET_KEY'] ?? '', { host: hostname, port, protocol: 'http' })
})
afterAll(() => double?.close())

/** A purchase of $10 by a new account, with its session. */
async function order() {
  const accountId = await newAccount(true)
  const purchaseId = await insertPurchase(database, { accountId, amountCents: 1000, credits: 10_000 })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'credits' } } },
    ],
    client_reference_id: accountId,
    metadata: { account_id: accountId, purchase_id: purchaseId },
    success_url: 'http://127.0.0.1/',
  })
  await recordSession(database, purchaseId, session.id)
  return { accountId, purchaseId, sessionId: session.id }
}

async function hear({ payload }: StripeEvent): Promise<void> {
  const fact = await readFact(JSON.parse(payload) as Stripe.Event, { database, stripe })
  if (fact !== undefined && fact.kind !== 'card') await database.transaction(queries => applyStripeFact(queries, fact))
}

async function balanceOf(accountId: string): Promise<unknown> {
  return (await database.rows(sql`select balance, debt from users where id = ${accountId}`))[0]
}

it('finds nothing if every event arrived, on more than one page', async () => {
  for (let index = 0; index < 12; index += 1) await hear(double.pay((await order()).sessionId))
  expect(await reconcile({ database, stripe })).toEqual({
    days: 30,
    sessions: 12,
    payments: 0,
    refunds: 0,
    disputes: 0,
    differences: [],
  })
})

it('credits payments, and subtracts refunds, whose events never arrived, once', async () => {
  const [paid, refunded, disputed] = [await order(), await order(), await order()]
  double.pay(paid.sessionId)
  await hear(double.pay(refunded.sessionId))
  await hear(double.pay(disputed.sessionId))
  double.refund(refunded.sessionId, 250)
  double.dispute(disputed.sessionId, { type: 'charge.dispute.created', status: 'needs_response' })
  const { differences } = await reconcile({ database, stripe })
  expect(differences).toEqual([
    { purchaseId: paid.purchaseId, what: 'was paid but not credited', isMended: true },
    { purchaseId: refunded.purchaseId, what: 'was refunded, but the ledger had a smaller refund', isMended: true },
    { purchaseId: disputed.purchaseId, what: "is disputed, but the ledger didn't match", isMended: true },
  ])
  expect([
    await balanceOf(paid.accountId),
    await balanceOf(refunded.accountId),
    await balanceOf(disputed.accountId),
  ]).toEqual([
    { balance: 10_000, debt: 0 },
    { balance: 7500, debt: 0 },
    { balance: 0, debt: 0 },
  ])
  expect((await reconcile({ database, stripe })).differences).toEqual([])
})

it('reports, and does not fix, differences from Stripe and unknown payments', async () => {
  const [foreign, unknown, failed] = [await order(), await order(), await order()]
  double.pay(foreign.sessionId)
  Object.assign(double.sessions.get(foreign.sessionId) ?? {}, { currency: 'eur' })
  await hear(double.pay(unknown.sessionId))
  double.sessions.delete(unknown.sessionId)
  await hear(double.pay(failed.sessionId))
  await hear(double.refund(failed.sessionId, 400))
  double.refund(failed.sessionId, -100)
  const { differences } = await reconcile({ database, stripe })
  expect(differences).toEqual(
    expect.arrayContaining([
      { purchaseId: foreign.purchaseId, what: expect.stringContaining('currency is eur'), isMended: false },
      { purchaseId: unknown.purchaseId, what: expect.stringContaining('but not at Stripe'), isMended: false },
      { purchaseId: failed.purchaseId, what: expect.stringContaining('300 cents at Stripe'), isMended: false },
    ]),
  )
  expect(differences.filter(({ isMended }) => isMended)).toEqual([])
  expect(await balanceOf(foreign.accountId)).toEqual({ balance: 0, debt: 0 })
})

it('looks 30 days back, and 120 days for disputes', async () => {
  const now = Date.parse('2030-06-15T12:00:00Z')
  const daysAgo = (days: number, seconds = 0) => new Date(now - days * 86_400_000 + seconds * 1000).toISOString()
  const list = vi.fn((_query: { created: { gte: number } }) => [])
  const lists = { checkout: { sessions: { list } }, paymentIntents: { list }, refunds: { list }, disputes: { list } }
  const [old, recent, orphan, lateOrphan] = [await order(), await order(), await order(), await order()]
  for (const { sessionId } of [old, recent, orphan, lateOrphan]) await hear(double.pay(sessionId))
  // Stripe may have created a session a little later than our row, so the first 5 minutes don't count.
  for (const [{ purchaseId }, createdAt] of [
    [old, daysAgo(30, 299)],
    [recent, daysAgo(30, 301)],
  ] as const)
    await database.rows(sql`update purchases set created_at = ${createdAt} where id = ${purchaseId}`)
  for (const [{ purchaseId }, paidAt] of [
    [orphan, daysAgo(31)],
    [lateOrphan, daysAgo(29)],
  ] as const)
    await database.rows(
      sql`update purchases set is_orphaned = true, paid_at = ${paidAt}, refunded_cents = amount_cents where id = ${purchaseId}`,
    )
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    const { days, differences } = await reconcile({ database, stripe: lists as unknown as Stripe })
    expect([days, differences.map(({ purchaseId }) => purchaseId)]).toEqual([
      30,
      [recent, lateOrphan].map(one => one.purchaseId),
    ])
  } finally {
    vi.useRealTimers()
  }
  expect(list.mock.calls.map(([{ created }]) => new Date(created.gte * 1000).toISOString())).toEqual(
    [30, 30, 30, 120].map(days => daysAgo(days)),
  )
})

it('is logged with each difference and the totals', () => {
  const [error, info] = [vi.spyOn(getLog(), 'error'), vi.spyOn(getLog(), 'info')]
  const differences = ['a', 'b'].map(purchaseId => ({ purchaseId, what: 'was refunded', isMended: true }))
  logReconciliation({ days: 2, sessions: 3, payments: 4, refunds: 5, disputes: 6, differences })
  expect(error.mock.calls.map(([difference]) => difference)).toEqual(differences)
  expect(info.mock.calls[0]?.[0]).toEqual({
    days: 2,
    sessions: 3,
    payments: 4,
    refunds: 5,
    disputes: 6,
    differences: 2,
  })
  vi.restoreAllMocks()
})

it('stops on request', async () => {
  await expect(reconcile({ database, stripe, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})

it('runs on one instance a night, and on another if that fails', async () => {
  expect(await Promise.all([claimEvent(database, 'night'), claimEvent(database, 'night')])).toContain(false)
  await releaseEvent(database, 'night')
  expect(await claimEvent(database, 'night')).toBe(true)
})
