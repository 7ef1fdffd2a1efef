import type { Page } from '@playwright/test'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, PASSWORD, postCredentials } from './browser-test'
import { askForLink, linkIn, openSignedIn, test } from './mail-test'

test(
  'the page lists what will end, and ends it when the owner continues',
  { tag: '@core' },
  async ({ page, browser, service, mail, accounts }) => {
    const { email, key } = accounts.stranger
    const stranger = await openSignedIn(browser, service.base, accounts.stranger)
    expect(await callWith(page, key)).toBe(200)
    await askForLink(page, email)
    await page.goto(await linkIn(mail, email))
    await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: `sheaf_live_…${key.slice(-4)}` })).toContainText(
      'last used today',
    )
    await expect(page.getByRole('listitem').filter({ hasText: 'The password' })).toBeVisible()
    expect(await callWith(page, key)).toBe(200)
    await stranger.goto('/account')
    await expect(stranger.getByText(email, { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Continue and remove these' }).click()
    await expect(page).toHaveURL(`${service.base}/account`)
    await expect(page.getByRole('button', { name: 'Create API key' })).toBeVisible()
    await stranger.goto('/account')
    await expect(stranger).toHaveURL(/\/sign-in$/)
    expect(await callWith(page, key)).toBe(401)
    expect((await postCredentials(stranger.request, { email, password: PASSWORD })).status()).toBe(401)
    await stranger.context().close()
  },
)

test('nothing ends if the owner cancels, and the link works elsewhere', async ({
  page,
  browser,
  service,
  mail,
  accounts,
}) => {
  const { email, key } = accounts.honest
  const own = await openSignedIn(browser, service.base, accounts.honest)
  await askForLink(page, email)
  const link = await linkIn(mail, email)
  await page.goto(link)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Nothing was changed.')).toBeVisible()
  expect(await callWith(page, key)).toBe(200)
  expect(await page.request.get('/api/auth/session').then(response => response.json())).toEqual({})

  await own.goto(link)
  await expect(own).toHaveURL(`${service.base}/account`)
  await expect(own.getByText(`sheaf_live_…${key.slice(-4)}`)).toBeVisible()
  await expect(own.getByText('Your email address isn’t confirmed')).toBeHidden()
  expect((await postCredentials(own.request, { email, password: PASSWORD })).status()).toBe(200)
  await page.goto(link)
  await expect(page.locator('[data-failure]')).toContainText('already used or has expired')
  await own.context().close()
})

test('the second of two windows with the page finds the account', async ({ page, service, mail, accounts }) => {
  const { email } = accounts.window
  await askForLink(page, email)
  const link = await linkIn(mail, email)
  const second = await page.context().newPage()
  for (const one of [page, second]) await one.goto(link)
  await page.getByRole('button', { name: 'Continue and remove these' }).click()
  await expect(page).toHaveURL(`${service.base}/account`)
  const key = await createKey(page)
  await second.getByRole('button', { name: 'Continue and remove these' }).click()
  await expect(second).toHaveURL(`${service.base}/account`)
  expect(await callWith(page, key)).toBe(200)
})

test('the page works without scripts, and only for forms of this site', async ({
  browser,
  service,
  mail,
  accounts,
}) => {
  const { email, key } = accounts.bare
  const context = await browser.newContext({ baseURL: service.base, javaScriptEnabled: false })
  const page = await context.newPage()
  const { csrfToken } = await (await page.request.get('/api/auth/csrf')).json()
  await page.request.post('/api/auth/signin/email', { form: { csrfToken, email, json: 'true' } })
  await page.goto(await linkIn(mail, email))
  const form = { answer: 'continue', seen: await page.locator('input[name=seen]').inputValue(), final: 'yes' }
  const crossSite = { origin: service.base, 'sec-fetch-site': 'cross-site' }
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: 'null' }, {}, crossSite]
  for (const headers of foreign) {
    const refused = await page.request.post('/api/sign-in/confirm', { form, headers, maxRedirects: 0 })
    expect(refused.status()).toBe(403)
  }
  expect(await callWith(page, key)).toBe(200)
  await page.getByRole('button', { name: 'Continue and remove these' }).click()
  await expect(page).toHaveURL(`${service.base}/account`)
  expect(await callWith(page, key)).toBe(401)
  // Without the browser's cookies, the same form does nothing.
  const replayed = await page.request.post('/api/sign-in/confirm', {
    form,
    headers: { origin: service.base },
    maxRedirects: 0,
  })
  expect([replayed.status(), replayed.headers()['location']]).toEqual([303, '/account'])
  await context.close()
})

test('a changed list is shown again before anything on it ends', async ({ page, browser, service, mail, accounts }) => {
  const { email } = accounts.changed
  const stranger = await openSignedIn(browser, service.base, accounts.changed)
  await askForLink(page, email)
  await page.goto(await linkIn(mail, email))
  const rotated = await service.account(email, { rotate: true, force: true })
  await page.getByRole('button', { name: 'Continue and remove these' }).click()
  await expect(page.locator('[data-failure]')).toContainText('The account changed since you saw this list.')
  await expect(page.getByRole('listitem').filter({ hasText: (rotated.apiKey ?? '').slice(-4) })).toContainText(
    'never used',
  )
  expect(await callWith(page, rotated.apiKey ?? '')).toBe(200)
  await page.getByRole('button', { name: 'Continue and remove these' }).click()
  await expect(page).toHaveURL(`${service.base}/account`)
  expect(await callWith(page, rotated.apiKey ?? '')).toBe(401)
  await stranger.goto('/account')
  await expect(stranger).toHaveURL(/\/sign-in$/)
  await stranger.context().close()
})

test('the settings offer to verify the email, and verification ends nothing', async ({
  browser,
  service,
  mail,
  accounts,
}) => {
  const { email, key } = accounts.settings
  const page = await openSignedIn(browser, service.base, accounts.settings)
  await page.goto('/account')
  await page.getByRole('link', { name: /Confirm that/ }).click()
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.goto(await linkIn(mail, email))
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send me a link' })).toBeHidden()
  expect(await callWith(page, key)).toBe(200)
  await page.context().close()
})

test('the pages fit and are accessible', async ({ page, browser, service, mail, accounts }, info) => {
  const { email } = accounts.looks
  const own = await openSignedIn(browser, service.base, accounts.looks)
  await askForLink(page, email)
  const link = await linkIn(mail, email)
  const pages = [
    ['confirm', page, link],
    ['forgot', page, '/sign-in/forgot'],
    ['sent', page, '/sign-in/forgot?sent'],
    ['settings', own, new URL('/account/settings', link).href],
    ['account', own, new URL('/account', link).href],
  ] as const
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, width, height] of [
      ['phone', 390, 844],
      ['desktop', 1280, 900],
    ] as const) {
      for (const [name, one, path] of pages) {
        await one.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await one.setViewportSize({ width, height })
        await one.goto(path, { waitUntil: 'networkidle' })
        const image = `${name}-${size}-${colorScheme}`
        await one.screenshot({ fullPage: true, path: info.outputPath(`${image}.png`) })
        expect(
          await one.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          image,
        ).toBeLessThanOrEqual(0)
        expect(await findAccessibilityProblems(one), image).toEqual([])
      }
    }
  }
})

/** The status of a request with a key. A valid key gets 200. */
async function callWith(page: Page, key: string): Promise<number> {
  const data = {
    invoiceNumber: '1',
    from: { name: 'Sheaf' },
    billTo: { name: 'Reader' },
    items: [{ description: 'Paper', quantity: 1, rate: 1 }],
    issueDate: '2026-01-02',
  }
  const response = await page.request.post('/api/external/invoice-generator/pdf', {
    headers: { 'x-api-key': key },
    data,
  })
  return response.status()
}
