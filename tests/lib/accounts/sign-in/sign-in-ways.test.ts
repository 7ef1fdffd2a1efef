import { describe, expect, it } from 'vitest'
import { canVerifyAddresses, signInWays } from '../../../../lib/accounts/sign-in/sign-in-ways'
import { readConfig } from '../../../../lib/config'

const POSTGRES = { DATABASE_URL: 'postgres://u:p@db/sheaf', NEXTAUTH_SECRET: 'x'.repeat(40) }
const MAIL = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'sheaf@example.com' }
const ways = (environment: Record<string, string>, host = 'localhost:3000') => signInWays(host, readConfig(environment))

describe('sign-in methods', () => {
  it('are only a password if nothing is configured', () => {
    expect(ways({})).toEqual({
      passwordSignUp: true,
      signUp: 'open',
      mail: false,
      github: false,
      google: false,
      missing: null,
    })
  })

  it('include no new passwords if sign-up is closed, and nothing is missing then', () => {
    expect(ways({ SIGN_UP: 'closed' })).toMatchObject({ passwordSignUp: false, signUp: 'closed', missing: null })
    expect(ways({ SIGN_UP: 'invited' })).toMatchObject({ passwordSignUp: true, signUp: 'invited', missing: null })
  })

  it('require email verification with DATABASE_URL, and report the missing settings', () => {
    expect(ways(POSTGRES)).toMatchObject({
      passwordSignUp: false,
      missing: expect.stringMatching(/SMTP_URL and MAIL_FROM.*GITHUB_ID.*GOOGLE_ID/),
    })
    expect(ways({ ...POSTGRES, GITHUB_ID: 'a', GITHUB_SECRET: 'b' })).toMatchObject({ github: true, missing: null })
  })

  it('include a service only if both of its variables are set', () => {
    expect(ways({ ...POSTGRES, GOOGLE_ID: 'a' })).toMatchObject({ google: false, missing: expect.any(String) })
    expect(ways({ SMTP_URL: MAIL.SMTP_URL })).toMatchObject({ mail: false })
  })

  it('include email on loopback or with PUBLIC_URL, never with a link from the Host header', () => {
    expect(ways(MAIL)).toMatchObject({ mail: true, missing: null })
    expect(ways({ ...MAIL, PUBLIC_URL: 'https://pdf.example.com' }, 'pdf.example.com')).toMatchObject({
      mail: true,
      missing: null,
    })
    expect(ways(MAIL, 'evil.example')).toMatchObject({ mail: false, missing: expect.stringContaining('PUBLIC_URL') })
  })

  it.each([
    ['localhost:3000', MAIL, true],
    ['evil.example', MAIL, false],
    ['evil.example', {}, true],
  ])('include new passwords on %s with %j: %o', (host, environment, isPossible) => {
    expect(ways(environment, host).passwordSignUp).toBe(isPossible)
  })

  it.each([
    [{}, false],
    [MAIL, true],
    [{ GITHUB_ID: 'a' }, false],
    [{ GOOGLE_SECRET: 'b' }, false],
    [{ GITHUB_ID: 'a', GITHUB_SECRET: 'b' }, true],
    [{ GOOGLE_ID: 'a', GOOGLE_SECRET: 'b' }, true],
  ])('can verify addresses with %j: %o', (environment, canVerify) => {
    expect(canVerifyAddresses(readConfig(environment))).toBe(canVerify)
  })
})
