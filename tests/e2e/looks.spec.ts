import type { Page, TestInfo } from '@playwright/test'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, signUp, test } from './browser-test'

const SIZES = [
  { name: 'phone', width: 360, height: 780 },
  { name: 'desktop', width: 1280, height: 900 },
]
const SCHEMES = ['light', 'dark'] as const

const OPEN_PAGES = ['/', '/sign-in', '/sign-in?new=1', '/sign-in/forgot', '/status', '/no-such-page']
const ACCOUNT_PAGES = ['/account', '/account/credits', '/account/calls', '/account/playground', '/account/settings']

test.describe('every page fits and is accessible', () => {
  for (const scheme of SCHEMES) {
    test(`signed out, ${scheme}`, async ({ page }, info) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      for (const path of OPEN_PAGES) await look(page, path, scheme, info)
    })

    test(`signed in, ${scheme}`, async ({ page }, info) => {
      test.setTimeout(180_000)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await signUp(page)
      await page.getByRole('button', { name: 'Create API key' }).click()
      await expect(page.getByTestId('api-key')).toBeVisible()
      await examine(page, info, `dialog-${scheme}`)
      await page.getByRole('button', { name: 'I stored the key' }).click()
      for (const path of ACCOUNT_PAGES) await look(page, path, scheme, info)
    })
  }
})

test('no page scrolls sideways at 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signUp(page)
  await createKey(page)
  for (const path of [...OPEN_PAGES, ...ACCOUNT_PAGES]) {
    await page.goto(path)
    expect(await overflow(page), path).toBeLessThanOrEqual(0)
  }
})

test('the color scheme follows the system until the user selects one', async ({ page }) => {
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  expect(await scheme()).toBe('dark')
  const change = page.getByRole('button', { name: 'Change color scheme' })
  await change.click()
  expect(await scheme()).toBe('light')
  await expect(page.getByText('Color scheme: Light')).toBeAttached()
  await signUp(page)
  expect(await scheme()).toBe('light')
  await change.click()
  expect(await scheme()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await scheme()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await change.click()
  await expect(page.getByText('Color scheme: System')).toBeAttached()
  await page.reload()
  expect(await scheme()).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(scheme).toBe('light')
})

async function look(page: Page, path: string, scheme: string, info: TestInfo): Promise<void> {
  for (const { name, width, height } of SIZES) {
    await page.setViewportSize({ width, height })
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await overflow(page), `${path} on a ${name}`).toBeLessThanOrEqual(0)
    await examine(page, info, `${path.replaceAll(/\W+/g, '-')}-${name}-${scheme}`)
  }
}

/** Stores a screenshot of the page and fails on violations of WCAG 2.2 A and AA. */
async function examine(page: Page, info: TestInfo, name: string): Promise<void> {
  await info.attach(`${name}.png`, {
    body: await page.screenshot({ fullPage: true, path: info.outputPath(`${name}.png`) }),
    contentType: 'image/png',
  })
  expect(await findAccessibilityProblems(page), name).toEqual([])
}

/** The number of pixels beyond the window's right edge. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}
