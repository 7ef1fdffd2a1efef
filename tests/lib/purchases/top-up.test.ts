import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDuplicate } from '../../../db/database-unavailable'
import type { Account } from '../../../lib/accounts/account/accounts'
import { createLedger } from '../../../lib/credits/ledger'
import { getLog } from '../../../lib/log'
import { sendDueNotices } from '../../../lib/notices/send-due-notices'
import { startCheckout } from '../../../lib/purchases/checkout'
import { openTopUp, sweepTopUps } from '../../../lib/purchases/top-up'
import { endTopUp, readTopUp, setTopUp } from '../../../lib/purchases/top-up-settings'
import { placeSingleton } from '../../../lib/registry'
import { SAMPLED_KINDS } from '../../support/databases'
import { BOUGHT, GRANT, openShop, ORIGIN, type Shop } from './shop'

const DISPUTE = { type: 'charge.dispute.created', status: 'needs_response' }
const OFF = 'Automatic top-up of your Sheaf account is off'

describe.each(SAMPLED_KINDS)('automatic top-up on %s', kind => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(kind)
  })
  afterAll(() => shop?.stop())
  beforeEach(async () => {
    await shop.database.rows(sql`update top_ups set is_on = false`)
    shop.double.declineWith = undefined
    shop.double.failWith = undefined
    shop.double.losesResponses = false
  })

  /** An owner with automatic top-up and one purchase. Returns the payment's ID too. */
  const buyOnce = async (monthlyLimit?: string): Promise<{ account: Account; paymentId: string }> => {
    const account = await shop.createLowOwner(monthlyLimit)
    await shop.seeTo()
    const [payment] = shop.paymentsOf(account)
    expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    return { account, paymentId: payment?.id ?? '' }
  }
  const openCardPage = async (account: Account) =>
    (await setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: true, origin: ORIGIN })).url
      ?.split('/')
      .at(-1) ?? ''
  const statesOf = ({ id }: Account) =>
    shop.database.rows(sql`select state from purchases where account_id = ${id} order by created_at`)

  describe('a refund or dispute', () => {
    it.each(['refund', 'dispute'] as const)(
      'by a %s turns top-up off, sends an email, and allows no second payment',
      async by => {
        const { account, paymentId } = await buyOnce()
        expect(
          await shop.hear(
            by === 'refund' ? shop.double.refund(paymentId, 500) : shop.double.dispute(paymentId, DISPUTE),
          ),
        ).toBe('taken')
        expect(await readTopUp(account.id)).toMatchObject({ isOn: false, stoppedBy: by, hasGivenUp: false })
        await shop.seeTo()
        await shop.call(account)
        await shop.seeTo()
        expect(shop.paymentsOf(account)).toHaveLength(1)
        expect(await shop.balanceOf(account)).toBe(GRANT - 2)
        expect(shop.subjectsTo(account).filter(subject => subject === OFF)).toHaveLength(1)
        expect(shop.mailsTo(account).find(text => text.includes(OFF))).toContain(
          by === 'refund' ? 'was refunded' : 'was disputed',
        )
      },
    )

    it('causes no email if top-up is off, and a bank inquiry subtracts nothing', async () => {
      const { account, paymentId } = await buyOnce()
      expect(await shop.hear(shop.double.dispute(paymentId, { ...DISPUTE, status: 'warning_needs_response' }))).toBe(
        'noted',
      )
      expect(await readTopUp(account.id)).toMatchObject({ isOn: true })
      await endTopUp(account.id)
      await shop.hear(shop.double.refund(paymentId, 500))
      await shop.seeTo()
      expect(shop.subjectsTo(account)).not.toContain(OFF)
      expect(await readTopUp(account.id)).toMatchObject({ isOn: false, stoppedBy: undefined })
    })

    it('cancels a queued payment, also if the card is reported only then', async () => {
      const { account, paymentId } = await buyOnce()
      const cardPage = await openCardPage(account)
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
      expect(await openTopUp(shop.database, { accountId: account.id })).toBe('paying')
      await shop.hear(shop.double.refund(paymentId, 500))
      await shop.hear(shop.double.leaveCard(cardPage))
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(1)
      expect(await statesOf(account)).toEqual([{ state: 'paid' }, { state: 'expired' }])
      expect(await readTopUp(account.id)).toMatchObject({ isOn: false })
      await shop.turnOn(account)
      await shop.seeTo()
      expect(await readTopUp(account.id)).toMatchObject({ isOn: true, stoppedBy: undefined })
      expect(shop.paymentsOf(account)).toHaveLength(2)
    })
  })

  describe('the decision to buy uses the current state', () => {
    it('after a request crossed the threshold and was refunded before the check', async () => {
      const [account, unsold] = [await shop.createOwner(), await shop.createOwner()]
      await shop.turnOn(account)
      for (const one of [account, unsold]) await shop.ledger.refund(await shop.call(one))
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toEqual([])
      expect(shop.mailsTo(unsold)).toEqual([])
      for (const one of [account, unsold]) await shop.call(one)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
      expect(shop.subjectsTo(unsold)).toEqual(['Your Sheaf balance is low: 99 credits left'])
    })

    it('if no record says that the balance has fallen', async () => {
      const account = await shop.createLowOwner()
      await shop.database.rows(sql`delete from notices where account_id = ${account.id}`)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    })

    it('in the month after the limit was reached', async () => {
      const { account } = await buyOnce('5')
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
      for (let round = 0; round < 3; round += 1) await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(1)
      expect(shop.mailsTo(account).filter(text => text.includes('exceed your monthly limit of $5'))).toHaveLength(1)
      await shop.database.rows(
        sql`update purchases set created_at = created_at - interval '1 month' where account_id = ${account.id}`,
      )
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(2)
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    })

    it('after the monthly grant, which precedes any purchase', async () => {
      const { account } = await buyOnce('5')
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
      await shop.seeTo()
      const nextMonth = createLedger({
        database: shop.database,
        verifiedOnly: false,
        now: () => new Date(Date.now() + 31 * 86_400_000),
      })
      placeSingleton('ledger', nextMonth)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(2 * GRANT - 1)
      await shop.ledger.adjust(account.id, -GRANT, 'spent')
      for (let round = 0; round < 3; round += 1) await shop.seeTo()
      placeSingleton('ledger', shop.ledger)
      expect(shop.paymentsOf(account)).toHaveLength(2)
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
    })

    it('with an email about the limit too if the balance was low before the limit was reached', async () => {
      const { account } = await buyOnce('5')
      await shop.database.rows(sql`update users set balance = 0, low_told = true where id = ${account.id}`)
      await shop.database.rows(sql`delete from notices where account_id = ${account.id}`)
      for (let round = 0; round < 2; round += 1) await shop.seeTo()
      expect(shop.mailsTo(account).filter(text => text.includes('exceed your monthly limit of $5'))).toHaveLength(1)
    })

    it('if a debt used the purchased credits', async () => {
      const account = await shop.createOwner()
      await shop.database.rows(sql`update users set debt = ${BOUGHT} where id = ${account.id}`)
      await shop.turnOn(account)
      await shop.call(account)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(GRANT - 1)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(2)
    })

    it('for a purchase that was left open without a payment', async () => {
      const account = await shop.createLowOwner()
      await openTopUp(shop.database, { accountId: account.id })
      await shop.database.rows(sql`delete from notices where account_id = ${account.id}`)
      await shop.seeTo()
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
      expect(shop.paymentsOf(account)).toHaveLength(1)
    })
  })

  describe('at the moment of payment', () => {
    it.each(['turned off', 'recovered'])('no queued payment is made after top-up was %s', async how => {
      const account = await shop.createLowOwner()
      expect(await openTopUp(shop.database, { accountId: account.id })).toBe('paying')
      if (how === 'turned off') await endTopUp(account.id)
      else await shop.ledger.adjust(account.id, 1, 'test')
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toEqual([])
      expect(await statesOf(account)).toEqual([{ state: 'expired' }])
      expect(
        await shop.database.rows(sql`select 1 from notices where account_id = ${account.id} and kind = 'top_up'`),
      ).toEqual([])
    })

    it('the low-balance email is sent if a payment that waited for Stripe was canceled', async () => {
      const account = await shop.createLowOwner()
      shop.double.failWith = 500
      await shop.seeTo()
      shop.double.failWith = undefined
      const delays = sql`select due_at - clock_timestamp() <= interval '30 s' as "isShort", attempts from notices`
      expect(await shop.database.rows(sql`${delays} where account_id = ${account.id}`)).toEqual([
        { isShort: true, attempts: 1 },
      ])
      await endTopUp(account.id)
      await shop.hurry()
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toEqual([])
      expect(shop.subjectsTo(account)).toEqual(['Your Sheaf balance is low: 99 credits left'])
    })

    it('Stripe is checked for a payment whose response was lost, before the payment is canceled', async () => {
      const account = await shop.createLowOwner()
      await shop.loseResponses()
      await endTopUp(account.id)
      await shop.hurry()
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(1)
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    })

    it('nobody is charged twice a day later, after Stripe has forgotten the idempotency key', async () => {
      const account = await shop.createLowOwner()
      await shop.loseResponses()
      shop.double.forgetKeys()
      await shop.database.rows(
        sql`update purchases set asked_at = asked_at - interval '2 days' where account_id = ${account.id}`,
      )
      await shop.hurry()
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(1)
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    })

    it('one purchase runs, however many checks run, and a card from before the first request is charged once', async () => {
      const other = await shop.another()
      const owners = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const account = await shop.createLowOwner()
          await shop.database.rows(sql`insert into notices (account_id, kind) values (${account.id}, 'low_balance')`)
          return account
        }),
      )
      await Promise.all(
        [shop.database, other, shop.database, other].map(database => sweepTopUps(database, () => false)),
      )
      await Promise.all([shop.database, other].map(database => sendDueNotices(database, () => false)))
      await Promise.all([shop.database, other].map(database => sendDueNotices(database, () => false)))
      expect(owners.map(account => shop.paymentsOf(account).length)).toEqual(owners.map(() => 1))
      const open = sql`insert into purchases (account_id, amount_cents, credits, is_top_up) values (${owners[0]?.id}, 500, 5000, true)`
      await shop.database.rows(open)
      await expect(shop.database.rows(open)).rejects.toSatisfy(error =>
        isDuplicate(error, 'purchases_top_up_under_way'),
      )
    })
  })

  describe('a card', () => {
    it('that is new does not wait for the pause of the old card', async () => {
      const account = await shop.createOwner()
      await shop.turnOn(account)
      shop.double.declineWith = 'Your card was declined.'
      await shop.call(account)
      await shop.seeTo()
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(1)
      shop.double.declineWith = undefined
      await shop.hear(shop.double.leaveCard(await openCardPage(account)))
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(2)
      expect(await shop.balanceOf(account)).toBe(GRANT - 1 + BOUGHT)
    })

    it('that Stripe no longer knows is a failed payment, and is logged', async () => {
      const { account } = await buyOnce()
      const [owner] = await shop.database.rows(sql`select stripe_customer_id as id from users where id = ${account.id}`)
      shop.double.deletedCustomers.add(String(owner?.['id']))
      const log = vi.spyOn(getLog(), 'error')
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
      await shop.seeTo()
      expect(await readTopUp(account.id)).toMatchObject({ lastFailure: 'The saved card can no longer be charged.' })
      expect(log).toHaveBeenCalledWith(expect.anything(), 'Stripe rejected the request of an automatic top-up')
      log.mockRestore()
    })

    it("that is new is charged in place of the old card, if the old card's result is unknown", async () => {
      const account = await shop.createOwner()
      await shop.turnOn(account)
      shop.double.failWith = 500
      await shop.call(account)
      await shop.seeTo()
      shop.double.failWith = undefined
      await shop.hear(shop.double.leaveCard(await openCardPage(account)))
      await shop.hurry()
      await shop.seeTo()
      await shop.seeTo()
      const [payment, ...others] = shop.paymentsOf(account)
      expect(others).toEqual([])
      const [card] = await shop.database.rows(
        sql`select payment_method_id as id from top_ups where account_id = ${account.id}`,
      )
      expect(payment?.['payment_method']).toBe(card?.['id'])
    })

    it('can be saved, and credits can be bought, after somebody has deleted the customer at Stripe', async () => {
      const { account } = await buyOnce()
      const [before] = await shop.database.rows(
        sql`select stripe_customer_id as id from users where id = ${account.id}`,
      )
      shop.double.deletedCustomers.add(String(before?.['id']))
      const cardPage = await openCardPage(account)
      expect(shop.double.sessions.get(cardPage)).toMatchObject({ mode: 'setup', customer: null })
      expect((await startCheckout({ account, dollars: '5', origin: ORIGIN })).url).toContain('/pay/')
      await shop.hear(shop.double.leaveCard(cardPage))
      const [after] = await shop.database.rows(
        sql`select stripe_customer_id as id, (select customer_id from top_ups where account_id = users.id) as charged from users where id = ${account.id}`,
      )
      expect(after?.['id']).toBe(shop.double.sessions.get(cardPage)?.['customer'])
      expect(after?.['charged']).toBe(after?.['id'])
      await shop.ledger.adjust(account.id, -BOUGHT, 'spent')
      await shop.seeTo()
      expect(shop.paymentsOf(account)).toHaveLength(2)
    })
  })
})
