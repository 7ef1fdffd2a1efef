import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { insertRequests } from '../../../db/queries/request-log'
import { bookPayment } from '../../../db/queries/purchases'
import { findById } from '../../../lib/accounts/account/accounts'
import { setLowBalance } from '../../../lib/notices/low-balance'
import { describeBalance, isBalanceLow } from '../../../lib/credits/balance'
import { exportLedger, listCredits } from '../../../lib/credits/history'
import { createLedger } from '../../../lib/credits/ledger'
import { SAMPLED_KINDS, prepareDatabase } from '../../support/databases'
import { makeRow } from '../requests/make-row'

const NOVEMBER = new Date('2026-11-20T12:00:00Z')

describe.each(SAMPLED_KINDS)('a balance on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database } = opened
  let today = NOVEMBER
  const ledger = createLedger({ database, now: () => today, verifiedOnly: true })

  const newAccount = (isVerified = true) => opened.newAccount(isVerified)
  const tell = (accountId: string) => describeBalance(accountId, { database, ledger, now: today })
  const spend = async (accountId: string, calls: number) => {
    for (let call = 0; call < calls; call += 1) await ledger.charge({ requestId: randomUUID(), accountId })
  }

  it("includes this month's grant and the date of the next one", async () => {
    expect(await tell(await newAccount())).toEqual({
      balance: 100,
      free: 100,
      bought: 0,
      grant: {
        month: '2026-11',
        credits: 100,
        isGranted: true,
        isHeldBack: false,
        nextAt: new Date('2026-12-01T00:00:00Z'),
      },
      lowBalanceAt: 20,
      isLow: false,
      debt: 0,
    })
    today = new Date('2026-12-31T23:59:59Z')
    expect((await tell(await newAccount())).grant).toMatchObject({
      month: '2026-12',
      nextAt: new Date('2027-01-01T00:00:00Z'),
    })
    today = NOVEMBER
    expect(await tell(await newAccount(false))).toMatchObject({
      balance: 0,
      free: 0,
      grant: { isGranted: false },
      isLow: true,
    })
  })

  it('does not exist without an account', async () => {
    const reader = { grantTerms: () => ledger.grantTerms(), grantMonth: () => Promise.resolve({ balance: 0 }) }
    await expect(tell('nobody')).rejects.toThrow('There is no account nobody')
    await expect(describeBalance('nobody', { database, ledger: reader })).rejects.toThrow('There is no account nobody')
  })

  it('uses free credits before purchased credits', async () => {
    const accountId = await newAccount()
    await ledger.grantMonth(accountId)
    await bookPayment(database, { accountId, kind: 'purchase', credits: 1000, reference: randomUUID() })
    await ledger.adjust(accountId, 50, 'a gift')
    await spend(accountId, 3)
    expect(await tell(accountId)).toMatchObject({ balance: 1147, free: 97, bought: 1050 })
    await ledger.adjust(accountId, -1140, 'taken back')
    expect(await tell(accountId)).toMatchObject({ balance: 7, free: 7, bought: 0, isLow: true })
  })

  it('is low below the threshold that its owner sets', async () => {
    const accountId = await newAccount()
    expect(await setLowBalance(accountId, '101', database)).toEqual({ lowBalanceAt: 101 })
    expect(await tell(accountId)).toMatchObject({ balance: 100, lowBalanceAt: 101, isLow: true })
    expect((await findById(accountId, database))?.lowBalanceAt).toBe(101)
    await setLowBalance(accountId, ' 100 ', database)
    expect(await tell(accountId)).toMatchObject({ isLow: false })
    for (const typed of ['', '-1', '1.5', 'x', '1000001', '1e3'])
      await expect(setLowBalance(accountId, typed, database)).rejects.toMatchObject({
        status: 400,
        code: 'invalid_threshold',
      })
    expect(isBalanceLow(0, 0)).toBe(false)
  })

  it('has a ledger that names the requests behind it, also as a table', async () => {
    const accountId = await newAccount()
    const [logged, other] = [randomUUID(), randomUUID()]
    await ledger.charge({ requestId: logged, accountId })
    await ledger.charge({ requestId: other, accountId })
    await ledger.refund(other)
    await ledger.adjust(accountId, 5, '=HYPERLINK("x")')
    await insertRequests(database, [
      makeRow({ accountId, id: logged, via: 'playground' }),
      makeRow({ accountId: await newAccount(), id: other }),
    ])
    const entries = await listCredits(accountId, { limit: 10 }, database)
    expect(
      entries.map(({ kind, delta, requestId, operation, via }) => [kind, delta, requestId, operation, via]),
    ).toEqual([
      ['adjustment', 5, null, null, null],
      ['charge', 0, other, null, null],
      ['charge', -1, logged, 'pdf-tools/rotate-pdf', 'playground'],
      ['grant', 100, null, null, null],
    ])
    const lines = (await text(exportLedger(accountId, database))).split('\r\n')
    expect(lines[0]).toBe('time,kind,credits,balance,reason,request_id,operation,via')
    expect(lines.map(line => line.replace(/^\d[^,]*,/, ''))).toEqual([
      lines[0],
      `adjustment,5,104,"'=HYPERLINK(""x"")",,,`,
      `refund,1,99,,${other},,`,
      `charge,-1,98,,${other},,`,
      `charge,-1,99,pdf-tools/rotate-pdf,${logged},pdf-tools/rotate-pdf,playground`,
      'grant,100,100,2026-11,,,',
      '',
    ])
  })

  it('can have a ledger of more than one page, at most 90 days back', async () => {
    const accountId = await newAccount()
    await database.rows(sql`
      insert into ledger_entries (account_id, kind, delta, balance, note, created_at)
      select ${accountId}, 'adjustment', 1, number, 'test', now() - case when number <= 10 then interval '91 days' else interval '1 day' end
      from generate_series(1, 2510) number`)
    const lines = (await text(exportLedger(accountId, database))).trim().split('\r\n')
    expect(lines).toHaveLength(2501)
    expect(new Set(lines.map(line => line.split(',')[3])).size).toBe(2501)
  })
})
