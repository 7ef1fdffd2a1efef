import { encode } from 'next-auth/jwt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, endSessions, setPassword } from '../../../../lib/accounts/account/accounts'
import type { Account } from '../../../../lib/accounts/account/accounts'
import { readSession, sessionCookie, tokenFor } from '../../../../lib/accounts/session/session'
import { placeDatabase } from '../../../../lib/database'
import type { TestDatabase } from '../../../support/databases'
import { startDatabase } from '../../../support/databases'

const SECRET = 'a secret of more than thirty-two characters'
let test: TestDatabase
let count = 0

beforeAll(async () => {
  test = await startDatabase('pglite')
  placeDatabase(test.database)
})
afterAll(() => test.stop())

async function newAccount(): Promise<Account> {
  const { account } = await createAccount({ email: `session-${(count += 1)}@example.com`, verified: false })
  if (account === null) throw new Error('the address was taken')
  return account
}

const sign = (account: Pick<Account, 'id' | 'sessionVersion'>, { secret = SECRET, maxAge = 60 } = {}) =>
  encode({ token: tokenFor(account), secret, maxAge })

describe('a session', () => {
  it('identifies its account', async () => {
    const account = await newAccount()
    expect((await readSession(await sign(account), SECRET))?.account).toEqual(account)
  })

  it('contains nothing of the account in clear text', async () => {
    const account = await newAccount()
    const token = await sign(account)
    expect(token).not.toContain(account.id)
    expect(Buffer.from(token.split('.').join(''), 'base64url').toString('latin1')).not.toContain(account.id)
  })

  it('ends if all sessions of the account are ended, and a new session works', async () => {
    const account = await newAccount()
    const token = await sign(account)
    const after = await endSessions(account.id)
    expect(await readSession(token, SECRET)).toBeNull()
    if (after === null) throw new Error('the account is gone')
    expect((await readSession(await sign(after), SECRET))?.account.id).toBe(account.id)
  })

  it('ends with a new password', async () => {
    const account = await newAccount()
    const token = await sign(account)
    await setPassword(account.id, 'scrypt$any')
    expect(await readSession(token, SECRET)).toBeNull()
  })

  it('ends when it expires', async () => {
    expect(await readSession(await sign(await newAccount(), { maxAge: -60 }), SECRET)).toBeNull()
  })

  it('is not accepted with another secret', async () => {
    expect(await readSession(await sign(await newAccount(), { secret: `${SECRET} two` }), SECRET)).toBeNull()
  })

  it.each([undefined, '', 'x', 'a.b.c.d.e', '{"sub":"1"}'])('is not valid as %j', async token => {
    expect(await readSession(token, SECRET)).toBeNull()
  })

  it('is invalid for an account that does not exist', async () => {
    expect(await readSession(await sign({ id: 'nobody', sessionVersion: 0 }), SECRET)).toBeNull()
  })

  it('is invalid without a version', async () => {
    const account = await newAccount()
    expect(await readSession(await encode({ token: { sub: account.id }, secret: SECRET }), SECRET)).toBeNull()
  })
})

describe('the cookie of a session', () => {
  it('is bound to the host, and to HTTPS if the site uses HTTPS', () => {
    const cookie = sessionCookie('session', { PUBLIC_URL: 'https://pdf.example.com', PORT: 3000 })
    expect(cookie).toEqual({
      name: '__Host-sheaf.session',
      options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
    })
  })

  it('differs between two services on one host, because browsers do not keep ports apart', () => {
    const names = [3000, 3001].map(PORT => sessionCookie('session', { PUBLIC_URL: undefined, PORT }).name)
    expect(new Set(names).size).toBe(2)
  })
})
