import type { Page } from '@playwright/test'
import { findAccessibilityProblems } from '../accessibility'
import { expect, signUp, test } from '../browser-test'

async function open(page: Page, slug: string, sample: string) {
  await signUp(page)
  await page.goto(`/account/playground/${slug}`)
  await expect(page.getByRole('button', { name: `Remove ${sample}` })).toBeVisible()
}

const curl = (page: Page) => page.getByTestId('curl')
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const result = (page: Page) => page.getByTestId('result')

for (const [width, height] of [
  [1280, 900],
  [390, 844],
] as const) {
  test(`shows a field only if it applies, and sends no other: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await open(page, 'split-pdf', 'report.pdf')
    const mode = page.getByRole('combobox', { name: 'Split' })
    const every = page.getByRole('textbox', { name: 'Pages per part' })
    const ranges = page.getByRole('group', { name: 'Page ranges' })
    await expect(mode).toHaveAccessibleDescription(/^Parameter mode\./)
    await expect(ranges).toBeVisible()
    await expect(every).toHaveCount(0)

    await mode.selectOption('Every N pages')
    await every.fill('2')
    await expect(ranges).toHaveCount(0)
    await expect(curl(page)).toContainText('"mode":"every"')
    await expect(curl(page)).not.toContainText('ranges')
    expect(await findAccessibilityProblems(page)).toEqual([])
    await run(page).click()
    await expect(result(page)).toHaveAttribute('data-outcome', 'file')

    await mode.selectOption('One part per page')
    await expect(every).toHaveCount(0)
    await expect(curl(page)).not.toContainText('every')
    await mode.selectOption('Every N pages')
    await expect(every).toHaveValue('2')
    await mode.selectOption('By page ranges')
    await expect(ranges.getByRole('button', { name: /^Page ranges, entry 1 First page/ })).toBeVisible()
    await run(page).click()
    await expect(result(page)).toHaveAttribute('data-outcome', 'file')
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(excess).toBe(0)
  })
}

test('folds entries of a list to a line, and opens those with a problem', async ({ page }) => {
  await open(page, 'split-pdf', 'report.pdf')
  await page.locator('label').getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'Options as JSON' })
  await json.fill('{"ranges":[{"start":1,"end":2},"3-4",{"start":5,"end":99}]}')
  await page.locator('label').getByText('Form', { exact: true }).click()
  const rows = page.getByRole('button', { name: /^Page ranges, entry/ })
  await expect(rows.first()).toHaveAccessibleName('Page ranges, entry 1 First page 1 · Last page 2')
  await expect(rows.nth(1)).toHaveAccessibleName('Page ranges, entry 2 3-4')
  await expect(page.getByRole('textbox', { name: 'First page' })).toHaveCount(0)
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'First page' })).toHaveValue('1')
  await rows.first().click()
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(page.getByRole('textbox', { name: 'Last page' })).toHaveValue('99')
  await page.getByRole('button', { name: 'Remove entry 3 of Page ranges' }).click()
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'file')
})

test('offers values in words, and the parameter beside the label', async ({ page }) => {
  await open(page, 'merge-pdf', 'letter.pdf')
  const size = page.getByRole('combobox', { name: 'Page size' })
  await expect(size.getByRole('option', { name: 'Size of the first page' })).toBeAttached()
  await size.selectOption('Custom size')
  await page.getByRole('textbox', { name: 'Width' }).fill('210mm')
  await page.getByRole('textbox', { name: 'Height' }).fill('297mm')
  await expect(curl(page)).toContainText('"pageSize":{"width":"210mm","height":"297mm"}')
  await size.selectOption('A5')
  await expect(page.getByRole('textbox', { name: 'Width' })).toHaveCount(0)
  await expect(curl(page)).toContainText('"pageSize":"A5"')
  await expect(page.getByText('pageSize: A5', { exact: true })).toBeVisible()
  const titles = page.getByRole('radiogroup', { name: 'Bookmark titles' })
  await expect(titles).toHaveCount(0)
  await page.getByRole('radiogroup', { name: 'Bookmarks' }).getByText('One per file').click()
  await titles.getByText('Document title').click()
  await expect(curl(page)).toContainText('"bookmarks":"per-file","bookmarkLabel":"title"')
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'file')
})

test('shows the options of the chosen type of watermark', async ({ page }) => {
  await open(page, 'add-watermark', 'report.pdf')
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('CONFIDENTIAL')
  await expect(page.getByRole('button', { name: 'Choose a file for Image' })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Image')
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Font size' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Choose a file for Image' })).toBeVisible()
  await expect(curl(page)).not.toContainText('CONFIDENTIAL')
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Text')
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue('CONFIDENTIAL')
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'file')
})
