import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database'
import { authorize } from '../../../lib/accounts/key/authorize'
import { createKey } from '../../../lib/accounts/key/keys'
import { bookPayment } from '../../../db/queries/purchases'
import { readConfig } from '../../../lib/config'
import { createLedger, insufficientCredits } from '../../../lib/credits/ledger'
import { isRequestError } from '../../../lib/errors'
import { placeSingleton } from '../../../lib/registry'
import { SAMPLED_KINDS, prepareDatabase } from '../../support/databases'
import { createRandom } from '../../support/random.mjs'

const NOVEMBER = new Date('2026-11-20T12:00:00Z')

describe.each(SAMPLED_KINDS)('the ledger on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database, newAccount } = opened
  let today = NOVEMBER
  const now = () => today
  const ledger = createLedger({ database, now, verifiedOnly: false, instanceId: 'one' })
  /** A second instance with separate connections. */
  const other = createLedger({ database: await opened.another(), now, verifiedOnly: false, instanceId: 'two' })

  const newCall = (accountId: string, key?: string, requestHash = 'hash') => ({
    requestId: randomUUID(),
    accountId,
    ...(key === undefined ? {} : { idempotency: { key, requestHash } }),
  })
  /** The sum of an account's ledger entries, which the balance must equal. */
  const sumOf = async (accountId: string) => {
    const [found] = await database.rows<{ sum: number; entries: number; grants: number }>(sql`
      select coalesce(sum(delta), 0)::int as sum, count(*)::int as entries,
        count(*) filter (where kind = 'grant')::int as grants
      from ledger_entries where account_id = ${accountId}`)
    return found
  }
  const spendTo = async (accountId: string, balance: number) => {
    const { balance: now } = await ledger.grantMonth(accountId)
    await ledger.adjust(accountId, balance - now, 'test')
  }
  const expireLease = (requestId: string) =>
    database.rows(sql`update holds set lease_until = now() - interval '1 second' where call_id = ${requestId}`)
  const age = (key: string, hours: number) =>
    database.rows(
      sql`update idempotency_records set created_at = now() - ${hours}::int * interval '1 hour' where key = ${key}`,
    )
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (isRequestError(error) ? error.code : String(error)),
    )

  describe('charging', () => {
    it('lets exactly 100 of 150 requests with 100 credits succeed, on two instances at once, each with its own balance', async () => {
      const accountId = await newAccount()
      const calls = Array.from({ length: 150 }, (_, index) =>
        (index % 2 === 0 ? ledger : other).charge(newCall(accountId)),
      )
      const outcomes = await Promise.allSettled(calls)
      const balances = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value.balance] : []))
      const refusals = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(balances.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index))
      expect(refusals).toHaveLength(50)
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ code: 'insufficient_credits', body: { creditsRequired: 1, creditBalance: 0 } })
      }
      expect(await sumOf(accountId)).toEqual({ sum: 0, entries: 101, grants: 1 })
    })

    it('spends the last credit once if 50 requests want it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const accountId = await newAccount()
        await spendTo(accountId, 1)
        const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(ledger.charge(newCall(accountId)))))
        expect(codes.filter(code => code === 'none')).toHaveLength(1)
        expect(codes.filter(code => code === 'insufficient_credits')).toHaveLength(49)
        expect(await ledger.balance(accountId)).toBe(0)
      }
    })

    it('writes nothing if the balance is too low', async () => {
      const accountId = await newAccount()
      await spendTo(accountId, 0)
      const before = await sumOf(accountId)
      const call = newCall(accountId, 'key')
      expect(await codeOf(ledger.charge(call))).toBe('insufficient_credits')
      expect(await sumOf(accountId)).toEqual(before)
      expect(await database.rows(sql`select 1 from holds where call_id = ${call.requestId}`)).toEqual([])
      expect(await database.rows(sql`select 1 from idempotency_records where account_id = ${accountId}`)).toEqual([])
    })

    it('refuses an unconfirmed key that had ended before the request arrived', async () => {
      const [accountId, stranger] = [await newAccount(), await newAccount()]
      const rows = await database.rows<{ id: string }>(sql`
        insert into api_keys (account_id, hash, last4) values (${accountId}, ${randomUUID()}, 'last') returning id`)
      const unconfirmedKeyId = rows[0]?.id ?? ''
      const charge = (payer: string, ageMs = 0) =>
        ledger.charge({ ...newCall(payer), unconfirmedKeyId, receivedAtMs: performance.now() - ageMs })
      expect(await charge(accountId)).toMatchObject({ balance: 99 })
      await expect(charge(stranger)).rejects.toThrow('its key has ended')
      await database.rows(sql`
        update api_keys set rotated_at = clock_timestamp() - interval '1 second' where id = ${unconfirmedKeyId}`)
      await expect(charge(accountId)).rejects.toThrow('its key has ended')
      expect(await charge(accountId, 60_000)).toMatchObject({ balance: 98 })
      await database.rows(sql`delete from api_keys where id = ${unconfirmedKeyId}`)
      await expect(charge(accountId, 60_000)).rejects.toThrow('its key has ended')
      expect(await ledger.balance(accountId)).toBe(98)
    })

    it('refuses to charge one request twice', async () => {
      const call = newCall(await newAccount())
      await ledger.charge(call)
      await expect(ledger.charge(call)).rejects.toThrow('holds_pkey')
      expect(await ledger.balance(call.accountId)).toBe(99)
    })
  })

  describe('the monthly grant', () => {
    it('happens once at the start of a month and refuses none of 50 simultaneous requests', async () => {
      for (let month = 1; month <= 6; month += 1) {
        const accountId = await newAccount()
        today = NOVEMBER
        await spendTo(accountId, 0)
        today = new Date(Date.UTC(2027, month, 1))
        const calls = Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? ledger : other).charge(newCall(accountId)),
        )
        const balances = (await Promise.all(calls)).map(charge => charge.balance)
        expect(new Set(balances).size).toBe(50)
        expect(Math.min(...balances)).toBe(50)
        expect(await sumOf(accountId)).toMatchObject({ sum: 50, grants: 2 })
      }
      today = NOVEMBER
    })

    it('happens once however often and wherever it is triggered', async () => {
      const accountId = await newAccount()
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ledger : other).grantMonth(accountId)),
      )
      expect(results.every(({ balance }) => balance === 100)).toBe(true)
      expect(await sumOf(accountId)).toEqual({ sum: 100, entries: 1, grants: 1 })
    })

    it('follows the UTC calendar, adds to the balance, and is not repeated if a clock goes back', async () => {
      const accountId = await newAccount()
      today = new Date('2028-02-29T23:59:59.999Z')
      expect((await ledger.charge(newCall(accountId))).balance).toBe(99)
      today = new Date('2028-03-01T00:00:00.000Z')
      expect((await ledger.charge(newCall(accountId))).balance).toBe(198)
      today = new Date('2028-02-29T23:00:00.000Z')
      expect((await ledger.charge(newCall(accountId))).balance).toBe(197)
      expect(await ledger.grantMonth(accountId)).toEqual({ balance: 197 })
      today = NOVEMBER
    })

    it('is not given to an unverified email, if verification is required', async () => {
      const strict = createLedger({ database, verifiedOnly: true })
      const accountId = await newAccount()
      expect(await strict.grantMonth(accountId)).toEqual({ balance: 0 })
      expect(await codeOf(strict.charge(newCall(accountId)))).toBe('insufficient_credits')
      await database.rows(sql`update users set email_verified = now() where id = ${accountId}`)
      expect((await strict.charge(newCall(accountId))).balance).toBe(99)
    })
  })

  describe('the daily cap on grants', () => {
    const CAPPED = new Date('2029-05-04T12:00:00Z')
    /** Two ledgers with a cap, as on two instances, and the days that they reported. */
    const createCapped = async (grantCapPerDay: number) => {
      const reported: string[] = []
      const settings = { now: () => today, verifiedOnly: false, grantCapPerDay }
      const onGrantCap = (day: string) => reported.push(day)
      return {
        reported,
        one: createLedger({ ...settings, database, onGrantCap }),
        two: createLedger({ ...settings, database: await opened.another() }),
      }
    }
    const grantsOf = async (accountIds: string[]) =>
      (await Promise.all(accountIds.map(sumOf))).map(found => found?.sum ?? 0)

    it('is never exceeded by simultaneous grants, and the others get theirs on the next day', async () => {
      today = CAPPED
      const { one, two, reported } = await createCapped(550)
      const accounts = await Promise.all(Array.from({ length: 12 }, newAccount))
      await Promise.all(accounts.map((id, index) => (index % 2 === 0 ? one : two).grantMonth(id)))
      const sums = await grantsOf(accounts)
      expect(sums.filter(sum => sum === 100)).toHaveLength(5)
      expect(sums.filter(sum => sum === 0)).toHaveLength(7)
      expect(await one.grantedToday()).toBe(500)
      const left = accounts.filter((_, index) => sums[index] === 0)
      for (const id of left) expect(await one.grantMonth(id)).toEqual({ balance: 0 })
      expect(reported).toEqual(['2029-05-04'])
      today = new Date('2029-05-05T00:00:00Z')
      for (const id of left.slice(0, 5)) expect(await one.grantMonth(id)).toEqual({ balance: 100 })
      expect(await one.grantMonth(left[5] ?? '')).toEqual({ balance: 0 })
      expect(reported).toEqual(['2029-05-04', '2029-05-05'])
      today = NOVEMBER
    })

    it('holds for requests with a key too, and charges keep the books', async () => {
      today = new Date('2029-06-01T00:00:00Z')
      const { one } = await createCapped(100)
      const [first, second] = [await newAccount(), await newAccount()]
      const keys = await Promise.all([first, second].map(async id => (await createKey(id, database)).apiKey))
      const balances = []
      for (const key of keys) balances.push((await authorize(key, { database, ledger: one })).balance)
      expect(balances).toEqual([100, 0])
      expect((await one.charge(newCall(first))).balance).toBe(99)
      expect(await codeOf(one.charge(newCall(second)))).toBe('insufficient_credits')
      await one.adjust(second, 5, 'test')
      expect((await one.charge(newCall(second))).balance).toBe(4)
      expect(await sumOf(second)).toMatchObject({ sum: 4, grants: 0 })
      expect(await sumOf(first)).toMatchObject({ sum: 99, grants: 1 })
      today = NOVEMBER
    })
  })

  describe('whether an account has paid', () => {
    it('is known from purchases and from credits of the operator, also with its key', async () => {
      const [free, paid, lessened] = [await newAccount(), await newAccount(), await newAccount()]
      await ledger.grantMonth(free)
      await ledger.charge(newCall(free))
      await ledger.adjust(lessened, 0, 'nothing')
      await bookPayment(database, { accountId: paid, kind: 'purchase', credits: 1000, reference: `paid ${paid}` })
      expect(await Promise.all([free, paid, lessened].map(id => ledger.hasPaid(id)))).toEqual([false, true, false])
      await ledger.adjust(lessened, 5, 'a gift')
      expect(await ledger.hasPaid(lessened)).toBe(true)
      for (const [id, hasPaid] of [[free, false] as const, [paid, true] as const]) {
        const { apiKey } = await createKey(id, database)
        const present = () => authorize(apiKey, { database, ledger, mayBeUnconfirmed: true })
        expect([(await present()).hasPaid, (await present()).hasPaid]).toEqual([hasPaid, hasPaid])
      }
    })
  })

  describe('refunds', () => {
    it('return a credit once, however often they are requested', async () => {
      const call = newCall(await newAccount())
      await ledger.charge(call)
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? ledger : other).refund(call.requestId)),
      )
      expect(results).toEqual(Array.from({ length: 10 }, () => ({ balance: 100 })))
      expect(await sumOf(call.accountId)).toMatchObject({ sum: 100, entries: 3 })
    })

    it("don't apply to a request whose response was delivered", async () => {
      const call = newCall(await newAccount())
      await ledger.charge(call)
      await ledger.settle([call.requestId])
      expect(await ledger.refund(call.requestId)).toEqual({ balance: 99 })
    })

    it("don't apply to requests that were settled together, and leave an earlier refund among them unchanged", async () => {
      const accountId = await newAccount()
      const calls = [newCall(accountId, 'one'), newCall(accountId), newCall(accountId, 'two')]
      for (const call of calls) await ledger.charge(call)
      await ledger.refund(calls[1]?.requestId ?? '')
      await ledger.settle(calls.map(({ requestId }) => requestId))
      for (const { requestId } of calls) expect(await other.refund(requestId)).toEqual({ balance: 98 })
      expect(await ledger.hasReplay(accountId, 'one')).toBe(true)
      expect(await ledger.hasReplay(accountId, 'two')).toBe(true)
      expect(await sumOf(accountId)).toMatchObject({ sum: 98 })
    })

    it('still return the balance after the hold is deleted', async () => {
      const call = newCall(await newAccount())
      await ledger.charge(call)
      await ledger.settle([call.requestId])
      await database.rows(
        sql`update holds set closed_at = now() - interval '2 hours' where call_id = ${call.requestId}`,
      )
      await ledger.purge(5000)
      expect(await database.rows(sql`select 1 from holds where call_id = ${call.requestId}`)).toEqual([])
      expect(await ledger.refund(call.requestId)).toEqual({ balance: 99 })
    })

    it('compete with the delivery of the response: exactly one of both happens', async () => {
      for (let round = 0; round < 20; round += 1) {
        const call = newCall(await newAccount())
        await ledger.charge(call)
        await Promise.all([ledger.settle([call.requestId]), other.refund(call.requestId)])
        const [hold] = await database.rows<{ state: string }>(
          sql`select state from holds where call_id = ${call.requestId}`,
        )
        expect(await ledger.balance(call.accountId)).toBe(hold?.state === 'settled' ? 99 : 100)
      }
    })
  })

  describe('the sweep', () => {
    it('refunds requests whose lease has expired and never one with a live lease', async () => {
      const accountId = await newAccount()
      const [dead, live, renewed] = [newCall(accountId), newCall(accountId), newCall(accountId)]
      for (const call of [dead, live, renewed]) await ledger.charge(call)
      await expireLease(dead.requestId)
      await expireLease(renewed.requestId)
      await ledger.renew([renewed.requestId, live.requestId])
      const swept = await Promise.all([ledger.sweep('expired'), other.sweep('expired')])
      expect(swept[0] + swept[1]).toBe(1)
      expect(await ledger.balance(accountId)).toBe(98)
      expect(await ledger.sweep('expired')).toBe(0)
    })

    it('refunds no request whose lease was renewed or whose response was delivered after the sweep had listed it', async () => {
      const accountId = await newAccount()
      const [renewed, delivered] = [newCall(accountId), newCall(accountId)]
      for (const call of [renewed, delivered]) {
        await ledger.charge(call)
        await expireLease(call.requestId)
      }
      let lists = 0
      const rows: Database['rows'] = async statement => {
        const listed = await database.rows(statement)
        if ((lists += 1) === 1) {
          await ledger.renew([renewed.requestId])
          await ledger.settle([delivered.requestId])
        }
        return listed as never
      }
      const sweeping = createLedger({ database: { ...database, kind, rows }, verifiedOnly: false })
      expect(await sweeping.sweep('expired')).toBe(0)
      expect(lists).toBeGreaterThanOrEqual(4)
      expect(await ledger.balance(accountId)).toBe(98)
      expect(await ledger.refund(renewed.requestId)).toEqual({ balance: 99 })
    })

    it('refunds more requests than it lists at once', async () => {
      const accountId = await newAccount()
      await ledger.grantMonth(accountId)
      await ledger.adjust(accountId, 5, 'test')
      const calls = Array.from({ length: 105 }, () => newCall(accountId))
      for (const call of calls) {
        await ledger.charge(call)
        await expireLease(call.requestId)
      }
      expect(await ledger.sweep('expired')).toBeGreaterThanOrEqual(105) // Leases of other tests may have expired.
      expect(await ledger.balance(accountId)).toBe(105)
    })

    it('does not renew a lease that was swept', async () => {
      const call = newCall(await newAccount())
      await ledger.charge(call)
      await expireLease(call.requestId)
      await ledger.sweep('expired')
      await ledger.renew([call.requestId])
      await ledger.settle([call.requestId])
      expect(await ledger.balance(call.accountId)).toBe(100)
    })

    it(
      kind === 'pglite' ? 'refunds every open call at boot' : 'will not touch live leases of other instances',
      async () => {
        const call = newCall(await newAccount())
        await ledger.charge(call)
        if (kind === 'pglite') expect(await ledger.sweep('all')).toBeGreaterThan(0)
        else await expect(ledger.sweep('all')).rejects.toThrow('Other instances')
        expect(await ledger.balance(call.accountId)).toBe(kind === 'pglite' ? 100 : 99)
      },
    )
  })

  describe('an Idempotency-Key', () => {
    it('charges one of 20 equal requests at once and makes the others wait', async () => {
      const accountId = await newAccount()
      const codes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          codeOf((index % 2 === 0 ? ledger : other).charge(newCall(accountId, 'same'))),
        ),
      )
      expect(codes.toSorted()).toEqual(['none', ...Array.from({ length: 19 }, () => 'request_in_progress')])
      expect(await ledger.balance(accountId)).toBe(99)
    })

    it('tells a waiting client when to retry', async () => {
      const accountId = await newAccount()
      await ledger.charge(newCall(accountId, 'wait'))
      await expect(ledger.charge(newCall(accountId, 'wait'))).rejects.toMatchObject({
        status: 409,
        headers: { 'Retry-After': '2' },
      })
    })

    it('makes a repetition free after the first request succeeded, also at balance 0', async () => {
      const accountId = await newAccount()
      await spendTo(accountId, 1)
      const first = newCall(accountId, 'free')
      expect(await ledger.charge(first)).toEqual({ balance: 0, charged: 1, replayed: false })
      expect(await ledger.hasReplay(accountId, 'free')).toBe(false)
      await ledger.settle([first.requestId])
      expect(await ledger.hasReplay(accountId, 'free')).toBe(true)
      const replays = await Promise.all(Array.from({ length: 3 }, () => ledger.charge(newCall(accountId, 'free'))))
      expect(replays).toEqual(Array.from({ length: 3 }, () => ({ balance: 0, charged: 0, replayed: true })))
      expect(await codeOf(ledger.charge(newCall(accountId, 'another')))).toBe('insufficient_credits')
    })

    it('allows three delivered replays, and any number of undelivered replays', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'thrice')
      await ledger.charge(first)
      await ledger.settle([first.requestId])
      for (let delivered = 0; delivered < 3; delivered++) {
        const lost = newCall(accountId, 'thrice')
        await ledger.charge(lost)
        await ledger.refund(lost.requestId)
        const replay = newCall(accountId, 'thrice')
        expect(await ledger.charge(replay)).toMatchObject({ charged: 0, replayed: true })
        await ledger.settle([replay.requestId])
      }
      await expect(ledger.charge(newCall(accountId, 'thrice'))).rejects.toMatchObject({
        code: 'idempotency_key_reused',
        message: expect.stringContaining('3 times'),
      })
      expect(await ledger.balance(accountId)).toBe(99)
    })

    it('runs no more replays at once than may be delivered', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'at once')
      await ledger.charge(first)
      await ledger.settle([first.requestId])
      const calls = Array.from({ length: 10 }, () => newCall(accountId, 'at once'))
      const codes = await Promise.all(calls.map(call => codeOf(ledger.charge(call))))
      expect(codes.filter(code => code === 'none')).toHaveLength(3)
      expect(codes.filter(code => code === 'request_in_progress')).toHaveLength(7)
    })

    it('grants a new month to a repetition too', async () => {
      const accountId = await newAccount()
      await spendTo(accountId, 1)
      const first = newCall(accountId, 'turn')
      await ledger.charge(first)
      await ledger.settle([first.requestId])
      today = new Date('2026-12-01T00:00:00Z')
      expect(await ledger.charge(newCall(accountId, 'turn'))).toEqual({ balance: 100, charged: 0, replayed: true })
      today = NOVEMBER
    })

    it('refunds nothing for a repetition that fails, and remains valid for the first success', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'fails')
      await ledger.charge(first)
      await ledger.settle([first.requestId])
      const replay = newCall(accountId, 'fails')
      await ledger.charge(replay)
      expect(await ledger.refund(replay.requestId)).toEqual({ balance: 99 })
      expect(await ledger.refund(replay.requestId)).toEqual({ balance: 99 })
      expect(await ledger.hasReplay(accountId, 'fails')).toBe(true)
    })

    it('refuses a different request under a key that is running or has succeeded', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'reused', 'one')
      await ledger.charge(first)
      expect(await codeOf(ledger.charge(newCall(accountId, 'reused', 'two')))).toBe('idempotency_key_reused')
      await ledger.settle([first.requestId])
      expect(await codeOf(ledger.charge(newCall(accountId, 'reused', 'two')))).toBe('idempotency_key_reused')
      expect(await ledger.balance(accountId)).toBe(99)
    })

    it('counts as new after a failure, for a different request too', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'failed', 'one')
      await ledger.charge(first)
      await ledger.refund(first.requestId)
      expect(await ledger.charge(newCall(accountId, 'failed', 'two'))).toEqual({
        balance: 99,
        charged: 1,
        replayed: false,
      })
    })

    it('counts as new after the lease of the first request has expired, for one of many requests', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'expired')
      await ledger.charge(first)
      await expireLease(first.requestId)
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          codeOf((index % 2 === 0 ? ledger : other).charge(newCall(accountId, 'expired'))),
        ),
      )
      expect(codes.filter(code => code === 'none')).toHaveLength(1)
      expect(codes.filter(code => code === 'request_in_progress')).toHaveLength(9)
      await ledger.sweep('expired')
      expect(await ledger.balance(accountId)).toBe(99)
      expect(await codeOf(ledger.charge(newCall(accountId, 'expired')))).toBe('request_in_progress')
    })

    it('expires after 24 hours', async () => {
      const accountId = await newAccount()
      const first = newCall(accountId, 'old')
      await ledger.charge(first)
      await ledger.settle([first.requestId])
      await age('old', 23)
      expect((await ledger.charge(newCall(accountId, 'old'))).replayed).toBe(true)
      await age('old', 25)
      expect(await ledger.hasReplay(accountId, 'old')).toBe(false)
      expect(await ledger.charge(newCall(accountId, 'old'))).toEqual({ balance: 98, charged: 1, replayed: false })
    })

    it('belongs to one account', async () => {
      const [one, two] = [await newAccount(), await newAccount()]
      const call = newCall(one, 'shared')
      await ledger.charge(call)
      await ledger.settle([call.requestId])
      expect((await ledger.charge(newCall(two, 'shared'))).charged).toBe(1)
    })
  })

  describe('bookings', () => {
    it('add an adjustment with its note, and a payment once for each reference', async () => {
      const accountId = await newAccount()
      expect(await ledger.adjust(accountId, 50, 'a gift')).toEqual({ balance: 50 })
      const booked = await Promise.allSettled(
        Array.from({ length: 4 }, () =>
          bookPayment(database, { accountId, kind: 'purchase', credits: 1000, reference: `payment-${accountId}` }),
        ),
      )
      expect(booked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await sumOf(accountId)).toEqual({ sum: 1050, entries: 2, grants: 0 })
    })

    it('never make a balance negative: the missing amount is owed, and the next payment repays it', async () => {
      const accountId = await newAccount()
      const pay = (kind: 'purchase' | 'purchase_refund' | 'dispute' | 'dispute_reversal', credits: number) =>
        bookPayment(database, { accountId, kind, credits, reference: randomUUID() })
      const tell = async () =>
        (
          await database.rows(
            sql`select balance, debt, (select sum(owed)::int from ledger_entries where account_id = ${accountId}) as owed from users where id = ${accountId}`,
          )
        )[0]
      await pay('purchase', 5000)
      await ledger.adjust(accountId, -4000, 'spent')
      expect(await pay('purchase_refund', -3000)).toBe(0)
      expect(await tell()).toEqual({ balance: 0, debt: 2000, owed: 2000 })
      expect(await pay('dispute', -2000)).toBe(0)
      expect(await tell()).toEqual({ balance: 0, debt: 4000, owed: 4000 })
      expect(await pay('purchase', 3000)).toBe(0)
      expect(await tell()).toEqual({ balance: 0, debt: 1000, owed: 1000 })
      expect(await pay('dispute_reversal', 2000)).toBe(1000)
      expect(await tell()).toEqual({ balance: 1000, debt: 0, owed: 0 })
    })

    it('cannot be changed or deleted afterwards', async () => {
      const accountId = await newAccount()
      await ledger.grantMonth(accountId)
      await expect(
        database.rows(sql`update ledger_entries set delta = 5 where account_id = ${accountId}`),
      ).rejects.toThrow(/never changed/)
      await expect(database.rows(sql`delete from ledger_entries where account_id = ${accountId}`)).rejects.toThrow(
        /never changed/,
      )
    })
  })

  it('keep every balance equal to its ledger through a mix of all operations', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, newAccount))
    const random = createRandom(20_261_120)
    const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)]
    const open: string[] = []
    const step = async () => {
      const on = random() < 0.5 ? ledger : other
      const accountId = pick(accounts) ?? ''
      const kindOfStep = random()
      if (kindOfStep < 0.5) {
        const call = newCall(accountId, random() < 0.3 ? `key-${Math.floor(random() * 5)}` : undefined)
        await on.charge(call).then(
          () => open.push(call.requestId),
          (error: unknown) => expect(isRequestError(error)).toBe(true),
        )
      } else if (kindOfStep < 0.65)
        await on.refund(open.splice(Math.floor(random() * open.length), 1)[0] ?? '').catch(() => {})
      else if (kindOfStep < 0.85)
        await on.settle(open.splice(Math.floor(random() * open.length), 1 + Math.floor(random() * 3)))
      else if (kindOfStep < 0.95) await expireLease(pick(open) ?? '')
      else await on.sweep('expired')
    }
    for (let batch = 0; batch < 25; batch += 1) await Promise.all(Array.from({ length: 16 }, step))
    for (const accountId of accounts) {
      const balance = await ledger.balance(accountId)
      expect(balance).toBeGreaterThanOrEqual(0)
      expect((await sumOf(accountId))?.sum).toBe(balance)
    }
    const [broken] = await database.rows<{ gaps: number }>(sql`
      select count(*)::int as gaps from (
        select balance, sum(delta) over (partition by account_id order by id) as running from ledger_entries
      ) lines where balance <> running`)
    expect(broken?.gaps).toBe(0)
  })
})

it.each([
  [{}, 'You get'],
  [{ STRIPE_SECRET_KEY: 'sk' }, 'Buy credits at /account/credits. You get'],
  [
    { STRIPE_SECRET_KEY: 'sk', PUBLIC_URL: 'https://sheaf.example/' },
    'Buy credits at https://sheaf.example/account/credits. You get',
  ],
])('a refusal says where credits are sold (%j)', (settings, sentence) => {
  placeSingleton('config', { ...readConfig({}), ...settings })
  expect(insufficientCredits(3).message).toContain(`Your balance is 3. ${sentence} 100 free credits`)
})
