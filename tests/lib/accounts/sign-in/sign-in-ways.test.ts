import { describe, expect, it } from 'vitest'
import { signInWays } from '../../../../lib/accounts/sign-in/sign-in-ways'
import { readConfig } from '../../../../lib/config'

const POSTGRES = { DATABASE_URL: 'postgres://u:p@db/sheaf', NEXTAUTH_SECRET: 'x'.repeat(40) }
const MAIL = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'sheaf@example.com' }
const ways = (environment: Record<string, string>, host = 'localhost:3000') => signInWays(host, readConfig(environment))

describe('the ways to sign in', () => {
  it('are a password alone with nothing configured', () => {
    expect(ways({})).toEqual({ passwordSignUp: true, mail: false, github: false, google: false, missing: null })
  })

  it('need a proof of the address with DATABASE_URL, and say what is missing for it', () => {
    expect(ways(POSTGRES)).toMatchObject({
      passwordSignUp: false,
      missing: expect.stringMatching(/SMTP_URL and MAIL_FROM.*GITHUB_ID.*GOOGLE_ID/),
    })
    expect(ways({ ...POSTGRES, GITHUB_ID: 'a', GITHUB_SECRET: 'b' })).toMatchObject({ github: true, missing: null })
  })

  it('count a service only with both of its variables', () => {
    expect(ways({ ...POSTGRES, GOOGLE_ID: 'a' })).toMatchObject({ google: false, missing: expect.any(String) })
    expect(ways({ SMTP_URL: MAIL.SMTP_URL })).toMatchObject({ mail: false })
  })

  it('include mail on loopback or with PUBLIC_URL, never with a link to whatever the Host header says', () => {
    expect(ways(MAIL)).toMatchObject({ mail: true, missing: null })
    expect(ways({ ...MAIL, PUBLIC_URL: 'https://pdf.example.com' }, 'pdf.example.com')).toMatchObject({
      mail: true,
      missing: null,
    })
    expect(ways(MAIL, 'evil.example')).toMatchObject({ mail: false, missing: expect.stringContaining('PUBLIC_URL') })
  })
})
