import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CallbacksOptions } from 'next-auth'
import type { OAuthUserConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccount, findByEmail } from '../../../../lib/accounts/account/accounts'
import { hashPassword } from '../../../../lib/accounts/account/password'
import { readSession } from '../../../../lib/accounts/session/session'
import { beginAttempt, countMail } from '../../../../lib/accounts/sign-in/attempt-limit'
import { handleAuth } from '../../../../lib/accounts/sign-in/auth-handler'
import { createAuthOptions } from '../../../../lib/accounts/sign-in/auth-options'
import { signInWays } from '../../../../lib/accounts/sign-in/sign-in-ways'
import { type Config, readConfig } from '../../../../lib/config'
import { placeDatabase } from '../../../../lib/database'
import { placeSingleton } from '../../../../lib/registry'
import { openBrowser } from '../../../support/browser-cookies'
import { ANY_KIND, prepareDatabase } from '../../../support/databases'
import { findLink, type MailServer, startMailServer } from '../../../support/mail-server'

type UserinfoContext = Parameters<Required<UserinfoEndpointHandler>['request']>[0]

const SECRET = 'a secret of more than thirty-two characters'
const HOST = 'sheaf.example.test'
const ORIGIN = `https://${HOST}`
const PASSWORD = 'correct horse battery staple'

const test = await prepareDatabase(ANY_KIND)
let mails: MailServer
let passwordHash: string
beforeAll(async () => {
  placeDatabase(test.database)
  mails = await startMailServer()
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(() => mails?.stop())
beforeEach(() => {
  vi.stubEnv('AUTH_TRUST_HOST', '1') // As the server sets it.
  configure()
})

function configure(env: Record<string, string> = {}) {
  const mail = { SMTP_URL: mails.url, SMTP_TLS: 'off', MAIL_FROM: 'Sheaf <a@b.test>' }
  const services = { GITHUB_ID: 'a', GITHUB_SECRET: 'b', GOOGLE_ID: 'c', GOOGLE_SECRET: 'd' }
  const config = readConfig({
    NEXTAUTH_SECRET: SECRET,
    PUBLIC_URL: ORIGIN,
    LOG_LEVEL: 'silent',
    ...mail,
    ...services,
    ...env,
  })
  return placeSingleton('config', config)
}

/** A browser that sends requests to `/api/auth/…` from its own network. */
function openClient() {
  const browser = openBrowser()
  const cookies: Record<string, string> = {}
  const clientAddress = randomUUID()
  const send = async (path: string, fields?: Record<string, string>, origin = ORIGIN) => {
    const [url, headers] = [new URL(`/api/auth/${path}`, ORIGIN), { host: HOST, origin }]
    const segments = url.pathname.split('/').slice(3)
    const request =
      fields === undefined
        ? new Request(url, { headers })
        : new Request(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
    const response = await browser.visit(() => handleAuth(request, { segments, cookies, clientAddress }))
    const set = response.headers.getSetCookie()
    for (const text of set) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(text) ?? []
      cookies[name] = decodeURIComponent(value)
    }
    return { status: response.status, headers: response.headers, set, body: await response.text() }
  }
  return {
    address: clientAddress,
    send,
    /** Sends a form with next-auth's token. */
    async post(path: string, fields: Record<string, string>, origin?: string) {
      const { csrfToken = '' } = JSON.parse((await send('csrf')).body) as { csrfToken?: string }
      return send(path, { ...fields, csrfToken, json: 'true' }, origin)
    },
    session: () => readSession(cookies['__Host-sheaf.session'], SECRET),
  }
}

async function openAccount(verified = true) {
  const { account } = await createAccount({ email: `${randomUUID()}@example.test`, passwordHash, verified })
  return account ?? expect.fail('the address was taken')
}

describe('a request to /api/auth', () => {
  it('gets JSON that is not stored, and each cookie once', async () => {
    const { status, headers, set, body } = await openClient().send('csrf')
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'private, no-cache, no-store',
    ])
    expect(JSON.parse(body)).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    expect(set.map(text => text.replace(/=[^;]*/, ''))).toEqual([
      '__Host-sheaf.csrf; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-sheaf.callback; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })

  it.each(['https://evil.example', 'null'])('is refused from the origin %s', async origin => {
    const client = openClient()
    const { email } = await openAccount()
    const { status, body } = await client.post('callback/credentials', { email, password: PASSWORD }, origin)
    expect([status, JSON.parse(body)]).toMatchObject([403, { error: 'foreign_origin' }])
    expect(await client.session()).toBeNull()
  })

  it('signs in with a password, and out', async () => {
    const [client, account] = [openClient(), await openAccount()]
    const { headers, body } = await client.post('callback/credentials', { email: account.email, password: 'wrong' })
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toContain(`${ORIGIN}/api/auth/error?error=CredentialsSignin`)
    expect(await client.session()).toBeNull()
    const { status } = await client.post('callback/credentials', { email: account.email, password: PASSWORD })
    expect(status).toBe(200)
    expect(await client.session()).toMatchObject({ account: { id: account.id }, token: { isByMail: false } })
    const shown = JSON.parse((await client.send('session')).body) as unknown
    expect(shown).toEqual({ expires: expect.any(String) as string })
    await client.post('signout', {})
    expect(await client.session()).toBeNull()
  })

  it('reports why a password was not checked', async () => {
    const [client, { email }] = [openClient(), await openAccount()]
    for (let failure = 0; failure < 10; failure += 1) await beginAttempt({ email, ip: client.address })
    const { status, body } = await client.post('callback/credentials', { email, password: PASSWORD })
    expect([status, JSON.parse(body)]).toMatchObject([429, { error: 'too_many_attempts' }])
    expect(await client.session()).toBeNull()
  })

  it('mails at most five links to an address, which do not limit its sign-ins with a password', async () => {
    const [client, { id, email }] = [openClient(), await openAccount()]
    for (let count = 0; count < 5; count += 1) await countMail(email, client.address)
    expect(await client.post('signin/email', { email })).toMatchObject({ status: 429 })
    expect(mails.received.filter(({ to }) => to.includes(email))).toEqual([])
    await client.post('callback/credentials', { email, password: PASSWORD })
    expect(await client.session()).toMatchObject({ account: { id } })
  })

  it('first shows what a link ends', async () => {
    const [client, { email }] = [openClient(), await openAccount(false)]
    await client.post('signin/email', { email })
    const { search } = new URL(findLink(mails.received.at(-1) ?? expect.fail('no mail')))
    const { status, headers } = await client.send(`callback/email${search}`)
    expect([status, headers.get('location')]).toEqual([303, '/sign-in/confirm'])
    expect(await client.session()).toBeNull()
  })

  it('mails a link that opens an account and signs in', async () => {
    const client = openClient()
    const email = `${randomUUID()}@example.test`
    await client.post('signin/email', { email: email.toUpperCase(), callbackUrl: `${ORIGIN}/account/usage` })
    const link = new URL(findLink(mails.received.at(-1) ?? expect.fail('no mail')))
    expect(link.origin).toBe(ORIGIN)
    expect(await findByEmail(email)).toBeNull()
    const followed = await client.send(`callback/email${link.search}`)
    expect([followed.status, followed.headers.get('location')]).toEqual([302, `${ORIGIN}/account/usage`])
    const session = await client.session()
    expect(session).toMatchObject({ account: { email }, token: { isByMail: true } })
    const networks = sql`select 1 from sign_in_networks where account_id = ${session?.account.id}`
    expect(await test.database.rows(networks)).toHaveLength(1)
  })
})

/** What next-auth gets for a request. */
function listOptions(env: Record<string, string> = {}) {
  const config = configure(env)
  const request = { clientAddress: randomUUID(), signedIn: null, signUp: null, onFailure: () => {} }
  return createAuthOptions({ config, ways: signInWays(HOST, config), ...request })
}

describe('a sign-in', () => {
  const decide = (arrival: object, { options = listOptions(), browser = openBrowser() } = {}) =>
    // Our callback uses only these members.
    browser.visit(async () => options.callbacks?.signIn?.(arrival as Parameters<CallbacksOptions['signIn']>[0]))
  const oauth = { type: 'oauth', provider: 'google', providerAccountId: '1' }
  const user = { email: 'new@example.test' }
  const CLOSED = '/sign-in?error=closed'
  const email = { verificationRequest: true }

  it.each<[string, object, Config['SIGN_UP'], boolean | string]>([
    ['by another service', { account: oauth, user }, 'open', true],
    ['by another service, if nobody may sign up,', { account: oauth, user }, 'closed', CLOSED],
    ['by another service without an address', { account: oauth, user: {} }, 'open', false],
    ['by another service with an empty address', { account: oauth, user: { email: '' } }, 'open', false],
    ['by a mailed link', { account: { type: 'email' }, user }, 'open', true],
    ['by a mailed link, if nobody may sign up,', { account: { type: 'email' }, user }, 'closed', CLOSED],
    ['by a link that is not yet mailed', { account: { type: 'email' }, user, email }, 'closed', true],
    ['with a password', { account: { type: 'credentials' }, user: {} }, 'closed', true],
  ])('%s is decided', async (_what, arrival, SIGN_UP, decision) => {
    expect(await decide(arrival, { options: listOptions({ SIGN_UP }) })).toBe(decision)
  })

  it.each<[unknown, string | true]>([
    [true, '/sign-in/confirm'],
    [undefined, '/sign-in/confirm'],
    [false, true],
    ['false', true],
  ])('proves an address unless the service says that it is unverified (%o)', async (isVerified, decision) => {
    const { email } = await openAccount(false)
    const [profile, browser] = [{ email, email_verified: isVerified }, openBrowser()]
    expect(await decide({ account: oauth, user: { email }, profile }, { browser })).toBe(decision)
    expect(browser.cookies.has('__Host-sheaf.proof')).toBe(decision !== true)
  })

  it.each([
    [200, 'verified@example.test'],
    [403, undefined],
  ])('by GitHub gets a verified address (%d)', async (status, found) => {
    const list = [{ email: 'verified@example.test', primary: true, verified: true }]
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(list, { status }))
    const github = listOptions().providers.find(({ id }) => id === 'github')?.options as OAuthUserConfig<object>
    const client = { userinfo: () => Promise.resolve({ login: 'ada', email: 'public@example.test' }) }
    const context = { client, tokens: { access_token: 'token' } } as unknown as UserinfoContext
    expect(await (github.userinfo as Required<UserinfoEndpointHandler>).request(context)).toEqual({
      login: 'ada',
      email: found,
    })
    expect(fetch.mock.calls[0]).toMatchObject([expect.anything(), { headers: { authorization: 'Bearer token' } }])
    fetch.mockRestore()
  })

  it.each([
    [true, 'ada@example.test'],
    [false, null],
  ])('by Google gets a verified address (%o)', async (isVerified, email) => {
    const google = listOptions().providers.find(({ id }) => id === 'google')?.options as OAuthUserConfig<object>
    const profile = { sub: '1', name: 'Ada', email: 'ada@example.test', email_verified: isVerified, picture: 'p' }
    expect(await google.profile?.(profile, {})).toEqual({ id: '1', name: 'Ada', email, image: 'p' })
  })

  it('through another service may take 15 minutes', () => {
    const { state, pkceCodeVerifier, sessionToken } = listOptions().cookies ?? {}
    expect([state, pkceCodeVerifier, sessionToken].map(cookie => cookie?.options.maxAge)).toEqual([900, 900, undefined])
  })
})
