import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { Service } from '../support/service'
import { startService } from '../support/service'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, freshEmail, PASSWORD, postCredentials, signUp } from './browser-test'
import { askForLink, linkIn, mailEnvironment, test as base } from './mail-test'

/** Accounts that were opened before their server could send email, so their emails are unverified. */
const ACCOUNTS = ['stranger', 'honest', 'window', 'bare', 'changed', 'looks', 'settings'] as const
type Name = (typeof ACCOUNTS)[number]

interface Opened {
  email: string
  key: string
  /** The browser that opened the account, still signed in. */
  page: Page
}

const test = base.extend<object, { accounts: Record<Name, Opened> }>({
  accounts: [
    // Each service in this file is in `prepared`.
    async ({ service }, provide) => provide(prepared.get(service) ?? ({} as Record<Name, Opened>)),
    { scope: 'worker' },
  ],
  service: [
    async ({ mail, browser }, provide) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-test-'))
      const before = await startService({ dataDir, env: { TRUSTED_PROXIES: '1', SIGN_UPS_PER_NETWORK: '1000' } })
      const port = Number(new URL(before.base).port)
      const accounts = await openAccounts(browser, before)
      await before.stop()
      // Cookies are sent to the port.
      const service = await startService({ dataDir, env: { ...mailEnvironment(mail), TRUSTED_PROXIES: '1' }, port })
      prepared.set(service, accounts)
      await provide(service)
      await service.stop()
      for (const { page } of Object.values(accounts)) await page.context().close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

const prepared = new WeakMap<Service, Record<Name, Opened>>()

test(
  'the page lists what will end, and ends it when the owner continues',
  { tag: '@core' },
  async ({ page, service, mail, accounts }) => {
    const { email, key, page: stranger } = accounts.stranger
    await askForLink(page, email)
    await page.goto(await linkIn(mail, email))
    await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: `sheaf_live_…${key.slice(-4)}` })).toContainText(
      'last used today',
    )
    await expect(page.getByRole('listitem').filter({ hasText: 'The password' })).toBeVisible()
    expect(await callWith(page, key)).toBe(200)
    await stranger.goto(`${service.base}/account`)
    await expect(stranger.getByText(email, { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Continue and remove these' }).click()
    await expect(page).toHaveURL(`${service.base}/account`)
    await expect(page.getByRole('button', { name: 'Create API key' })).toBeVisible()
    await stranger.goto(`${service.base}/account`)
    await expect(stranger).toHaveURL(/\/sign-in$/)
    expect(await callWith(page, key)).toBe(401)
    expect((await postCredentials(stranger.request, { email, password: PASSWORD })).status()).toBe(401)
  },
)

test('nothing ends if the owner cancels, and the link works elsewhere', async ({ page, service, mail, accounts }) => {
  const { email, key, page: own } = accounts.honest
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

test('a changed list is shown again before anything on it ends', async ({ page, service, mail, accounts }) => {
  const { email, page: stranger } = accounts.changed
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
  await stranger.goto(`${service.base}/account`)
  await expect(stranger).toHaveURL(/\/sign-in$/)
})

test('the settings offer to verify the email, and verification ends nothing', async ({ service, mail, accounts }) => {
  const { email, key, page } = accounts.settings
  await page.goto(`${service.base}/account`)
  await page.getByRole('link', { name: /Confirm that/ }).click()
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.goto(await linkIn(mail, email))
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send me a link' })).toBeHidden()
  expect(await callWith(page, key)).toBe(200)
})

test('the pages fit and are accessible', async ({ page, mail, accounts }, info) => {
  const { email, page: own } = accounts.looks
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

async function openAccounts(browser: Browser, { base: baseURL }: Service): Promise<Record<Name, Opened>> {
  const opened: [Name, Opened][] = []
  for (const name of ACCOUNTS) {
    const context = await browser.newContext({ baseURL, extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.50' } })
    const page = await context.newPage()
    const email = await signUp(page, freshEmail(name))
    const key = await createKey(page)
    expect(await callWith(page, key)).toBe(200)
    opened.push([name, { email, key, page }])
  }
  return Object.fromEntries(opened) as Record<Name, Opened> // Every name has an entry.
}

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
