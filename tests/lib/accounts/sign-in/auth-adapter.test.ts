import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, findById } from '../../../../lib/accounts/account/accounts'
import { createAuthAdapter } from '../../../../lib/accounts/sign-in/auth-adapter'
import { vouchedAddress } from '../../../../lib/accounts/sign-in/auth-options'
import { authorize } from '../../../../lib/accounts/key/authorize'
import { createKey, describeKey, rotateKey } from '../../../../lib/accounts/key/keys'
import { createLedger } from '../../../../lib/credits/ledger'
import { placeDatabase } from '../../../../lib/database'
import { ANY_KIND, prepareDatabase } from '../../../support/databases'

const test = await prepareDatabase(ANY_KIND)
let count = 0

beforeAll(async () => {
  placeDatabase(test.database)
})

async function accountOfStranger(verified = false) {
  const { account } = await createAccount({
    email: `owner-${(count += 1)}@example.com`,
    passwordHash: 'scrypt$stranger',
    verified,
  })
  if (account === null) throw new Error('the address was taken')
  await createKey(account.id)
  return account
}

const SECRET = 'a secret of more than thirty-two characters'
const prove = (id: string, signedInId: string | null) =>
  createAuthAdapter(test.database, { signedInId, secret: SECRET }).updateUser?.({ id, emailVerified: new Date() })

describe('the first verification of an email', () => {
  it('ends password, sessions and key of an account that somebody opened without verification', async () => {
    const account = await accountOfStranger()
    const { apiKey } = await rotateKey(account.id)
    const present = () => authorize(apiKey, { ledger: createLedger({ database: test.database, verifiedOnly: false }) })
    expect(await present()).toMatchObject({ accountId: account.id })
    const user = await prove(account.id, null)
    await expect(present()).rejects.toMatchObject({ code: 'invalid_api_key' })
    const after = await findById(account.id)
    expect(after).toMatchObject({
      hasPassword: false,
      sessionVersion: account.sessionVersion + 1,
      emailVerified: expect.any(Date),
    })
    expect(user).toMatchObject({ id: account.id, sessionVersion: account.sessionVersion + 1 })
    expect(await describeKey(account.id)).toBeNull()
  })

  it("changes nothing else if the account's own session verifies it", async () => {
    const account = await accountOfStranger()
    await prove(account.id, account.id)
    expect(await findById(account.id)).toMatchObject({
      hasPassword: true,
      sessionVersion: account.sessionVersion,
      emailVerified: expect.any(Date),
    })
    expect(await describeKey(account.id)).not.toBeNull()
  })

  it('is the only one that has an effect', async () => {
    const account = await accountOfStranger(true)
    await prove(account.id, null)
    expect(await findById(account.id)).toEqual(account)
    expect(await describeKey(account.id)).not.toBeNull()
  })
})

describe('an account opened by an emailed link or another service', () => {
  it('has a verified email, in lower case, and is found in any spelling', async () => {
    const adapter = createAuthAdapter(test.database, { signedInId: null, secret: SECRET })
    const user = await adapter.createUser?.({ id: '', email: 'New.Reader@Example.com', emailVerified: null })
    expect(user).toMatchObject({ email: 'new.reader@example.com', emailVerified: expect.any(Date) })
    expect((await adapter.getUserByEmail?.('NEW.reader@example.com'))?.id).toBe(user?.id)
  })

  it('needs an invitation if only invited addresses may sign up', async () => {
    const adapter = createAuthAdapter(test.database, { signedInId: null, secret: SECRET, invitedOnly: true })
    const user = { id: '', email: 'uninvited@example.com', emailVerified: null }
    await expect(async () => adapter.createUser?.(user)).rejects.toThrow('was not created')
    await expect(async () => adapter.updateUser?.(user)).rejects.toThrow('does not exist')
  })

  it('can be signed in to only once with a link', async () => {
    const adapter = createAuthAdapter(test.database, { signedInId: null, secret: SECRET })
    const token = { identifier: 'a@example.com', token: 'hash', expires: new Date(Date.now() + 1000) }
    await adapter.createVerificationToken?.(token)
    expect(await adapter.useVerificationToken?.({ identifier: token.identifier, token: token.token })).toMatchObject({
      identifier: 'a@example.com',
    })
    expect(await adapter.useVerificationToken?.({ identifier: token.identifier, token: token.token })).toBeNull()
  })
})

describe('an email that GitHub has verified', () => {
  const list = (...entries: [string, boolean, boolean][]) =>
    entries.map(([email, primary, verified]) => ({ email, primary, verified }))

  it('is the primary email if it is verified', () => {
    expect(vouchedAddress(list(['b@x.org', false, true], ['a@x.org', true, true]))).toBe('a@x.org')
  })

  it('is another verified email if the primary is not', () => {
    expect(vouchedAddress(list(['a@x.org', true, false], ['b@x.org', false, true]))).toBe('b@x.org')
  })

  it.each([[list(['a@x.org', true, false])], [[]], [{ message: 'Bad credentials' }], [null]])(
    'is missing in %j',
    response => {
      expect(vouchedAddress(response)).toBeUndefined()
    },
  )
})
