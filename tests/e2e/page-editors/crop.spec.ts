import { numbered } from '../../fixtures/draft'
import { findAccessibilityProblems } from '../accessibility'
import { expect, test } from '../browser-test'
import { boxes, drag, openEditor, readOptions, stage, writeOptions } from './stage'

test('a box is drawn, moved by keys, and follows typed numbers', async ({ page }) => {
  await openEditor(page, 'crop-pdf')
  await expect(boxes(page)).toHaveCount(1)
  await page.getByRole('group', { name: 'Shown page' }).getByRole('button', { name: 'Next page' }).click()
  await writeOptions(page, {})
  await expect(boxes(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Add box' }).click()
  await expect(boxes(page)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+Alt+ArrowDown')
  const { cropBox } = (await readOptions(page)) as { cropBox: Record<string, number> }
  // The new box begins at a tenth of the width, and the key moves it by a point.
  expect(cropBox['x']).toBeCloseTo((cropBox['width'] ?? 0) / 8 + 1, 0)
  await drag(page, stage(page), [0.02, 0.3], [0.08, 0.4])
  const { cropBox: drawn } = (await readOptions(page)) as { cropBox: Record<string, number> }
  expect((drawn['width'] ?? 0) / (cropBox['width'] ?? 1)).toBeCloseTo(0.06 / 0.8, 2)
  await writeOptions(page, { margins: 10, unit: '%', pages: '1-2' })
  const [outer, inner] = [await stage(page).boundingBox(), await boxes(page).boundingBox()]
  expect((inner?.width ?? 0) / (outer?.width ?? 1)).toBeCloseTo(0.8, 2)
  await boxes(page).focus()
  await page.keyboard.press('Alt+ArrowDown')
  expect(await readOptions(page)).toMatchObject({ margins: { left: 10, right: 10 }, unit: '%', pages: '1-2' })
  await writeOptions(page, { cropBox: { x: 400, y: 400, width: 500, height: 200 } })
  await expect(page.getByText('The box exceeds this page.')).toBeVisible()
  await writeOptions(page, { margins: 10, pages: '1' })
  await expect(page.getByText('Page 2 isn’t in pages')).toBeVisible()
  expect(await findAccessibilityProblems(page)).toEqual([])
})

test('a rotated page with a CropBox is cropped to the drawn box', async ({ page }) => {
  await openEditor(page, 'crop-pdf')
  await page.getByTestId('file-input').setInputFiles({
    name: 'turned.pdf',
    mimeType: 'application/pdf',
    buffer: numbered({ pages: 1, size: [612, 792], crop: [50, 60, 560, 780], rotate: { 1: 90 } }),
  })
  await writeOptions(page, { origin: 'user-space' })
  await expect(boxes(page)).toHaveCount(0)
  await expect(stage(page).locator('canvas')).toHaveAttribute('data-drawn', 'true')
  // As displayed, the page is 720 × 510 points, and its upper-left corner is the lower left of the visible area.
  await drag(page, stage(page), [0, 0], [0.5, 0.5])
  const { cropBox } = (await readOptions(page)) as { cropBox: Record<string, number> }
  expect(Math.abs((cropBox['x'] ?? 0) - 50)).toBeLessThan(2)
  expect(Math.abs((cropBox['y'] ?? 0) - 60)).toBeLessThan(2)
  expect(Math.abs((cropBox['width'] ?? 0) - 255)).toBeLessThan(2)
  expect(Math.abs((cropBox['height'] ?? 0) - 360)).toBeLessThan(2)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '1')
})

test('the crop editor fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openEditor(page, 'crop-pdf')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityProblems(page)).toEqual([])
})
