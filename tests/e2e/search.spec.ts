import type { Locator, Page } from '@playwright/test'
import { findAccessibilityProblems } from './accessibility'
import { expect, signUp, test } from './browser-test'

const INDEX = '/docs/search.json'

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Search the documentation' })
const fieldOf = (page: Page): Locator => dialogOf(page).getByRole('combobox', { name: 'Search' })
const optionsOf = (page: Page): Locator => dialogOf(page).getByRole('option')

async function expectActive(page: Page, position: number): Promise<void> {
  const option = optionsOf(page).nth(position)
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(fieldOf(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  await expect(dialogOf(page).locator('[aria-selected=true]')).toHaveCount(1)
}

test('both keys open the search, and Enter leads to an anchor', { tag: '@core' }, async ({ page }) => {
  for (const [key, path] of [
    ['Control+k', '/'],
    ['/', '/docs/rotate-pdf'],
    ['Control+k', '/no-such-page'],
    ['/', '/sign-in'],
  ] as const) {
    await page.goto(path)
    // The sign-in page focuses its first field, in which a slash is a letter.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press(key)
    await expect(fieldOf(page)).toBeFocused()
    await fieldOf(page).fill('rate_limited')
    await expect(optionsOf(page).first()).toContainText('Error code')
    await expectActive(page, 0)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#rate_limited')
    await expect(page.locator('#rate_limited')).toBeInViewport()
    await expect(dialogOf(page)).toBeHidden()
  }
})

test('a result on the same page closes the search and scrolls to a parameter', async ({ page }) => {
  await page.goto('/docs/add-watermark')
  await page.getByRole('button', { name: 'Search' }).click()
  await fieldOf(page).fill('marks[].text')
  const option = optionsOf(page).first()
  await expect(option).toContainText('Add a watermark')
  await expect(option.locator('mark').first()).toHaveText('marks')
  await option.click()
  await expect(page).toHaveURL(/\/docs\/add-watermark#param-marks\.text$/)
  await expect(dialogOf(page)).toBeHidden()
  await expect(page.locator('[id="param-marks.text"]')).toBeInViewport()
})

test('keys move the selection, and Escape returns the focus', async ({ page }) => {
  await page.goto('/docs')
  const link = page.getByRole('link', { name: 'View as Markdown' })
  await link.focus()
  await page.keyboard.press('/')
  await expect(dialogOf(page).getByText('Frequent pages')).toBeVisible()
  await fieldOf(page).fill('pasword')
  const count = await optionsOf(page).count()
  expect(count).toBeGreaterThan(4)
  expect(count).toBeLessThanOrEqual(12)
  await expect(dialogOf(page).getByRole('status')).toHaveText(`${count} results`)
  await expectActive(page, 0)
  for (const [key, position] of [
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['ArrowUp', count - 1],
    ['ArrowDown', 0],
    ['End', count - 1],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key)
    await expectActive(page, position)
    await expect(optionsOf(page).nth(position)).toBeInViewport({ ratio: 0.9 })
  }
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(link).toBeFocused()
  // The dialog is hidden a moment before it is removed, and keys open it again only then.
  await expect(page.getByRole('dialog', { name: 'Search the documentation', includeHidden: true })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(fieldOf(page)).toHaveValue('')
  await page.keyboard.press('Control+k')
  await expect(dialogOf(page)).toBeHidden()
  await expect(link).toBeFocused()
})

test('a slash in a field is a slash, and no dialog opens over another', async ({ page }) => {
  await page.goto('/sign-in')
  const email = page.getByLabel('Email address')
  await email.press('/')
  await expect(email).toHaveValue('/')
  await expect(dialogOf(page)).toBeHidden()
  await signUp(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByTestId('api-key')).toBeVisible()
  for (const key of ['/', 'Control+k']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(dialogOf(page)).toBeHidden()
  await page.getByRole('button', { name: 'I stored the key' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(fieldOf(page)).toBeFocused()
  await fieldOf(page).fill('X-Credit-Balance')
  await expect(optionsOf(page).first()).toContainText('Header')
})

test('a search without results says so, and leads on', async ({ page, request }) => {
  await page.goto('/docs')
  await page.keyboard.press('/')
  await fieldOf(page).fill('xyzzy')
  await expect(dialogOf(page).getByRole('status')).toHaveText('No results')
  await expect(dialogOf(page).getByText('No results for “xyzzy”.')).toBeVisible()
  await expect(fieldOf(page)).toHaveAttribute('aria-expanded', 'false')
  for (const link of await dialogOf(page).getByRole('link').all())
    expect((await request.get((await link.getAttribute('href')) ?? '')).status()).toBe(200)
})

test('nothing of the search loads before it is used, and a failed index can be loaded again', async ({ page }) => {
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname))
  let isBroken = true
  await page.route(`**${INDEX}`, route => (isBroken ? route.abort() : route.continue()))
  await page.goto('/docs')
  const before = requests.length
  expect(requests).not.toContain(INDEX)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText('The search index did not load.')
  expect(requests.slice(before).some(path => path.endsWith('.js'))).toBe(true)
  isBroken = false
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(optionsOf(page).first()).toBeVisible()
  await expect(fieldOf(page)).toBeFocused()
})

test('the index can be cached and is small', async ({ request }) => {
  const first = await request.get(INDEX)
  expect(first.headers()).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-encoding': 'gzip',
  })
  const again = await request.get(INDEX, { headers: { 'if-none-match': first.headers()['etag'] ?? '' } })
  expect(again.status()).toBe(304)
})

for (const scheme of ['light', 'dark'] as const)
  test(`the dialog is accessible and fits: ${scheme}`, async ({ page }, info) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/docs/rotate-pdf')
      const button = page.getByRole('button', { name: 'Search' })
      await expect(button).toBeInViewport({ ratio: 1 })
      await button.click()
      for (const query of ['', 'password', 'xyzzy']) {
        await fieldOf(page).fill(query)
        if (query !== 'xyzzy') await expect(optionsOf(page).first()).toBeVisible()
        expect(await findAccessibilityProblems(page), `${query} at ${width}`).toEqual([])
        await info.attach(`search-${query}-${width}-${scheme}.png`, {
          body: await page.screenshot(),
          contentType: 'image/png',
        })
      }
      expect(
        await dialogOf(page).evaluate(dialog => [
          dialog.scrollWidth - dialog.clientWidth,
          document.documentElement.scrollWidth - window.innerWidth,
        ]),
      ).toEqual([0, 0])
      await dialogOf(page).getByRole('button', { name: 'Close the search' }).click()
      await expect(dialogOf(page)).toBeHidden()
      await expect(button).toBeFocused()
    }
  })
