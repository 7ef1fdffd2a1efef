import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertMailToken } from '../../../../db/queries/mail-tokens'
import { type Account, createAccount, findById } from '../../../../lib/accounts/account/accounts'
import { hashPassword } from '../../../../lib/accounts/account/password'
import { currentAccount, currentSession, startSession } from '../../../../lib/accounts/session/session'
import { beginAttempt } from '../../../../lib/accounts/sign-in/attempt-limit'
import { mailPasswordLink } from '../../../../lib/accounts/sign-in/forgot-password'
import { hashLinkToken } from '../../../../lib/accounts/sign-in/mailed-link'
import {
  describeHeldProof,
  holdLink,
  holdProof,
  settleHeldProof,
} from '../../../../lib/accounts/sign-in/pending-address-proof'
import { signInWithPassword, tryPassword } from '../../../../lib/accounts/sign-in/sign-in-with-password'
import { readConfig } from '../../../../lib/config'
import { placeDatabase } from '../../../../lib/database'
import { getLog } from '../../../../lib/log'
import { placeSingleton } from '../../../../lib/registry'
import { openBrowser } from '../../../support/browser-cookies'
import { ANY_KIND, prepareDatabase } from '../../../support/databases'
import { findLink, type MailServer, startMailServer } from '../../../support/mail-server'

const SECRET = 'a secret of more than thirty-two characters'
const ORIGIN = 'https://sheaf.example.test'
const HOME = '192.0.2.7'

const test = await prepareDatabase(ANY_KIND)
let mails: MailServer
beforeAll(async () => {
  placeDatabase(test.database)
  mails = await startMailServer()
  configure()
})
afterAll(() => mails?.stop())

function configure(
  env: Record<string, string> = { SMTP_URL: mails.url, SMTP_TLS: 'off', MAIL_FROM: 'Sheaf <a@b.test>' },
) {
  placeSingleton('config', readConfig({ NEXTAUTH_SECRET: SECRET, PUBLIC_URL: ORIGIN, LOG_LEVEL: 'silent', ...env }))
}

async function open({
  passwordHash = 'scrypt$stranger',
  isVerified = false,
}: { passwordHash?: string | null; isVerified?: boolean } = {}): Promise<Account> {
  const email = `${randomUUID()}@example.test`
  const { account } = await createAccount({ email, passwordHash, verified: isVerified })
  if (account === null) throw new Error('the address was taken')
  return account
}

/** Mails a link to an address. Returns what its browser sends when it is opened. */
async function follow(email: string, signedInId: string | null = null) {
  const token = randomUUID()
  await insertMailToken(test.database, { email, tokenHash: hashLinkToken(token, SECRET), seconds: 60 })
  return { email, token, callbackUrl: `${ORIGIN}/account/usage`, origin: ORIGIN, signedInId }
}

const networksOf = async ({ id }: Account) =>
  (await test.database.rows(sql`select 1 from sign_in_networks where account_id = ${id}`)).length

describe('a mailed link to an unverified account with a password', () => {
  it('waits until its owner agrees to what ends, and then signs in', async () => {
    const [browser, account] = [openBrowser(), await open()]
    expect(await browser.visit(async () => holdLink(await follow(account.email)))).toBe(true)
    expect([...browser.cookies.values()]).toMatchObject([{ maxAge: 900, httpOnly: true }])
    expect(await findById(account.id)).toEqual(account)
    const shown = await browser.visit(describeHeldProof)
    expect(shown).toMatchObject({ email: account.email, isLink: true, endings: [{ kind: 'password' }] })
    const settle = (form: Record<string, string>) => browser.visit(() => settleHeldProof({ form, clientAddress: HOME }))
    expect(await settle({ answer: 'continue', seen: 'another list' })).toBe('/sign-in/confirm?changed')
    expect(await browser.visit(currentAccount)).toBeNull()
    expect(await settle({ answer: 'continue', seen: shown?.fingerprint ?? '' })).toBe('/account/usage')
    expect(await browser.visit(currentSession)).toMatchObject({
      account: { id: account.id, hasPassword: false, emailVerified: expect.any(Date) as Date },
      isByMail: true,
    })
    expect(await networksOf(account)).toBe(1)
    expect(await browser.visit(describeHeldProof)).toBeNull()
    expect(await settle({ answer: 'continue' })).toBe('/account')
  })

  it('changes nothing if its owner refuses', async () => {
    const [browser, account] = [openBrowser(), await open()]
    await browser.visit(async () => holdLink(await follow(account.email)))
    expect(await browser.visit(() => settleHeldProof({ form: {}, clientAddress: HOME }))).toBe('/sign-in?kept')
    expect(await browser.visit(describeHeldProof)).toBeNull()
    expect(await findById(account.id)).toEqual(account)
    const again = () => settleHeldProof({ form: { answer: 'continue' }, clientAddress: HOME })
    expect(await browser.visit(again)).toBe('/sign-in?error=Verification')
  })

  it('is over once the address was verified elsewhere', async () => {
    const [browser, account] = [openBrowser(), await open()]
    await browser.visit(async () => holdLink(await follow(account.email)))
    await test.database.rows(sql`update users set email_verified = now() where id = ${account.id}`)
    const settle = () => settleHeldProof({ form: { answer: 'continue', seen: '' }, clientAddress: HOME })
    expect(await browser.visit(settle)).toBe('/sign-in?error=Verification')
    expect(browser.cookies.size).toBe(1)
  })

  it.each([
    ['without an account', () => follow(`${randomUUID()}@example.test`)],
    ['to a verified account', async () => follow((await open({ isVerified: true })).email)],
    ['to an account without anything that ends', async () => follow((await open({ passwordHash: null })).email)],
    ['in a browser with a session of the account', async () => open().then(a => follow(a.email, a.id))],
    ['with another spelling', async () => follow((await open()).email.toUpperCase())],
    ['that was not mailed', async () => ({ ...(await follow((await open()).email)), token: 'other' })],
  ])('does not wait: a link %s', async (_what, link) => {
    const browser = openBrowser()
    expect(await browser.visit(async () => holdLink(await link()))).toBe(false)
    expect(browser.cookies.size).toBe(0)
  })
})

it('a proof by another service is not a link, and its session did not begin with one', async () => {
  const [browser, account] = [openBrowser(), await open()]
  const identity = { provider: 'github', providerAccountId: randomUUID() }
  await browser.visit(() => holdProof({ accountId: account.id, email: account.email, identity }, '/account/usage'))
  const shown = await browser.visit(describeHeldProof)
  expect(shown).toMatchObject({ isLink: false })
  const form = { answer: 'continue', seen: shown?.fingerprint ?? '' }
  expect(await browser.visit(() => settleHeldProof({ form, clientAddress: HOME }))).toBe('/account/usage')
  expect(await browser.visit(currentSession)).toMatchObject({ isByMail: false })
})

it('a cookie of another purpose is not a proof', async () => {
  const [browser, account] = [openBrowser(), await open()]
  await browser.visit(() => startSession(account))
  const [session] = browser.cookies.values()
  await browser.visit(() => holdProof({ accountId: account.id, email: account.email }, '/account/usage'))
  const name = [...browser.cookies.keys()].at(-1) ?? ''
  for (const value of ['', 'not a token', session?.value ?? '']) {
    browser.cookies.set(name, { value })
    expect(await browser.visit(describeHeldProof)).toBeNull()
  }
})

describe('a password', () => {
  it('signs in to its account, and remembers the network', async () => {
    const account = await open({ passwordHash: await hashPassword('correct horse battery') })
    const attempt = { email: account.email, password: 'correct horse battery', clientAddress: HOME }
    expect(await signInWithPassword({ ...attempt, password: 'wrong' })).toBeNull()
    expect(await networksOf(account)).toBe(0)
    expect(await signInWithPassword(attempt)).toEqual({ id: account.id, sessionVersion: account.sessionVersion })
    expect(await networksOf(account)).toBe(1)
  })

  it('is refused after ten failures, even if it is right, and right ones are not failures', async () => {
    const account = await open({ passwordHash: await hashPassword('correct horse battery') })
    const attempt = { email: account.email, password: 'correct horse battery', clientAddress: '192.0.2.8' }
    expect(await tryPassword(attempt)).toMatchObject({ id: account.id })
    for (let index = 0; index < 10; index += 1)
      expect(await beginAttempt({ email: account.email, ip: '192.0.2.8' })).toMatchObject({ isAllowed: true })
    await expect(tryPassword(attempt)).rejects.toMatchObject({ status: 429, code: 'too_many_attempts' })
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) => mailPasswordLink({ form: { email }, clientAddress: '192.0.2.9', host: null })

  it('is replaced through a mailed link, of which an address gets five', async () => {
    const email = `${randomUUID()}@example.test`
    for (let index = 0; index < 5; index += 1) expect(await ask(` ${email.toUpperCase()}`)).toBe('/sign-in/forgot?sent')
    const links = mails.received.filter(({ to }) => to.includes(email)).map(findLink)
    expect(links).toHaveLength(5)
    expect(new URL(links[0] ?? '').searchParams.get('callbackUrl')).toBe(`${ORIGIN}/account/settings#password-title`)
    await expect(ask(email)).rejects.toMatchObject({ status: 429 })
    expect(mails.received.filter(({ to }) => to.includes(email))).toHaveLength(5)
  })

  it('needs an email address, a mail server, and one that accepts the email', async () => {
    await expect(ask('nobody')).rejects.toMatchObject({ status: 400, code: 'invalid_address' })
    placeSingleton('mail', { sendMail: () => Promise.reject(new Error('away')) })
    const warn = vi.spyOn(getLog(), 'warn')
    await expect(ask(`${randomUUID()}@example.test`)).rejects.toMatchObject({ status: 503, code: 'mail_not_sent' })
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
    configure({})
    await expect(ask(`${randomUUID()}@example.test`)).rejects.toMatchObject({ code: 'mail_not_set_up' })
    configure()
  })
})
