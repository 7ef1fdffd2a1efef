import { encode } from 'next-auth/jwt'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, endSessions, setPassword } from '../../../../lib/accounts/account/accounts'
import type { Account } from '../../../../lib/accounts/account/accounts'
import {
  currentAccount,
  currentSession,
  endSession,
  readSession,
  sessionCookie,
  startSession,
  tokenFor,
} from '../../../../lib/accounts/session/session'
import { accountReading, accountRoute } from '../../../../lib/accounts/route/account-route'
import { readConfig } from '../../../../lib/config'
import { type Exchange, exchangeStorage } from '../../../../lib/http-exchange'
import { placeSingleton } from '../../../../lib/registry'
import { openBrowser } from '../../../support/browser-cookies'
import { placeDatabase } from '../../../../lib/database'
import { ANY_KIND, prepareDatabase } from '../../../support/databases'

const SECRET = 'a secret of more than thirty-two characters'
const test = await prepareDatabase(ANY_KIND)
let count = 0

beforeAll(async () => {
  placeDatabase(test.database)
  placeSingleton('config', readConfig({ NEXTAUTH_SECRET: SECRET, LOG_LEVEL: 'silent' }))
})

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

describe('a browser', () => {
  it('keeps its session for 30 days, until it signs out', async () => {
    const [browser, account] = [openBrowser(), await newAccount()]
    const startedMs = 1000 * Math.floor(Date.now() / 1000)
    expect(await browser.visit(currentSession)).toBeNull()
    await browser.visit(() => startSession(account, { isByMail: true }))
    expect([...browser.cookies]).toMatchObject([['sheaf-3000.session', { maxAge: 2_592_000, httpOnly: true }]])
    const session = await browser.visit(currentSession)
    expect(session).toMatchObject({ account: { id: account.id }, isByMail: true })
    expect(session?.signedInAt.getTime()).toBeGreaterThanOrEqual(startedMs)
    expect(session?.signedInAt.getTime()).toBeLessThanOrEqual(Date.now())
    await browser.visit(endSession)
    expect([...browser.cookies.values()]).toMatchObject([{ value: '', maxAge: 0 }])
    expect(await browser.visit(currentAccount)).toBeNull()
  })

  it('did not sign in by a link, and long ago, if its session does not say so', async () => {
    const [browser, account] = [openBrowser(), await newAccount()]
    const token = { sub: account.id, version: account.sessionVersion }
    browser.cookies.set('sheaf-3000.session', { value: await encode({ token, secret: SECRET }) })
    expect(await browser.visit(currentSession)).toMatchObject({ signedInAt: new Date(0), isByMail: false })
  })

  it('reaches routes of signed-in visitors only with a session', async () => {
    const [browser, account] = [openBrowser(), await newAccount()]
    const host = 'localhost:3000'
    const headers = { origin: `http://${host}`, host, 'content-type': 'application/json' }
    const post = accountRoute(({ account: { id }, form }) => Promise.resolve({ id, ...form }))
    const get = accountReading(({ account: { id }, query }) => Promise.resolve(new Response(`${id} ${query.get('a')}`)))
    const exchange = { req: { headers: {}, socket: {} } } as unknown as Exchange // The rest isn't read.
    const send = () =>
      browser.visit(() =>
        exchangeStorage().run(exchange, async () => [
          await post(new Request(`http://${host}`, { method: 'POST', body: '{"b":"c"}', headers })),
          await get(new Request(`http://${host}?a=1`)),
        ]),
      )
    for (const response of await send()) {
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'not_signed_in' })
    }
    await browser.visit(() => startSession(account))
    const [posted, read] = await send()
    expect(await posted?.json()).toEqual({ id: account.id, b: 'c' })
    expect(await read?.text()).toBe(`${account.id} 1`)
    expect(read?.headers.get('cache-control')).toBe('no-store')
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
