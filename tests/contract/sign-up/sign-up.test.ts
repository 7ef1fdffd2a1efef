import { beforeAll, describe, expect, it } from 'vitest'
import { askForLink, isSignedIn, openLink } from '../../hostile/chaos/prove-address'
import { createVisitor, makeAddress } from '../../hostile/chaos/visitor'
import type { MailServer } from '../../support/mail-server'
import type { RunningService } from '../../support/service'
import { sendRequest } from '../client'
import { sharedMail, strictService, usualService } from '../../support/shared-services'

const ON_POSTGRES = process.env['TEST_DATABASE'] === 'postgres'

/** Sends the sign-up form for a visitor behind the trusted proxy. */
function sendForm(base: string, email: string, address: string) {
  return sendRequest(base, {
    path: '/api/account/sign-up',
    headers: { 'content-type': 'application/json', origin: base, 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  })
}

describe('sign-up by invitation, with mailed links', () => {
  let mail: Pick<MailServer, 'received'>
  let service: RunningService
  beforeAll(async () => {
    mail = await sharedMail()
    service = await strictService()
  })

  /** Asks for a link, opens it, and returns where it leads. */
  const follow = async (email: string, address = makeAddress()) => {
    const visitor = createVisitor(service.base, { address })
    const location = await openLink(visitor, await askForLink(visitor, mail, email))
    return { location, signedIn: await isSignedIn(visitor) }
  }

  it('says so on its page', async () => {
    const page = (await sendRequest(service.base, { path: '/sign-in', method: 'GET', headers: {} })).bytes.toString()
    expect(page).toContain('New accounts need an invitation')
  })

  it('mails a link to anybody, which opens an account only with an invitation', async () => {
    expect(await service.account('guest@gmail.com', { invite: true })).toEqual({
      email: 'guest@gmail.com',
      apiKey: null,
      creditBalance: 0,
    })
    expect(await follow('stranger@company.example')).toEqual({
      location: expect.stringMatching(/\/sign-in\?error=not-invited$/),
      signedIn: false,
    })
    expect(await follow('guest@gmail.com')).toMatchObject({ signedIn: true })
    expect(await follow('gu.est+2@gmail.com')).toEqual({
      location: expect.stringMatching(/\/sign-in\?error=alias$/),
      signedIn: false,
    })
    await expect(service.account('guest@gmail.com', { invite: true })).rejects.toThrow('already has an account')
    await expect(service.account('x@company.example', { invite: true, credits: 5 })).rejects.toThrow('only option')
  })

  it('lets accounts of the account command in', async () => {
    await service.account('early@company.example', { credits: 1 })
    expect(await follow('early@company.example')).toMatchObject({ signedIn: true })
  })
})

it.skipIf(ON_POSTGRES)(
  'open sign-up stops after 5 accounts of one network, and gives spellings of one mailbox one grant',
  async () => {
    const service = await usualService()
    const address = makeAddress()
    const statuses: number[] = []
    for (let index = 1; index <= 7; index += 1) {
      const response = await sendForm(service.base, `me+${index}@gmail.com`, address)
      statuses.push(response.status)
      if (response.status !== 429) continue
      expect(response.json).toMatchObject({ error: 'too_many_sign_ups' })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(80_000)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const signsIn = async (email: string) => {
      const visitor = createVisitor(service.base, { address: makeAddress() })
      await visitor.signIn(email, 'correct horse battery')
      return isSignedIn(visitor)
    }
    expect([await signsIn('me+1@gmail.com'), await signsIn('me+2@gmail.com')]).toEqual([true, false])
  },
)
