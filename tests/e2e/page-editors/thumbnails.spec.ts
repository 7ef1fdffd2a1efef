import type { Locator, Page } from '@playwright/test'
import { findAccessibilityProblems } from '../accessibility'
import { numbered } from '../../fixtures/draft'
import { expect, signUp, test } from '../browser-test'
import { readOptions, writeOptions } from './stage'

test.describe('pages to delete', () => {
  test('are selected by clicks, ranges and keys, and shown as typed', async ({ page }) => {
    await openThumbnails(page, 'delete-pages')
    expect(await readOptions(page)).toEqual({ pages: [2] })
    await expect(pageButton(page, 'Delete page 2')).toHaveAttribute('aria-pressed', 'true')
    await pageButton(page, 'Delete page 3').click()
    await pageButton(page, 'Delete page 5').click({ modifiers: ['Shift'] })
    expect(await readOptions(page)).toEqual({ pages: '2-5' })
    await expect(page.getByText('Sheaf deletes 4 pages and keeps 1 page.')).toBeVisible()

    await pageButton(page, 'Delete page 3').focus()
    await page.keyboard.press('Space')
    expect(await readOptions(page)).toEqual({ pages: '2,4-5' })
    await pageButton(page, 'Delete page 2').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect(pageButton(page, 'Delete page 3')).toBeFocused()
    expect(await readOptions(page)).toEqual({ pages: '2-5' })
    await pageButton(page, 'Delete page 3').focus()
    await page.keyboard.press('Home')
    await expect(pageButton(page, 'Delete page 1')).toBeFocused()

    await writeOptions(page, { pages: 'odd,!1' })
    for (const [number, isOn] of [false, false, true, false, true].entries())
      await expect(pageButton(page, `Delete page ${number + 1}`)).toHaveAttribute('aria-pressed', String(isOn))
    await writeOptions(page, { pages: '7' })
    await expect(page.getByText('“7” is outside this 5-page document.')).toBeVisible()
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Clear' }).click()
    expect(await readOptions(page)).toEqual({})
    expect(await findAccessibilityProblems(page)).toEqual([])
  })

  test('are rendered only in view in a document of 500 pages', async ({ page }) => {
    await openThumbnails(page, 'delete-pages')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'long.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from(numbered({ pages: 500 })),
      })
    await expect(grid(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '500')
    expect(await grid(page).getByRole('listitem').count()).toBeLessThan(80)
    await pageButton(page, 'Delete page 1').focus()
    await page.keyboard.press('End')
    await expect(pageButton(page, 'Delete page 500')).toBeFocused()
    await expect(pageButton(page, 'Delete page 500')).toBeInViewport()
    await expect(pageButton(page, 'Delete page 500').locator('canvas')).toHaveAttribute('data-drawn', 'true')
  })
})

test('pages to extract show their order, and the result has it', async ({ page }) => {
  await openThumbnails(page, 'extract-pages')
  await writeOptions(page, { pages: '4,2' })
  await expect(pageButton(page, 'Extract page 4, position 1')).toBeVisible()
  await expect(pageButton(page, 'Extract page 2, position 2')).toBeVisible()
  await pageButton(page, 'Extract page 1').click()
  expect(await readOptions(page)).toEqual({ pages: '4,2,1' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '3')
})

test.describe('pages to rotate', () => {
  test('turn by clicks, and follow typed options', async ({ page }) => {
    await openThumbnails(page, 'rotate-pdf')
    expect(await readOptions(page)).toEqual({ angle: 90, pages: [1, 3] })
    await expect(turned(page, 3)).toHaveAttribute('data-angle', '90')
    await turned(page, 3).click()
    await turned(page, 4).click()
    await turned(page, 4).click()
    await turned(page, 5).click({ modifiers: ['Shift'] })
    expect(await readOptions(page)).toEqual({
      rotations: [
        { pages: '1', angle: 90 },
        { pages: '3-4', angle: 180 },
        { pages: '5', angle: 270 },
      ],
    })
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await readOptions(page)).toEqual({})
    await turned(page, 2).focus()
    await page.keyboard.press('Enter')
    expect(await readOptions(page)).toEqual({ angle: 90, pages: '2' })
    await page.getByRole('button', { name: 'All right' }).click()
    await expect(turned(page, 2)).toHaveAttribute('data-angle', '180')
    await writeOptions(page, { angle: 0, mode: 'absolute', pages: 'even' })
    await expect(turned(page, 2)).toHaveAttribute('data-angle', '0')
    expect(await findAccessibilityProblems(page)).toEqual([])
  })
})

test.describe('pages to reorder', () => {
  test('move by dragging, repeat, and go', async ({ page }) => {
    await openThumbnails(page, 'organize-pdf')
    expect(await shownOrder(page)).toEqual(['5', '4', '3', '2', '1'])
    await dragTo(page, orderButton(page, 'Page 5'), orderButton(page, 'Page 3'))
    await expect.poll(() => shownOrder(page)).toEqual(['4', '3', '5', '2', '1'])
    expect(await readOptions(page)).toEqual({ pageOrder: '4,3,5,2,1' })
    await grid(page).getByRole('button', { name: 'Duplicate Page 2' }).click()
    await grid(page).getByRole('button', { name: 'Remove Page 4' }).click()
    expect(await readOptions(page)).toEqual({ pageOrder: '3,5,2,2,1' })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '5')
    expect(await findAccessibilityProblems(page)).toEqual([])
  })

  test('move by keyboard with announcements, also with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openThumbnails(page, 'organize-pdf')
    await orderButton(page, 'Page 5').focus()
    await page.keyboard.press('ArrowRight')
    await expect(orderButton(page, 'Page 4')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(page.getByText('Picked up Page 4.')).toBeAttached()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('Page 4 is over position 3 of 5.')).toBeAttached()
    await page.keyboard.press('Space')
    await expect(page.getByText('Dropped Page 4 at position 3 of 5.')).toBeAttached()
    await expect.poll(() => shownOrder(page)).toEqual(['5', '3', '4', '2', '1'])
    await expect(orderButton(page, 'Page 4')).toBeFocused()
    await page.keyboard.press('Delete')
    await expect.poll(() => shownOrder(page)).toEqual(['5', '3', '2', '1'])
    await expect(orderButton(page, 'Page 2')).toBeFocused()
  })

  test('show the order of a preset', async ({ page }) => {
    await openThumbnails(page, 'organize-pdf')
    await writeOptions(page, { preset: 'booklet' })
    await expect.poll(() => shownOrder(page)).toEqual(['Blank', '1', '2', 'Blank', 'Blank', '3', '4', '5'])
    await expect(page.getByText('The result has 8 pages. 3 of them are blank.')).toBeVisible()
    await grid(page).getByRole('button', { name: 'Remove Page 2' }).click()
    expect(await readOptions(page)).toEqual({ pageOrder: '1,3-5' })
  })
})

test('a long press drags a page on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openThumbnails(page, 'organize-pdf')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await grid(page).evaluate(node => node.scrollIntoView({ block: 'center' }))
  const [start, end] = [
    await orderButton(page, 'Page 5').boundingBox(),
    await orderButton(page, 'Page 3').boundingBox(),
  ]
  if (!start || !end) throw new Error('A page isn’t visible.')
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
    })
  const [fromX, y, toX] = [start.x + start.width / 2, start.y + start.height / 2, end.x + end.width / 2]
  await touch('touchStart', fromX, y)
  // The press becomes long enough to drag.
  await expect(page.getByText('Picked up Page 5.')).toBeAttached()
  for (let step = 1; step <= 8; step++) await touch('touchMove', fromX + ((toX - fromX) * step) / 8, y)
  await expect(page.getByText('Page 5 is over position 3 of 5.')).toBeAttached()
  await touch('touchEnd')
  await expect.poll(() => shownOrder(page)).toEqual(['4', '3', '5', '2', '1'])
})

test('thumbnails fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openThumbnails(page, 'organize-pdf')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  for (const button of await grid(page).getByRole('button', { name: 'Remove' }).all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(32)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})

async function openThumbnails(page: Page, slug: string) {
  await signUp(page)
  await page.goto(`/account/playground/${slug}`)
  await expect(grid(page).locator('canvas').first()).toHaveAttribute('data-drawn', 'true')
}

const grid = (page: Page) => page.getByTestId('thumbnails')
const pageButton = (page: Page, name: string) => grid(page).getByRole('button', { name, exact: true })
const orderButton = (page: Page, name: string) => grid(page).getByRole('button', { name, exact: true })
const turned = (page: Page, number: number) => grid(page).getByRole('button', { name: `Rotate page ${number}` })

/** The captions of the thumbnails in their order. */
async function shownOrder(page: Page): Promise<string[]> {
  const items = await grid(page).getByRole('listitem').all()
  const captions = await Promise.all(
    items.map(async item => ({
      at: Number(await item.getAttribute('data-at')),
      text: ((await item.textContent()) ?? '').trim(),
    })),
  )
  return captions.sort((one, other) => one.at - other.at).map(({ text }) => text)
}

async function dragTo(page: Page, from: Locator, to: Locator) {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('A page isn’t visible.')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + start.height / 2, { steps: 3 })
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 })
  await page.mouse.up()
}
