import { beforeAll, expect, it } from 'vitest'
import { signIn } from '../hostile/chaos/sign-in'
import type { MailServer } from '../support/mail-server'
import { readPageTexts } from '../support/page-texts'
import type { RunningService } from '../support/service'
import { sharedMail } from '../support/shared-services'
import { deliver, type StripeDouble } from '../support/stripe-double'
import { createClient, eventually } from './client'
import { makePdf } from './documents'

const PASSWORD = 'correct horse battery'
const GRANT = 100
const BOUGHT = 5000
const document = { name: 'low.pdf', bytes: makePdf() }

/** Adds tests of notices and automatic top-ups. No other test may cause an automatic payment. */
export function testLowBalance(getShop: () => { service: RunningService; stripe: StripeDouble }): void {
  let service: RunningService
  let stripe: StripeDouble
  let mails: Pick<MailServer, 'received'>
  beforeAll(async () => {
    ;({ service, stripe } = getShop())
    mails = await sharedMail()
  })

  const mailsTo = (email: string) =>
    mails.received.filter(({ to }) => to.includes(email)).map(({ text }) => text.replaceAll('=\n', ''))

  async function createOwner(name: string) {
    const email = `${name}@example.test`
    const client = createClient(service.base, await service.createKey(email, { password: PASSWORD }))
    const session = await signIn(service.base, email, PASSWORD)
    expect(await session.post('/api/account/low-balance', { threshold: String(GRANT) })).toMatchObject({ status: 200 })
    return { email, session, client, call: () => client.callToolAsForm('rotate-pdf', document, { angle: 90 }) }
  }

  it('tells its owner when the balance falls below the threshold', async () => {
    const { email, call } = await createOwner('told')
    for (let sent = 0; sent < 3; sent += 1) expect((await call()).status).toBe(200)
    const [mail] = await eventually(
      () => Promise.resolve(mailsTo(email)),
      all => all.length > 0,
    )
    expect(mail).toContain('Subject: Your Sheaf balance is low: ')
    expect((await call()).status).toBe(200)
  })

  it('tops up an account with a saved card, with an invoice, and stops on request', async () => {
    const { email, session, client, call } = await createOwner('topped')
    expect(await session.post('/api/account/top-up', { dollars: '5', monthlyLimit: '4' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_limit' },
    })
    const { status, json } = await session.post('/api/account/top-up', { dollars: '5', monthlyLimit: '50' })
    expect(status).toBe(200)
    const sessionId = String(json['url']).split('/').at(-1) ?? ''
    expect(stripe.sessions.get(sessionId)).toMatchObject({ mode: 'setup' })
    expect((await session.get('/account/credits?card=left')).bytes.toString()).toContain('The card is being confirmed')
    expect(await deliver(service.base, stripe.leaveCard(sessionId))).toMatchObject({
      status: 200,
      json: { outcome: 'noted' },
    })
    expect((await session.get('/account/credits')).bytes.toString().replaceAll('<!-- -->', '')).toContain(
      '$5 of credits with the Visa ending in 4242. The limit is $50 a month',
    )

    expect(await client.balance()).toBe(GRANT)
    expect((await call()).balance).toBe(GRANT - 1)
    expect(
      await eventually(
        () => client.balance(),
        balance => balance > GRANT,
      ),
    ).toBe(GRANT - 1 + BOUGHT)
    const [payment] = [...stripe.payments.values()]
    expect(
      await deliver(service.base, stripe.tellPayment('payment_intent.succeeded', payment?.id ?? '')),
    ).toMatchObject({
      status: 200,
      json: { outcome: 'noted' },
    })
    await eventually(
      () => Promise.resolve(mailsTo(email)),
      all => all.some(text => text.includes('was topped up with 5,000 credits')),
    )
    const { purchase_id: purchaseId = '' } = (payment?.['metadata'] ?? {}) as Record<string, string>
    const invoice = await session.get(`/api/account/purchases/invoice.pdf?purchase=${purchaseId}`)
    expect(invoice.status).toBe(200)
    expect((await readPageTexts(invoice.bytes)).join('\n')).toMatch(/Ada Example[\s\S]*\$5\.00/)

    expect(await session.post('/api/account/top-up/off', {})).toMatchObject({ status: 200 })
    await deliver(service.base, stripe.refund(payment?.id ?? '', 500))
    expect(await client.balance()).toBe(GRANT - 1)
    await eventually(
      () => Promise.resolve(mailsTo(email)),
      all => all.some(text => text.includes('balance is low')),
    )
    expect(stripe.payments.size).toBe(1)
  })

  it('has told its owner once, although Sheaf sent later notices of others', () => {
    expect(mailsTo('told@example.test')).toHaveLength(1)
  })
}
