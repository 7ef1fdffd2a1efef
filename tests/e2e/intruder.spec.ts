import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { createKey, expect, freshEmail, PASSWORD, postCredentials, signUp, test } from './browser-test'

const POSTS = [
  '/api/account/sign-up',
  '/api/account/key',
  '/api/account/key/rotate',
  '/api/account/password',
  '/api/account/sign-out-everywhere',
  '/api/account/checklist',
  '/api/sign-in/confirm',
  '/api/sign-in/forgot-password',
]

test.describe('forms of other sites', () => {
  test('are refused by every action of the account area, like forms of unknown origin', async ({ page, baseURL }) => {
    await signUp(page)
    const data = { email: freshEmail(), password: PASSWORD, last4: 'abcd' }
    const senders: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      {},
      { origin: 'null' },
      { origin: baseURL, 'sec-fetch-site': 'cross-site' },
    ]
    for (const path of POSTS) {
      for (const headers of senders) {
        const response = await page.request.post(path, { data, headers })
        expect.soft(response.status(), `${path} with ${JSON.stringify(headers)}`).toBe(403)
      }
    }
    await page.reload()
    await expect(page.getByRole('button', { name: 'Create API key' })).toBeVisible()
  })

  test("can't sign in without the token, and a sign-in from a foreign origin is refused", async ({ page, request }) => {
    const email = await signUp(page)
    const form = { email, password: PASSWORD, json: 'true' }
    const response = await request.post('/api/auth/callback/credentials', { form })
    expect(
      response
        .headersArray()
        .filter(({ name, value }) => name.toLowerCase() === 'set-cookie' && value.includes('.session=')),
    ).toEqual([])
    const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
    const foreign = await request.post('/api/auth/callback/credentials', {
      form: { ...form, csrfToken },
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status()).toBe(403)
  })
})

test.describe('guessing', () => {
  test('an unknown email and a wrong password get the same response', async ({ page, request }) => {
    const knownEmail = await signUp(page)
    const responses = []
    for (const email of [knownEmail, freshEmail('nobody')]) {
      const response = await postCredentials(request, { email, password: 'a wrong password' })
      responses.push({ status: response.status(), body: await response.text() })
    }
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]?.status).toBe(401)
  })

  test('signing up with an existing email gets the response for a new email, and changes nothing', async ({
    page,
    request,
    baseURL,
  }) => {
    const knownEmail = await signUp(page)
    const responses = []
    for (const email of [knownEmail, freshEmail('new')]) {
      const response = await request.post('/api/account/sign-up', {
        data: { email, password: 'the password of a stranger' },
        headers: { origin: baseURL },
      })
      responses.push({ status: response.status(), body: await response.text() })
    }
    expect(responses[0]).toEqual(responses[1])
    expect(
      (await postCredentials(request, { email: knownEmail, password: 'the password of a stranger' })).status(),
    ).toBe(401)
    expect((await postCredentials(request, { email: knownEmail, password: PASSWORD })).status()).toBe(200)
  })

  test('after ten wrong passwords the right one is refused too, from that IP address only', async ({
    page,
    request,
  }) => {
    const email = await signUp(page)
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await postCredentials(request, { email, password: `wrong password ${attempt}` })).status()).toBe(401)
    }
    const refused = await postCredentials(request, { email, password: PASSWORD })
    expect(refused.status()).toBe(429)
    expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(800)
    expect(await refused.json()).toMatchObject({ error: 'too_many_attempts' })
    expect((await postCredentials(request, { email, password: PASSWORD, from: '203.0.113.13' })).status()).toBe(200)
  })

  test('simultaneous guesses get no more attempts than sequential ones', async ({ request }) => {
    const email = freshEmail('target')
    const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
    const form = { csrfToken, email, password: 'a wrong password', json: 'true' }
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await request.post('/api/auth/callback/credentials', { form })).status()),
    )
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
    expect(statuses.filter(status => status === 429)).toHaveLength(20)
  })
})

test.describe('user input', () => {
  test('an email with an apostrophe is shown unchanged', async ({ page }) => {
    const email = `o'neil+${Date.now()}-a@example.com`
    await signUp(page, email)
    await expect(page.getByText(email, { exact: true })).toBeVisible()
  })

  for (const email of [
    '"<script>alert(1)</script>"@example.com',
    '<img src=x onerror=alert(1)>@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a@exa mple.com',
    `${'a'.repeat(250)}@example.com`,
  ]) {
    test(`${JSON.stringify(email.slice(0, 40))} is refused as an email`, async ({ request, baseURL }) => {
      const response = await request.post('/api/account/sign-up', {
        data: { email, password: PASSWORD },
        headers: { origin: baseURL },
      })
      expect(response.status()).toBe(400)
      expect(await response.json()).toEqual({ error: 'invalid_address', message: "This isn't a valid email address." })
    })
  }

  test('an error in the URL of the sign-in page is not shown', async ({ page }) => {
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const search of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "';alert(1)//",
      'javascript:alert(1)',
      '__proto__',
    ]) {
      await page.goto(`/sign-in?error=${encodeURIComponent(search)}&callbackUrl=${encodeURIComponent(search)}`)
      await expect(page.locator('[data-failure]')).toHaveText('Sign-in failed. Try again.')
    }
    expect(dialogs).toEqual([])
  })

  test('sign-in never redirects to another site', async ({ page, request, baseURL }) => {
    const email = await signUp(page)
    const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
    for (const callbackUrl of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
      const response = await request.post('/api/auth/callback/credentials', {
        form: { csrfToken, email, password: PASSWORD, callbackUrl },
        maxRedirects: 0,
      })
      expect(new URL(response.headers()['location'] ?? '/', baseURL).origin).toBe(baseURL)
    }
  })

  test('pages allow only their own scripts, and no framing', async ({ page }) => {
    const response = await page.goto('/')
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+'(;|$)/)
    expect(policy).toContain("frame-ancestors 'none'")
  })

  test('a strange Host header does not get into a page', async ({ service }) => {
    const { port } = new URL(service.base)
    const html = await new Promise<string>((resolve, reject) => {
      const request = get(
        { host: '127.0.0.1', port, path: '/', headers: { host: 'evil.example"><script>alert(1)</script>' } },
        response => {
          text(response).then(resolve, reject)
        },
      )
      request.once('error', reject)
    })
    expect(html).not.toContain('evil.example')
  })
})

test('a page without errors logs none to the console', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto('/')
  await signUp(page)
  await createKey(page)
  await page.reload()
  expect(complaints).toEqual([])
})

test("an unknown page returns 404 in the site's design", async ({ page }) => {
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
