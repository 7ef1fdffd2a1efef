import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { deletePersonalData } from '../../../db/queries/deletion'
import { findKeyOwner } from '../../../db/queries/keys'
import { addNotice, releaseNotices, takeNotices } from '../../../db/queries/notices'
import { addStripeTask, delayStripeTask, takeStripeTask } from '../../../db/queries/stripe-tasks'
import { countFailure, findTopUp, forgetFailures, saveTopUp } from '../../../db/queries/top-ups'
import { hashApiKey } from '../../../lib/accounts/key/api-key'
import { createKey, rotateKey } from '../../../lib/accounts/key/keys'
import { createLedger } from '../../../lib/credits/ledger'
import { ANY_KIND, prepareDatabase } from '../../support/databases'

describe('queries that run rarely', async () => {
  const { database, newAccount } = await prepareDatabase(ANY_KIND)

  it('delete personal data once', async () => {
    const deletion = { accountId: await newAccount(), month: '2026-11', addressHash: 'hash' }
    expect(await deletePersonalData(database, deletion)).toBe(true)
    expect(await deletePersonalData(database, deletion)).toBe(false)
    expect(await deletePersonalData(database, { ...deletion, accountId: randomUUID() })).toBe(false)
  })

  it('delete the networks of a deleted account only', async () => {
    const [accountId, other] = [await newAccount(), await newAccount()]
    await database.rows(
      sql`insert into sign_in_networks (network_hash, account_id) values ('one', ${accountId}), ('two', ${other})`,
    )
    await deletePersonalData(database, { accountId, month: '2026-11', addressHash: 'other hash' })
    const rows = await database.rows(sql`select account_id as "accountId" from sign_in_networks`)
    expect(rows).toEqual([{ accountId: other }])
  })

  it('forget failed payments after a successful one', async () => {
    const [accountId, other] = [await newAccount(), await newAccount()]
    for (const id of [accountId, other]) {
      await saveTopUp(database, id, { amountCents: 500, monthlyLimitCents: 5000 })
      expect(await countFailure(database, id, { reason: 'card_declined', most: 3, pauseMs: 1000 })).toBe(true)
    }
    await forgetFailures(database, accountId)
    expect(await findTopUp(database, accountId)).toMatchObject({ failures: 0, lastFailure: null })
    expect(await findTopUp(database, other)).toMatchObject({ failures: 1, lastFailure: 'card_declined' })
  })

  it('make delayed notices and tasks due at the start', async () => {
    await addNotice(database, { accountId: await newAccount(), kind: 'top_up_failed' })
    const [notice] = await takeNotices(database, { leaseMs: 60_000, limit: 1 })
    expect(await takeNotices(database, { leaseMs: 60_000, limit: 1 })).toEqual([])
    const task = { kind: 'delete_customer', subject: 'cus_1', attempts: 1 } as const
    await addStripeTask(database, task)
    await delayStripeTask(database, task, 60_000)
    expect(await takeStripeTask(database, { leaseMs: 1000 })).toBeUndefined()
    await releaseNotices(database)
    expect(await takeNotices(database, { leaseMs: 1000, limit: 1 })).toMatchObject([{ id: notice?.id }])
    expect(await takeStripeTask(database, { leaseMs: 1000 })).toMatchObject({ subject: 'cus_1' })
  })

  it('grant nothing for a rotated key, and read once if nothing is due', async () => {
    const accountId = await newAccount(true)
    const terms = createLedger({ database, verifiedOnly: false }).grantTerms()
    const { apiKey: old } = await createKey(accountId, database)
    const { apiKey } = await rotateKey(accountId, database)
    expect(await findKeyOwner(database, hashApiKey(old), terms)).toMatchObject({ isRotated: true, balance: 0 })
    expect(await findKeyOwner(database, hashApiKey(apiKey), terms)).toMatchObject({ isRotated: false, balance: 100 })
    const rows = vi.spyOn(database, 'rows')
    expect(await findKeyOwner(database, hashApiKey(apiKey), terms)).toMatchObject({ accountId, balance: 100 })
    expect(rows).toHaveBeenCalledTimes(1)
    rows.mockRestore()
  })

  it('give a replay a free hold of its own', async () => {
    const accountId = await newAccount(true)
    const ledger = createLedger({ database, verifiedOnly: false })
    const [first, again] = [randomUUID(), randomUUID()]
    const idempotency = { key: 'order-7', requestHash: 'hash' }
    await ledger.charge({ requestId: first, accountId, idempotency })
    await ledger.settle([first])
    await ledger.charge({ requestId: again, accountId, idempotency })
    const holds = await database.rows(
      sql`select credits, state, replays_call_id as "replays" from holds where call_id = ${again}`,
    )
    expect(holds).toEqual([{ credits: 0, state: 'open', replays: first }])
  })
})
