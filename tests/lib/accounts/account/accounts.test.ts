import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  createAccount,
  endSessions,
  findByEmail,
  findById,
  findByPassword,
  isEmail,
  normalizeEmail,
  setPassword,
} from '../../../../lib/accounts/account/accounts'
import { hashPassword } from '../../../../lib/accounts/account/password'
import { beginAttempt } from '../../../../lib/accounts/sign-in/attempt-limit'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'

describe.each(SAMPLED_KINDS)('accounts on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database } = opened
  const another = await opened.another()

  const newEmail = () => `${randomUUID()}@example.test`

  it('are found by their email in any spelling, and by their ID', async () => {
    const email = newEmail()
    const { account } = await createAccount({ email: ` ${email.toUpperCase()} `, verified: false }, database)
    expect(account).toMatchObject({ email, emailVerified: null, hasPassword: false, sessionVersion: 0 })
    expect(account?.createdAt).toBeInstanceOf(Date)
    expect(await findByEmail(email.toUpperCase(), database)).toEqual(account)
    expect(await findById(account?.id ?? '', database)).toEqual(account)
    expect(await findByEmail(newEmail(), database)).toBeNull()
  })

  it('are created once per email, and a second sign-up changes nothing', async () => {
    const email = newEmail()
    const { account } = await createAccount({ email, verified: true }, database)
    const passwordHash = await hashPassword('the password of a stranger')
    expect(await createAccount({ email, passwordHash, name: 'Stranger', verified: false }, database)).toEqual({
      isNew: false,
      account: null,
    })
    expect(await findByEmail(email, database)).toEqual(account)
    expect(await findByPassword(email, 'the password of a stranger', database)).toBeNull()
  })

  it('are created by one of many simultaneous sign-ups', async () => {
    const email = newEmail()
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createAccount({ email, verified: false }, index % 2 === 0 ? database : another),
      ),
    )
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  it('end their sessions if the password changes or on request', async () => {
    const { account } = await createAccount({ email: newEmail(), verified: true }, database)
    const id = account?.id ?? ''
    expect(await setPassword(id, await hashPassword('first password'), database)).toMatchObject({
      sessionVersion: 1,
      hasPassword: true,
    })
    expect(await endSessions(id, database)).toMatchObject({ sessionVersion: 2 })
    expect((await findByPassword(account?.email ?? '', 'first password', database))?.id).toBe(id)
    expect(await findByPassword(account?.email ?? '', 'first passwor', database)).toBeNull()
  })

  it('never store an email in upper case', async () => {
    await expect(database.rows(sql`insert into users (email) values ('Upper@example.test')`)).rejects.toThrow(
      'users_email_lower',
    )
  })

  describe('signing in', () => {
    const attempt = (email: string, ip: string, on = database) =>
      beginAttempt({ email, ip }, { database: on, secret: 'a secret of more than thirty-two characters' })

    it('is stopped for 15 minutes after exactly 10 failures with one email from one client, on two instances at once', async () => {
      const [email, ip] = [newEmail(), `ip-${randomUUID()}`]
      const tries = await Promise.all(
        Array.from({ length: 30 }, (_, index) => attempt(email, ip, index % 2 === 0 ? database : another)),
      )
      expect(tries.filter(({ isAllowed }) => isAllowed)).toHaveLength(10)
      const refused = tries.find(one => !one.isAllowed)
      expect(refused?.isAllowed === false && refused.retryAfterS).toBeGreaterThan(14 * 60)
      expect(refused?.isAllowed === false && refused.retryAfterS).toBeLessThanOrEqual(15 * 60)
      expect((await attempt(email.toUpperCase(), ip)).isAllowed).toBe(false)
      expect((await attempt(newEmail(), ip)).isAllowed).toBe(true)
      expect((await attempt(email, `ip-${randomUUID()}`)).isAllowed).toBe(true)
    })

    it('is possible again after the failures expire', async () => {
      const [email, ip] = [newEmail(), `ip-${randomUUID()}`]
      for (let count = 0; count < 10; count += 1) await attempt(email, ip)
      await database.rows(
        sql`update sign_in_attempts set attempted_at = now() - interval '16 minutes' where ip = ${ip}`,
      )
      expect((await attempt(email, ip)).isAllowed).toBe(true)
    })

    it('does not count successful attempts', async () => {
      const [email, ip] = [newEmail(), `ip-${randomUUID()}`]
      for (let count = 0; count < 15; count += 1) {
        const one = await attempt(email, ip)
        expect(one.isAllowed).toBe(true)
        if (one.isAllowed) await one.succeed()
      }
    })

    it('is stopped for a client that tries many emails', async () => {
      const ip = `ip-${randomUUID()}`
      const tries = await Promise.all(Array.from({ length: 110 }, () => attempt(newEmail(), ip)))
      expect(tries.filter(({ isAllowed }) => isAllowed)).toHaveLength(100)
    })
  })
})

describe('an email', () => {
  it('is compared in lower case, without surrounding spaces', () => {
    expect(normalizeEmail(' Ada@Example.TEST\n')).toBe('ada@example.test')
  })

  it('is distinguished from invalid text', () => {
    for (const text of ['a@b.example', 'first.last+tag@sub.example.org']) expect(isEmail(text)).toBe(true)
    for (const text of [
      '',
      'a',
      'a@',
      '@b.example',
      'a b@c.example',
      'a@b',
      `${'a'.repeat(250)}@b.example`,
      'a@b.example\r\nBcc: x@y.example',
    ]) {
      expect(isEmail(text)).toBe(false)
    }
  })
})
