import { findAccessibilityProblems } from '../accessibility'
import { expect, test } from '../browser-test'

for (const width of [1280, 390]) {
  test(`redacts a sample without an account, and shows the result in the viewport: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Open the trial' }).click()
    const trial = page.getByRole('group', { name: 'Trial' })
    await trial.getByLabel('Text to redact').fill('2,617.40')
    await trial.getByRole('button', { name: 'Add text' }).click()
    await expect(trial.getByText('“2,617.40”')).toBeVisible()
    await expect(trial.getByTestId('curl')).toContainText('{"text":"2,617.40"}')
    const [request] = await Promise.all([
      page.waitForRequest('**/api/try/pdf-redaction'),
      trial.getByRole('button', { name: 'Run', exact: true }).click(),
    ])
    expect(request.postDataJSON()).toEqual({
      files: ['payslip.pdf'],
      options: { search: [{ text: 'Ada Reyes' }, { text: '2,617.40' }] },
    })
    const result = trial.getByTestId('result')
    await expect(result.getByRole('heading', { name: '3 places removed, verified' })).toBeInViewport()
    await expect(result.getByRole('link', { name: 'Download payslip-redacted.pdf' })).toBeInViewport()
    await expect(trial.getByTestId('proof').getByText('No text')).toHaveCount(3)
    await expect(trial.getByRole('link', { name: 'Create an account for your own files' })).toBeVisible()
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  })
}

test('merges samples in a chosen order, by keyboard', { tag: '@core' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the trial' }).press('Enter')
  const trial = page.getByRole('group', { name: 'Trial' })
  await expect(trial).toBeFocused()
  await trial.getByRole('radio', { name: 'Redact a payslip' }).press('ArrowRight')
  await trial.getByRole('button', { name: 'Move letter.pdf down' }).press('Enter')
  await trial.getByRole('button', { name: 'Remove terms.pdf' }).press('Enter')
  await trial.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  await expect(trial.getByRole('link', { name: 'Download report-merged.pdf' })).toBeVisible()
  await expect(trial.getByTestId('pages')).toHaveAttribute('data-pages', '6')
  await trial.getByRole('button', { name: 'Remove letter.pdf' }).press('Enter')
  await expect(trial.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await trial.getByRole('button', { name: 'Bring back all files' }).press('Enter')
  await expect(trial.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  expect(await findAccessibilityProblems(page)).toEqual([])
})

test('says when the limit is reached, and when it ends', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the trial' }).click()
  const run = page.getByRole('button', { name: 'Run', exact: true })
  for (let count = 0; count < 5; count++) {
    await run.click()
    await expect(page.getByRole('heading', { name: /places? removed, verified/ })).toBeVisible()
  }
  await run.click()
  await expect(page.getByTestId('result')).toContainText(
    /Trial limit reached: 5 requests per hour\. Try again in \d+ minutes, or create an account\./,
  )
})
