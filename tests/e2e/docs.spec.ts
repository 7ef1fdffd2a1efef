import type { Browser, Page } from '@playwright/test'
import { gzipSync } from 'node:zlib'
import { findAccessibilityProblems } from './accessibility'
import { expect, test } from './browser-test'

const SCRIPT_BUDGET_BYTES = 140 * 1024
const HTML_BUDGET_BYTES = 200 * 1024
const SIZES = { phone: { width: 320, height: 700 }, desktop: { width: 1280, height: 900 } }
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Pages with stored screenshots: one of each kind. */
const PICTURED = new Set(['/docs', '/docs/quickstart', '/docs/rotate-pdf', '/docs/errors'])

/**
 * Only colors differ between light and dark, and only the frame between the sizes. So all rules run once, on some pages
 * twice, and otherwise only the rules that these differences affect.
 */
const LOOKS = [
  { size: 'desktop', scheme: 'light', hasAllRules: () => true },
  { size: 'desktop', scheme: 'dark', hasAllRules: () => false },
  { size: 'phone', scheme: 'dark', hasAllRules: (path: string) => PICTURED.has(path) },
] as const

test('every page of the documentation is accessible and fits, on a desktop in both color schemes and on a dark phone', async ({
  browser,
  baseURL,
}, info) => {
  test.setTimeout(600_000)
  const page = await openPage(browser, { size: 'desktop', baseURL })
  for (const path of await listPaths(page)) {
    await page.goto(path)
    for (const { size, scheme, hasAllRules } of LOOKS) {
      await page.setViewportSize(SIZES[size])
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-color-scheme', scheme)
      const problems = await findAccessibilityProblems(page, hasAllRules(path) ? undefined : COLOR_RULES)
      expect(problems, `${path}, ${size}, ${scheme}`).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        `${path} is wider than a ${size}`,
      ).toBeLessThanOrEqual(0)
      if (PICTURED.has(path))
        await info.attach(`${path.slice(1).replace('/', '-')}-${size}-${scheme}.png`, {
          body: await page.screenshot({ fullPage: true }),
          contentType: 'image/png',
        })
    }
  }
  await page.context().close()
})

test('pages of the documentation and the start page keep the script budget', async ({ page, request }) => {
  for (const path of ['/', '/docs', '/docs/rotate-pdf', '/docs/invoice-generator', '/docs/errors']) {
    const html = await (await request.get(path)).text()
    const addresses = new Set(
      [...html.matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
        .filter(([tag]) => !/nomodule/i.test(tag))
        .map(([, address = '']) => address.replaceAll('&amp;', '&')),
    )
    expect(addresses.size).toBeGreaterThan(2)
    let bytes = 0
    for (const address of addresses) bytes += gzipSync(await (await request.get(address)).body()).length
    expect(bytes, `${path} loads ${bytes} bytes of script`).toBeLessThanOrEqual(SCRIPT_BUDGET_BYTES)
  }
  await page.goto('/docs/rotate-pdf')
  await expect(page.getByRole('link', { name: 'Try it' })).toHaveAttribute('href', '/account/playground/rotate-pdf')
})

test('a page has at most 200 KB of HTML, and is sent again only if it changed', async ({ page, request }) => {
  for (const path of await listPaths(page)) {
    const response = await request.get(path)
    expect((await response.body()).length, path).toBeLessThanOrEqual(HTML_BUDGET_BYTES)
    expect(response.headers()['cache-control'], path).toContain('stale-while-revalidate')
    const again = await request.get(path, { headers: { 'if-none-match': response.headers()['etag'] ?? '' } })
    expect(again.status(), path).toBe(304)
  }
})

test('examples are beside the parameters, and the lists follow the reader', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/docs/invoice-generator')
  const examples = await page.getByRole('heading', { name: 'Examples' }).boundingBox()
  const parameters = await page.getByRole('heading', { name: 'Parameters' }).boundingBox()
  expect(examples?.y).toBeLessThan(2000)
  expect(examples?.x).toBeGreaterThan((parameters?.x ?? 0) + 200)
  const pages = page.getByRole('navigation', { name: 'Documentation' })
  await expect(pages.getByRole('link', { name: 'Invoice', exact: true })).toBeInViewport()
  const headings = page.getByRole('navigation', { name: 'On this page' })
  await page.locator('h2#errors').scrollIntoViewIfNeeded()
  await page.locator('h2#errors').evaluate(heading => heading.scrollIntoView())
  await expect(headings.getByRole('link', { name: 'Errors' })).toHaveAttribute('aria-current', 'location')
})

test('a link to a member of an object opens what is folded around it', async ({ page }) => {
  await page.goto('/docs/invoice-generator')
  const member = page.locator('[id="param-from.address.country"]')
  await expect(member).toBeHidden()
  await page.goto('/docs/invoice-generator#param-from.address.country')
  await expect(member).toBeInViewport()
})

test('the list of pages collapses on a phone and is beside the page on a desktop', async ({ browser, baseURL }) => {
  const phone = await openPage(browser, { size: 'phone', baseURL })
  await phone.goto('/docs')
  const nav = phone.getByRole('navigation', { name: 'Documentation' })
  await expect(nav).toBeHidden()
  await phone.getByText('All pages', { exact: true }).press('Enter')
  await nav.getByRole('link', { name: 'Redact' }).click()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Redact')
  await phone.context().close()

  const desktop = await openPage(browser, { size: 'desktop', baseURL })
  await desktop.goto('/docs/redirects-nowhere')
  expect(await desktop.title()).not.toContain('Documentation')
  await desktop.goto('/docs/pdf-redaction')
  await expect(
    desktop.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Redact' }),
  ).toHaveAttribute('aria-current', 'page')
  await desktop.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click()
  await expect(desktop).toHaveURL(/#errors$/)
  await expect(desktop.locator('h2#errors')).toBeInViewport()
  await desktop.context().close()
})

test('samples are selected with arrow keys in either encoding', async ({ page }) => {
  await page.goto('/docs/rotate-pdf')
  for (const [name, last, words] of [
    ['Rotate pages, multipart/form-data', 'C#', 'MultipartFormDataContent'],
    ['Rotate pages, JSON', 'JSON', 'dataBase64'],
  ] as const) {
    const tabs = page.getByRole('tablist', { name })
    await tabs.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(tabs.getByRole('tab', { name: last, exact: true })).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: last, exact: true }).filter({ hasText: words })).toBeVisible()
  }
})

test('copying a page yields the Markdown that is served beside it', async ({ browser, baseURL, request }) => {
  const context = await browser.newContext({ baseURL, permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto('/docs/rotate-pdf')
  const served = await request.get('/docs/rotate-pdf.md')
  expect(served.headers()).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'public, max-age=300',
  })
  await page.getByRole('button', { name: 'Copy page as Markdown' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await served.text())
  await context.close()
})

test('old URLs of pages redirect permanently', async ({ request }) => {
  for (const [from, to, fragment] of [
    ['operations', 'self-hosting', ''],
    ['authentication', 'api-basics', '#authentication'],
    ['requests', 'api-basics', '#requests'],
    ['selectors', 'api-basics', '#page-selectors'],
    ['credits', 'pricing', ''],
  ])
    for (const suffix of ['', '.md']) {
      const response = await request.get(`/docs/${from}${suffix}`, { maxRedirects: 0 })
      expect(response.status()).toBe(308)
      expect(response.headers()['location']).toBe(`/docs/${to}${suffix === '' ? fragment : suffix}`)
      expect((await request.get(`/docs/${from}${suffix}`)).status()).toBe(200)
    }
})

test('pages are Markdown for clients that request it, and unknown pages return 404', async ({ request }) => {
  for (const path of ['/docs', '/docs/errors']) {
    const asked = await request.get(path, { headers: { accept: 'text/markdown, text/html;q=0.5' } })
    expect(asked.headers()['content-type']).toContain('text/markdown')
    expect(await asked.text()).toBe(await (await request.get(`${path}.md`)).text())
    expect((await request.get(path, { headers: { accept: 'text/html' } })).headers()['content-type']).toContain(
      'text/html',
    )
  }
  for (const path of ['/docs/no-such-page', '/docs/no-such-page.md', '/docs/errors/more', '/docs/errors/more.md'])
    expect((await request.get(path)).status(), path).toBe(404)
  const first = await request.get('/llms.txt')
  expect(
    (await request.get('/llms.txt', { headers: { 'if-none-match': first.headers()['etag'] ?? '' } })).status(),
  ).toBe(304)
  for (const [, address = ''] of (await first.text()).matchAll(/\]\(([^)]+)\)/g))
    expect((await request.get(address)).status(), address).toBe(200)
})

async function openPage(
  browser: Browser,
  { size, baseURL }: { size: keyof typeof SIZES; baseURL: string },
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: SIZES[size],
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

async function listPaths(page: Page): Promise<string[]> {
  await page.goto('/docs')
  const paths = await page
    .locator('nav[aria-label=Documentation]')
    .first()
    .locator('a')
    .evaluateAll(links => links.map(link => new URL((link as HTMLAnchorElement).href).pathname))
  expect(paths.length).toBeGreaterThan(25)
  return paths
}
