import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccount, endSessions, findById, type Account } from '../../../../lib/accounts/account/accounts'
import { hashPassword } from '../../../../lib/accounts/account/password'
import { changePassword, needsPassword } from '../../../../lib/accounts/settings/change-password'
import { placeDatabase } from '../../../../lib/database'
import { ANY_KIND, prepareDatabase } from '../../../support/databases'

const OLD = 'correct horse battery'
const NEW = 'staple of another kind'
const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTES = 60_000

describe('a new password', async () => {
  const opened = await prepareDatabase(ANY_KIND)
  let passwordHash: string
  beforeAll(async () => {
    placeDatabase(opened.database)
    passwordHash = await hashPassword(OLD)
  })
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))
  afterEach(() => void vi.useRealTimers())

  const open = async (hash: string | null = passwordHash): Promise<Account> => {
    const { account } = await createAccount({
      email: `${randomUUID()}@example.test`,
      passwordHash: hash,
      verified: true,
    })
    return account ?? expect.fail('the address was taken')
  }
  const sessionOf = (account: Account, ageMs: number, isByMail: boolean) => ({
    account,
    isByMail,
    signedInAt: new Date(NOW - ageMs),
  })
  const change = (session: ReturnType<typeof sessionOf>, current = '') =>
    changePassword({ ...session, current, password: NEW, clientAddress: '203.0.113.7' })

  it('needs the current one, except for 15 minutes after a mailed link was opened', async () => {
    const account = await open()
    const needs = (ageMs: number, isByMail: boolean) => needsPassword(sessionOf(account, ageMs, isByMail))
    expect([0, 15 * MINUTES - 1, 15 * MINUTES, 16 * MINUTES].map(ageMs => needs(ageMs, true))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(needs(0, false)).toBe(true)
    const without = await open(null)
    for (const isByMail of [true, false]) expect(needsPassword(sessionOf(without, 60 * MINUTES, isByMail))).toBe(false)
  })

  it('is set with a mailed link within 15 minutes, and ends the sessions', async () => {
    const account = await open()
    const updated = await change(sessionOf(account, 15 * MINUTES - 1, true))
    expect(updated).toMatchObject({ id: account.id, sessionVersion: account.sessionVersion + 1 })
    await expect(change(sessionOf(updated, 0, false), OLD)).rejects.toMatchObject({ code: 'wrong_password' })
    await expect(change(sessionOf(updated, 0, false), NEW)).resolves.toMatchObject({ id: account.id })
  })

  it('is refused without the current one after 15 minutes, and the old one stays valid', async () => {
    const account = await open()
    await expect(change(sessionOf(account, 15 * MINUTES, true))).rejects.toMatchObject({
      status: 403,
      code: 'wrong_password',
    })
    expect(await findById(account.id)).toEqual(account)
    await expect(change(sessionOf(account, 15 * MINUTES, true), OLD)).resolves.toMatchObject({ id: account.id })
  })

  it('is refused if it is too simple, or if the session ended in the meantime', async () => {
    const account = await open()
    const session = { ...sessionOf(account, 0, true), current: '', clientAddress: '203.0.113.7' }
    await expect(changePassword({ ...session, password: 'short' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_password',
    })
    await endSessions(account.id)
    await expect(changePassword({ ...session, password: NEW })).rejects.toMatchObject({ status: 401 })
  })
})
