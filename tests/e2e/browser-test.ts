import { setTimeout as wait } from 'node:timers/promises'
import type { APIRequestContext, Browser, Page, Response } from '@playwright/test'
import { chromium, expect, test as base } from '@playwright/test'
import { READY_ATTRIBUTE, READY_EVENT } from '../../app/_ui/frame/kept-clicks'
import type { Service } from '../support/service'
import { startService } from '../support/service'
import { findTestBrowser } from '../support/browser'

const DAY_MS = 86_400_000
const LONG_TEST_MS = 120_000

let count = 0

/** Variables of a service whose month can't end during a test, which would grant new credits. */
export const MID_MONTH = moveClock(0)

/** Variables of a service for which it is the middle of this month, plus some days. */
export function moveClock(days: number): Record<string, string> {
  const now = new Date()
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 15 + days, 12)
  return { TEST_MODE: '1', CLOCK_OFFSET_MS: String(then - now.getTime()) }
}

interface Shared {
  service: Service
  browser: Browser
}

/** Browser tests that this machine can run, against a separate service, built and started as `npm start` does. */
export const test = base.extend<{ baseURL: string }, Shared>({
  // Every test has a different IP address, so that no limit counts two tests together. Playwright reads the fixture's
  // dependencies from the pattern: none.
  // oxlint-disable-next-line eslint/no-empty-pattern
  extraHTTPHeaders: async ({}, provide) => {
    count += 1
    await provide({ 'x-forwarded-for': `198.51.100.${count % 256}` })
  },
  page: async ({ page, javaScriptEnabled }, provide) => {
    await waitForTomorrow()
    if (javaScriptEnabled) waitForScripts(page)
    await provide(page)
  },
  browser: [
    // As above.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const browser = await chromium.launch(await findTestBrowser())
      await provide(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  service: [
    // As above.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      // One proxy is trusted, so that a test can send requests for clients at several IP addresses. Together, the tests
      // create more accounts than one site may.
      const env = { ...MID_MONTH, TRUSTED_PROXIES: '1', SIGN_UPS_PER_NETWORK: '1000' }
      const service = await startService({ isFirstStart: true, env })
      await provide(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  baseURL: async ({ service }, provide) => provide(service.base),
})

/** Waits out the last minutes of a day (UTC), because requests of one test must have the same date. */
async function waitForTomorrow(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs > LONG_TEST_MS) return
  test.setTimeout(test.info().timeout + leftMs)
  await wait(leftMs)
}

/** From now on, `goto` and `reload` end once the scripts of the page handle clicks. */
function waitForScripts(page: Page): void {
  const untilReady = async <Loaded extends Response | null>(response: Loaded): Promise<Loaded> => {
    const text = response?.headers()['content-type']?.startsWith('text/html') ? await response.text() : ''
    if (text.includes(READY_EVENT)) await page.locator(`html[${READY_ATTRIBUTE}]`).waitFor({ state: 'attached' })
    return response
  }
  const { goto, reload } = page
  page.goto = async (...settings) => untilReady(await goto.apply(page, settings))
  page.reload = async (...settings) => untilReady(await reload.apply(page, settings))
}

export { expect } from '@playwright/test'

export const PASSWORD = 'correct horse battery'

/** An email that no other test uses. */
export function freshEmail(name = 'reader'): string {
  count += 1
  return `${name}-${process.pid}-${Date.now()}-${count}@example.com`
}

/** Opens an account as the form does, without its page, and goes to the page of the account. */
export async function signUp(page: Page, email = freshEmail()): Promise<string> {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const opened = await page.request.post('/api/account/sign-up', {
    headers: { origin },
    form: { email, password: PASSWORD },
  })
  expect(opened.status()).toBe(200)
  expect((await postCredentials(page.request, { email, password: PASSWORD })).status()).toBe(200)
  await page.goto('/account')
  return email
}

/** Creates the account's key on its page, closes the dialog and returns the key. */
export async function createKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = await page.getByTestId('api-key').innerText()
  await page.getByRole('button', { name: 'I stored the key' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  return key
}

/** Signs in with the form, from the test's IP address or another one. */
export async function postCredentials(
  request: APIRequestContext,
  { email, password, from }: { email: string; password: string; from?: string },
) {
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
  return request.post('/api/auth/callback/credentials', { headers, form: { csrfToken, email, password, json: 'true' } })
}
