import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type AccountReply, runAccountCommand } from '../../../lib/accounts/account-command'
import { createAccount, findByEmail, findByPassword, openAccount } from '../../../lib/accounts/account/accounts'
import { createLedger } from '../../../lib/credits/ledger'
import { ANY_KIND, prepareDatabase } from '../../support/databases'

const test = await prepareDatabase(ANY_KIND)

const newEmail = () => `${randomUUID()}@example.test`
const run = (request: Record<string, unknown>, canVerify = true): Promise<AccountReply> => {
  const ledger = createLedger({ database: test.database, verifiedOnly: false })
  return runAccountCommand(request, { database: test.database, ledger, canVerify })
}

describe('the account command', () => {
  it('creates an account with a key once, and then only adds credits or rotates the key', async () => {
    const email = newEmail()
    const first = await run({ email: ` ${email.toUpperCase()}` })
    expect(first).toEqual({ email, apiKey: expect.stringMatching(/^sheaf_live_/) as string, creditBalance: 100 })
    expect(await run({ email })).toEqual({ email, apiKey: null, creditBalance: 100 })
    expect(await run({ email, credits: 5 })).toEqual({ email, apiKey: null, creditBalance: 105 })
    const rotated = await run({ email, rotate: true })
    expect(rotated.apiKey).toMatch(/^sheaf_live_/)
    expect(rotated.apiKey).not.toBe(first.apiKey)
    await run({ email, password: 'correct horse battery' })
    expect(await findByPassword(email, 'correct horse battery', test.database)).toMatchObject({ email })
  })

  it.each([
    [{ email: 'nobody' }, 'email: must be an email address'],
    [{ email: 'a@example.test', credits: -1, rotate: 1 }, /credits: .* rotate: /],
    [{}, 'email: '],
    [null, 'request: '],
    [{ email: 'a@example.test', password: 'short' }, 'password'],
  ])('refuses %o', async (request, message) => {
    await expect(run(request as Record<string, unknown>)).rejects.toThrow(message)
    expect(await findByEmail('a@example.test', test.database)).toBeNull()
  })

  describe('for an account that somebody else opened', () => {
    const open = async () => {
      const email = newEmail()
      await createAccount({ email, verified: false }, test.database)
      return email
    }

    it.each([
      [{ credits: 5 }, '--force with --credits.'],
      [{ rotate: true, password: 'correct horse battery' }, '--force with --rotate and --password-stdin.'],
    ])('needs --force for %o, if its owner could verify the address', async (options, message) => {
      const email = await open()
      await expect(run({ email, ...options })).rejects.toThrow(message)
      expect(await run({ email, ...options, force: true })).toHaveProperty('note')
      expect(await run({ email, ...options }, false)).toHaveProperty('note')
    })

    it('reports it, and gives a first key without --force', async () => {
      const email = await open()
      const note = expect.stringContaining(`The owner of ${email} hasn't confirmed this account.`) as string
      expect(await run({ email })).toMatchObject({ apiKey: expect.any(String) as string, note })
    })
  })

  it('invites an address that has no account, with no other option', async () => {
    const email = newEmail()
    const openInvited = () => openAccount({ email, verified: true }, { invitedOnly: true }, test.database)
    expect(await openInvited()).toBeNull()
    for (const other of [{ credits: 1 }, { rotate: true }, { password: 'correct horse battery' }, { force: false }])
      await expect(run({ email, invite: true, ...other })).rejects.toThrow('--invite must be the only option.')
    expect(await openInvited()).toBeNull()
    const note = `${email} can sign up now. Sheaf sends no email about it.`
    expect(await run({ email, invite: true })).toEqual({ email, apiKey: null, creditBalance: 0, note })
    expect(await openInvited()).toMatchObject({ email })
    await expect(run({ email, invite: true })).rejects.toThrow('already has an account')
  })
})
