import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { createKey, expect, signUp, test } from './browser-test'

const run = promisify(execFile)
const PAGE_BUDGET_BYTES = 120 * 1024

test('the shown request yields the shown response and the shown file', async ({ page, request }) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-start-page-'))
  await page.goto('/')
  const command = await page.getByRole('tabpanel', { name: 'curl' }).innerText()
  const shown = (await page.getByRole('heading', { name: 'Response' }).locator('..').locator('code').allInnerTexts())
    .map(line => line.toLowerCase())
    .filter(line => line !== '')
  expect(shown[0]).toBe('http/1.1 200 ok')
  expect(shown.length).toBeGreaterThan(2)
  for (const name of ['payslip.pdf', 'payslip-redacted.pdf'])
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', `/samples/${name}`)

  await signUp(page)
  const apiKey = await createKey(page)
  const payslip = await (await request.get('/samples/payslip.pdf')).body()
  const expected = await (await request.get('/samples/payslip-redacted.pdf')).body()
  const options = /options='([^']+)'/.exec(command)?.[1] ?? ''
  const response = await request.post(/https?:\S+/.exec(command)?.[0] ?? '', {
    headers: { 'x-api-key': apiKey },
    multipart: { file: { name: 'payslip.pdf', mimeType: 'application/pdf', buffer: payslip }, options },
  })
  const headers = Object.entries(response.headers()).map(([name, value]) => `${name}: ${value}`.toLowerCase())
  expect(headers).toEqual(expect.arrayContaining(shown.slice(1)))
  expect((await response.body()).equals(expected)).toBe(true)

  const hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
  if (hasCurl) {
    const env = { ...process.env, SHEAF_API_KEY: apiKey }
    await run('sh', ['-ec', `curl -sO "${new URL('/samples/payslip.pdf', page.url()).href}"\n${command}`], {
      cwd: folder,
      env,
    })
    expect((await readFile(join(folder, 'payslip-redacted.pdf'))).equals(expected)).toBe(true)
  }
  await rm(folder, { recursive: true })
})

test('the start page transfers at most 120 KB besides scripts', async ({ page }) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const bytes = await measureTransfer(page, '/')
    const { script = 0, ...others } = bytes
    expect(script).toBeGreaterThan(0)
    const sum = Object.values(others).reduce((total, one) => total + one, 0)
    expect(sum, JSON.stringify(bytes)).toBeLessThan(PAGE_BUDGET_BYTES)
    for (const type of ['document', 'stylesheet', 'font', 'image']) expect(others[type], type).toBeGreaterThan(0)
  }
})

test('the images have sizes and descriptions, and load when they come into view', async ({ page }) => {
  await page.goto('/')
  const images = await page.locator('main img').all()
  expect(images).toHaveLength(3)
  for (const image of images) {
    await expect(image).toHaveAttribute('loading', 'lazy')
    await expect(image).toHaveAttribute('alt', /payslip.+\./i)
    await image.scrollIntoViewIfNeeded()
    const size = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode()
      return [element.width / element.height, element.naturalWidth / element.naturalHeight]
    })
    expect(size[0]).toBeCloseTo(size[1] ?? 0, 1)
  }
})

test('every endpoint is in a group, and every claim links the page that proves it', async ({ page, request }) => {
  await page.goto('/')
  const endpoints = page.getByRole('region', { name: /^\d+ endpoints$/ })
  const links = await endpoints.getByRole('link').all()
  await expect(endpoints.getByRole('heading', { level: 2 })).toHaveText(`${links.length} endpoints`)
  await expect(endpoints.getByRole('heading', { level: 3 })).toHaveText([
    'Organize',
    'Secure',
    'Mark',
    'Forms',
    'Text',
    'Convert',
    'Archive',
    'Create',
  ])
  await expect(links[0] ?? endpoints).toHaveText('Merge PDFs')
  const proofs = page.getByRole('region', { name: 'Test results' }).getByRole('link')
  await expect(proofs).toHaveCount(3)
  for (const link of [...links, ...(await proofs.all())]) {
    const [path = '', anchor] = ((await link.getAttribute('href')) ?? '').split('#')
    const response = await request.get(path)
    expect(response.status(), path).toBe(200)
    if (anchor !== undefined) expect(await response.text()).toContain(`id="${anchor}"`)
  }
})

/** Bytes that the network carries while a page loads and is scrolled to its end, by type of resource. */
async function measureTransfer(page: Page, path: string): Promise<Record<string, number>> {
  const session = await page.context().newCDPSession(page)
  const types = new Map<string, string>()
  const bytes: Record<string, number> = {}
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type.toLowerCase()))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'other'
    bytes[type] = (bytes[type] ?? 0) + encodedDataLength
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.waitForLoadState('networkidle')
  await session.detach()
  return bytes
}
