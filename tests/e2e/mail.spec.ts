import type { Page } from '@playwright/test'
import { createKey, expect, freshEmail, PASSWORD, postCredentials } from './browser-test'
import { askForLink, linkIn, mailsTo, test } from './mail-test'

test('an emailed link signs in once', { tag: '@core' }, async ({ page, browser, service, mail }) => {
  const email = freshEmail('mail')
  await askForLink(page, email)
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
  await expect(other.locator('[data-failure]')).toContainText('already used or has expired')
  await elsewhere.close()
})

test('an emailed link completes a sign-up, with its password in one browser', async ({
  page,
  browser,
  baseURL,
  mail,
}) => {
  const email = freshEmail('sign-up')
  await startSignUp(page, email)
  expect((await postCredentials(page.request, { email, password: PASSWORD })).status()).toBe(401)
  await page.goto(await linkIn(mail, email))
  await expect(page.getByTestId('balance')).toHaveText('100')
  const key = await createKey(page)
  expect((await postCredentials(page.request, { email, password: PASSWORD })).status()).toBe(200)

  // A link that is opened later in another browser ends nothing, because the email is verified.
  const elsewhere = await browser.newContext({ baseURL })
  const other = await elsewhere.newPage()
  await askForLink(other, email)
  await other.goto(await linkIn(mail, email, 2))
  await expect(other).toHaveURL(`${baseURL}/account`)
  await expect(other.getByText(`sheaf_live_…${key.slice(-4)}`)).toBeVisible()

  const strangers = freshEmail('strangers')
  await startSignUp(page, strangers)
  const third = await (await browser.newContext({ baseURL })).newPage()
  await third.goto(await linkIn(mail, strangers))
  await expect(third).toHaveURL(`${baseURL}/account`)
  expect((await postCredentials(third.request, { email: strangers, password: PASSWORD })).status()).toBe(401)
  await third.context().close()
  await elsewhere.close()
})

test('a sign-up with a known email looks the same and changes nothing', async ({ page, request, baseURL, mail }) => {
  const known = freshEmail('known')
  await startSignUp(page, known)
  await page.goto(await linkIn(mail, known))
  await expect(page).toHaveURL(`${baseURL}/account`)
  const responses = []
  for (const email of [known, freshEmail('unknown')]) {
    const response = await request.post('/api/account/sign-up', {
      data: { email, password: 'the password of a stranger' },
      headers: { origin: baseURL },
    })
    responses.push({
      status: response.status(),
      body: await response.text(),
      cookies: response.headersArray().filter(({ name }) => name === 'set-cookie').length,
    })
    expect(mailsTo(mail, email).at(-1)?.text).toContain('Subject: Confirm your email address for Sheaf')
  }
  expect(responses[0]).toEqual(responses[1])
  await page.context().clearCookies()
  await page.goto(await linkIn(mail, known, 2))
  expect((await postCredentials(request, { email: known, password: 'the password of a stranger' })).status()).toBe(401)
  expect((await postCredentials(request, { email: known, password: PASSWORD })).status()).toBe(200)
})

test('a sign-up does not trust a URL from a foreign Host header', async ({ request, service, mail }) => {
  const email = freshEmail('host')
  const response = await request.post('/api/account/sign-up', {
    data: { email, password: PASSWORD },
    headers: { host: 'evil.example', origin: 'http://evil.example' },
  })
  expect([response.status(), (await response.json()).error]).toEqual([403, 'foreign_origin'])
  expect((await postCredentials(request, { email, password: PASSWORD })).status()).toBe(401)
  expect(mailsTo(mail, email)).toEqual([])
  expect(service.log()).not.toContain('evil.example')
})

test(
  'an emailed link replaces a forgotten password, without scripts',
  { tag: '@core' },
  async ({ page, browser, baseURL, mail }) => {
    const email = freshEmail('forgot')
    await startSignUp(page, email)
    await page.goto(await linkIn(mail, email))
    await expect(page).toHaveURL(`${baseURL}/account`)

    const elsewhere = await browser.newContext({ baseURL, javaScriptEnabled: false })
    const bare = await elsewhere.newPage()
    await bare.goto('/sign-in')
    await bare.getByRole('link', { name: 'Forgot password?' }).click()
    await bare.getByLabel('Email address').fill(email.toUpperCase())
    await bare.getByRole('button', { name: 'Send me a link' }).click()
    await expect(bare.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await elsewhere.close()

    const fresh = await browser.newContext({ baseURL })
    const other = await fresh.newPage()
    await other.goto(await linkIn(mail, email, 2))
    await expect(other).toHaveURL(`${baseURL}/account/settings#password-title`)
    await expect(other.getByLabel('Current password')).toBeHidden()
    await other.getByLabel('New password').fill('another good password')
    await other.getByRole('button', { name: 'Change password' }).click()
    await expect(other.getByText('Your password is set.')).toBeVisible()
    await page.goto('/account')
    await expect(page).toHaveURL(/\/sign-in$/)
    expect((await postCredentials(page.request, { email, password: PASSWORD })).status()).toBe(401)
    expect((await postCredentials(page.request, { email, password: 'another good password' })).status()).toBe(200)
    // A session that began with the password still has to provide it.
    const change = await page.request.post('/api/account/password', {
      data: { current: '', password: 'a third good password' },
      headers: { origin: baseURL },
    })
    expect(change.status()).toBe(403)
    await fresh.close()
  },
)

test('a password reset for an email without an account gets the same response', async ({ request, baseURL, mail }) => {
  const email = freshEmail('nobody')
  const ask = (address: string, origin = baseURL) =>
    request.post('/api/sign-in/forgot-password', { form: { email: address }, headers: { origin }, maxRedirects: 0 })
  const response = await ask(email)
  expect([response.status(), response.headers()['location']]).toEqual([303, '/sign-in/forgot?sent'])
  expect(mailsTo(mail, email)).toHaveLength(1)
  expect((await ask('no address')).headers()['location']).toBe('/sign-in/forgot?problem=invalid_address')
  expect((await ask(email, 'https://evil.example')).status()).toBe(403)
  for (let more = 0; more < 4; more += 1) await ask(email)
  expect((await ask(email)).headers()['location']).toBe('/sign-in/forgot?problem=too_many_attempts')
  expect(mailsTo(mail, email)).toHaveLength(5)
})

test('a link never uses a host that only the request claims', async ({ request, mail }) => {
  const email = freshEmail('victim')
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  await request.post('/api/auth/signin/email', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    form: { csrfToken, email, json: 'true' },
  })
  await request.post('/api/auth/signin/email', {
    headers: { 'x-forwarded-host': 'evil.example' },
    form: { csrfToken, email, json: 'true' },
  })
  expect(mailsTo(mail, email).filter(({ text }) => text.includes('evil.example'))).toEqual([])
})

test("one client can't fill a mailbox, and neither can one IPv6 network", async ({ request, mail }) => {
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  for (const from of ['198.51.100.7', '2001:db8:7:1::']) {
    const email = freshEmail('flood')
    const statuses = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const headers = { 'x-forwarded-for': from.endsWith('::') ? `${from}${attempt}` : from }
      statuses.push(
        (await request.post('/api/auth/signin/email', { headers, form: { csrfToken, email, json: 'true' } })).status(),
      )
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(mailsTo(mail, email)).toHaveLength(5)
  }
})

/** Submits the sign-up form and waits for the message that a link was emailed. */
async function startSignUp(page: Page, email: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/sign-in?new=1')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Open the link in this browser')).toBeVisible()
}
