import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../db/database'
import { insertIdentity } from '../../../../db/queries/identities'
import { insertMailToken } from '../../../../db/queries/mail-tokens'
import { recordCard, saveTopUp } from '../../../../db/queries/top-ups'
import { type Account, createAccount, findById, setPassword } from '../../../../lib/accounts/account/accounts'
import { admitIdentity } from '../../../../lib/accounts/sign-in/admit-identity'
import { rememberNetwork } from '../../../../lib/accounts/sign-in/attempt-limit'
import { createAuthAdapter } from '../../../../lib/accounts/sign-in/auth-adapter'
import { authorize } from '../../../../lib/accounts/key/authorize'
import { confirmProof, describeEndings, takeProof } from '../../../../lib/accounts/sign-in/first-address-proof'
import { createKey, describeKey, isKeyOwnerGone, rotateSeenKey } from '../../../../lib/accounts/key/keys'
import { createLedger } from '../../../../lib/credits/ledger'
import { placeDatabase } from '../../../../lib/database'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'

const SECRET = 'a secret of more than thirty-two characters'

describe.each(SAMPLED_KINDS)('the first verification of an email on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const another = await opened.another()
  let database: Database
  beforeAll(async () => {
    database = placeDatabase(opened.database)
  })

  async function open({ hasPassword = true, isVerified = false } = {}): Promise<Account> {
    const { account } = await createAccount({
      email: `${randomUUID()}@example.test`,
      passwordHash: hasPassword ? 'scrypt$stranger' : null,
      verified: isVerified,
    })
    if (account === null) throw new Error('the address was taken')
    return account
  }

  const proofOf = ({ id, email }: Account) => ({ accountId: id, email })
  const present = (apiKey: string) =>
    authorize(apiKey, { database, ledger: createLedger({ database, verifiedOnly: false }) })
  const newIdentity = () => ({ provider: 'github', providerAccountId: randomUUID() })
  /** Links the identity as an earlier version did. */
  const linkUnproved = async (account: Account, identity = newIdentity()) => {
    const { provider, providerAccountId } = identity
    await database.rows(sql`
      insert into oauth_accounts (user_id, type, provider, provider_account_id)
      values (${account.id}, 'oauth', ${provider}, ${providerAccountId})`)
    return identity
  }
  const identitiesOf = ({ id }: Account) =>
    database.rows<{ id: string }>(sql`select provider_account_id as id from oauth_accounts where user_id = ${id}`)
  const fingerprintOf = async (account: Account) => {
    const described = await describeEndings(proofOf(account), database)
    return described?.fingerprint ?? ''
  }

  async function openWithEverything() {
    const account = await open()
    const { apiKey } = await createKey(account.id, database, account.sessionVersion)
    await linkUnproved(account)
    await saveTopUp(database, account.id, { amountCents: 1000, monthlyLimitCents: 5000 })
    await recordCard(database, account.id, {
      customerId: 'cus_1',
      paymentMethodId: 'pm_1',
      label: 'Visa ending in 4242',
      billing: '{}',
    })
    await database.rows(sql`update users set stripe_customer_id = 'cus_1' where id = ${account.id}`)
    await rememberNetwork(account, '203.0.113.66', { database, secret: SECRET })
    return { account, apiKey }
  }

  it('is held if it would end something, lists exactly that, and changes nothing', async () => {
    const { account, apiKey } = await openWithEverything()
    expect(await takeProof(proofOf(account), null, database)).toBe('held')
    expect(await describeEndings(proofOf(account), database)).toMatchObject({
      endings: [
        { kind: 'key', masked: `sheaf_live_…${apiKey.slice(-4)}`, lastUsedAt: null },
        { kind: 'password' },
        { kind: 'identity', provider: 'github' },
        { kind: 'top-up', dollars: 10, card: 'Visa ending in 4242' },
      ],
    })
    expect(await findById(account.id, database)).toEqual(account)
    expect(await present(apiKey)).toMatchObject({ accountId: account.id })
  })

  it('ends everything that was listed once it is confirmed, and only once', async () => {
    const { account, apiKey } = await openWithEverything()
    const consent = { fingerprint: await fingerprintOf(account), isFinal: false }
    await present(apiKey)
    const confirmed = await confirmProof(proofOf(account), consent, database)
    expect(confirmed).toMatchObject({
      id: account.id,
      hasPassword: false,
      sessionVersion: account.sessionVersion + 1,
      emailVerified: expect.any(Date),
    })
    await expect(present(apiKey)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(await describeKey(account.id, database)).toBeNull()
    expect(await identitiesOf(account)).toEqual([])
    const remaining = await database.rows(sql`
      select stripe_customer_id as customer,
        (select count(*)::int from top_ups where account_id = ${account.id}) as "topUps",
        (select count(*)::int from sign_in_networks where account_id = ${account.id}) as networks
      from users where id = ${account.id}`)
    expect(remaining).toEqual([{ topUps: 0, customer: null, networks: 0 }])
    // A card that Stripe reports for an older page turns nothing on.
    await recordCard(database, account.id, {
      customerId: 'cus_1',
      paymentMethodId: 'pm_2',
      label: 'Visa',
      billing: '{}',
    })
    const [count] = await database.rows<{ topUps: number }>(
      sql`select count(*)::int as "topUps" from top_ups where account_id = ${account.id}`,
    )
    expect(count).toEqual({ topUps: 0 })
    expect(await confirmProof(proofOf(account), consent, database)).toBe('over')
    expect(await describeEndings(proofOf(account), database)).toBeNull()
  })

  it('is shown again if the account changed, and then ends the current set', async () => {
    const account = await open()
    const fingerprint = await fingerprintOf(account)
    const { apiKey } = await createKey(account.id, database)
    expect(await confirmProof(proofOf(account), { fingerprint, isFinal: false }, database)).toBe('changed')
    expect(await present(apiKey)).toMatchObject({ accountId: account.id })
    expect(await confirmProof(proofOf(account), { fingerprint, isFinal: true }, database)).toMatchObject({
      hasPassword: false,
    })
    await expect(present(apiKey)).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('uses its link only at the confirmation', async () => {
    const account = await open()
    const [tokenHash, stale] = [randomUUID(), randomUUID()]
    await insertMailToken(database, { email: account.email, tokenHash, seconds: 60 })
    await insertMailToken(database, { email: account.email, tokenHash: stale, seconds: -1 })
    const consent = { fingerprint: await fingerprintOf(account), isFinal: false }
    expect(await confirmProof({ ...proofOf(account), tokenHash: stale }, consent, database)).toBe('over')
    expect(
      await confirmProof({ ...proofOf(account), tokenHash }, { ...consent, fingerprint: 'another' }, database),
    ).toBe('changed')
    const both = await Promise.all(
      [database, another].map(one => confirmProof({ ...proofOf(account), tokenHash }, consent, one)),
    )
    expect(both.filter(one => one === 'over')).toHaveLength(1)
    expect(both.filter(one => typeof one !== 'string')).toHaveLength(1)
  })

  it('ends nothing in a browser that is signed in to the account', async () => {
    const { account, apiKey } = await openWithEverything()
    expect(await takeProof(proofOf(account), account.id, database)).toBe('proved')
    expect(await findById(account.id, database)).toEqual({ ...account, emailVerified: expect.any(Date) })
    expect(await present(apiKey)).toMatchObject({ accountId: account.id })
    expect(await identitiesOf(account)).toHaveLength(1)
  })

  it('requires no confirmation if nothing would end, or if the email is already verified', async () => {
    const empty = await open({ hasPassword: false })
    expect(await takeProof(proofOf(empty), null, database)).toBe('proved')
    expect(await findById(empty.id, database)).toMatchObject({ emailVerified: expect.any(Date) })
    const proved = await open({ isVerified: true })
    expect(await takeProof(proofOf(proved), null, database)).toBe('proved')
    expect(await findById(proved.id, database)).toEqual(proved)
  })

  it('leaves an ended session no way to store a key or a password', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = await open()
      const { id, sessionVersion } = account
      const consent = { fingerprint: '', isFinal: true }
      const [, ...made] = await Promise.all([
        confirmProof(proofOf(account), consent, database),
        createKey(id, another, sessionVersion).then(
          () => 'made',
          (error: unknown) => (isKeyOwnerGone(error) ? 'gone' : error),
        ),
        setPassword(id, 'scrypt$again', another, sessionVersion),
      ])
      expect(['made', 'gone']).toContain(made[0])
      expect(await findById(id, database)).toMatchObject({ hasPassword: false, emailVerified: expect.any(Date) })
      expect(await describeKey(id, database)).toBeNull()
    }
    const account = await open()
    const { apiKey } = await createKey(account.id, database, account.sessionVersion)
    await confirmProof(proofOf(account), { fingerprint: '', isFinal: true }, database)
    await expect(createKey(account.id, database, account.sessionVersion)).rejects.toSatisfy(isKeyOwnerGone)
    await expect(
      rotateSeenKey(
        { accountId: account.id, sessionVersion: account.sessionVersion, last4: apiKey.slice(-4) },
        database,
      ),
    ).rejects.toSatisfy(isKeyOwnerGone)
    expect(await setPassword(account.id, 'scrypt$again', database, account.sessionVersion)).toBeNull()
  })

  describe('by a sign-in through another service', () => {
    it("is held like a link's, links the sign-in at the confirmation, and ends others", async () => {
      const account = await open()
      const [stranger, identity] = [await linkUnproved(account), newIdentity()]
      const admission = await admitIdentity({ identity, email: account.email.toUpperCase(), signedIn: null }, database)
      expect(admission).toEqual({ kind: 'confirm', proof: { ...proofOf(account), identity } })
      if (admission.kind !== 'confirm') return
      expect(await identitiesOf(account)).toEqual([{ id: stranger.providerAccountId }])
      const found = await describeEndings(admission.proof, database)
      expect(found?.endings).toEqual([{ kind: 'password' }, { kind: 'identity', provider: 'github' }])
      await confirmProof(admission.proof, { fingerprint: found?.fingerprint ?? '', isFinal: false }, database)
      expect(await identitiesOf(account)).toEqual([{ id: identity.providerAccountId }])
    })

    it('continues at once if nothing ends, so that the owner gets an email that a stranger registered', async () => {
      const [account, identity] = [await open({ hasPassword: false }), newIdentity()]
      expect(await admitIdentity({ identity, email: account.email, signedIn: null }, database)).toEqual({
        kind: 'go-on',
      })
      expect(await identitiesOf(account)).toEqual([{ id: identity.providerAccountId }])
      expect(await findById(account.id, database)).toMatchObject({ emailVerified: expect.any(Date) })
    })

    it('ends nothing in a browser that is signed in to the account', async () => {
      const { account, apiKey } = await openWithEverything()
      expect(
        await admitIdentity({ identity: newIdentity(), email: account.email, signedIn: account }, database),
      ).toEqual({ kind: 'go-on' })
      expect(await findById(account.id, database)).toMatchObject({ hasPassword: true, emailVerified: expect.any(Date) })
      expect(await present(apiKey)).toMatchObject({ accountId: account.id })
    })

    it('links nothing to an account whose email is not verified', async () => {
      const [account, identity] = [await open(), newIdentity()]
      expect(await admitIdentity({ identity, email: 'stranger@example.test', signedIn: account }, database)).toEqual({
        kind: 'unproved',
      })
      expect(await admitIdentity({ identity, email: undefined, signedIn: account }, database)).toEqual({
        kind: 'unproved',
      })
      expect(await insertIdentity(database, { accountId: account.id, ...identity })).toBe(false)
      const adapter = createAuthAdapter(database, { signedInId: account.id, secret: SECRET })
      await expect(
        Promise.resolve(adapter.linkAccount?.({ userId: account.id, type: 'oauth', ...identity })),
      ).rejects.toThrow('with a confirmed address')
      expect(await identitiesOf(account)).toEqual([])
    })

    it('through a linked service that verifies the email requires confirmation before others end', async () => {
      const account = await open()
      const identity = await linkUnproved(account)
      expect(await admitIdentity({ identity, email: account.email, signedIn: null }, database)).toMatchObject({
        kind: 'confirm',
      })
      expect(await admitIdentity({ identity, email: 'other@example.test', signedIn: null }, database)).toEqual({
        kind: 'go-on',
      })
      expect(await findById(account.id, database)).toEqual(account)
    })

    it('stores no token, not even one from an earlier version', async () => {
      const account = await open({ isVerified: true })
      const identity = newIdentity()
      const tokens = {
        access_token: 'gho_secret',
        refresh_token: 'ghr_secret',
        id_token: 'eyJ.secret',
        scope: 'user:email',
        token_type: 'bearer',
        expires_at: 1,
        session_state: 'secret',
      }
      await createAuthAdapter(database, { signedInId: null, secret: SECRET }).linkAccount?.({
        userId: account.id,
        type: 'oauth',
        ...identity,
        ...tokens,
      })
      await database.rows(sql`
        insert into oauth_accounts (user_id, type, provider, provider_account_id, access_token, id_token)
        values (${account.id}, 'oauth', 'google', ${randomUUID()}, 'ya29.secret', 'eyJ.secret')`)
      const rows = await database.rows<{ row: string }>(
        sql`select o::text as row from oauth_accounts o where user_id = ${account.id}`,
      )
      expect(rows).toHaveLength(2)
      for (const { row } of rows) expect(row).not.toMatch(/secret|user:email|bearer/)
    })
  })
})
