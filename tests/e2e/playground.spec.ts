import { randomBytes } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { PDFDocument } from 'pdf-lib'
import { findAccessibilityProblems } from './accessibility'
import { expect, signUp, test } from './browser-test'

/** Opens the form of an endpoint, which begins with these sample files. */
async function open(page: Page, slug: string, samples: string[] = []) {
  await signUp(page)
  await page.goto(`/account/playground/${slug}`)
  for (const name of samples) await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
}

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const result = (page: Page) => page.getByTestId('result')

/** The share of pixels of a rendered page that aren't white. */
async function inkOf(page: Page, label: string): Promise<number> {
  const canvas = page.getByRole('img', { name: label })
  await expect(canvas).toHaveAttribute('data-drawn', 'true')
  return canvas.evaluate((element: HTMLCanvasElement) => {
    const pixels =
      element.getContext('2d')?.getImageData(0, 0, element.width, element.height).data ?? new Uint8ClampedArray()
    let dark = 0
    for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 200) dark += 1
    return dark / (pixels.length / 4)
  })
}

test(
  'merges two samples for one credit, also after a double click, and shows the result beside the input pages',
  { tag: '@core' },
  async ({ page }) => {
    await open(page, 'merge-pdf', ['letter.pdf', 'terms.pdf'])
    await expect(page.getByText('Costs 1 credit. Your balance is 100')).toBeVisible()
    const calls: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
    })
    await run(page).dblclick()
    await expect(result(page)).toHaveAttribute('data-outcome', 'file')
    expect(calls).toEqual(['/api/account/playground/pdf-tools/merge-pdf'])
    await expect(page.getByTestId('credits')).toHaveText('1 credit charged, 99 left')
    await expect(page.getByTestId('balance')).toHaveText('99')

    const output = page.getByTestId('output')
    await expect(output.getByTestId('pages')).toHaveAttribute('data-pages', '3')
    expect(await inkOf(page, 'Page 1 of 3 of letter-merged.pdf')).toBeGreaterThan(0.005)
    expect(await inkOf(page, 'Page 1 of 1 of letter.pdf')).toBeGreaterThan(0.005)
    await output.getByRole('button', { name: 'Show page 3' }).click()
    expect(await inkOf(page, 'Page 3 of 3 of letter-merged.pdf')).toBeGreaterThan(0.005)

    expect(await findAccessibilityProblems(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download letter-merged.pdf' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('letter-merged.pdf')
  },
)

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
  [390, 844],
] as const) {
  test(`shows the result of a run in the viewport: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await open(page, 'webpage-to-pdf', ['page.html'])
    await run(page).click()
    await expectInViewport(page, page.getByRole('link', { name: /^Download / }))
    // A wide page keeps the button in place while the options scroll.
    if (width > 1200) await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await run(page).click()
    await expectInViewport(page, page.getByRole('link', { name: /^Download / }))
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('ftp://example.com')
    await run(page).click()
    await expectInViewport(page, result(page).getByText('You were not charged.'))
  })
}

/** Expects an element that nothing covers. */
async function expectInViewport(page: Page, element: Locator) {
  await expect(element).toBeInViewport({ ratio: 1 })
  await expect
    .poll(() =>
      element.evaluate(one => {
        const { left, top, width, height } = one.getBoundingClientRect()
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }),
    )
    .toBe(true)
}

test('runs every endpoint with one click', async ({ page }) => {
  test.setTimeout(600_000)
  await signUp(page)
  await page.goto('/account/playground')
  const paths = await page
    .locator('main a[href^="/account/playground/"]')
    .evaluateAll(links => [...new Set(links.map(link => link.getAttribute('href') ?? ''))])
  expect(paths.length).toBe(32)
  for (const path of paths) {
    await page.goto(path)
    if (!path.endsWith('invoice-generator'))
      await expect(page.getByRole('button', { name: /^Remove [\w-]+\.\w+$/ }).first()).toBeVisible()
    await run(page).click()
    await expect(result(page), path).toHaveAttribute('data-outcome', 'file')
  }
})

test('sends files in the selected order, and shows that order in curl', async ({ page, service }) => {
  await open(page, 'merge-pdf', ['letter.pdf', 'terms.pdf'])
  const dropped = await page.evaluateHandle(async () => {
    const transfer = new DataTransfer()
    transfer.items.add(
      new File([await (await fetch('/samples/report.pdf')).blob()], 'Ann’s report.pdf', { type: 'application/pdf' }),
    )
    return transfer
  })
  await page.getByText('or drop them here').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByRole('button', { name: 'Remove letter.pdf' })).toHaveCount(0)
  await page.getByRole('button', { name: 'letter.pdf', exact: true }).click()
  await page.getByRole('button', { name: 'terms.pdf', exact: true }).click()
  for (let moves = 0; moves < 2; moves++) await page.getByRole('button', { name: 'Move Ann’s report.pdf down' }).click()
  await page.getByRole('button', { name: 'Move terms.pdf up' }).click()
  const command =
    `${service.base}/api/external/pdf-tools/merge-pdf \\\n  -H "x-api-key: $SHEAF_API_KEY" \\\n  -F files=@terms.pdf ` +
    `\\\n  -F files=@letter.pdf \\\n  -F 'files=@Ann’s report.pdf' \\\n`
  await expect(page.getByTestId('curl')).toContainText(command)
  await run(page).click()
  await expect(page.getByRole('link', { name: 'Download terms-merged.pdf' })).toBeVisible()
  await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '8')
})

test('adds samples in the order of the clicks, although the first one loads later', async ({ page }) => {
  await open(page, 'merge-pdf', ['letter.pdf', 'terms.pdf'])
  const laterOne = page.waitForResponse('**/samples/form.pdf')
  await page.route('**/samples/report.pdf', async route => {
    await laterOne
    await route.continue()
  })
  await page.getByRole('button', { name: 'report.pdf', exact: true }).click()
  await page.getByRole('button', { name: 'form.pdf', exact: true }).click()
  await expect(page.getByTestId('curl')).toContainText(/-F files=@report\.pdf \\\s+-F files=@form\.pdf/)
})

test('shows an error at its field and charges nothing', { tag: '@core' }, async ({ page }) => {
  await open(page, 'rotate-pdf', ['report.pdf'])
  const pages = page.getByRole('textbox', { name: 'Pages', exact: true })
  await pages.fill('9')
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(pages).toHaveAttribute('aria-invalid', 'true')
  await expect(pages).toHaveAccessibleDescription(/9.*5/)
  await expect(result(page).getByText('You were not charged.')).toBeVisible()
  await expect(
    result(page)
      .getByText(/req_\w{22}/)
      .first(),
  ).toBeVisible()
  await expect(page.getByTestId('balance')).toHaveText('100')
  expect(await findAccessibilityProblems(page)).toEqual([])
  await result(page).getByRole('button', { name: 'Show options.pages' }).click()
  await expect(pages).toBeFocused()
})

test('keeps form and JSON in sync, and sends only modified fields', async ({ page }) => {
  await open(page, 'crop-pdf', ['report.pdf'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('combobox', { name: 'Unit' }).selectOption('Millimeters')
  await page.locator('label').getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'Options as JSON' })
  await expect(json).toHaveValue('{\n  "unit": "mm"\n}')

  await json.fill('{"unit":"mm","margins":')
  await page.locator('label').getByText('Form', { exact: true }).click()
  await expect(page.getByText('Correct this first. It isn’t a JSON object yet')).toBeVisible()
  await run(page).click()
  await expect(page.getByText('Some options aren’t valid JSON. Correct them first.')).toBeVisible()

  await json.fill('{"unit":"mm","margins":{"top":12.5},"pages":[1,3]}')
  await page.locator('label').getByText('Form', { exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Top', exact: true })).toHaveValue('12.5')
  await expect(page.getByRole('textbox', { name: 'Pages', exact: true })).toHaveValue('1,3')
  await page.getByRole('textbox', { name: 'Top', exact: true }).fill('8')
  await expect(page.getByTestId('curl')).toContainText('{"unit":"mm","margins":{"top":8},"pages":[1,3]}')
})

test('uploads 13 MB with progress, and stops when it is canceled', async ({ page }) => {
  const document = await PDFDocument.create()
  for (let page = 0; page < 3; page++) document.addPage()
  await document.attach(randomBytes(13_000_000), 'noise.bin', { mimeType: 'application/octet-stream' })
  await open(page, 'rotate-pdf')
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await document.save()) })
  await page.getByRole('combobox', { name: 'Rotate by' }).selectOption('90')
  const slow = await page.context().newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await limit(2_000_000)
  await run(page).click()
  await expect(page.getByTestId('progress')).toHaveText(/^Sending: \d[\d.]* (KB|MB) of 12\.4 MB$/)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Canceled.')).toBeVisible()
  await limit(-1)
  await run(page).click()
  await expect(page.getByTestId('credits')).toHaveText('1 credit charged, 99 left')
})

test('accepts 60 MB and refuses 120 MB before sending anything', async ({ page }, testInfo) => {
  const paths = { fine: testInfo.outputPath('sixty.pdf'), large: testInfo.outputPath('large.pdf') }
  for (const [path, size] of [
    [paths.fine, 60e6],
    [paths.large, 120e6],
  ] as const) {
    await writeFile(path, '%PDF-1.7\n')
    await truncate(path, size)
  }
  await open(page, 'rotate-pdf')
  await page.getByTestId('file-input').setInputFiles(paths.large)
  await expect(page.getByText('large.pdf must be at most 100 MB. Got 114.4 MB. Choose a smaller file.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove large.pdf' })).toHaveCount(0)
  await page.getByTestId('file-input').setInputFiles(paths.fine)
  await expect(page.getByRole('button', { name: 'Remove sixty.pdf' })).toBeVisible()
  await expect(page.getByText('large.pdf must be')).toHaveCount(0)
})

test(
  'loses no input if the connection or the session ends, nor on the way back',
  { tag: '@core' },
  async ({ page, context }) => {
    await open(page, 'rotate-pdf', ['report.pdf'])
    await page.getByRole('textbox', { name: 'Pages', exact: true }).fill('2-3')
    await context.setOffline(true)
    await run(page).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'The server isn’t reachable. Your files and options are still here' }),
    ).toBeFocused()
    await context.setOffline(false)

    await page.getByRole('link', { name: 'All endpoints' }).click()
    await expect(page.getByRole('heading', { name: 'Playground' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('textbox', { name: 'Pages', exact: true })).toHaveValue('2-3')
    await expect(page.getByRole('button', { name: 'Remove report.pdf' })).toBeVisible()

    await context.clearCookies()
    await run(page).click()
    await expect(result(page).getByText('You are signed out. Your files and options are still here.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Pages', exact: true })).toHaveValue('2-3')
  },
)

test('shows the entries of a ZIP and the content of a text file', async ({ page }) => {
  await open(page, 'split-pdf', ['report.pdf'])
  await run(page).click()
  const output = page.getByTestId('output')
  await output
    .getByRole('button', { name: /\.pdf$/ })
    .first()
    .click()
  await expect(output.getByTestId('pages')).toHaveAttribute('data-pages', '2')
  await page.goto('/account/playground/form-filler')
  await expect(page.getByRole('button', { name: 'Remove form.pdf' })).toBeVisible()
  await page
    .getByRole('combobox', { name: 'Start from an example' })
    .selectOption('List the fields with their names and options')
  await run(page).click()
  await expect(page.getByTestId('text-preview')).toContainText('fullName')
})

test('sends only the latest of a file and a URL', async ({ page }) => {
  await open(page, 'webpage-to-pdf', ['page.html'])
  const url = page.getByRole('textbox', { name: 'URL', exact: true })
  await url.fill('https://example.com/')
  await expect(page.getByRole('button', { name: 'Remove page.html' })).toHaveCount(0)
  await page.getByRole('button', { name: 'page.html', exact: true }).click()
  await expect(url).toHaveValue('')
  await run(page).click()
  await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '1')
})

test('renders an invoice from nested fields and rows', async ({ page }) => {
  await open(page, 'invoice-generator')
  await page.getByRole('button', { name: 'Add an entry to Items' }).click()
  await run(page).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(page.getByRole('textbox', { name: 'Description' }).last()).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Remove entry 3 of Items' }).click()
  await run(page).click()
  await expect(page.getByTestId('output').getByTestId('pages')).toHaveAttribute('data-pages', '1')
})

test('opens every operation on phone and desktop without an error, an overflow or an accessibility violation', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', error => problems.push(`${page.url()}: ${error.message}`))
  await signUp(page)
  await page.goto('/account/playground')
  const paths = await page
    .locator('main a[href^="/account/playground/"], a[href^="/account/playground/"]')
    .evaluateAll(links => [...new Set(links.map(link => link.getAttribute('href') ?? ''))])
  expect(paths.length).toBeGreaterThan(20)
  for (const path of ['/account/playground', ...paths]) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(path)
    await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)))
    await page.waitForLoadState('networkidle')
    problems.push(...(await findAccessibilityProblems(page)).map(problem => `${path}: ${problem}`))
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (excess > 0) problems.push(`${path} is ${excess} pixels too wide at ${width}`)
    }
  }
  expect(problems).toEqual([])
})
