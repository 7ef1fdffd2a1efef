import type { APIRequestContext, Page } from '@playwright/test'
import { makePdf } from '../contract/documents'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, signUp, test } from './browser-test'

test('the usage chart needs no script, is accessible and has its numbers as text', async ({ page, request }, info) => {
  await signUp(page)
  const key = await createKey(page)
  expect((await rotate(request, key)).status()).toBe(200)
  expect((await rotate(request, key)).status()).toBe(200)
  expect((await rotate(request, key, 'seven')).status()).toBe(422)
  await openUsedAccount(page)
  await page.goto('/account/credits')

  const byOperation = page.getByRole('img', { name: 'Requests per day, by endpoint' })
  const byOutcome = page.getByRole('img', { name: 'Requests per day, by result' })
  await expect(byOperation).toBeVisible()
  await expect(byOutcome).toBeHidden()
  await page.getByRole('radio', { name: 'By endpoint' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(byOutcome).toBeVisible()
  await expect(byOperation).toBeHidden()
  await expect(byOutcome.locator('title')).toHaveText(/: Successful 2, Rejected \(4xx\) 1$/)

  await page.getByText('Requests per day as a table').click()
  await expect(page.getByRole('row', { name: /Rotate pages 3.*Successful 2, Rejected \(4xx\) 1/ })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByText('Requests per day as a table').click()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      await page.screenshot({ fullPage: true, path: info.outputPath(`usage-${width}-${colorScheme}.png`) })
      expect(await findAccessibilityProblems(page)).toEqual([])
    }
  }
})

/** Opens the credits page as soon as the call log has the requests. */
async function openUsedAccount(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto('/account/credits')
    await expect(page.getByText(/^3 requests, 2 credits/)).toBeVisible({ timeout: 1000 })
  }).toPass()
}

function rotate(request: APIRequestContext, key: string, angle: number | string = 90) {
  const file = { name: 'page.pdf', mimeType: 'application/pdf', buffer: makePdf() }
  return request.post('/api/external/pdf-tools/rotate-pdf', {
    headers: { 'x-api-key': key },
    multipart: { file, options: JSON.stringify({ angle }) },
  })
}
