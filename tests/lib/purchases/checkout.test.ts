import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPurchase } from '../../../db/queries/purchases'
import { findTopUp } from '../../../db/queries/top-ups'
import { holdChunks } from '../../../engines/output-content'
import type { Account } from '../../../lib/accounts/account/accounts'
import { readConfig, type Config } from '../../../lib/config'
import { exchangeStorage, type Exchange } from '../../../lib/http-exchange'
import { getLog } from '../../../lib/log'
import { startCheckout } from '../../../lib/purchases/checkout'
import { respondWithInvoice } from '../../../lib/purchases/invoice'
import { readDollars } from '../../../lib/purchases/price'
import { describeOffer, listPurchases, readPurchase } from '../../../lib/purchases/purchases'
import { runReconcileCommand } from '../../../lib/purchases/reconcile-command'
import { reconcileNightly } from '../../../lib/purchases/reconcile-nightly'
import { getStripe } from '../../../lib/purchases/stripe'
import { doStripeTasks } from '../../../lib/purchases/stripe-tasks'
import { sweepTopUps } from '../../../lib/purchases/top-up'
import { setTopUp } from '../../../lib/purchases/top-up-settings'
import { receiveEvent } from '../../../lib/purchases/webhook'
import { findSingleton, placeSingleton } from '../../../lib/registry'
import type { StripeEvent } from '../../support/stripe-double'
import { BOUGHT, GRANT, openShop, ORIGIN, type Shop } from './shop'

let shop: Shop
let config: Config
beforeAll(async () => {
  shop = await openShop()
  config = findSingleton<Config>('config') ?? readConfig({})
})
afterAll(() => shop?.stop())
afterEach(() => {
  placeSingleton('config', config)
  shop.double.failWith = undefined
})

const order = async (account: Account, dollars = '5') =>
  (await startCheckout({ account, dollars, origin: ORIGIN })).url.split('/').at(-1) ?? ''
const purchaseOf = (sessionId: string) =>
  (shop.double.sessions.get(sessionId)?.['metadata'] as { purchase_id: string } | undefined)?.purchase_id ?? ''

describe('a purchase', () => {
  it.each<[string, number | undefined]>([
    ['5', 500],
    [' 10 ', 1000],
    ['1000', 100_000],
    ['4', undefined],
    ['1001', undefined],
    ['5.5', undefined],
    ['-5', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['05000', undefined],
  ])('for %o dollars costs %s cents', async (typed, cents) => {
    expect(readDollars(typed)).toBe(cents)
    if (cents !== undefined) return
    const account = { id: randomUUID() } as Account // It isn't read before the amount.
    await expect(order(account, typed)).rejects.toMatchObject({ status: 400, code: 'invalid_amount' })
  })

  it('can be opened 30 times an hour by each account', async () => {
    const account = await shop.createOwner()
    for (let index = 1; index < 30; index += 1)
      await insertPurchase(shop.database, { accountId: account.id, amountCents: 500, credits: BOUGHT })
    await order(account)
    await expect(order(account)).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '3600' } })
    await order(await shop.createOwner())
  })

  it('that Stripe does not open is an error, and keeps the customer', async () => {
    const account = await shop.createOwner()
    await shop.hear(shop.double.pay(await order(account)))
    shop.double.failWith = 500
    await expect(order(account)).rejects.toMatchObject({ status: 502, code: 'payment_service_unavailable' })
    shop.double.failWith = undefined
    expect(shop.double.sessions.get(await order(account))).toMatchObject({ customer: expect.any(String) as string })
  })

  it('is shown to its buyer only, with what refunds and disputes returned', async () => {
    const [account, other] = [await shop.createOwner(), await shop.createOwner()]
    const sessionId = await order(account, '10')
    const id = purchaseOf(sessionId)
    expect(await readPurchase(account.id, id)).toMatchObject({ state: 'open', paidAt: null, returnedCents: 0 })
    expect(await listPurchases(account.id, 9)).toEqual([])
    await shop.hear(shop.double.pay(sessionId))
    await shop.hear(shop.double.refund(sessionId, 300))
    const dispute = { type: 'charge.dispute.created', status: 'needs_response', amount: 500 }
    await shop.hear(shop.double.dispute(sessionId, dispute))
    const paid = { id, state: 'paid', credits: 10_000, amountCents: 1000, returnedCents: 800 }
    expect(await readPurchase(account.id, id)).toMatchObject(paid)
    expect(await listPurchases(account.id, 9)).toMatchObject([paid])
    expect(await readPurchase(other.id, id)).toBeNull()
    expect(await readPurchase(account.id, 'not an ID')).toBeNull()
  })

  it.each<[string, [kind: 'refund' | 'dispute' | 'win', cents: number][], string, number]>([
    ['a dispute', [['dispute', 300]], 'taken', 300],
    [
      'a dispute that is won',
      [
        ['dispute', 300],
        ['win', 300],
      ],
      'credited',
      0,
    ],
    [
      'a refund and a dispute of more than the rest',
      [
        ['refund', 300],
        ['dispute', 400],
      ],
      'taken',
      500,
    ],
    [
      'a dispute and a refund of more than the rest',
      [
        ['dispute', 400],
        ['refund', 300],
      ],
      'taken',
      500,
    ],
  ])('loses to %s no more than was paid', async (_what, events, outcome, lostCents) => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    await shop.hear(shop.double.pay(sessionId))
    const types = { dispute: ['created', 'needs_response'], win: ['closed', 'won'] } as const
    const tell = (kind: 'refund' | 'dispute' | 'win', amount: number) => {
      if (kind === 'refund') return shop.double.refund(sessionId, amount)
      const [type, status] = types[kind]
      return shop.double.dispute(sessionId, { type: `charge.dispute.${type}`, status, amount })
    }
    let last
    for (const [kind, cents] of events) last = await shop.hear(tell(kind, cents))
    expect(last).toBe(outcome)
    expect(await shop.balanceOf(account)).toBe(GRANT + BOUGHT - lostCents * 10)
  })

  it('has an invoice for its buyer as soon as it is paid', async () => {
    const [account, other] = [await shop.createOwner(), await shop.createOwner()]
    const run = vi.fn((_job: unknown) =>
      Promise.resolve({ name: 'i.pdf', contentType: 'application/pdf', content: holdChunks([Buffer.from('PDF')]) }),
    )
    placeSingleton('engines', { run })
    const sessionId = await order(account)
    const notFound = { status: 404, code: 'not_found' }
    await expect(respondWithInvoice(account.id, purchaseOf(sessionId))).rejects.toMatchObject(notFound)
    await shop.hear(shop.double.pay(sessionId))
    for (const id of [randomUUID(), 'not an ID'])
      await expect(respondWithInvoice(account.id, id)).rejects.toMatchObject(notFound)
    await expect(respondWithInvoice(other.id, purchaseOf(sessionId))).rejects.toMatchObject(notFound)
    const response = await respondWithInvoice(account.id, purchaseOf(sessionId))
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/pdf', 'PDF'])
    const from = { name: 'Sheaf Paper Ltd', addressLines: ['1 Mill Lane', 'Bristol BS1 1AA', 'United Kingdom'] }
    const billTo = { name: 'Ada Example', taxId: 'GB987654321' }
    const options = { from, billTo, items: [{ quantity: 1, rate: 5 }], amountPaid: 5 }
    expect(run.mock.lastCall?.[0]).toMatchObject({ options })
    placeSingleton('config', readConfig({}))
    await respondWithInvoice(account.id, purchaseOf(sessionId))
    expect(run.mock.lastCall?.[0]).toMatchObject({ options: { from: { name: 'Sheaf', addressLines: [] } } })
    for (const field of ['taxId', 'email']) expect(run.mock.lastCall?.[0]).not.toHaveProperty(`options.from.${field}`)
  })

  it('is not possible on a server that sells nothing', async () => {
    const account = await shop.createLowOwner()
    const requests = shop.double.requests.length
    placeSingleton('config', { ...config, STRIPE_SECRET_KEY: undefined })
    expect(describeOffer()).toMatchObject({ isSelling: false, operatorEmail: 'operator@example.com' })
    const refusal = { status: 503, code: 'purchases_not_set_up' }
    await expect(order(account)).rejects.toMatchObject(refusal)
    const form = { account, dollars: '5', monthlyLimit: '50', isOtherCard: true, origin: ORIGIN }
    await expect(setTopUp(form)).rejects.toMatchObject(refusal)
    expect(() => getStripe()).toThrow("STRIPE_SECRET_KEY isn't set")
    await expect(runReconcileCommand({ reconcile: {} }, shop.database)).rejects.toThrow('Purchases are off.')
    await reconcileNightly(AbortSignal.abort())
    await sweepTopUps(shop.database, () => false)
    await doStripeTasks(shop.database, () => false)
    expect(shop.double.requests).toHaveLength(requests)
    placeSingleton('config', config)
    expect(describeOffer()).toMatchObject({ isSelling: true })
    expect(await runReconcileCommand({ reconcile: { days: 2 } }, shop.database)).toMatchObject({ days: 2 })
  })
})

describe('an event', () => {
  const receive = async (
    { payload }: StripeEvent,
    { secret = 'whsec_of_the_double', ageS = 0, body = payload } = {},
  ) => {
    const timestamp = Math.floor(Date.now() / 1000) - ageS
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const request = new Request(ORIGIN, { method: 'POST', headers: { 'stripe-signature': signature }, body })
    const exchange = { requestId: 'r' } as Exchange // The rest isn't read.
    const response = await exchangeStorage().run(exchange, () => receiveEvent(request))
    return [response.status, (await response.json()) as Record<string, unknown>]
  }
  const refusal = (status: number, error: string) => [status, { error, requestId: 'r' }]

  it('counts once, and is ignored if it is not about a purchase', async () => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    const paid = shop.double.pay(sessionId)
    expect(await receive(shop.double.tell('customer.created', sessionId))).toEqual([200, { outcome: 'ignored' }])
    expect(await receive(paid)).toEqual([200, { outcome: 'credited' }])
    expect(await receive(paid)).toEqual([200, { outcome: 'duplicate' }])
    expect(await shop.balanceOf(account)).toBe(GRANT + BOUGHT)
  })

  it('that is forged, old, too large or of another purchase is refused, logged and changes nothing', async () => {
    const warn = vi.spyOn(getLog(), 'warn')
    const account = await shop.createOwner()
    const sessionId = await order(account)
    const paid = shop.double.pay(sessionId)
    for (const forgery of [
      { secret: 'whsec_of_somebody' },
      { ageS: 301 },
      { body: paid.payload.replace('500', '501') },
    ])
      expect(await receive(paid, forgery)).toEqual(refusal(400, 'invalid_signature'))
    expect(await receive(paid, { body: 'x'.repeat(2 ** 20 + 1) })).toEqual(refusal(413, 'payload_too_large'))
    const other = shop.double.tell('checkout.session.completed', sessionId, { amount_total: 499 })
    expect(await receive(other)).toEqual(refusal(400, 'purchase_mismatch'))
    expect(warn).toHaveBeenLastCalledWith(
      expect.objectContaining({ event: other.id, type: other.type, outcome: 'purchase_mismatch' }),
      'a Stripe event was rejected',
    )
    warn.mockRestore()
    expect(await shop.balanceOf(account)).toBe(GRANT)
  })

  it('with another currency, amount, account, session or purchase is refused and changes nothing', async () => {
    const [account, other] = [await shop.createOwner(), await shop.createOwner()]
    const sessionId = await order(account)
    const paid = shop.double.pay(sessionId)
    const metadata = shop.double.sessions.get(sessionId)?.['metadata'] as Record<string, string>
    const changes: [string, Record<string, unknown>][] = [
      ['currency', { currency: 'jpy' }],
      ['amount_total', { amount_total: 499 }],
      ['client_reference_id', { client_reference_id: other.id }],
      ['account_id', { metadata: { ...metadata, account_id: other.id } }],
      ['session', { id: 'cs_test_another' }],
      ['Unknown purchase', { metadata: { ...metadata, purchase_id: randomUUID() } }],
      ['payment_status', { payment_status: 'unpaid' }],
      ['payment_intent', { payment_intent: null }],
    ]
    for (const [message, change] of changes)
      await expect(
        shop.hear(shop.double.tell('checkout.session.async_payment_succeeded', sessionId, change)),
      ).rejects.toThrow(message)
    expect(await shop.balanceOf(account)).toBe(GRANT)
    await shop.hear(paid)
    const refund = { id: 'ch', amount_refunded: 100, currency: 'eur' }
    await expect(shop.hear(shop.double.tell('charge.refunded', sessionId, refund))).rejects.toThrow('currency is eur')
    expect(await shop.balanceOf(account)).toBe(GRANT + BOUGHT)
  })

  it('about an automatic payment of another amount, currency or account is refused', async () => {
    const account = await shop.createLowOwner()
    await shop.seeTo()
    const [payment] = shop.paymentsOf(account)
    const metadata = { ...(payment?.['metadata'] as object), account_id: randomUUID() }
    for (const [message, change] of [
      ['amount', { amount: 499 }],
      ['currency', { currency: 'eur' }],
      ['account_id', { metadata }],
    ] as const) {
      shop.double.payments.set('changed', { ...payment, ...change, id: 'changed' })
      await expect(shop.hear(shop.double.tellPayment('payment_intent.succeeded', 'changed'))).rejects.toThrow(message)
    }
  })

  it('about an automatic payment counts a failure once, and none while the bank still decides', async () => {
    const account = await shop.createLowOwner()
    await shop.loseResponses()
    const [payment] = shop.paymentsOf(account)
    for (const [status, failures] of [
      ['processing', 0],
      ['requires_payment_method', 1],
      ['requires_payment_method', 1],
    ] as const) {
      shop.double.payments.set('decided', { ...payment, id: 'decided', status })
      expect(await shop.hear(shop.double.tellPayment('payment_intent.succeeded', 'decided'))).toBe('noted')
      expect(await findTopUp(shop.database, account.id)).toMatchObject({ failures })
    }
  })

  it('is unknown on a server that sells nothing', async () => {
    placeSingleton('config', { ...config, STRIPE_SECRET_KEY: undefined })
    expect(await receive(shop.double.tell('customer.created', [...shop.double.sessions.keys()][0] ?? ''))).toEqual([
      404,
      { error: 'not_found' },
    ])
  })
})
