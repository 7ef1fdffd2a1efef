import type { MailServer, ReceivedMail } from '../support/mail-server'
import { startMailServer } from '../support/mail-server'
import { startService } from '../support/service'
import { createKey, expect, freshEmail, signUp, test as base } from './browser-test'

const test = base.extend<object, { mail: MailServer }>({
  mail: [
    // Playwright reads from the pattern what a fixture needs: nothing.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const mail = await startMailServer()
      await provide(mail)
      await mail.stop()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ mail }, provide) => {
      // A NEXTAUTH_URL left over from elsewhere has no say in links and addresses.
      const env = { SMTP_URL: mail.url, MAIL_FROM: 'Sheaf <sheaf@example.com>', TRUSTED_PROXIES: '1', NEXTAUTH_URL: 'http://elsewhere.example' }
      const service = await startService({ env })
      await provide(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

test('a link that was asked for by mail signs in, once', async ({ page, browser, service, mail }) => {
  const email = freshEmail('mail')
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
  await expect(page.getByText('A link was sent to')).toBeVisible()

  const link = await linkIn(mail, email)
  expect(new URL(link).origin).toBe(service.base)
  await page.goto(link)
  await expect(page).toHaveURL(`${service.base}/account`)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByTestId('balance')).toHaveText('100')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible()

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(link)
  await expect(other.locator('[data-failure]')).toContainText('used already or is older than an hour')
  await elsewhere.close()
})

test('whoever proves the address is rid of a stranger who opened the account before', async ({ page, browser, service, mail }) => {
  const email = freshEmail('owner')
  const strangers = await browser.newContext({ baseURL: service.base, extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.50' } })
  const stranger = await strangers.newPage()
  await signUp(stranger, email)
  const key = await createKey(stranger)

  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
  await page.goto(await linkIn(mail, email))
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeVisible()

  await stranger.goto('/account')
  await expect(stranger).toHaveURL(/\/sign-in$/)
  const call = await page.request.post('/api/external/pdf-tools/merge-pdf', { headers: { 'x-api-key': key }, data: {} })
  expect(call.status()).toBe(401)
  await strangers.close()
})

test('a link is never made for a host that the request only claims', async ({ request, mail }) => {
  const email = freshEmail('victim')
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  await request.post('/api/auth/signin/email', { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' }, form: { csrfToken, email, json: 'true' } })
  await request.post('/api/auth/signin/email', { headers: { 'x-forwarded-host': 'evil.example' }, form: { csrfToken, email, json: 'true' } })
  expect(mailsTo(mail, email).filter(({ text }) => text.includes('evil.example'))).toEqual([])
})

test('one client cannot fill a mailbox', async ({ request, mail }) => {
  const email = freshEmail('flood')
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  const statuses = []
  for (let attempt = 0; attempt < 7; attempt++) statuses.push((await request.post('/api/auth/signin/email', { form: { csrfToken, email, json: 'true' } })).status())
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(mailsTo(mail, email)).toHaveLength(5)
})

const mailsTo = (mail: MailServer, email: string): ReceivedMail[] => mail.received.filter(({ to }) => to.includes(email))

async function linkIn(mail: MailServer, email: string): Promise<string> {
  await expect.poll(() => mailsTo(mail, email).length).toBe(1)
  const [received] = mailsTo(mail, email)
  const text = (received?.text ?? '').replace(/=\n/g, '').replace(/=3D/g, '=')
  return /https?:\S+/.exec(text)?.[0] ?? ''
}
