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
    await rows(page)
      .getByRole('link', { name: /details of/ })
      .click()

    await expect(page).toHaveURL(`/account/calls?operation=pdf-tools%2Frotate-pdf&request=${id}`)
    await expect(page).toHaveTitle(/^Request details/)
    await expect(page.getByText(/^options\.angle: must be .* Got 4711\.$/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'options_invalid' })).toHaveAttribute(
      'href',
      '/docs/errors#reason-options_invalid',
    )
    await expect(page.getByText('curl 8')).toBeVisible()
    const phases = page.getByRole('table', { name: /^Phases of the request/ })
    await expect(phases.getByRole('row', { name: /^Check the key and limits \d/ })).toBeVisible()
    await expect(phases.getByRole('row', { name: /^Handle the error \d/ })).toBeVisible()
    await expect(phases.getByRole('row', { name: /^Send the response \d/ })).toBeVisible()
    expect(await page.content()).not.toContain('secret-name')
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
    await page.getByRole('link', { name: 'pdf_tool_processing_failed' }).click()
    await expect(page).toHaveURL('/docs/errors#pdf_tool_processing_failed')
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

test('twelve requests fit on a screen, and the list fits on a tablet', async ({ page, request }) => {
  await signUp(page)
  const key = await createKey(page)
  for (let count = 0; count < 12; count++) await sendRejected(request, key)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/account/calls')
  await expect(rows(page)).toHaveCount(12)
  const { bottom, lines } = await rows(page)
    .last()
    .evaluate(row => ({
      bottom: row.getBoundingClientRect().bottom,
      lines: [...row.querySelectorAll('time, td > code')].map(one => one.getClientRects().length),
    }))
  expect(bottom).toBeLessThanOrEqual(900)
  expect(lines).toEqual([1, 1])
  await expect(rows(page).last().locator('time')).toHaveText(/\d\d:\d\d:\d\d$/)
  await page.setViewportSize({ width: 768, height: 1024 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768)
  const clipped = await rows(page)
    .last()
    .locator('td:visible')
    .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length)
  expect(clipped).toBe(0)
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
  await view.getByLabel('Reason').selectOption('encrypted')
  await view.getByRole('button', { name: 'Show' }).click()
  await expect(view.getByText('No matching requests')).toBeVisible()
  await view.getByLabel('Reason').selectOption('')
  await view.getByLabel('Status').selectOption('4xx')
  await view.getByLabel('From (UTC)').fill(today)
  await view.getByLabel('To (UTC)').fill(today)
  await view.getByRole('button', { name: 'Show' }).click()
  await expect(view).toHaveURL(new RegExp(`status=4xx&reason=&from=${today}&to=${today}`))
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
