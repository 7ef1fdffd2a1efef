import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deletePersonalData } from '../../../db/queries/deletion'
import { bookPayment } from '../../../db/queries/purchases'
import { describeBalance } from '../../../lib/credits/balance'
import { exportLedger, listCredits } from '../../../lib/credits/history'
import { createLedger } from '../../../lib/credits/ledger'
import { createLedgerRetention } from '../../../lib/credits/ledger-retention'
import { SAMPLED_KINDS, prepareDatabase } from '../../support/databases'

const DAYS = 400

describe.each(SAMPLED_KINDS)('old ledger entries on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database, newAccount } = opened
  const second = await opened.another()
  const ledger = createLedger({ database, verifiedOnly: false })

  const newCall = (accountId: string, key?: string) => ({
    requestId: randomUUID(),
    accountId,
    ...(key === undefined ? {} : { idempotency: { key, requestHash: 'hash' } }),
  })
  const carry = (batchEntries?: number, on = database) =>
    createLedgerRetention({ database: on, days: DAYS, ...(batchEntries === undefined ? {} : { batchEntries }) }).run()
  /** Moves all ledger entries of an account back in time. Our triggers are disabled meanwhile. */
  const age = (accountId: string, days: number) =>
    database.transaction(async queries => {
      await queries.rows(sql`set local session_replication_role = replica`)
      await queries.rows(
        sql`update ledger_entries set created_at = created_at - ${days}::int * interval '1 day' where account_id = ${accountId}`,
      )
    })
  const entriesOf = (accountId: string) =>
    database.rows<{ kind: string; delta: number; balance: number; note: string | null; booked: number | null }>(sql`
      select kind, delta, balance, note, booked from ledger_entries where account_id = ${accountId} order by id`)
  const kindsOf = async (accountId: string) =>
    (await entriesOf(accountId)).map(entry => `${entry.kind} ${entry.balance}`)
  const expectSum = async (accountId: string) => {
    let sum = 0
    for (const { delta, balance } of await entriesOf(accountId)) expect(balance).toBe((sum += delta))
    expect(await ledger.balance(accountId)).toBe(sum)
  }
  const spend = async (accountId: string, calls: number) => {
    for (let index = 0; index < calls; index += 1) {
      const call = newCall(accountId)
      await ledger.charge(call)
      await (index % 4 === 0 ? ledger.refund(call.requestId) : ledger.settle([call.requestId]))
    }
  }

  it('become one entry with their sum, and younger entries stay', async () => {
    const accountId = await newAccount()
    await spend(accountId, 6)
    await bookPayment(database, { accountId, kind: 'purchase', credits: 1000, reference: randomUUID() })
    await ledger.adjust(accountId, -7, 'taken back')
    await age(accountId, DAYS + 2)
    await spend(accountId, 2)
    const { free, bought, balance } = await describeBalance(accountId, { database, ledger })
    expect(await carry()).toBe(11)
    const [first, ...rest] = await entriesOf(accountId)
    expect(first).toMatchObject({
      kind: 'carry_forward',
      delta: 1089,
      balance: 1089,
      booked: 993,
      note: expect.stringMatching(/^Carried forward until 20\d\d-\d\d-\d\d$/),
    })
    expect(rest.map(entry => entry.kind)).toEqual(['charge', 'refund', 'charge'])
    await expectSum(accountId)
    expect(await describeBalance(accountId, { database, ledger })).toMatchObject({ free, bought, balance })
    expect(await carry()).toBe(0)
    await age(accountId, DAYS + 2)
    expect(await carry()).toBe(4)
    expect(await kindsOf(accountId)).toEqual(['carry_forward 1088'])
    expect(await describeBalance(accountId, { database, ledger })).toMatchObject({ free, bought, balance })
  })

  it('are summed in batches, and only for whole days in the past', async () => {
    const accountId = await newAccount()
    await spend(accountId, 20)
    await age(accountId, DAYS)
    expect(await carry(7)).toBe(0)
    await age(accountId, 1)
    expect(await carry(7)).toBeGreaterThanOrEqual(26)
    expect(await kindsOf(accountId)).toEqual(['carry_forward 85'])
    await expectSum(accountId)
  })

  it('of all accounts are summed, also if they are listed in pages', async () => {
    const accountIds = [await newAccount(), await newAccount(), await newAccount(), await newAccount()]
    for (const accountId of accountIds) {
      await spend(accountId, 3)
      await age(accountId, DAYS + 1)
    }
    expect(await createLedgerRetention({ database, days: DAYS, pageAccounts: 1 }).run()).toBe(4 * 5)
    for (const accountId of accountIds) expect(await kindsOf(accountId)).toEqual(['carry_forward 98'])
  })

  it('can be left half-processed if the service ends, and the work continues later', async () => {
    const accountId = await newAccount()
    await spend(accountId, 20)
    await age(accountId, DAYS + 1)
    const retention = createLedgerRetention({ database, days: DAYS, batchEntries: 5 })
    let checks = 0
    expect(await retention.run(() => (checks += 1) > 2)).toBe(10)
    expect((await entriesOf(accountId)).length).toBe(18)
    await expectSum(accountId)
    await retention.run()
    expect(await kindsOf(accountId)).toEqual(['carry_forward 85'])
  })

  it('are labeled as a carried sum in the list and in the table', async () => {
    const accountId = await newAccount()
    await spend(accountId, 2)
    await age(accountId, DAYS + 1)
    await carry()
    await ledger.charge(newCall(accountId))
    const until = new Date(Date.now() - (DAYS + 1) * 86_400_000).toISOString().slice(0, 10)
    const entries = await listCredits(accountId, { limit: 10 }, database)
    expect(entries.map(entry => [entry.kind, entry.delta, entry.note])).toEqual([
      ['charge', -1, null],
      ['carry_forward', 99, `Carried forward until ${until}`],
    ])
    const lines = (await text(exportLedger(accountId, database))).split('\r\n')
    expect(lines[2]).toMatch(new RegExp(`^${until}T[^,]*,carry_forward,99,99,Carried forward until ${until},,,$`))
  })

  it('keep the charge of a running request and all later entries, and its refund comes once', async () => {
    const accountId = await newAccount()
    await spend(accountId, 2)
    const open = newCall(accountId)
    await ledger.charge(open)
    await spend(accountId, 1)
    await age(accountId, DAYS + 1)
    await carry()
    expect(await kindsOf(accountId)).toEqual(['carry_forward 99', 'charge 98', 'charge 97', 'refund 98'])
    const refunds = await Promise.all([ledger.refund(open.requestId), ledger.refund(open.requestId)])
    expect(refunds).toEqual([{ balance: 99 }, { balance: 99 }])
    await expectSum(accountId)
  })

  it('allow no second refund: a request whose charge was removed is not refunded again', async () => {
    const accountId = await newAccount()
    const [refunded, settled] = [newCall(accountId), newCall(accountId)]
    for (const call of [refunded, settled]) await ledger.charge(call)
    await ledger.refund(refunded.requestId)
    await ledger.settle([settled.requestId])
    await age(accountId, DAYS + 1)
    await carry()
    for (const { requestId } of [refunded, settled]) expect(await ledger.refund(requestId)).toEqual({ balance: 99 })
    expect(await ledger.sweep('expired')).toBe(0)
    await expectSum(accountId)
  })

  it('do not allow a second grant for a month', async () => {
    const accountId = await newAccount()
    await ledger.grantMonth(accountId)
    await age(accountId, DAYS + 1)
    await carry()
    expect(await ledger.grantMonth(accountId)).toEqual({ balance: 100 })
    expect((await ledger.charge(newCall(accountId))).balance).toBe(99)
    expect(await kindsOf(accountId)).toEqual(['carry_forward 100', 'charge 99'])
  })

  it('keep a repetition free', async () => {
    const accountId = await newAccount()
    const call = newCall(accountId, 'again')
    await ledger.charge(call)
    await ledger.settle([call.requestId])
    await age(accountId, DAYS + 1)
    await carry()
    expect(await ledger.charge(newCall(accountId, 'again'))).toEqual({ balance: 99, charged: 0, replayed: true })
  })

  it('of a deleted account add up to its balance as well', async () => {
    const accountId = await newAccount()
    await spend(accountId, 3)
    await deletePersonalData(database, { accountId, month: '2026-11', addressHash: 'hash' })
    await age(accountId, DAYS + 1)
    await carry()
    expect(await kindsOf(accountId)).toEqual(['carry_forward 98'])
    await expectSum(accountId)
  })

  it('are summed by several instances at once while requests are charged and refunded', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, newAccount))
    for (const accountId of accounts) {
      await ledger.adjust(accountId, 1000, 'test')
      await database.rows(sql`
        insert into ledger_entries (account_id, kind, delta, balance, note, created_at)
        select ${accountId}, 'adjustment', 1, 1000 + number, 'test', now() from generate_series(1, 300) number`)
      await database.rows(sql`update users set balance = balance + 300 where id = ${accountId}`)
      await age(accountId, DAYS + 1)
    }
    let isDone = false
    const calling = accounts.map(async accountId => {
      while (!isDone) await spend(accountId, 4)
    })
    let carried = 0
    for (let round = 0; round < 3; round += 1)
      for (const count of await Promise.all([carry(20), carry(30, second), carry(25, second)])) carried += count
    isDone = true
    await Promise.all(calling)
    expect(carried).toBeGreaterThanOrEqual(6 * 301)
    for (const accountId of accounts) {
      await expectSum(accountId)
      const kinds = (await entriesOf(accountId)).map(entry => entry.kind)
      expect(kinds.lastIndexOf('carry_forward')).toBe(0)
      expect(kinds).not.toContain('adjustment')
    }
  })

  it('are changed by nothing else', async () => {
    const accountId = await newAccount()
    await spend(accountId, 3)
    const wrong = [
      sql`update ledger_entries set delta = 5 where account_id = ${accountId}`,
      sql`update ledger_entries set kind = 'carry_forward', delta = balance + 1, booked = 0 where account_id = ${accountId}`,
      sql`update ledger_entries set kind = 'carry_forward', delta = balance, booked = 0, created_at = now() where account_id = ${accountId}`,
      sql`update ledger_entries set kind = 'carry_forward', delta = 0, balance = 0, booked = 0 where account_id = ${accountId}`,
      sql`delete from ledger_entries where account_id = ${accountId}`,
      sql`truncate ledger_entries`,
    ]
    for (const statement of wrong) await expect(database.rows(statement)).rejects.toThrow(/never changed/)
    await age(accountId, DAYS + 1)
    await carry()
    await ledger.charge(newCall(accountId))
    await expect(database.rows(sql`delete from ledger_entries where account_id = ${accountId}`)).rejects.toThrow(
      /never changed/,
    )
    await expect(
      database.rows(
        sql`update ledger_entries set booked = 5 where account_id = ${accountId} and kind = 'carry_forward'`,
      ),
    ).rejects.toThrow(/never changed/)
  })
})
