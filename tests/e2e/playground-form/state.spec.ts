import type { Page } from '@playwright/test'
import { PDFDocument } from 'pdf-lib'
import { expect, signUp, test } from '../browser-test'

/** Opens the form of an endpoint, which begins with these sample files. */
async function open(page: Page, slug: string, samples: string[]) {
  await signUp(page)
  await page.goto(`/account/playground/${slug}`)
  for (const name of samples) await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
}

async function chooseOwn(page: Page, name = 'contract.pdf', pageCount = 1) {
  const document = await PDFDocument.create()
  for (let count = 0; count < pageCount; count++) document.addPage([300, 200])
  await page
    .getByTestId('file-input')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(await document.save()) })
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
}

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const result = (page: Page) => page.getByTestId('result')

test('values of an example stay with the sample file', { tag: '@core' }, async ({ page }) => {
  await open(page, 'protect-pdf', ['report.pdf'])
  const password = page.getByLabel('Password to open userPassword', { exact: true })
  await expect(password).not.toHaveValue('')
  await expect(password).toHaveAttribute('type', 'password')
  await chooseOwn(page)
  await expect(password).toHaveValue('')
  await password.fill('my own password')
  await page.getByRole('button', { name: 'Show characters' }).first().click()
  await expect(password).toHaveAttribute('type', 'text')
  await chooseOwn(page, 'other.pdf')
  await expect(password).toHaveValue('my own password')
  for (const [slug, sample] of [
    ['edit-metadata', 'report.pdf'],
    ['rotate-pdf', 'report.pdf'],
    ['split-pdf', 'report.pdf'],
  ] as const) {
    await page.goto(`/account/playground/${slug}`)
    await expect(page.getByRole('button', { name: `Remove ${sample}` })).toBeVisible()
    await page.getByRole('button', { name: `Remove ${sample}` }).click()
    await page.locator('label').getByText('JSON', { exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Options as JSON' })).toHaveValue('{}')
  }
})

test('a new file removes the last result, and the names follow it', async ({ page }) => {
  await open(page, 'rotate-pdf', ['report.pdf'])
  await run(page).click()
  await expect(result(page).getByRole('heading', { name: /^5 pages, / })).toBeVisible()
  await expect(page.getByTestId('balance')).toHaveText('99')
  await chooseOwn(page)
  await expect(result(page)).toHaveCount(0)
  await expect(page.getByTestId('balance')).toHaveText('99')
  await expect(page.getByTestId('curl')).toContainText('-F file=@contract.pdf')
  await expect(page.getByTestId('curl')).toContainText('-o contract-rotated.pdf')
  await page.getByRole('combobox', { name: 'Rotate by' }).selectOption('90')
  await page.getByRole('textbox', { name: 'Pages', exact: true }).fill('9')
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(result(page)).toContainText('(page_missing)')
  await chooseOwn(page, 'longer.pdf', 9)
  await expect(result(page)).toHaveCount(0)
})

test('a new file ends a running request, whose result belongs to the old file', { tag: '@core' }, async ({ page }) => {
  await open(page, 'rotate-pdf', ['report.pdf'])
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  const canceled = page.waitForEvent('requestfailed')
  await page.route('**/api/account/playground/**', async route => {
    await held
    await route.continue().catch(() => undefined) // The page has canceled the request.
  })
  await run(page).click()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await chooseOwn(page)
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await canceled
  answer()
  await page.unroute('**/api/account/playground/**')
  await expect(result(page)).toHaveCount(0)
  await expect(page.locator('[data-failure]')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Rotate by' }).selectOption('90')
  await run(page).click()
  await expect(result(page).getByRole('heading', { name: /^1 page, / })).toBeVisible()
  await expect(page.getByTestId('balance')).toHaveText('99')
})

test('a reload keeps the options, and asks for the file again', async ({ page }) => {
  await open(page, 'protect-pdf', ['report.pdf'])
  await chooseOwn(page)
  await page.getByLabel('Password to open userPassword', { exact: true }).fill('my own password')
  await page.locator('label').getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'Options as JSON' })
  expect(await json.evaluate(one => getComputedStyle(one).fontFamily)).toMatch(/mono/i)
  await json.fill('{"userPassword":"my own password","outputName":"sealed.pdf"}')
  await page.reload()
  await expect(page.getByText('Choose contract.pdf again.')).toBeVisible()
  await page.locator('label').getByText('JSON', { exact: true }).click()
  await expect(json).toHaveValue('{\n  "outputName": "sealed.pdf"\n}')
  await chooseOwn(page)
  await expect(page.getByText('Choose contract.pdf again.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('sealed')
})

test('back brings the result back', async ({ page }) => {
  await open(page, 'rotate-pdf', ['report.pdf'])
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'file')
  await page.getByRole('link', { name: 'All endpoints' }).click()
  await expect(page.getByRole('heading', { name: 'Playground' })).toBeVisible()
  await page.goBack()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    result(page).getByRole('link', { name: 'Download report-rotated.pdf' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('report-rotated.pdf')
})

test('the result is above the form and as wide as the page', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, 'extract-text', ['report.pdf'])
  await run(page).click()
  const text = result(page).getByTestId('text-preview')
  await expect(text).toBeVisible()
  const { width } = (await text.boundingBox()) ?? { width: 0 }
  expect(width).toBeGreaterThan(900)
  expect(((await result(page).boundingBox()) ?? { y: Infinity }).y).toBeLessThan(400)
  await page.goto('/account/playground/pdf-redaction')
  await expect(page.getByRole('button', { name: /^Remove .+\.pdf$/ })).toBeVisible()
  await run(page).click()
  await expect(result(page).getByRole('heading', { name: /^\d+ places? removed, verified$/ })).toBeVisible()
})
