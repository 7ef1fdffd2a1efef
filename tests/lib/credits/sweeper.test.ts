import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { createLedger } from '../../../lib/credits/ledger'
import { startSweeper } from '../../../lib/credits/sweeper'
import { ANY_KIND, prepareDatabase } from '../../support/databases'
import { waitFor } from '../../support/wait-for'

const { database, newAccount } = await prepareDatabase(ANY_KIND)
const ledger = createLedger({ database, verifiedOnly: false })

const renew = () => Promise.resolve()

describe('the sweeper', () => {
  it('refunds expired leases and deletes expired rows, repeatedly, until it is stopped', async () => {
    const accountId = await newAccount()
    const call = { requestId: randomUUID(), accountId }
    await ledger.charge(call)
    await database.rows(sql`update holds set lease_until = now() - interval '1 second'`)
    await database.rows(
      sql`insert into sign_in_attempts (email, ip, attempted_at) values ('a', 'b', now() - interval '2 days')`,
    )
    await database.rows(
      sql`insert into verification_tokens (identifier, token, expires) values ('a', 'old', now() - interval '25 hours'), ('a', 'new', now())`,
    )
    await database.rows(
      sql`insert into ledger_entries (account_id, kind, delta, balance, note, created_at) select ${await newAccount()}, 'adjustment', 0, 0, 'old', now() - interval '402 days' from generate_series(1, 3)`,
    )
    const sweeper = startSweeper({
      ledger,
      database,
      requestLogDays: 90,
      ledgerDays: 400,
      renew,
      sweepEveryMs: 5,
      purgeEveryMs: 5,
      onError: error => expect.fail(String(error)),
    })
    await waitFor(async () => {
      expect(await ledger.balance(accountId)).toBe(100)
      expect(await database.rows(sql`select 1 from sign_in_attempts`)).toEqual([])
      expect(await database.rows(sql`select token from verification_tokens`)).toEqual([{ token: 'new' }])
      expect(
        await database.rows(sql`select 1 from ledger_entries where note = 'old' or kind = 'carry_forward'`),
      ).toHaveLength(1)
    })
    await sweeper.stop()
  })

  it('reports a failure and retries', async () => {
    const problems: unknown[] = []
    let rounds = 0
    const failing = {
      purge: () => Promise.resolve(0),
      sweep: () => {
        rounds += 1
        return rounds === 1 ? Promise.reject(new Error('away')) : Promise.resolve(0)
      },
    }
    const sweeper = startSweeper({
      ledger: failing,
      database,
      requestLogDays: 90,
      renew,
      sweepEveryMs: 5,
      onError: error => problems.push(error),
    })
    await waitFor(() => expect(rounds).toBeGreaterThan(2))
    await sweeper.stop()
    expect(problems).toEqual([new Error('away')])
  })

  it('lets every instance renew its leases before it refunds, and twice after the database was unavailable', async () => {
    const events: string[] = []
    const noted = {
      purge: () => Promise.resolve(0),
      sweep: () => {
        events.push('sweep')
        return events.length === 2 ? Promise.reject(new Error('away')) : Promise.resolve(0)
      },
    }
    const renew = () => Promise.resolve(void events.push('renew'))
    const sweeper = startSweeper({
      ledger: noted,
      database,
      requestLogDays: 90,
      renew,
      sweepEveryMs: 5,
      onError: () => {},
    })
    await waitFor(() => expect(events.length).toBeGreaterThan(7))
    await sweeper.stop()
    expect(events.slice(0, 8)).toEqual(['renew', 'sweep', 'renew', 'renew', 'renew', 'sweep', 'renew', 'sweep'])
  })

  it('finishes the current round before it stops', async () => {
    let finish = () => {}
    let isDone = false
    const slow = {
      purge: () => Promise.resolve(0),
      sweep: () =>
        new Promise<number>(resolve => {
          finish = () => {
            isDone = true
            resolve(0)
          }
        }),
    }
    const started = vi.spyOn(slow, 'sweep')
    const sweeper = startSweeper({
      ledger: slow,
      database,
      requestLogDays: 90,
      renew,
      sweepEveryMs: 5,
      onError: () => {},
    })
    await waitFor(() => expect(started).toHaveBeenCalledTimes(1))
    const stopped = sweeper.stop()
    finish()
    await stopped
    expect(isDone).toBe(true)
  })
})
