import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../db/database'
import { insertRequests } from '../../../../db/queries/request-log'
import { deletePersonalData, purgeSpentGrants } from '../../../../db/queries/deletion'
import { createAccount, findByEmail, findById, type Account } from '../../../../lib/accounts/account/accounts'
import { createAuthAdapter } from '../../../../lib/accounts/sign-in/auth-adapter'
import { authorize } from '../../../../lib/accounts/key/authorize'
import { deleteAccount } from '../../../../lib/accounts/settings/delete-account'
import { createKey, describeKey } from '../../../../lib/accounts/key/keys'
import { hashPassword } from '../../../../lib/accounts/account/password'
import { signUp } from '../../../../lib/accounts/sign-in/sign-up'
import { currentMonth, findSpentMonth, hashAddress } from '../../../../lib/accounts/account/spent-grant'
import { readConfig } from '../../../../lib/config'
import { createLedger, type Ledger } from '../../../../lib/credits/ledger'
import { placeDatabase } from '../../../../lib/database'
import { placeSingleton } from '../../../../lib/registry'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'
import { makeRow } from '../../requests/make-row'

const SECRET = 'a secret of more than thirty-two characters'
const PASSWORD = 'correct horse battery'

describe.each(SAMPLED_KINDS)('a deleted account on %s', async kind => {
  const opened = await prepareDatabase(kind)
  let database: Database
  let ledger: Ledger
  beforeAll(async () => {
    database = placeDatabase(opened.database)
    placeSingleton('config', readConfig({ NEXTAUTH_SECRET: SECRET }))
    ledger = createLedger({ database, verifiedOnly: false })
    placeSingleton('ledger', ledger)
  })

  let email: string
  beforeEach(() => {
    email = `${randomUUID()}@example.test`
  })

  const open = async (passwordHash: string | null = null): Promise<Account> => {
    const { account } = await createAccount({ email, name: 'Alice Example', passwordHash, verified: true })
    if (account === null) throw new Error('the address was taken')
    return account
  }
  const remove = (account: Account, given: Partial<Parameters<typeof deleteAccount>[0]> = {}) =>
    deleteAccount({ account, signedInAt: new Date(), password: '', email, clientAddress: '203.0.113.7', ...given })
  const sumOf = async (id: string) => {
    const [found] = await database.rows<{ sum: number; balance: number }>(sql`
      select coalesce(sum(delta), 0)::int as sum, (select balance from users where id = ${id}) as balance from ledger_entries where account_id = ${id}`)
    return found
  }
  /** All contents of all tables of the database, as text. */
  const dump = async () => {
    const tables = await database.rows<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(8)
    const texts = await Promise.all(
      tables.map(({ name }) =>
        database.rows<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`),
      ),
    )
    return texts
      .flat()
      .map(({ row }) => row)
      .join('\n')
  }

  it('leaves nothing behind that identifies its owner, and its ledger equals its balance', async () => {
    const account = await open()
    const { apiKey } = await createKey(account.id)
    expect(await authorize(apiKey)).toMatchObject({ accountId: account.id, balance: 100 })
    await ledger.charge({
      requestId: randomUUID(),
      accountId: account.id,
      idempotency: { key: `order of ${email}`, requestHash: 'hash' },
    })
    await insertRequests(database, [makeRow({ accountId: account.id, agent: 'alices-server/1.0' })])
    await createAuthAdapter(database, { signedInId: null, secret: SECRET }).linkAccount?.({
      userId: account.id,
      type: 'oauth',
      provider: 'github',
      providerAccountId: `github of ${email}`,
    })
    await database.rows(sql`insert into verification_tokens values (${email}, 'token', now())`)
    await database.rows(sql`insert into sign_in_attempts (email, ip) values (${`mail to ${email}`}, '203.0.113.7')`)
    for (const trace of [email, 'Alice Example', 'alices-server']) expect(await dump()).toContain(trace)

    await remove(account)
    const left = await dump()
    for (const trace of [email, 'Alice Example', 'alices-server']) expect(left).not.toContain(trace)
    expect(await sumOf(account.id)).toEqual({ sum: 99, balance: 99 })
    await expect(authorize(apiKey)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(await describeKey(account.id)).toBeNull()
    expect(await findByEmail(email)).toBeNull()
    expect((await findById(account.id))?.sessionVersion).toBe(account.sessionVersion + 1)
    await expect(remove(account)).resolves.toBeUndefined()
  })

  it('lets its running requests finish, or be refunded', async () => {
    const account = await open()
    const [first, second] = [randomUUID(), randomUUID()]
    for (const requestId of [first, second])
      await ledger.charge({ requestId, accountId: account.id, idempotency: { key: requestId, requestHash: 'hash' } })
    await remove(account)
    await ledger.settle([first])
    expect(await ledger.refund(second)).toEqual({ balance: 99 })
    expect(await sumOf(account.id)).toEqual({ sum: 99, balance: 99 })
  })

  it('gets no more rows in the request log', async () => {
    const account = await open()
    await remove(account)
    await insertRequests(database, [makeRow({ accountId: account.id })])
    expect(await database.rows(sql`select 1 from calls where account_id = ${account.id}`)).toEqual([])
    expect(await database.rows(sql`select 1 from usage_days where account_id = ${account.id}`)).toEqual([])
  })

  it('can be created again with its email, but the same month is granted only once', async () => {
    for (const round of [1, 2, 3]) {
      const account = await open()
      if (round === 1) expect(await ledger.grantMonth(account.id)).toEqual({ balance: 100 })
      await remove(account)
      await signUp({ email: email.toUpperCase(), password: PASSWORD, clientAddress: `203.0.113.${round}` })
      const again = await findByEmail(email)
      expect(again?.id).not.toBe(account.id)
      expect(await ledger.grantMonth(again?.id ?? '')).toEqual({ balance: 0 })
      await deletePersonalData(database, {
        accountId: again?.id ?? '',
        month: currentMonth(),
        addressHash: await hashAddress({ email, secret: SECRET }, database),
      })
    }
    const adapter = createAuthAdapter(database, { signedInId: null, secret: SECRET })
    const user = await adapter.createUser?.({ id: '', email, emailVerified: null })
    expect(await ledger.grantMonth(user?.id ?? '')).toEqual({ balance: 0 })
    const nextMonth = createLedger({ database, verifiedOnly: false, now: () => new Date(Date.now() + 32 * 86_400_000) })
    expect(await nextMonth.grantMonth(user?.id ?? '')).toEqual({ balance: 100 })
  })

  it('does not record its email if its month was not granted, and the record ends with the month', async () => {
    const account = await open()
    await remove(account)
    expect(await findSpentMonth({ email, secret: SECRET }, database)).toBeNull()
    const hash = await hashAddress({ email, secret: SECRET }, database)
    await database.rows(sql`insert into spent_grants values ('2020-01', ${hash}), (${currentMonth()}, ${hash})`)
    await purgeSpentGrants(database)
    expect(await database.rows(sql`select month from spent_grants where address_hash = ${hash}`)).toEqual([
      { month: currentMonth() },
    ])
    expect(await findSpentMonth({ email, secret: `another ${SECRET}` }, database)).toBeNull()
  })

  it('requires its password, or its email and a recent sign-in if it has no password', async () => {
    const account = await open(await hashPassword(PASSWORD))
    await expect(remove(account, { password: 'a wrong password' })).rejects.toMatchObject({
      status: 403,
      code: 'wrong_password',
    })
    await expect(remove(account)).rejects.toMatchObject({ status: 403, code: 'wrong_password' })
    expect(await findByEmail(email)).not.toBeNull()
    await remove(account, { password: PASSWORD, signedInAt: new Date(0) })
    expect(await findByEmail(email)).toBeNull()

    const other = await open()
    await expect(remove(other, { email: 'other@example.test' })).rejects.toMatchObject({
      status: 403,
      code: 'wrong_address',
    })
    await expect(remove(other, { signedInAt: new Date(Date.now() - 16 * 60_000) })).rejects.toMatchObject({
      status: 403,
      code: 'sign_in_again',
    })
    await remove(other, { email: ` ${email.toUpperCase()}`, signedInAt: new Date(Date.now() - 14 * 60_000) })
    expect(await findByEmail(email)).toBeNull()
  })
})
