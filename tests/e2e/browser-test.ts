import type { APIRequestContext, Browser, Page, Response } from '@playwright/test'
import { chromium, expect, test as base } from '@playwright/test'
import { READY_ATTRIBUTE, READY_EVENT } from '../../app/_ui/frame/kept-clicks'
import type { Service } from '../support/service'
import { startService } from '../support/service'
import { findTestBrowser } from '../support/browser'

let count = 0

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
      const env = { TRUSTED_PROXIES: '1', SIGN_UPS_PER_NETWORK: '1000' }
      const service = await startService({ isFirstStart: true, env })
      await provide(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  baseURL: async ({ service }, provide) => provide(service.base),
})

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

/** Opens an account with the form and ends on its page. */
export async function signUp(page: Page, email = freshEmail()): Promise<string> {
  await page.goto('/sign-in?new=1')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/account')
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
