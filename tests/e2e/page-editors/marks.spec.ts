import type { Page } from '@playwright/test'
import { findAccessibilityProblems } from '../accessibility'
import { expect, test } from '../browser-test'
import { openEditor, readOptions, writeOptions } from './stage'

const outline = (page: Page) => page.getByTestId('outline')

test('the outline of page numbers follows the options', async ({ page }) => {
  await openEditor(page, 'page-numbers')
  await expect(page.getByText('Outline. Run draws the final result.')).toBeVisible()
  await expect(outline(page)).toContainText('Page 1 of 5')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(outline(page)).toContainText('Page 2 of 5')
  const before = await outline(page).getByTestId('place').boundingBox()
  await page.getByRole('textbox', { name: 'Font size' }).fill('30')
  await expect
    .poll(async () => (await outline(page).getByTestId('place').boundingBox())?.width ?? 0)
    .toBeGreaterThan((before?.width ?? 0) * 2)
  await page.getByRole('textbox', { name: 'Font size' }).fill('1')
  await expect(page.getByText('options.fontSize must be')).toBeVisible()
  await writeOptions(page, { pages: '3-', position: 'top-left' })
  await expect(page.getByText('Nothing is drawn on page 2.')).toBeVisible()
  expect(await readOptions(page)).toEqual({ pages: '3-', position: 'top-left' })
  expect(await findAccessibilityProblems(page)).toEqual([])
})

test('the outlines of watermarks, headers and footers fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openEditor(page, 'add-watermark')
  await expect(outline(page)).toContainText('CONFIDENTIAL')
  await writeOptions(page, { text: 'DRAFT', position: 'tile', fontSize: 24, rotation: 30 })
  await expect.poll(() => outline(page).getByTestId('place').count()).toBeGreaterThan(10)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await page.goto('/account/playground/header-footer')
  await expect(outline(page)).toContainText('Annual report')
  await writeOptions(page, { header: { left: 'Title: {title}' } })
  await expect(outline(page)).toContainText('Title: Harvest report')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityProblems(page)).toEqual([])
})
