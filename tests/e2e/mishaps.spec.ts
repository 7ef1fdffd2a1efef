import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startService } from '../support/service'
import { createKey, expect, freshEmail, moveClock, PASSWORD, signUp, test } from './browser-test'

test('a session that ends during a rotation shows a clear message, and the key stays', async ({
  page,
  context,
  request,
}) => {
  const email = await signUp(page)
  const key = await createKey(page)
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Rotate now' }).click()
  await expect(page.locator('[data-failure]')).toHaveText(
    'You are signed out. Nothing was changed. Sign in again to continue.',
  )
  await signIn(page, email, PASSWORD)
  await expect(page.getByText(`sheaf_live_…${key.slice(-4)}`)).toBeVisible()
  expect(
    (await request.post('/api/external/pdf-tools/rotate-pdf', { headers: { 'x-api-key': key }, data: {} })).status(),
  ).toBe(422)
})

test('a double click on create makes one key and shows it once', { tag: '@core' }, async ({ page }) => {
  await signUp(page)
  const responses: number[] = []
  page.on('response', response => {
    if (response.url().endsWith('/api/account/key')) responses.push(response.status())
  })
  await page.getByRole('button', { name: 'Create API key' }).dblclick()
  await expect(page.getByTestId('api-key')).toHaveText(/^sheaf_live_/)
  await page.getByRole('button', { name: 'I stored the key' }).click()
  await expect(page.getByRole('button', { name: 'Rotate key' })).toBeVisible()
  expect(responses).toEqual([200])
})

test('a late second click on create keeps the dialog with the key', async ({ page }) => {
  await signUp(page)
  const button = page.getByRole('button', { name: 'Create API key', includeHidden: true })
  // Without the new page, the button stays below the dialog.
  await page.route(/_rsc=/, () => {})
  await button.click()
  await expect(page.getByTestId('api-key')).toHaveText(/^sheaf_live_/)
  // The error of a second request would close the dialog.
  const requests = await button.evaluate((element: HTMLElement) => {
    let count = 0
    const { fetch } = window
    window.fetch = (...args) => {
      count++
      return fetch(...args)
    }
    element.click()
    return count
  })
  expect(requests).toBe(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'I stored the key' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('browser back and forward show no key again', async ({ page }) => {
  await signUp(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = await page.getByTestId('api-key').innerText()
  await page.goto('/docs')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Rotate key' })).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test(
  'without a connection the page says so, and the next attempt works',
  { tag: '@core' },
  async ({ page, context }) => {
    await signUp(page)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create API key' }).click()
    await expect(page.locator('[data-failure]')).toHaveText(
      'The server isn’t reachable. Check your connection and try again.',
    )
    await context.setOffline(false)
    await createKey(page)
  },
)

test('after ten wrong passwords a message says when to retry', async ({ page }) => {
  const email = await signUp(page)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/sign-in')
  for (let attempt = 0; attempt < 10; attempt++) {
    await fillIn(page, email, 'a wrong password')
    await expect(page.locator('[data-failure]')).toHaveText('The email address or password is wrong.')
  }
  await fillIn(page, email, PASSWORD)
  await expect(page.locator('[data-failure]')).toContainText(/minute/)
})

test(
  'an account is deleted only with its password, together with its key',
  { tag: '@core' },
  async ({ page, request }) => {
    const email = await signUp(page)
    const key = await createKey(page)
    await page.goto('/account/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('You lose 100 credits')
    await dialog.getByLabel('Password', { exact: true }).fill('not the right one')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await expect(dialog.locator('[data-failure]')).toBeVisible()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await expect(page.getByRole('heading', { name: 'Account deleted' })).toBeVisible()
    expect(
      (await request.post('/api/external/pdf-tools/rotate-pdf', { headers: { 'x-api-key': key }, data: {} })).status(),
    ).toBe(401)
    await page.goto('/account')
    await expect(page).toHaveURL(/\/sign-in$/)
    await fillIn(page, email, PASSWORD)
    await expect(page.locator('[data-failure]')).toHaveText('The email address or password is wrong.')
  },
)

test('the low-balance threshold is stored, and the notice appears below it', async ({ page }) => {
  await signUp(page)
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await expect(page.getByText('Your balance is low')).toHaveCount(0)
  await page.getByLabel('Notify me below').fill('-5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('[data-failure]')).toContainText('whole number from 0')
  await page.getByLabel('Notify me below').fill('500')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your balance is low')).toBeVisible()
})

test('the request log finds a request by its ID, and a refused one by its status', async ({ page, request }) => {
  await signUp(page)
  const key = await createKey(page)
  const reply = await request.post('/api/external/pdf-tools/rotate-pdf', {
    headers: { 'x-api-key': key },
    data: { file: { name: 'secret-name.pdf', dataBase64: 'AAAA' }, options: { angle: 90 } },
  })
  const id = reply.headers()['x-request-id'] ?? ''
  await expect(async () => {
    await page.goto(`/account/calls?request=${id}`)
    await expect(page.getByText(id)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('422')
  expect(await page.content()).not.toContain('secret-name')
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByLabel('Status').selectOption('2xx')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('No matching requests')).toBeVisible()
  const csv = await page.request.get('/api/account/calls.csv')
  expect(csv.headers()['content-type']).toContain('text/csv')
  expect(await csv.text()).toContain(id)
})

test('the next month brings the next grant, once', async ({ browser }) => {
  test.setTimeout(400_000)
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-month-'))
  const email = freshEmail()
  try {
    for (const [days, balance] of [
      [0, '100'],
      [31, '200'],
      [31, '200'],
    ] as const) {
      const service = await startService({ dataDir, env: moveClock(days) })
      const context = await browser.newContext({ baseURL: service.base })
      const page = await context.newPage()
      if (days === 0) await signUp(page, email)
      else await signIn(page, email, PASSWORD)
      await expect(page.getByTestId('balance')).toHaveText(balance)
      await page.goto('/account/credits')
      await expect(page.getByRole('row', { name: /Monthly grant of/ })).toHaveCount(Number(balance) / 100)
      await context.close()
      await service.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await fillIn(page, email, password)
  await page.waitForURL('**/account')
}

async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
