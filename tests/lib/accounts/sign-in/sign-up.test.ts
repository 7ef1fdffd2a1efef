import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { foldAddress, insertInvitation } from '../../../../db/queries/sign-ups'
import { createAccount, findByEmail, findByPassword, openAccount } from '../../../../lib/accounts/account/accounts'
import { findSpentMonth, hashAddress } from '../../../../lib/accounts/account/spent-grant'
import { verifyPassword } from '../../../../lib/accounts/account/password'
import { countMail } from '../../../../lib/accounts/sign-in/attempt-limit'
import { countSignUp } from '../../../../lib/accounts/sign-in/sign-up-limit'
import { admitSignUp } from '../../../../lib/accounts/sign-in/sign-up-rules'
import { signUp, signUpCookie } from '../../../../lib/accounts/sign-in/sign-up'
import { readConfig } from '../../../../lib/config'
import { placeDatabase } from '../../../../lib/database'
import { placeSingleton } from '../../../../lib/registry'
import { openBrowser } from '../../../support/browser-cookies'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'

const SECRET = 'a secret of more than thirty-two characters'
const ANYONE = { invitedOnly: false }
const INVITED = { invitedOnly: true }

let lastNetwork = 0
/** An address in a network and a site that no other test uses. */
const freshAddress = () => `203.0.${(lastNetwork += 1)}.7`

/** A request as the server sees it. */
const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ headers: { host: '127.0.0.1:3000', ...headers }, socket: { remoteAddress } }) as unknown as NonNullable<
    NonNullable<Parameters<typeof countSignUp>[2]>['req']
  >

/** The number of accounts that a visitor can open before a refusal, up to a maximum. */
async function countUntilRefused(open: () => Promise<unknown>, most = 12): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    const refusal = await open().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal === undefined) continue
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_sign_ups' })
    return count
  }
  return most
}

describe.each(SAMPLED_KINDS)('on %s', async kind => {
  const test = await prepareDatabase(kind)
  const configure = (env: Record<string, string> = {}) => {
    const config = readConfig({ NEXTAUTH_SECRET: SECRET, LOG_LEVEL: 'silent', ...env })
    placeSingleton('config', config)
    return config
  }
  beforeAll(async () => {
    placeDatabase(test.database)
    configure()
  })
  const open = (email: string, terms = ANYONE, verified = false) =>
    openAccount({ email, verified }, terms, test.database)

  describe('an address', () => {
    it.each([
      ['me+1@gmail.com', 'me@gmail.com'],
      ['M.e.e+x+y@googlemail.com'.toLowerCase(), 'mee@gmail.com'],
      ['a.b+c@outlook.com', 'a.b@outlook.com'],
      ['me+news@hotmail.com', 'me@hotmail.com'],
      ['me+1@me.com', 'me@icloud.com'],
      ['a.b@icloud.com', 'a.b@icloud.com'],
      ['a.b-c_d+e@protonmail.com', 'abcd@proton.me'],
      ['shop@ada.fastmail.com', 'ada@fastmail.com'],
      ['a.b@yandex.com', 'a-b@yandex.ru'],
      ['a.b+c@company.example', 'a.b@company.example'],
      ['+only@company.example', '+only@company.example'],
      ['two@signs+x@company.example', 'two@signs@company.example'],
      ['no-sign', 'no-sign'],
    ])('%s reaches the mailbox %s', async (email, folded) => {
      expect(await foldAddress(test.database, email)).toBe(folded)
    })

    it('opens no second account for a mailbox, not even many at once', async () => {
      const opened = await Promise.all(['', '+1', '+2', '+3', '+4'].map(tag => open(`many${tag}@company.example`)))
      expect(opened.filter(account => account !== null)).toHaveLength(1)
      expect(await open('m.a.n.y@company.example')).not.toBeNull()
      expect(await open('dots@gmail.com')).not.toBeNull()
      expect(await open('d.o.ts+1@googlemail.com')).toBeNull()
    })

    it('is not kept out by an unverified account of a stranger, if its owner proves it', async () => {
      await open('victim+x@company.example')
      expect(await open('victim@company.example')).toBeNull()
      const proof = { email: 'victim@company.example', clientAddress: freshAddress() }
      expect(await admitSignUp(proof, configure(), test.database)).toBeNull()
      expect(await open('victim@company.example', ANYONE, true)).not.toBeNull()
      expect(await open('victim+y@company.example', ANYONE, true)).toBeNull()
    })

    it('keeps accounts with aliases, and gets accounts from the operator', async () => {
      await createAccount({ email: 'early+1@gmail.com', verified: true })
      await createAccount({ email: 'early+2@gmail.com', verified: true })
      expect(await findByEmail('early+2@gmail.com')).not.toBeNull()
      expect(await open('early@gmail.com', ANYONE, true)).toBeNull()
    })

    it('of a deleted account gets no second grant under another spelling', async () => {
      const month = new Date().toISOString().slice(0, 7)
      const hash = await hashAddress({ email: 'gone+1@gmail.com', secret: SECRET }, test.database)
      await test.database.rows(sql`insert into spent_grants (month, address_hash) values (${month}, ${hash})`)
      expect(await findSpentMonth({ email: 'g.one@gmail.com', secret: SECRET }, test.database)).toBe(month)
      expect(await findSpentMonth({ email: 'other@gmail.com', secret: SECRET }, test.database)).toBeNull()
    })
  })

  describe('an invitation', () => {
    it('opens one account, for any spelling of the address', async () => {
      expect(await open('guest@gmail.com', INVITED)).toBeNull()
      await insertInvitation(test.database, 'gu.est@gmail.com')
      await insertInvitation(test.database, 'gu.est@gmail.com')
      expect(await open('guest@gmail.com', INVITED)).toMatchObject({ email: 'guest@gmail.com' })
      expect(await test.database.rows(sql`select address from invitations`)).toEqual([])
      expect(await open('guest+1@gmail.com', INVITED)).toBeNull()
    })

    it('is missing: the response to the form is the same, and no account opens', async () => {
      configure({ SIGN_UP: 'invited' })
      const send = (email: string) =>
        signUp({ email, password: 'correct horse battery', clientAddress: freshAddress() })
      await insertInvitation(test.database, 'invited@company.example')
      expect(await send('stranger@company.example')).toEqual(await send('invited@company.example'))
      expect(await findByEmail('stranger@company.example')).toBeNull()
      expect(await findByEmail('invited@company.example')).not.toBeNull()
    })

    it('is needed after a mailed link and another service too', async () => {
      const admit = (email: string, SIGN_UP: string) =>
        admitSignUp({ email, clientAddress: freshAddress() }, configure({ SIGN_UP }), test.database)
      await insertInvitation(test.database, 'asked@company.example')
      expect(await admit('stranger@company.example', 'invited')).toBe('not-invited')
      expect(await admit('ASKED@company.example', 'invited')).toBeNull()
      expect(await admit('asked@company.example', 'closed')).toBe('closed')
      expect(await admit('stranger@company.example', 'open')).toBeNull()
      await open('asked@company.example', INVITED, true)
      expect(await admit('asked+2@company.example', 'open')).toBe('alias')
    })
  })

  describe('the form', () => {
    const password = 'correct horse battery'
    const send = (email: string, more = {}) =>
      openBrowser().visit(() => signUp({ email, password, clientAddress: freshAddress(), ...more }))

    it('opens an account at once without a mail server, and never changes one', async () => {
      configure()
      const email = 'form@company.example'
      expect(await send(` ${email.toUpperCase()}`)).toEqual({ ok: true, mailed: false })
      expect(await send(email, { password: 'the password of a stranger' })).toEqual({ ok: true, mailed: false })
      expect(await findByPassword(email, password)).toMatchObject({ email, emailVerified: null })
    })

    it('keeps the password in its browser until the mailed link is opened', async () => {
      const sendMail = vi.fn((_mail: { text: string }) => Promise.resolve())
      placeSingleton('mail', { sendMail })
      configure({ SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'a@b.test', PUBLIC_URL: 'https://sheaf.example.test' })
      const [browser, email] = [openBrowser(), 'mailed@company.example']
      const request = { email, password, next: '/account/usage', clientAddress: freshAddress() }
      expect(await browser.visit(() => signUp(request))).toEqual({ ok: true, mailed: true })
      expect(sendMail.mock.calls[0]?.[0].text).toContain(encodeURIComponent('https://sheaf.example.test/account/usage'))
      const kept = await browser.visit(() => signUpCookie.read())
      expect(kept?.email).toBe(email)
      expect(await verifyPassword(password, kept?.passwordHash)).toBe(true)
      expect(await findByEmail(email)).toBeNull()
      for (let index = 1; index < 5; index += 1) await countMail(email, request.clientAddress)
      await expect(browser.visit(() => signUp(request))).rejects.toMatchObject({ code: 'too_many_attempts' })
      expect(sendMail).toHaveBeenCalledOnce()
    })

    it('needs an email address, a password, and a server that does not demand a verified address', async () => {
      configure()
      await expect(send('nobody')).rejects.toMatchObject({ status: 400, code: 'invalid_address' })
      await expect(send('a@b.test', { password: 'short' })).rejects.toMatchObject({ code: 'invalid_password' })
      configure({ DATABASE_URL: 'postgres://127.0.0.1/sheaf' })
      await expect(send('a@b.test')).rejects.toMatchObject({ status: 403, code: 'address_not_proved' })
    })
  })

  it('a closed server refuses every sign-up, before it looks at the address', async () => {
    configure({ SIGN_UP: 'closed' })
    const refused = { status: 403, code: 'sign_up_closed' }
    for (const email of ['new@company.example', 'early+1@gmail.com', 'no address'])
      await expect(signUp({ email, password: 'x', clientAddress: freshAddress() })).rejects.toMatchObject(refused)
  })

  describe('the number of accounts', () => {
    const count = (address: string, env: Record<string, string> = {}, req = from(address)) =>
      countSignUp('new account', address, { req, config: configure(env) })

    it('is 5 in a day for each IPv4 address and each /64 of IPv6, over all instances', async () => {
      const [address] = [freshAddress()]
      const other = await test.another()
      const config = configure()
      const inTurn = [test.database, other]
      expect(
        await countUntilRefused(() => {
          inTurn.reverse()
          const [database = test.database] = inTurn
          return countSignUp('new account', address, { req: from(address), config, database })
        }),
      ).toBe(5)
      await expect(count(address)).rejects.toMatchObject({
        headers: { 'retry-after': expect.stringMatching(/^86\d{3}$/) },
      })
      let host = 0
      expect(await countUntilRefused(() => count(`2001:db8:a:1::${(host += 1)}`))).toBe(5)
    })

    it('is 10 times as many for the site of a network', async () => {
      let network = 0
      const env = { SIGN_UPS_PER_NETWORK: '1' }
      expect(await countUntilRefused(() => count(`198.51.100.${(network += 1)}`, env))).toBe(10)
      expect(await countUntilRefused(() => count(`2001:db8:b:${(network += 1)}::1`, env))).toBe(10)
    })

    it('has no limit for a person at the machine of a server that is not public', async () => {
      const local = (headers: Record<string, string> = {}, env: Record<string, string> = {}) =>
        countUntilRefused(() => count('127.0.0.1', { SIGN_UPS_PER_NETWORK: '1', ...env }, from('127.0.0.1', headers)))
      expect(await local()).toBe(12)
      expect(await local({ host: 'localhost:3000' }, { PUBLIC_URL: 'http://localhost:3000' })).toBe(12)
      // A proxy that the operator didn't configure: only the limit of a site applies.
      expect(await local({ 'x-forwarded-for': '192.0.2.1' })).toBe(10)
    })

    it.each([
      ['with a public URL', {}, { PUBLIC_URL: 'https://pdf.example.com' }],
      ['with a public host', { host: 'pdf.example.com' }, {}],
      ['behind a known proxy', { 'x-forwarded-for': '192.0.2.1' }, { TRUSTED_PROXIES: '1' }],
    ])('is limited on loopback %s', async (name, headers, env) => {
      const address = `127.0.${name.length}.1`
      const open = () => count(address, { SIGN_UPS_PER_NETWORK: '1', ...env }, from(address, headers))
      expect(await countUntilRefused(open)).toBe(1)
    })

    it('does not grow for a client that claims to be a proxy', async () => {
      const address = freshAddress()
      const claim = from(address, { 'x-forwarded-for': '127.0.0.1' })
      expect(await countUntilRefused(() => count(address, {}, claim))).toBe(5)
    })
  })
})
