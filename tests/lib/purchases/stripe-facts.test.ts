import type { Stripe } from 'stripe'
import { describe, expect, it, vi } from 'vitest'
import { type FactSources, readFact } from '../../../lib/purchases/stripe-facts'

const CARD = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242' } }

/** Sources with one stored purchase, and a Stripe with this payment method. */
function createSources(method: unknown = CARD) {
  const retrieve = vi.fn(() => Promise.resolve({ metadata: { purchase_id: 'asked' } }))
  const sources = {
    database: { rows: () => Promise.resolve([{ id: 'stored' }]) },
    stripe: {
      setupIntents: { retrieve: () => Promise.resolve({ payment_method: method }) },
      paymentIntents: { retrieve },
    },
  } as unknown as FactSources // Only these members are used.
  return { sources, retrieve }
}

const read = (type: string, object: Record<string, unknown>, { sources } = createSources()) =>
  readFact({ type, data: { object } } as unknown as Stripe.Event, sources) // An event has only these members here.

describe('an event of Stripe', () => {
  it.each([
    ['checkout.session.completed', { payment_status: 'paid' }, 'paid'],
    ['checkout.session.completed', { payment_status: 'unpaid' }, 'pending'],
    ['checkout.session.async_payment_succeeded', {}, 'paid'],
    ['checkout.session.async_payment_failed', {}, 'failed'],
    ['checkout.session.expired', {}, 'expired'],
  ])('%s %o says that a checkout is %s', async (type, session, state) => {
    const metadata = { purchase_id: 'p' }
    expect(await read(type, { ...session, metadata })).toMatchObject({ kind: 'session', purchaseId: 'p', state })
    expect(await read(type, { ...session, metadata: null })).toBeUndefined()
  })

  it.each([
    ['succeeded', 'paid'],
    ['processing', 'pending'],
    ['requires_payment_method', 'failed'],
  ])('about an automatic payment with the status %s says that the payment is %s', async (status, state) => {
    const metadata = { purchase_id: 'p', top_up: 'yes' }
    expect(await read('payment_intent.succeeded', { status, metadata })).toMatchObject({ purchaseId: 'p', state })
    for (const other of [{ purchase_id: 'p' }, { top_up: 'yes' }])
      expect(await read('payment_intent.succeeded', { status, metadata: other })).toBeUndefined()
  })

  it('about a failed automatic payment has the reason for the buyer', async () => {
    const payment = { status: 'canceled', metadata: { purchase_id: 'p', top_up: 'yes' } }
    const event = { ...payment, last_payment_error: { message: 'Your card was declined.' } }
    expect(await read('payment_intent.payment_failed', event)).toMatchObject({ reason: 'Your card was declined.' })
    expect(await read('payment_intent.payment_failed', payment)).toMatchObject({ reason: undefined })
  })

  const setup = { mode: 'setup', metadata: { account_id: 'a', top_up: 'card' }, setup_intent: 'seti' }
  it.each([
    ['a card', {}, CARD, { accountId: 'a', paymentMethodId: 'pm_1', label: 'Visa ending in 4242' }],
    ['a card of an expanded setup', { setup_intent: { id: 'seti' } }, CARD, { label: 'Visa ending in 4242' }],
    ['another method', {}, { id: 'pm_2', type: 'link' }, { paymentMethodId: 'pm_2', label: 'link' }],
    ['no method', {}, null, undefined],
    ['a method without details', {}, 'pm_1', undefined],
    ['no setup', { setup_intent: null }, CARD, undefined],
    ['no account', { metadata: { top_up: 'card' } }, CARD, undefined],
    ['no metadata', { metadata: null }, CARD, undefined],
    ['another purpose', { metadata: { account_id: 'a' } }, CARD, undefined],
  ])('about a saved card: %s', async (_what, changes, method, fact) => {
    const found = await read('checkout.session.completed', { ...setup, ...changes }, createSources(method))
    if (fact === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(fact)
  })

  it.each([
    ['its own metadata', { metadata: { purchase_id: 'p' }, payment_intent: 'pi' }, 'p'],
    ['its expanded payment', { metadata: {}, payment_intent: { metadata: { purchase_id: 'q' } } }, 'q'],
    ['the stored payment', { metadata: {}, payment_intent: 'pi' }, 'stored'],
    ['no payment', { metadata: {}, payment_intent: null }, undefined],
    ['a payment that is not ours', { metadata: {}, payment_intent: { metadata: {} } }, undefined],
  ])('about a refund finds the purchase by %s', async (_what, charge, purchaseId) => {
    const fact = await read('charge.refunded', { ...charge, currency: 'usd', amount_refunded: 5 })
    expect(fact).toEqual(purchaseId && { kind: 'refund', purchaseId, currency: 'usd', refundedCents: 5 })
  })

  it('asks Stripe for the purchase of a payment that is not stored', async () => {
    const { sources, retrieve } = createSources()
    sources.database.rows = () => Promise.resolve([])
    const charge = { metadata: {}, payment_intent: 'pi', currency: 'usd', amount_refunded: 5 }
    expect(await read('charge.refunded', charge, { sources, retrieve })).toMatchObject({ purchaseId: 'asked' })
    expect(retrieve).toHaveBeenCalledWith('pi')
  })

  it.each([
    ['created', 'needs_response', { isWithdrawn: true, isReinstated: false }],
    ['created', 'warning_needs_response', { isWithdrawn: false, isReinstated: false }],
    ['funds_withdrawn', 'warning_needs_response', { isWithdrawn: true, isReinstated: false }],
    ['funds_reinstated', 'needs_response', { isWithdrawn: true, isReinstated: true }],
    ['closed', 'won', { isWithdrawn: true, isReinstated: true }],
    ['closed', 'lost', { isWithdrawn: true, isReinstated: false }],
    ['closed', 'warning_closed', { isWithdrawn: false, isReinstated: true }],
  ])('charge.dispute.%s with the status %s says where the money is', async (type, status, money) => {
    const dispute = { id: 'dp', status, payment_intent: 'pi', currency: 'usd', amount: 7 }
    const fact = { kind: 'dispute', purchaseId: 'stored', disputeId: 'dp', currency: 'usd', amountCents: 7, ...money }
    expect(await read(`charge.dispute.${type}`, dispute)).toEqual(fact)
    expect(await read(`charge.dispute.${type}`, { ...dispute, payment_intent: null })).toBeUndefined()
  })

  it('about anything else is ignored', async () => {
    expect(await read('customer.created', { metadata: { purchase_id: 'p' } })).toBeUndefined()
  })
})
