import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../../lib/credits/ledger'
import { placeSingleton } from '../../../lib/registry'
import { SAMPLED_KINDS, prepareDatabase, startDatabase } from '../../support/databases'
import { waitFor } from '../../support/wait-for'

describe.each(SAMPLED_KINDS)('metrics of booked credits on %s', async kind => {
  const { database, newAccount } = await prepareDatabase(kind)
  const ledger = createLedger({ database, verifiedOnly: false })
  let counted: Record<string, number>

  beforeAll(() => {
    placeSingleton('telemetry', {
      countCredits: (name: string, credits: number) => void (counted[name] = (counted[name] ?? 0) + credits),
    })
  })
  afterAll(() => void placeSingleton('telemetry', {}))

  /** The metrics counted during some work. */
  const count = async (work: () => Promise<unknown>) => {
    counted = {}
    await work()
    return counted
  }

  it('count each booking once: the grant, the charge, and the refund from any source', async () => {
    const accountId = await newAccount()
    const requestId = randomUUID()
    const { granted_month: month } =
      (
        await database.rows<{ granted_month: string | null }>(
          sql`select granted_month from users where id = ${accountId}`,
        )
      )[0] ?? {}
    const grant = month == null ? { grant: 100 } : {}
    expect(await count(() => ledger.charge({ requestId, accountId }))).toEqual({ ...grant, charge: 1 })
    expect(await count(() => ledger.refund(requestId))).toEqual({ refund: 1 })
    expect(await count(() => ledger.refund(requestId))).toEqual({})
    const expiredCallId = randomUUID()
    expect(await count(() => ledger.charge({ requestId: expiredCallId, accountId }))).toEqual({ charge: 1 })
    await database.rows(
      sql`update holds set lease_until = now() - interval '1 second' where call_id = ${expiredCallId}`,
    )
    expect(await count(() => ledger.sweep('expired'))).toEqual({ refund: 1 })
    expect(await count(() => ledger.refund(expiredCallId))).toEqual({})
  })

  it('do not count a replayed request, nor its end', async () => {
    const accountId = await newAccount()
    const idempotency = { key: 'k', requestHash: 'h' }
    const first = randomUUID()
    await ledger.charge({ requestId: first, accountId, idempotency })
    await ledger.settle([first])
    const again = randomUUID()
    expect(await count(() => ledger.charge({ requestId: again, accountId, idempotency }))).toEqual({})
    expect(await count(() => ledger.refund(again))).toEqual({})
    const now = () => new Date(Date.now() + 40 * 86_400_000)
    const next = createLedger({ database, verifiedOnly: false, now })
    const third = { requestId: randomUUID(), accountId, idempotency }
    expect(await count(() => next.charge(third))).toEqual({ grant: 100 })
  })

  it('count the grant of a new month once', async () => {
    const accountId = await newAccount()
    const next = createLedger({
      database: database,
      verifiedOnly: false,
      now: () => new Date(Date.now() + 40 * 86_400_000),
    })
    expect(await count(() => next.grantMonth(accountId))).toEqual({ grant: 100 })
    expect(await count(() => next.grantMonth(accountId))).toEqual({})
  })
})

it('report how the connections of a pool are used', async () => {
  const opened = await startDatabase('postgres')
  const { connections } = opened.database
  const sleeping = Array.from({ length: 13 }, () => opened.database.rows(sql`select pg_sleep(1)::text as slept`))
  const ended = Promise.all(sleeping) // Statements run when they are awaited.
  await waitFor(() => expect(connections?.()).toEqual({ most: 10, used: 10, waiting: 3 }))
  await ended
  expect(connections?.()).toEqual({ most: 10, used: 0, waiting: 0 })
  await opened.stop()
})
