import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { deletePersonalData, finishDeletions } from '../../../db/queries/deletion'
import type { Account } from '../../../lib/accounts/account/accounts'
import { getLog } from '../../../lib/log'
import { startCheckout } from '../../../lib/purchases/checkout'
import { reconcile } from '../../../lib/purchases/reconcile'
import { getStripe } from '../../../lib/purchases/stripe'
import { openTopUp } from '../../../lib/purchases/top-up'
import { setTopUp } from '../../../lib/purchases/top-up-settings'
import { SAMPLED_KINDS } from '../../support/databases'
import { GRANT, openShop, ORIGIN, type Shop } from './shop'

describe.each(SAMPLED_KINDS)('a deleted account, on %s', kind => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(kind)
  })
  afterAll(() => shop?.stop())
  beforeEach(() => {
    shop.double.failWith = undefined
    shop.double.losesResponses = false
  })

  const order = async (account: Account) =>
    (await startCheckout({ account, dollars: '10', origin: ORIGIN })).url.split('/').at(-1) ?? ''
  const remove = ({ id }: Account) =>
    deletePersonalData(shop.database, { accountId: id, month: '2026-01', addressHash: 'hash' })
  const customerOf = (sessionId: string) => String(shop.double.sessions.get(sessionId)?.['customer'])
  const purchaseOf = (sessionId: string) =>
    (shop.double.sessions.get(sessionId)?.['metadata'] as { purchase_id: string } | undefined)?.purchase_id ?? ''
  const entriesOf = ({ id }: Account) =>
    shop.database.rows(sql`select kind, delta from ledger_entries where account_id = ${id} order by ledger_entries.id`)
  const refundsOf = (sessionId: string) =>
    [...shop.double.askedRefunds.values()].filter(
      refund => refund['payment_intent'] === shop.double.sessions.get(sessionId)?.['payment_intent'],
    )
  const findDifferences = async (sessionId: string) => {
    const { differences } = await reconcile({ database: shop.database, stripe: getStripe() })
    return differences
      .filter(({ purchaseId }) => purchaseId === purchaseOf(sessionId))
      .map(({ what, isMended }) => [what, isMended])
  }
  /** Every row of every table with contents, as text. */
  const findRows = async (text: string) => {
    const tables = await shop.database.rows<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const rows = await Promise.all(
      tables.map(({ name }) =>
        shop.database.rows<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`),
      ),
    )
    return rows
      .flat()
      .map(({ row }) => row)
      .filter(row => row.includes(text))
  }

  it('gets no credits for a checkout that is paid later: the payment is refunded in full, and the operator is notified', async () => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    await remove(account)
    const paid = shop.double.pay(sessionId)
    const log = vi.spyOn(getLog(), 'error')
    expect(await shop.hear(paid)).toBe('orphaned')
    expect(await shop.hear(paid)).toBe('noted')
    expect(log.mock.calls).toMatchObject([[{ purchase: purchaseOf(sessionId), amountCents: 1000 }, expect.anything()]])
    log.mockRestore()
    shop.double.failWith = 500
    await shop.seeTo()
    shop.double.failWith = undefined
    expect(refundsOf(sessionId)).toEqual([])
    expect(await findDifferences(sessionId)).toEqual([
      ['was paid after its account was deleted and is not yet refunded', false],
    ])
    await shop.hurry()
    await shop.seeTo()
    await shop.hurry()
    await shop.seeTo()
    expect(refundsOf(sessionId)).toMatchObject([{ amount: 1000 }])
    expect(await shop.hear(shop.double.tell('charge.refunded', sessionId, { id: 'ch', amount_refunded: 1000 }))).toBe(
      'noted',
    )
    expect(await findDifferences(sessionId)).toEqual([['was paid after its account was deleted and is refunded', true]])
    expect(await entriesOf(account)).toEqual([{ kind: 'grant', delta: GRANT }])
    expect(await shop.database.rows(sql`select balance, debt from users where id = ${account.id}`)).toEqual([
      { balance: GRANT, debt: 0 },
    ])
    expect(shop.double.deletedCustomers).toContain(customerOf(sessionId))
    expect(await shop.database.rows(sql`select 1 from stripe_tasks`)).toEqual([])
  })

  it('gets its payment refunded later if a refund fails, and once if somebody refunded it at Stripe', async () => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    await remove(account)
    expect(await shop.hear(shop.double.pay(sessionId))).toBe('orphaned')
    const refundedCents = async () =>
      (
        await shop.database.rows(sql`select refunded_cents as cents from purchases where id = ${purchaseOf(sessionId)}`)
      )[0]?.['cents']
    const create = vi.spyOn(getStripe().refunds, 'create')
    for (const status of ['failed', 'canceled']) {
      create.mockResolvedValueOnce({ status } as Awaited<ReturnType<typeof create>>)
      await shop.seeTo()
      expect(await refundedCents()).toBe(0)
      await shop.hurry()
    }
    create.mockRestore()
    shop.double.refund(sessionId, 1000)
    await shop.seeTo()
    expect([await refundedCents(), refundsOf(sessionId)]).toEqual([1000, []])
  })

  it('has the customers of unpaid checkouts deleted at Stripe', async () => {
    const account = await shop.createOwner()
    const [pending, expired] = [await order(account), await order(account)]
    const unpaid = { payment_status: 'unpaid', customer: 'cus_pending' }
    expect(await shop.hear(shop.double.tell('checkout.session.completed', pending, unpaid))).toBe('noted')
    await remove(account)
    const late = shop.double.tell('checkout.session.expired', expired, { customer: 'cus_expired' })
    expect(await shop.hear(late)).toBe('noted')
    await shop.seeTo()
    for (const id of ['cus_pending', 'cus_expired']) expect(shop.double.deletedCustomers).toContain(id)
  })

  it('is found by the reconciliation too if the event never arrived', async () => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    await remove(account)
    shop.double.pay(sessionId)
    expect(await findDifferences(sessionId)).toEqual([
      ['was paid after its account was deleted and is not yet refunded', false],
    ])
    await shop.seeTo()
    expect(refundsOf(sessionId)).toHaveLength(1)
  })

  it('gets back an automatic payment whose response arrived too late', async () => {
    const account = await shop.createLowOwner()
    expect(await openTopUp(shop.database, { accountId: account.id })).toBe('paying')
    await shop.loseResponses()
    await remove(account)
    const [payment] = shop.paymentsOf(account)
    expect(await shop.hear(shop.double.tellPayment('payment_intent.succeeded', payment?.id ?? ''))).toBe('orphaned')
    await shop.seeTo()
    expect(
      [...shop.double.askedRefunds.values()].filter(refund => refund['payment_intent'] === payment?.id),
    ).toMatchObject([{ amount: 500 }])
    expect((await entriesOf(account)).filter(({ kind }) => kind === 'purchase')).toEqual([])
  })

  it('leaves an unlinked invoice with its number and its buyer', async () => {
    const account = await shop.createOwner()
    await shop.turnOn(account)
    const sessionId = await order(account)
    expect(await shop.hear(shop.double.pay(sessionId))).toBe('credited')
    const [{ number } = {}] = await shop.database.rows(
      sql`select receipt_number as number from purchases where id = ${purchaseOf(sessionId)}`,
    )
    expect((await findRows('Ada Example')).some(row => row.includes(account.id))).toBe(true)
    await remove(account)
    const rows = await findRows('Ada Example')
    expect(rows.length).toBeGreaterThan(0)
    const paymentId = String(shop.double.sessions.get(sessionId)?.['payment_intent'])
    for (const id of [account.id, purchaseOf(sessionId), sessionId, paymentId, customerOf(sessionId)])
      expect(rows.filter(row => row.includes(id))).toEqual([])
    expect(
      await shop.database.rows(
        sql`select amount_cents, credits, currency from archived_invoices where receipt_number = ${Number(number)}`,
      ),
    ).toEqual([{ amount_cents: 1000, credits: 10_000, currency: 'usd' }])
    expect(await shop.hear(shop.double.refund(sessionId, 400))).toBe('taken')
    expect(await shop.database.rows(sql`select balance from users where id = ${account.id}`)).toEqual([
      { balance: GRANT + 6000 },
    ])
  })

  it('leaves no such link either if an earlier version deleted it', async () => {
    const account = await shop.createOwner()
    const sessionId = await order(account)
    await shop.hear(shop.double.pay(sessionId))
    await shop.database.rows(sql`update users set deleted_at = clock_timestamp() where id = ${account.id}`)
    await finishDeletions(shop.database)
    await finishDeletions(shop.database)
    expect((await findRows('Ada Example')).filter(row => row.includes(account.id))).toEqual([])
    await shop.seeTo()
    expect(shop.double.deletedCustomers).toContain(customerOf(sessionId))
  })

  it('has all its customers and saved cards at Stripe deleted, as soon as Stripe is available', async () => {
    const account = await shop.createOwner()
    const [first, second] = [await order(account), await order(account)]
    await shop.hear(shop.double.pay(first))
    await shop.hear(shop.double.pay(second)) // Both checkouts were opened before there was a customer.
    const { url } = await setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: false, origin: ORIGIN })
    const cardPage = url?.split('/').at(-1) ?? ''
    const late =
      (await setTopUp({ account, dollars: '5', monthlyLimit: '50', isOtherCard: true, origin: ORIGIN })).url
        ?.split('/')
        .at(-1) ?? ''
    Object.assign(shop.double.sessions.get(late) ?? {}, { customer: null })
    await shop.hear(shop.double.leaveCard(cardPage))
    const customers = new Set([first, second, cardPage].map(customerOf))
    expect(customers.size).toBe(2)
    await remove(account)
    shop.double.failWith = 500
    await shop.seeTo()
    expect([...customers].filter(id => shop.double.deletedCustomers.has(id))).toEqual([])
    shop.double.failWith = undefined
    await shop.hurry()
    await shop.seeTo()
    expect([...customers].filter(id => !shop.double.deletedCustomers.has(id))).toEqual([])
    expect(await shop.hear(shop.double.leaveCard(late))).toBe('noted')
    await shop.seeTo()
    expect(shop.double.deletedCustomers).toContain(customerOf(late))
    for (const id of [...customers, customerOf(late)]) expect(await findRows(id)).toEqual([])
  })
})
