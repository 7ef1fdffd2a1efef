import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deletePersonalData } from '../../../db/queries/deletion'
import { setLowBalance } from '../../../lib/notices/low-balance'
import { reconcile } from '../../../lib/purchases/reconcile'
import { getStripe } from '../../../lib/purchases/stripe'
import { endTopUp, readTopUp, setTopUp } from '../../../lib/purchases/top-up-settings'
import { findSingleton, placeSingleton } from '../../../lib/registry'
import { GRANT, openShop, ORIGIN, type Shop } from '../purchases/shop'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.stop())
beforeEach(async () => {
  await shop.database.rows(sql`delete from notices`)
  await shop.database.rows(sql`update top_ups set is_on = false`)
  await shop.database.rows(sql`update purchases set state = 'expired' where state = 'open'`)
  shop.double.declineWith = undefined
  shop.double.failWith = undefined
})

describe('a low balance', () => {
  it('causes an email once each time that the balance falls below the threshold, in plain text and in HTML', async () => {
    const { createOwner, call, seeTo, mailsTo, subjectsTo, ledger } = shop
    const account = await createOwner()
    await seeTo()
    expect(mailsTo(account)).toEqual([])
    const requestId = await call(account)
    await call(account)
    await Promise.all([seeTo(), seeTo()])
    expect(subjectsTo(account)).toEqual(['Your Sheaf balance is low: 98 credits left'])
    expect(mailsTo(account)[0]).toMatch(
      /multipart\/alternative[\s\S]*text\/plain[\s\S]*below your threshold of 100[\s\S]*text\/html[\s\S]*<a href=3D"http:\/\/sheaf.test\/account\/credits"/,
    )

    await ledger.refund(requestId)
    await call(account)
    await seeTo()
    expect(mailsTo(account)).toHaveLength(1)

    await ledger.adjust(account.id, 3, 'test')
    await call(account)
    await call(account)
    await seeTo()
    expect(subjectsTo(account)).toHaveLength(2)
  })

  it('causes at most one email for requests that repeatedly fail at the threshold, and none while it is not low', async () => {
    const { createOwner, call, seeTo, mailsTo, subjectsTo, ledger } = shop
    const account = await createOwner()
    for (let round = 0; round < 3; round += 1) {
      await ledger.refund(await call(account))
      await seeTo()
    }
    expect(mailsTo(account)).toEqual([])
    for (let round = 0; round < 3; round += 1) {
      const requestId = await call(account)
      await seeTo()
      await ledger.refund(requestId)
      await seeTo()
    }
    expect(subjectsTo(account)).toEqual(['Your Sheaf balance is low: 99 credits left'])
  })

  it('causes no email if the threshold is 0, or was raised above the balance', async () => {
    const { createOwner, call, seeTo, mailsTo, database } = shop
    const never = await createOwner(0)
    for (let sent = 0; sent < GRANT; sent += 1) await call(never)
    const raised = await createOwner(10)
    await setLowBalance(raised.id, '500', database)
    await call(raised)
    await seeTo()
    expect([mailsTo(never), mailsTo(raised)]).toEqual([[], []])
  })

  it('causes no email to an account that was deleted in the meantime', async () => {
    const { createOwner, call, seeTo, mailsTo, database } = shop
    const account = await createOwner()
    await call(account)
    await deletePersonalData(database, { accountId: account.id, month: '2026-01', addressHash: 'hash' })
    await seeTo()
    expect(mailsTo(account)).toEqual([])
  })

  it('causes the email later if the mail server is unavailable', async () => {
    const { createOwner, call, seeTo, hurry, mailsTo } = shop
    const account = await createOwner()
    const transport = findSingleton('mail')
    placeSingleton('mail', { sendMail: () => Promise.reject(new Error('away')) })
    await call(account)
    await seeTo()
    placeSingleton('mail', transport)
    await seeTo()
    expect(mailsTo(account)).toEqual([])
    await hurry()
    await seeTo()
    expect(mailsTo(account)).toHaveLength(1)
  })

  it('causes no purchase unless its owner enabled top-up', async () => {
    const { createOwner, call, seeTo, paymentsOf, subjectsTo } = shop
    const account = await createOwner()
    await setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: false, origin: ORIGIN })
    expect(await readTopUp(account.id)).toMatchObject({ isOn: false })
    await call(account)
    await seeTo()
    expect(subjectsTo(account)).toEqual(['Your Sheaf balance is low: 99 credits left'])
    expect(paymentsOf(account)).toEqual([])
  })
})

describe('automatic top-up', () => {
  it('buys once each time that the balance falls, sends an email, and is credited once whatever reports it first', async () => {
    const { createOwner, turnOn, call, hear, seeTo, balanceOf, paymentsOf, subjectsTo, database, double } = shop
    const account = await createOwner()
    await turnOn(account)
    expect(await readTopUp(account.id)).toMatchObject({
      isOn: true,
      dollars: 5,
      monthlyLimitDollars: 50,
      card: 'Visa ending in 4242',
    })
    await call(account)
    await Promise.all([seeTo(), seeTo()])
    await seeTo()
    const [payment] = paymentsOf(account)
    expect(payment?.['sent']).toMatchObject({
      amount: '500',
      currency: 'usd',
      off_session: 'true',
      confirm: 'true',
      customer: expect.stringMatching(/^cus_/) as string,
      payment_method: expect.stringMatching(/^pm_/) as string,
    })
    expect(await balanceOf(account)).toBe(GRANT - 1 + 5000)
    expect(await hear(double.tellPayment('payment_intent.succeeded', payment?.id ?? ''))).toBe('noted')
    await call(account)
    await seeTo()
    expect(await balanceOf(account)).toBe(GRANT - 2 + 5000)
    expect(paymentsOf(account)).toHaveLength(1)
    expect(subjectsTo(account)).toEqual(['Your Sheaf account was topped up with 5,000 credits'])
    expect(
      await database.rows(
        sql`select is_top_up, state, receipt_number is not null as numbered, billing from purchases where account_id = ${account.id}`,
      ),
    ).toEqual([
      { is_top_up: true, state: 'paid', numbered: true, billing: expect.stringContaining('Ada Example') as string },
    ])
  })

  it.each(['the event', 'the sweep'])(
    'is paid once if the response of Stripe is lost, and %s reports it first',
    async first => {
      const { database, double, hear, seeTo, hurry, balanceOf, paymentsOf } = shop
      const account = await shop.createLowOwner()
      double.failWith = 500
      await seeTo() // The purchase is open, and Stripe is unavailable.
      expect(paymentsOf(account)).toEqual([])
      double.failWith = undefined
      double.losesResponses = true
      await hurry()
      await seeTo()
      double.losesResponses = false
      const [payment] = paymentsOf(account)
      expect(await balanceOf(account)).toBe(GRANT - 1)
      if (first === 'the event')
        expect(await hear(double.tellPayment('payment_intent.succeeded', payment?.id ?? ''))).toBe('credited')
      await hurry()
      await seeTo()
      expect(paymentsOf(account)).toHaveLength(1)
      expect(await balanceOf(account)).toBe(GRANT - 1 + 5000)
      expect(await hear(double.tellPayment('payment_intent.succeeded', payment?.id ?? ''))).toBe('noted')
      expect(await database.rows(sql`select 1 from notices`)).toEqual([])
    },
  )

  it('stops at the monthly limit, which the low-balance email mentions', async () => {
    const { ledger, seeTo, hurry, paymentsOf, mailsTo } = shop
    const account = await shop.createLowOwner('5')
    await seeTo()
    await ledger.adjust(account.id, -5000, 'spent')
    await seeTo()
    await hurry()
    await seeTo()
    expect(paymentsOf(account)).toHaveLength(1)
    expect(mailsTo(account)).toHaveLength(2)
    expect(mailsTo(account).at(-1)).toContain('exceed your monthly limit of $5')
  })

  it('turns off after three failed payments in a row, each with an email', async () => {
    const { createOwner, turnOn, call, hear, seeTo, balanceOf, paymentsOf, mailsTo, subjectsTo, double } = shop
    const account = await createOwner()
    await turnOn(account)
    double.declineWith = 'Your card was declined.'
    await call(account)
    for (let round = 0; round < 5; round += 1) {
      await seeTo()
      await shop.endPauses()
    }
    expect(paymentsOf(account)).toHaveLength(3)
    expect(subjectsTo(account)).toEqual([
      'A top-up of your Sheaf account failed',
      'A top-up of your Sheaf account failed',
      'Automatic top-up of your Sheaf account is off',
    ])
    expect(mailsTo(account)[0]).toContain('Your card was declined.')
    expect(await readTopUp(account.id)).toMatchObject({
      isOn: false,
      hasGivenUp: true,
      lastFailure: 'Your card was declined.',
    })
    expect(await hear(double.tellPayment('payment_intent.payment_failed', paymentsOf(account)[0]?.id ?? ''))).toBe(
      'noted',
    )
    expect(await readTopUp(account.id)).toMatchObject({ hasGivenUp: true })
    expect(await balanceOf(account)).toBe(GRANT - 1)

    double.declineWith = undefined
    await setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: false, origin: ORIGIN })
    await seeTo()
    expect(await readTopUp(account.id)).toMatchObject({ isOn: true, lastFailure: undefined })
    expect(await balanceOf(account)).toBe(GRANT - 1 + 5000)
  })

  it('requests a payment only as long as Stripe remembers the idempotency key', async () => {
    const { seeTo, hurry, paymentsOf, database, double } = shop
    const account = await shop.createLowOwner()
    double.failWith = 500
    for (let attempt = 0; attempt < 30; attempt += 1) {
      await hurry()
      await seeTo()
    }
    double.failWith = undefined
    expect(await readTopUp(account.id)).toMatchObject({
      lastFailure: "The payment service wasn't reachable after several attempts.",
    })
    await database.rows(sql`delete from notices`)
    await seeTo()
    expect(paymentsOf(account)).toEqual([])
  })

  it('stops retrying if the balance is restored, or its owner has turned it off', async () => {
    const { createOwner, turnOn, call, seeTo, balanceOf, paymentsOf, double, ledger } = shop
    const [back, off] = [await createOwner(), await createOwner()]
    await turnOn(back)
    await turnOn(off)
    double.declineWith = 'Your card was declined.'
    await call(back)
    await call(off)
    await seeTo()
    double.declineWith = undefined
    await ledger.adjust(back.id, 1000, 'test')
    await endTopUp(off.id)
    await shop.endPauses()
    await seeTo()
    expect([paymentsOf(back).length, paymentsOf(off).length]).toEqual([1, 1])
    expect([await balanceOf(back), await balanceOf(off)]).toEqual([GRANT - 1 + 1000, GRANT - 1])
  })

  it('refuses conflicting amounts, limits and thresholds', async () => {
    const { createOwner, turnOn, database } = shop
    const account = await createOwner()
    const set = (dollars: string, monthlyLimit: string, lowBalanceAt = GRANT) =>
      setTopUp({ account: { ...account, lowBalanceAt }, dollars, monthlyLimit, isOtherCard: false, origin: ORIGIN })
    await expect(set('4', '50')).rejects.toMatchObject({ code: 'invalid_amount' })
    await expect(set('50', '49')).rejects.toMatchObject({
      code: 'invalid_limit',
      message: expect.stringContaining('from the amount, 50, to 10,000') as string,
    })
    await expect(set('50', '10001')).rejects.toMatchObject({ code: 'invalid_limit' })
    await expect(set('5', '5', 0)).rejects.toMatchObject({ code: 'no_threshold' })
    await expect(set('5', '5', 5001)).rejects.toMatchObject({ code: 'threshold_too_high' })
    for (const [monthlyLimit, lowBalanceAt] of [
      ['5', 1],
      ['10000', 5000],
    ] as const)
      expect((await set('5', monthlyLimit, lowBalanceAt)).url).toContain('/pay/')
    await turnOn(account)
    await expect(setLowBalance(account.id, '5001', database)).rejects.toMatchObject({ code: 'threshold_too_high' })
    await endTopUp(account.id)
    await setLowBalance(account.id, '5001', database)
  })

  it('opens at most ten card pages per hour', async () => {
    const { createOwner } = shop
    const account = await createOwner()
    const open = () => setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: true, origin: ORIGIN })
    for (let opened = 0; opened < 10; opened += 1) expect((await open()).url).toContain('/pay/')
    await expect(open()).rejects.toMatchObject({ status: 429 })
  })

  it('is found by the reconciliation if neither the response nor the event arrived', async () => {
    const { database, balanceOf, paymentsOf } = shop
    const account = await shop.createLowOwner()
    await shop.loseResponses()
    expect(paymentsOf(account)).toHaveLength(1)
    const { differences } = await reconcile({ database, stripe: getStripe() })
    expect(differences.map(({ what, isMended }) => [what, isMended])).toEqual([['was paid but not credited', true]])
    expect(await balanceOf(account)).toBe(GRANT - 1 + 5000)
  })
})
