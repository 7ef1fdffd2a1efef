import type { APIRequestContext, Page } from '@playwright/test'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, signUp, test } from './browser-test'

const PDF = Buffer.from('no PDF').toString('base64')

/** Sends a request that the API rejects because of `angle`, and returns its ID. */
async function sendRejected(request: APIRequestContext, key: string): Promise<string> {
  const reply = await request.post('/api/external/pdf-tools/rotate-pdf', {
    headers: { 'x-api-key': key, 'user-agent': 'curl/8.5.0' },
    data: { file: { name: 'secret-name.pdf', dataBase64: PDF }, options: { angle: 4711 } },
  })
  expect(reply.status()).toBe(422)
  return reply.headers()['x-request-id'] ?? ''
}

const rows = (page: Page) => page.locator('tbody').getByRole('row')

test(
  'a request appears by itself, and its row opens the details',
  { tag: '@core' },
  async ({ page, request, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signUp(page)
    const key = await createKey(page)
    await page.goto('/account/calls?operation=pdf-tools/rotate-pdf')
    await expect(page.getByText('No matching requests')).toBeVisible()
    const id = await sendRejected(request, key)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('curl 8')
    await rows(page)
      .getByRole('link', { name: /details of/ })
      .click()

    await expect(page).toHaveURL(`/account/calls?operation=pdf-tools%2Frotate-pdf&request=${id}`)
    await expect(page).toHaveTitle(/^Request details/)
    await expect(page.getByText('options.angle')).toBeVisible()
    const phases = page.getByRole('table', { name: /^Phases of the request/ })
    await expect(phases.getByRole('row', { name: /^Check the key and limits \d/ })).toBeVisible()
    await expect(phases.getByRole('row', { name: /^Handle the error \d/ })).toBeVisible()
    await expect(phases.getByRole('row', { name: /^Send the response \d/ })).toBeVisible()
    expect(await page.content()).not.toMatch(/4711|secret-name/)
    await page.getByRole('button', { name: 'Copy request ID' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
    await expect(page.getByRole('link', { name: 'Open this endpoint in the playground' })).toHaveAttribute(
      'href',
      '/account/playground/rotate-pdf',
    )
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/account/calls?operation=pdf-tools%2Frotate-pdf')
    await expect(rows(page)).toHaveCount(1)
    await page.goBack()
    await expect(page.getByText('options.angle')).toBeVisible()
    await page
      .locator(`a[href="/docs/errors#${await page.locator('a[href^="/docs/errors#"] code').innerText()}"]`)
      .click()
    await expect(page).toHaveURL(/\/docs\/errors#/)
  },
)

test('requests and their details fit on a phone and are accessible', async ({ page, request }) => {
  await signUp(page)
  const id = await sendRejected(request, await createKey(page))
  for (const path of ['/account/calls', `/account/calls?request=${id}`]) {
    await page.goto(path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await findAccessibilityProblems(page)).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
})

test('filters and details of requests work without script, with the filters in the URL', async ({
  page,
  browser,
  request,
}) => {
  await signUp(page)
  const id = await sendRejected(request, await createKey(page))
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: new URL(page.url()).origin,
    storageState: await page.context().storageState(),
  })
  const view = await plain.newPage()
  const today = new Date().toISOString().slice(0, 10)
  await expect(async () => {
    await view.goto('/account/calls')
    await expect(rows(view)).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  await view.getByLabel('Status').selectOption('4xx')
  await view.getByLabel('From (UTC)').fill(today)
  await view.getByLabel('To (UTC)').fill(today)
  await view.getByRole('button', { name: 'Show' }).click()
  await expect(view).toHaveURL(new RegExp(`status=4xx&from=${today}&to=${today}`))
  await expect(view.getByLabel('From (UTC)')).toHaveValue(today)
  await rows(view)
    .getByRole('link', { name: /details of/ })
    .click()
  await expect(view.getByText(id)).toBeVisible()
  await view.getByRole('link', { name: 'All requests' }).click()
  await expect(view).toHaveURL(`/account/calls?status=4xx&from=${today}&to=${today}`)
  await view.getByLabel('From (UTC)').fill('')
  await view.getByLabel('To (UTC)').fill('2026-01-01')
  await view.getByRole('button', { name: 'Show' }).click()
  await expect(view.getByText('No matching requests')).toBeVisible()
  await view.getByRole('link', { name: 'Clear filters' }).click()
  await expect(rows(view)).toHaveCount(1)
  await plain.close()
})
