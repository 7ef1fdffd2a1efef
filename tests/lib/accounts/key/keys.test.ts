import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { purgeKeys } from '../../../../db/queries/keys'
import { bookPayment } from '../../../../db/queries/purchases'
import { hashApiKey, mintApiKey } from '../../../../lib/accounts/key/api-key'
import { authorize } from '../../../../lib/accounts/key/authorize'
import { createKey, describeKey, isKeyExists, rotateKey, rotateSeenKey } from '../../../../lib/accounts/key/keys'
import { createShownKey, rotateShownKey } from '../../../../lib/accounts/key/shown-key'
import { createLedger } from '../../../../lib/credits/ledger'
import { placeDatabase } from '../../../../lib/database'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'

describe.each(SAMPLED_KINDS)('API keys on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database } = opened
  const another = await opened.another()
  let today = new Date('2026-11-20T12:00:00Z')
  const ledger = createLedger({ database, now: () => today, verifiedOnly: false })

  const newAccount = () => opened.newAccount(true)
  const client = () => ({ address: '203.0.113.0/24', agent: 'curl/8.5.0' })
  const present = (apiKey: string | null, on = database) => authorize(apiKey, { database: on, ledger, client })
  const refused = { code: 'invalid_api_key', status: 401 }

  it('are looked up a few times for a hundred requests at the same moment', async () => {
    const { apiKey } = await createKey(await newAccount(), database)
    const rows = vi.spyOn(another, 'rows')
    const callers = await Promise.all(Array.from({ length: 100 }, () => present(apiKey, another)))
    expect(new Set(callers.map(({ accountId }) => accountId)).size).toBe(1)
    expect(rows.mock.calls.length).toBeLessThan(10)
    rows.mockRestore()
  })

  it("identify their account and grant the month's credits once", async () => {
    const accountId = await newAccount()
    const { apiKey } = await createKey(accountId, database)
    expect(await present(apiKey)).toMatchObject({ accountId, balance: 100 })
    const second = await present(apiKey)
    expect(second).toMatchObject({ accountId, via: 'api', key: { last4: apiKey.slice(-4) } })
    expect(second.balance).toBe(kind === 'pglite' ? undefined : 100) // The second request finds the key in the cache.
    const [entry] = await database.rows<{ count: number }>(
      sql`select count(*)::int from ledger_entries where account_id = ${accountId}`,
    )
    expect(entry?.count).toBe(1)
  })

  it('report credits to each of 50 simultaneous requests at the start of a month', async () => {
    for (let month = 1; month <= 4; month += 1) {
      const accountId = await newAccount()
      const { apiKey } = await createKey(accountId, database)
      today = new Date(Date.UTC(2027, month, 1))
      const seen = await Promise.all(
        Array.from({ length: 50 }, (_, index) => present(apiKey, index % 2 === 0 ? database : another)),
      )
      expect(seen.map(({ balance }) => balance)).toEqual(Array.from({ length: 50 }, () => 100))
    }
    today = new Date('2026-11-20T12:00:00Z')
  })

  it("are refused if missing, mistyped or unknown, and the message doesn't repeat them", async () => {
    const unknown = mintApiKey()
    for (const missing of [null, '']) await expect(present(missing)).rejects.toThrow('header is missing')
    for (const apiKey of [null, '', 'sk_test_123', unknown.slice(0, -1), `${unknown}x`, unknown]) {
      const refusal = await present(apiKey).catch((error: unknown) => error)
      expect(refusal).toMatchObject(refused)
      if (apiKey) expect(refusal instanceof Error && refusal.message).not.toContain(apiKey)
    }
  })

  it('are created once: the second of two tabs gets an error', async () => {
    const accountId = await newAccount()
    const tabs = await Promise.allSettled([createKey(accountId, database), createKey(accountId, another)])
    const told = tabs.flatMap(tab => (tab.status === 'rejected' ? [tab.reason] : []))
    expect(told.map(isKeyExists)).toEqual([true])
    await expect(createKey(accountId, database)).rejects.toThrow('Rotate the key')
  })

  it('stop working the moment they are rotated, on every instance', async () => {
    const accountId = await newAccount()
    const { apiKey: old } = await createKey(accountId, database)
    for (let use = 0; use < 2; use += 1) expect(await present(old, another)).toMatchObject({ accountId })
    const { apiKey: fresh } = await rotateKey(accountId, database)
    await expect(present(old, another)).rejects.toMatchObject(refused)
    expect(await present(fresh, another)).toMatchObject({ accountId })
  })

  it('may be unconfirmed if they come from memory, until another instance finds that they have ended', async () => {
    const accountId = await newAccount()
    const { apiKey } = await createKey(accountId, database)
    const presentFast = () => authorize(apiKey, { database: another, ledger, client, mayBeUnconfirmed: true })
    expect(await presentFast()).toEqual(await present(apiKey, another).then(caller => ({ ...caller, balance: 100 })))
    const cached = await presentFast()
    expect(cached).toMatchObject({ accountId, via: 'api', hasPaid: false })
    expect(cached.isUnconfirmed).toBe(kind === 'pglite' ? undefined : true)
    await rotateKey(accountId, database)
    if (kind === 'postgres') expect(await presentFast()).toMatchObject({ isUnconfirmed: true, balance: 100 })
    await expect(present(apiKey, another)).rejects.toMatchObject(refused)
    await expect(presentFast()).rejects.toMatchObject(refused)
  })

  it('stop working after rotation, also during constant requests', async () => {
    const accountId = await newAccount()
    let { apiKey } = await createKey(accountId, database)
    let isOver = false
    const callers = Array.from({ length: 8 }, async () => {
      for (; !isOver; await setImmediate()) await present(apiKey).catch(() => {}) // The running request is refused.
    })
    for (let round = 0; round < 30; round += 1) {
      const old = apiKey
      apiKey = (await rotateKey(accountId, database)).apiKey
      await expect(present(old)).rejects.toMatchObject(refused)
    }
    isOver = true
    await Promise.all(callers)
  })

  it('grant the credits of the next month too', async () => {
    const accountId = await newAccount()
    const { apiKey } = await createKey(accountId, database)
    for (let use = 0; use < 2; use += 1) await present(apiKey)
    today = new Date('2026-12-01T00:00:00Z')
    expect(await present(apiKey)).toMatchObject({ balance: 200 })
    today = new Date('2026-11-20T12:00:00Z')
  })

  it.each<[string, (accountId: string) => Promise<unknown>]>([
    ['is spent', accountId => ledger.charge({ requestId: randomUUID(), accountId })],
    [
      'is spent by a request that is repeated after a failure',
      accountId =>
        ledger.charge({ requestId: randomUUID(), accountId, idempotency: { key: 'again', requestHash: 'hash' } }),
    ],
    [
      'is refunded to its payer',
      accountId => bookPayment(database, { accountId, kind: 'purchase_refund', credits: -3, reference: randomUUID() }),
    ],
    [
      'is refunded in a transaction',
      accountId =>
        database.transaction(queries =>
          bookPayment(queries, { accountId, kind: 'dispute', credits: -1, reference: randomUUID() }),
        ),
    ],
    ['is removed by an operator', accountId => ledger.adjust(accountId, -1, 'taken')],
  ])('show when their last credit %s', async (_, lose) => {
    const accountId = await newAccount()
    const { apiKey } = await createKey(accountId, database)
    await present(apiKey)
    const failed = { requestId: randomUUID(), accountId, idempotency: { key: 'again', requestHash: 'hash' } }
    await ledger.charge(failed)
    await ledger.refund(failed.requestId)
    await ledger.adjust(accountId, -99, 'all but one')
    for (let use = 0; use < 2; use += 1) await present(apiKey)
    await lose(accountId)
    expect(await present(apiKey)).toMatchObject({ balance: 0 })
  })

  it('are shown to their owner once, and end the key of no other window or session', async () => {
    placeDatabase(database)
    const id = await newAccount()
    const owner = { id, sessionVersion: 0 }
    const conflict = (code: string, message: string) => ({
      status: 409,
      code,
      message: expect.stringContaining(message) as string,
    })
    await expect(rotateShownKey(owner, 'abcd')).rejects.toMatchObject(conflict('key_changed', 'has no key now'))
    const { apiKey } = await createShownKey(owner)
    await expect(createShownKey(owner)).rejects.toMatchObject(conflict('key_exists', 'already has a key'))
    const rotated = await rotateShownKey(owner, apiKey.slice(-4))
    expect(await present(rotated.apiKey)).toMatchObject({ accountId: id })
    await expect(rotateShownKey(owner, '----')).rejects.toMatchObject(
      conflict('key_changed', `now ends in ${rotated.apiKey.slice(-4)}`),
    )
    for (const work of [createShownKey, (old: typeof owner) => rotateShownKey(old, rotated.apiKey.slice(-4))])
      await expect(work({ id, sessionVersion: 1 })).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(await present(rotated.apiKey)).toMatchObject({ accountId: id })
  })

  it('leave exactly one working key after many simultaneous rotations', async () => {
    const accountId = await newAccount()
    await createKey(accountId, database)
    const rotated = await Promise.all(
      Array.from({ length: 10 }, (_, index) => rotateKey(accountId, index % 2 === 0 ? database : another)),
    )
    const seen = await Promise.allSettled(rotated.map(({ apiKey }) => present(apiKey)))
    expect(seen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [active] = await database.rows<{ count: number }>(
      sql`select count(*)::int from api_keys where account_id = ${accountId} and rotated_at is null`,
    )
    expect(active?.count).toBe(1)
  })

  it('return a new key to one of several simultaneous rotations on two instances, and an error to the others', async () => {
    const accountId = await newAccount()
    const { apiKey: old } = await createKey(accountId, database)
    const seen = { accountId, last4: old.slice(-4) }
    const rotated = await Promise.all(
      Array.from({ length: 10 }, (_, index) => rotateSeenKey(seen, index % 2 === 0 ? database : another)),
    )
    const [winner, ...others] = rotated.filter(outcome => outcome !== null)
    expect(others).toEqual([])
    expect(await present(winner?.apiKey ?? null, another)).toMatchObject({ accountId })
    await expect(present(old)).rejects.toMatchObject(refused)
    expect(await rotateSeenKey(seen, database)).toBeNull()
    expect(await rotateSeenKey({ ...seen, accountId: await newAccount() }, database)).toBeNull()
  })

  it('leave exactly one working key if one tab creates a key and another rotates it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const accountId = await newAccount()
      const [created, rotated] = await Promise.allSettled([
        createKey(accountId, database),
        rotateKey(accountId, another),
      ])
      expect(rotated.status).toBe('fulfilled')
      const keys = [created, rotated].flatMap(tab => (tab.status === 'fulfilled' ? [tab.value.apiKey] : []))
      const seen = await Promise.allSettled(keys.map(apiKey => present(apiKey)))
      expect(seen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  it('report how often the old key is still used', async () => {
    const accountId = await newAccount()
    expect(await describeKey(accountId, database)).toBeNull()
    const { apiKey: old } = await createKey(accountId, database)
    expect(await describeKey(accountId, database)).toMatchObject({
      masked: `sheaf_live_…${old.slice(-4)}`,
      refusedUses: 0,
      firstRefusedAt: null,
      lastRefusedAt: null,
      lastRefusedClient: { address: null, agent: null },
    })
    const { apiKey: fresh } = await rotateKey(accountId, database)
    for (let use = 0; use < 3; use += 1) await present(old).catch(() => {})
    // Sheaf writes the first use at once, and the others once a minute (refused-uses.test.ts).
    const described = await describeKey(accountId, database)
    expect(described).toMatchObject({ last4: fresh.slice(-4), refusedUses: 1, lastRefusedClient: client() })
    expect(described?.firstRefusedAt).toEqual(described?.lastRefusedAt)
    expect(Math.abs((described?.lastRefusedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(Math.abs((described?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  })

  it('are stored as a hash only, and deleted 90 days after their rotation', async () => {
    const accountId = await newAccount()
    const { apiKey: old } = await createKey(accountId, database)
    await rotateKey(accountId, database)
    const stored = await database.rows<{ row: string }>(
      sql`select api_keys::text as row from api_keys where account_id = ${accountId}`,
    )
    expect(stored.some(({ row }) => row.includes(hashApiKey(old)))).toBe(true)
    expect(stored.some(({ row }) => row.includes(old.slice(11, -4)))).toBe(false)
    const count = () =>
      database.rows<{ count: number }>(sql`select count(*)::int from api_keys where account_id = ${accountId}`)
    await database.rows(
      sql`update api_keys set rotated_at = now() - interval '89 days' where hash = ${hashApiKey(old)}`,
    )
    await purgeKeys(database, 5000)
    expect(await count()).toEqual([{ count: 2 }])
    await database.rows(
      sql`update api_keys set rotated_at = now() - interval '91 days' where hash = ${hashApiKey(old)}`,
    )
    await purgeKeys(database, 5000)
    expect(await count()).toEqual([{ count: 1 }])
  })
})
