import { expect, test } from './browser-test'
import { findAccessibilityProblems } from './accessibility'

test('the status page refreshes itself while it is visible', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Status' }).click()
  await expect(page.getByRole('heading', { name: 'Status' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status')).toContainText('All endpoints work.', { timeout: 60_000 })
  const checked = page.getByText(/^Checked at /)
  const before = await checked.innerText()
  await expect(checked).not.toHaveText(before, { timeout: 25_000 })
  expect(await findAccessibilityProblems(page)).toEqual([])
})

test('the status page works without scripts', { tag: '@core' }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/status')
  await expect(page.getByRole('main').getByRole('status')).toContainText(/^(OK|Degraded)/)
  await expect(page.getByText('The database responds.')).toBeVisible()
  await context.close()
})
