import { findAccessibilityProblems } from '../accessibility'
import { expect, signUp, test } from '../browser-test'

test('after a run, the request that was sent can be copied as curl, and leads to its details', async ({
  page,
  context,
  service,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page)
  await page.goto('/account/playground/rotate-pdf')
  await expect(page.getByRole('button', { name: 'Remove report.pdf' })).toBeVisible()
  const angle = page.getByRole('combobox', { name: 'Rotate by' })
  await angle.selectOption('180')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByTestId('result')
  await expect(result).toHaveAttribute('data-outcome', 'file')

  // The form changes, and the sent request doesn't.
  await angle.selectOption('270')
  await expect(page.getByTestId('curl')).toContainText('270')
  await result.getByRole('button', { name: 'Copy as curl' }).click()
  await expect(result.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`${service.base}/api/external/pdf-tools/rotate-pdf`)
  expect(copied).toContain(`--form-string 'options={"angle":180,`)
  expect(copied).toContain('-F file=@report.pdf')
  expect(copied).toContain('-o report-rotated.pdf')
  await result.getByText('Sent request', { exact: true }).click()
  await expect(page.getByTestId('sent-curl')).toHaveText(copied)
  expect(await findAccessibilityProblems(page)).toEqual([])
  // Only this tab keeps the options, for a reload.
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/angle|report/)

  const [details] = await Promise.all([
    context.waitForEvent('page'),
    result.getByRole('link', { name: 'Request details' }).click(),
  ])
  await expect(details.getByRole('heading', { name: 'Request', exact: true })).toBeVisible()
  const phases = details.getByRole('table', { name: /^Phases of the request/ })
  for (const phase of [
    'Check the session and limits',
    'Receive the request',
    'Wait in the queue',
    'Process the document',
    'Send the response',
  ])
    await expect(phases.getByRole('row', { name: new RegExp(`^${phase} [\\d.]+ m?s$`) })).toBeVisible()
  expect(await details.content()).not.toMatch(/report\.pdf|"angle/)
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await details.setViewportSize({ width, height: 800 })
    await details.emulateMedia({ colorScheme })
    await details.reload()
    expect(await findAccessibilityProblems(details)).toEqual([])
    expect(await details.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expect(result).toHaveAttribute('data-outcome', 'file')
})

test('after an error, the request can be copied too', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page)
  await page.goto('/account/playground/webpage-to-pdf')
  await expect(page.getByRole('button', { name: 'Remove page.html' })).toBeVisible()
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill('ftp://example.com')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByTestId('result')
  await expect(result).toHaveAttribute('data-outcome', 'error')
  await result.getByRole('button', { name: 'Copy as curl' }).click()
  await expect(result.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('"url": "ftp://example.com"')
  await expect(result.getByRole('link', { name: 'Request details' })).toHaveAttribute(
    'href',
    /^\/account\/calls\?request=req_\w{22}$/,
  )
})
