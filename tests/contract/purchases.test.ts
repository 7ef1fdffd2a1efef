import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, type AccountSession } from '../hostile/chaos/sign-in'
import { readPageTexts } from '../support/page-texts'
import { runReconcile } from '../support/run-reconcile'
import type { RunningService } from '../support/service'
import { fullService, sellTo } from '../support/shared-services'
import { deliver, startStripe, type StripeDouble } from '../support/stripe-double'
import { type ApiResponse, createClient, eventually, toolPath } from './client'
import { makePdf } from './documents'
import { testLowBalance } from './low-balance'

const PASSWORD = 'correct horse battery'
const GRANT = 100
const document = { name: 'contract.pdf', bytes: makePdf() }

let stripe: StripeDouble
let service: RunningService
beforeAll(async () => {
  stripe = await startStripe()
  await sellTo(stripe)
  service = await fullService()
})
afterAll(() => stripe?.close())

interface Buyer extends AccountSession {
  email: string
  apiKey: string
  balance(): Promise<number>
  /** Opens a checkout and returns the ID of its session. */
  order(dollars: number): Promise<string>
  /** Opens a checkout and pays it. */
  buy(dollars: number): Promise<string>
}

async function createBuyer(name: string): Promise<Buyer> {
  const email = `${name}@example.test`
  const apiKey = await service.createKey(email, { password: PASSWORD })
  const session = await signIn(service.base, email, PASSWORD)
  const order = async (dollars: number) => {
    const { status, json } = await session.post('/api/account/purchases', { dollars: String(dollars) })
    expect(status).toBe(200)
    return String(json['url']).split('/').at(-1) ?? ''
  }
  return {
    ...session,
    email,
    apiKey,
    order,
    balance: () => createClient(service.base, apiKey).balance(),
    async buy(dollars) {
      const sessionId = await order(dollars)
      expect(await deliver(service.base, stripe.pay(sessionId))).toMatchObject({
        status: 200,
        json: { outcome: 'credited' },
      })
      return sessionId
    },
  }
}

const purchaseOf = (sessionId: string) =>
  (stripe.sessions.get(sessionId)?.['metadata'] as Record<string, string> | undefined)?.['purchase_id'] ?? ''
const textOf = ({ bytes }: ApiResponse) => bytes.toString('utf8').replaceAll('<!-- -->', '')
const isLogged = (response: ApiResponse, ...parts: string[]) =>
  eventually(
    () => Promise.resolve(service.log()),
    log =>
      log
        .split('\n')
        .some(
          line => line.includes(String(response.headers['x-request-id'])) && parts.every(part => line.includes(part)),
        ),
  )

describe('a purchase', () => {
  it("is a session with the server's price, credited once its payment is reported, for one customer per account", async () => {
    const buyer = await createBuyer('buyer')
    const first = await buyer.order(25)
    expect(stripe.sessions.get(first)).toMatchObject({ amount_total: 2500, currency: 'usd', customer: null })
    expect(stripe.sessions.get(first)?.['sent']).toMatchObject({
      'tax_id_collection[enabled]': 'true',
      billing_address_collection: 'required',
      customer_email: buyer.email,
      customer_creation: 'always',
      'payment_intent_data[metadata][purchase_id]': purchaseOf(first),
    })
    expect(textOf(await buyer.get(`/account/credits?purchase=${purchaseOf(first)}`))).toContain(
      'The payment is being confirmed',
    )
    expect(await buyer.balance()).toBe(GRANT)
    const paid = await deliver(service.base, stripe.pay(first))
    expect(paid).toMatchObject({ status: 200, json: { outcome: 'credited' } })
    await isLogged(paid, 'checkout.session.completed', 'credited')
    expect(await buyer.balance()).toBe(GRANT + 25_000)
    expect(textOf(await buyer.get(`/account/credits?purchase=${purchaseOf(first)}`))).toContain('25,000 credits added')
    const second = await buyer.order(5)
    expect(stripe.sessions.get(second)?.['customer']).toBe(stripe.sessions.get(first)?.['customer'])
    expect(stripe.sessions.get(second)?.['sent']).not.toHaveProperty('customer_email')
  })

  it("has the server's price, whatever the browser sends", async () => {
    const buyer = await createBuyer('cheap')
    for (const dollars of ['4', '1001', '5.5', '-5', '', '1e3', '05000'])
      expect(await buyer.post('/api/account/purchases', { dollars })).toMatchObject({
        status: 400,
        json: { error: 'invalid_amount' },
      })
    const { json } = await buyer.post('/api/account/purchases', {
      dollars: '10',
      amount: '1',
      price: '1',
      credits: '1000000',
      currency: 'jpy',
    })
    expect(stripe.sessions.get(String(json['url']).split('/').at(-1) ?? '')).toMatchObject({
      amount_total: 1000,
      currency: 'usd',
    })
  })

  it('that Stripe does not open causes an error, and charges nothing', async () => {
    const buyer = await createBuyer('away')
    stripe.failWith = 500
    expect(await buyer.post('/api/account/purchases', { dollars: '5' })).toMatchObject({
      status: 502,
      json: { error: 'payment_service_unavailable' },
    })
    stripe.failWith = undefined
    await buyer.buy(5)
    expect(await buyer.balance()).toBe(GRANT + 5000)
  })

  it('with a slow payment waits for it, and a failed or expired one adds no credits', async () => {
    const buyer = await createBuyer('slow')
    const [slow, failed, expired] = [await buyer.order(5), await buyer.order(10), await buyer.order(25)]
    const page = async (sessionId: string) =>
      textOf(await buyer.get(`/account/credits?purchase=${purchaseOf(sessionId)}`))
    expect(await deliver(service.base, stripe.tell('checkout.session.completed', slow))).toMatchObject({
      json: { outcome: 'noted' },
    })
    expect(await page(slow)).toContain('Your bank can take a few days')
    expect(await deliver(service.base, stripe.tell('checkout.session.async_payment_failed', failed))).toMatchObject({
      json: { outcome: 'noted' },
    })
    expect(await page(failed)).toContain('The payment failed')
    expect(await deliver(service.base, stripe.tell('checkout.session.expired', expired))).toMatchObject({
      json: { outcome: 'noted' },
    })
    expect(await page(expired)).toContain('The purchase expired')
    stripe.pay(slow)
    expect(await deliver(service.base, stripe.tell('checkout.session.async_payment_succeeded', slow))).toMatchObject({
      json: { outcome: 'credited' },
    })
    expect(await buyer.balance()).toBe(GRANT + 5000)
  })
})

describe('an event', () => {
  it('that is forged, altered or old is refused, logged, and changes nothing', async () => {
    const buyer = await createBuyer('forged')
    const paid = stripe.pay(await buyer.order(100))
    const altered = paid.payload.replace('10000', '10001')
    const forged = [
      await deliver(service.base, paid, { secret: 'whsec_of_somebody' }),
      await deliver(service.base, paid, { body: altered }),
      await deliver(service.base, paid, { ageS: 301 }),
    ]
    for (const response of forged) {
      expect(response).toMatchObject({ status: 400, json: { error: 'invalid_signature' } })
      await isLogged(response, 'invalid_signature')
    }
    expect(await buyer.balance()).toBe(GRANT)
    expect(await deliver(service.base, paid, { ageS: 200 })).toMatchObject({ status: 200 })
    expect(await buyer.balance()).toBe(GRANT + 100_000)
  })

  it('with a different currency, amount, account, session or purchase is refused and logged', async () => {
    const [buyer, other] = [await createBuyer('strict'), await createBuyer('strict-other')]
    const sessionId = await buyer.order(5)
    stripe.pay(sessionId)
    const metadata = stripe.sessions.get(sessionId)?.['metadata'] as Record<string, string>
    const othersAccount = stripe.sessions.get(await other.order(5))?.['client_reference_id']
    const changes = [
      { currency: 'jpy' },
      { amount_total: 499 },
      { client_reference_id: othersAccount },
      { metadata: { ...metadata, account_id: othersAccount } },
      { id: 'cs_test_another' },
      { metadata: { ...metadata, purchase_id: '00000000-0000-4000-8000-000000000000' } },
    ]
    for (const change of changes) {
      const response = await deliver(service.base, stripe.tell('checkout.session.completed', sessionId, change))
      expect([change, response.status, response.json['error']]).toEqual([change, 400, 'purchase_mismatch'])
      await isLogged(response, 'purchase_mismatch')
    }
    expect([await buyer.balance(), await other.balance()]).toEqual([GRANT, GRANT])
    expect(await deliver(service.base, stripe.tell('checkout.session.completed', sessionId))).toMatchObject({
      json: { outcome: 'credited' },
    })
  })

  it('counts once, by its ID and by its content, also if it arrives twice at once', async () => {
    const buyer = await createBuyer('twice')
    const sessionId = await buyer.order(10)
    const paid = stripe.pay(sessionId)
    const responses = await Promise.all(Array.from({ length: 6 }, () => deliver(service.base, paid)))
    expect(responses.filter(({ json }) => json['outcome'] === 'credited')).toHaveLength(1)
    expect(responses.filter(({ json }) => json['outcome'] === 'duplicate')).toHaveLength(5)
    expect(
      await deliver(service.base, stripe.tell('checkout.session.async_payment_succeeded', sessionId)),
    ).toMatchObject({ json: { outcome: 'noted' } })
    expect(await buyer.balance()).toBe(GRANT + 10_000)
  })

  it('about something other than a purchase, or another session, is ignored', async () => {
    const sessionId = await (await createBuyer('passed')).order(5)
    expect(await deliver(service.base, stripe.tell('customer.created', sessionId))).toMatchObject({
      status: 200,
      json: { outcome: 'ignored' },
    })
    expect(
      await deliver(service.base, stripe.tell('checkout.session.completed', sessionId, { metadata: {} })),
    ).toMatchObject({ status: 200, json: { outcome: 'ignored' } })
  })
})

describe('a refund or dispute', () => {
  it('subtracts its credits, part by part, and once however often it is reported', async () => {
    const buyer = await createBuyer('refunded')
    const sessionId = await buyer.buy(10)
    const [part, rest] = [stripe.refund(sessionId, 300), stripe.refund(sessionId, 700)]
    expect(await deliver(service.base, rest)).toMatchObject({ json: { outcome: 'taken' } })
    expect(await deliver(service.base, part)).toMatchObject({ json: { outcome: 'noted' } })
    expect(await buyer.balance()).toBe(GRANT)
    expect(textOf(await buyer.get('/account/credits'))).toContain('Refund of a purchase')
  })

  it('that arrives before the payment waits for it', async () => {
    const buyer = await createBuyer('early')
    const sessionId = await buyer.order(10)
    const paid = stripe.pay(sessionId)
    expect(await deliver(service.base, stripe.refund(sessionId, 400))).toMatchObject({ json: { outcome: 'noted' } })
    expect(
      await deliver(
        service.base,
        stripe.dispute(sessionId, { type: 'charge.dispute.created', status: 'needs_response', amount: 100 }),
      ),
    ).toMatchObject({ json: { outcome: 'noted' } })
    expect(await deliver(service.base, paid)).toMatchObject({ json: { outcome: 'credited' } })
    expect(await buyer.balance()).toBe(GRANT + 5000)
  })

  it('of spent credits is owed, and the next purchase repays it first', async () => {
    const buyer = await createBuyer('owing')
    const sessionId = await buyer.buy(5)
    await spend(buyer, GRANT + 3)
    expect(await deliver(service.base, stripe.refund(sessionId, 500))).toMatchObject({ json: { outcome: 'taken' } })
    expect(await buyer.balance()).toBe(0)
    expect(textOf(await buyer.get('/account/credits'))).toContain('You owe 3 credits')
    const { json } = await createClient(service.base, buyer.apiKey).send({
      path: toolPath('rotate-pdf'),
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(json).toMatchObject({ error: 'insufficient_credits', message: expect.stringContaining('/account/credits') })
    await buyer.buy(5)
    expect(await buyer.balance()).toBe(4997)
    expect(textOf(await buyer.get('/account/credits'))).not.toContain('You owe')
  })

  it('by a dispute is subtracted at its start, returns if it is won, and never exceeds the payment', async () => {
    const buyer = await createBuyer('disputed')
    const sessionId = await buyer.buy(10)
    const created = stripe.dispute(sessionId, { type: 'charge.dispute.created', status: 'needs_response' })
    expect(await deliver(service.base, created)).toMatchObject({ json: { outcome: 'taken' } })
    expect(
      await deliver(
        service.base,
        stripe.dispute(sessionId, { type: 'charge.dispute.funds_withdrawn', status: 'needs_response' }),
      ),
    ).toMatchObject({ json: { outcome: 'noted' } })
    expect(await buyer.balance()).toBe(GRANT)
    expect(await deliver(service.base, stripe.refund(sessionId, 1000))).toMatchObject({ status: 200 })
    expect(await buyer.balance()).toBe(GRANT)
    const won = await createBuyer('won')
    const wonSession = await won.buy(10)
    const opened = stripe.dispute(wonSession, { type: 'charge.dispute.created', status: 'needs_response' })
    const closed = stripe.dispute(wonSession, { type: 'charge.dispute.closed', status: 'won' })
    expect(await deliver(service.base, closed)).toMatchObject({ json: { outcome: 'noted' } })
    expect(await deliver(service.base, opened)).toMatchObject({ json: { outcome: 'noted' } })
    expect(await won.balance()).toBe(GRANT + 10_000)
    const inquiry = await won.buy(5)
    expect(
      await deliver(
        service.base,
        stripe.dispute(inquiry, { type: 'charge.dispute.created', status: 'warning_needs_response' }),
      ),
    ).toMatchObject({ json: { outcome: 'noted' } })
    expect(
      await deliver(
        service.base,
        stripe.dispute(inquiry, { type: 'charge.dispute.funds_withdrawn', status: 'needs_response' }),
      ),
    ).toMatchObject({ json: { outcome: 'taken' } })
    expect(
      await deliver(service.base, stripe.dispute(inquiry, { type: 'charge.dispute.funds_reinstated', status: 'won' })),
    ).toMatchObject({ json: { outcome: 'credited' } })
    expect(await won.balance()).toBe(GRANT + 15_000)
  })
})

describe('the reconciliation', () => {
  it("by the operator's command credits a payment whose event never came, reports it, and then finds nothing", async () => {
    const buyer = await createBuyer('missed')
    const sessionId = await buyer.order(25)
    stripe.pay(sessionId)
    const first = await runReconcile(service, stripe.env)
    expect(first).toMatchObject({
      code: 3,
      found: {
        differences: expect.arrayContaining([
          { purchaseId: purchaseOf(sessionId), what: 'was paid but not credited', isMended: true },
        ]),
      },
    })
    expect(await buyer.balance()).toBe(GRANT + 25_000)
    const second = await runReconcile(service, stripe.env)
    expect(second.found['differences']).toEqual(
      (first.found['differences'] as { isMended: boolean }[]).filter(({ isMended }) => !isMended),
    )
    if (service.databaseUrl === undefined) expect(service.log()).toContain('the ledger differs from Stripe')
  })
})

describe('an invoice', () => {
  it('contains seller, buyer, amount and a unique number, and belongs to its buyer', async () => {
    const [buyer, other] = [await createBuyer('invoiced'), await createBuyer('curious')]
    const numbers: number[] = []
    for (const dollars of [25, 5]) {
      const path = `/api/account/purchases/invoice.pdf?purchase=${purchaseOf(await buyer.buy(dollars))}`
      const response = await buyer.get(path)
      expect([response.status, response.headers['content-type'], response.headers['cache-control']]).toEqual([
        200,
        'application/pdf',
        'no-store',
      ])
      const text = (await readPageTexts(response.bytes)).join('\n')
      for (const part of [
        'Sheaf Paper Ltd',
        '1 Mill Lane',
        'GB123456789',
        'Ada Example',
        '12 Analytical Row',
        'GB987654321',
        `${dollars},000 API credits`,
        `$${dollars}.00`,
      ])
        expect(text).toContain(part)
      numbers.push(Number(/SHEAF-(\d{6})/.exec(text)?.[1]))
      expect((await other.get(path)).status).toBe(404)
    }
    expect(numbers[1]).toBe((numbers[0] ?? 0) + 1)
    const open = purchaseOf(await buyer.order(5))
    for (const id of [open, 'x', '', '00000000-0000-4000-8000-000000000000'])
      expect((await buyer.get(`/api/account/purchases/invoice.pdf?purchase=${id}`)).status).toBe(404)
    expect(textOf(await other.get(`/account/credits?purchase=${open}`))).not.toContain('The payment is being confirmed')
  })
})

// These tests need the Stripe double of this file.
describe('an account with a low balance', () => {
  testLowBalance(() => ({ service, stripe }))
})

/** Sends this many successful requests. */
async function spend({ apiKey }: Buyer, calls: number): Promise<void> {
  const client = createClient(service.base, apiKey)
  const workers = Array.from({ length: 8 }, async (_, index) => {
    for (let call = index; call < calls; call += 8)
      expect((await client.callTool('rotate-pdf', document, { angle: 90 })).status).toBe(200)
  })
  await Promise.all(workers)
}
