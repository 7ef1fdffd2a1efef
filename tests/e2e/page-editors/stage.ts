import type { Locator, Page } from '@playwright/test'
import { expect, signUp } from '../browser-test'

/** Opens the form of an endpoint with an editor, and waits for its page. */
export async function openEditor(page: Page, slug: string) {
  await signUp(page)
  await page.goto(`/account/playground/${slug}`)
  await expect(stage(page).locator('canvas')).toHaveAttribute('data-drawn', 'true')
}

/** The page with elements over it. */
export const stage = (page: Page) => page.getByTestId('stage').first()
/** Boxes on the page that can be moved. */
export const boxes = (page: Page) => stage(page).getByTestId('box')

/** Returns the options as the JSON editor shows them. */
export async function readOptions(page: Page): Promise<Record<string, unknown>> {
  await page.getByText('JSON', { exact: true }).click()
  const text = await page.getByTestId('options-json').inputValue()
  await page.getByText('Form', { exact: true }).click()
  return JSON.parse(text) as Record<string, unknown>
}

/** Replaces the options in the JSON editor. */
export async function writeOptions(page: Page, options: Record<string, unknown>) {
  await page.getByText('JSON', { exact: true }).click()
  await page.getByTestId('options-json').fill(JSON.stringify(options))
  await page.getByText('Form', { exact: true }).click()
}

/** Drags between two places of an element, given as fractions of its width and height. */
export async function drag(page: Page, element: Locator, from: [number, number], to: [number, number]) {
  // In the middle, the header of the site covers no part of it.
  await element.evaluate(node => node.scrollIntoView({ block: 'center' }))
  const box = await element.boundingBox()
  if (!box) throw new Error('The element has no box.')
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height)
  await page.mouse.down()
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 })
  await page.mouse.up()
}
