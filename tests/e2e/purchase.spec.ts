import type { APIRequestContext, Page, TestInfo } from '@playwright/test'
import { makePdf } from '../contract/documents'
import { readFile } from 'node:fs/promises'
import { readPageTexts } from '../support/page-texts'
import { startService } from '../support/service'
import { deliver, startStripe, type StripeDouble } from '../support/stripe-double'
import { findAccessibilityProblems } from './accessibility'
import { createKey, expect, signUp, test as base } from './browser-test'

const test = base.extend<object, { stripe: StripeDouble }>({
  stripe: [
    // Playwright reads the fixture's dependencies from the pattern: none.
    // oxlint-disable-next-line eslint/no-empty-pattern
    async ({}, provide) => {
      const stripe = await startStripe()
      await provide(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ stripe }, provide) => {
      const service = await startService({ env: { ...stripe.env, TRUSTED_PROXIES: '1' } })
      stripe.webhook = service.base
      await provide(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
})

const SIZES = [
  { name: 'phone', width: 360, height: 780 },
  { name: 'desktop', width: 1280, height: 900 },
]

test(
  'a user without credits buys more, and the next request works',
  { tag: '@core' },
  async ({ page, request, stripe }, info) => {
    test.setTimeout(400_000)
    await signUp(page)
    const key = await createKey(page)
    for (let sent = 0; sent < 100; sent += 10) {
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await rotate(request, key)).status()))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    const refused = await rotate(request, key)
    expect(refused.status()).toBe(402)
    expect((await refused.json()).message).toContain('/account/credits')

    await page.goto('/account/credits')
    await expect(page.getByTestId('balance')).toHaveText('0')
    await look(page, info, 'before')
    await page.getByRole('radio', { name: /Other/ }).click()
    await page.getByLabel('Amount in US dollars').fill('3')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.locator('[data-failure]')).toContainText('from 5 to 1,000')
    await page.getByLabel('Amount in US dollars').fill('12')
    await expect(page.getByText('12,000 credits')).toBeVisible()
    await look(page, info, 'other-amount')

    stripe.webhook = undefined // Stripe responds slowly.
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByRole('heading', { name: 'Pay 12 usd' })).toBeVisible()
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.waitForURL('**/account/credits?purchase=*')
    await expect(page.getByText('The payment is being confirmed')).toBeVisible()
    await look(page, info, 'confirming')
    await tellLast(stripe, new URL(page.url()).origin)
    await expect(page.getByText('12,000 credits added')).toBeVisible()
    await expect(page.getByTestId('balance')).toHaveText('12,000')
    await look(page, info, 'bought')

    expect((await rotate(request, key)).status()).toBe(200)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Invoice \d+/ }).click()
    const pages = await readPageTexts(await readFile(await (await download).path()))
    expect(pages.join('\n')).toContain('$12.00')
  },
)

test('a user saves a card, and turns automatic top-up off again', async ({ page, stripe }, info) => {
  test.setTimeout(200_000)
  await signUp(page)
  await page.goto('/account/credits')
  await expect(page.getByTestId('top-up-state')).toContainText('Off.')
  await page.getByLabel('Monthly limit, in US dollars').fill('5')
  await page.getByRole('button', { name: 'Turn on and add a card' }).click()
  await expect(page.locator('[data-failure]')).toContainText('from the amount, 10, to 10,000')
  await page.getByLabel('Monthly limit, in US dollars').fill('40')
  stripe.webhook = undefined // Stripe responds slowly.
  await page.getByRole('button', { name: 'Turn on and add a card' }).click()
  await expect(page.getByRole('heading', { name: 'Leave a card' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/account/credits?card=left*')
  await expect(page.getByText('The card is being confirmed')).toBeVisible()
  await look(page, info, 'card-awaited')
  await tellLast(stripe, new URL(page.url()).origin)
  await expect(page.getByTestId('top-up-state')).toContainText(
    'On. If your balance falls below 20 credits, Sheaf buys $10 of credits with the Visa ending in 4242. ' +
      'The limit is $40 a month.',
  )
  await expect(page.getByText('The card is being confirmed')).toBeHidden()
  await look(page, info, 'top-up-on')

  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL('**/account/credits?purchase=*')
  const { origin } = new URL(page.url())
  await tellLast(stripe, origin)
  expect((await deliver(origin, stripe.refund([...stripe.sessions.keys()].at(-1) ?? '', 500))).status).toBe(200)
  await page.goto('/account/credits')
  await expect(page.getByText('Automatic top-up was turned off after a refund')).toBeVisible()
  await look(page, info, 'top-up-stopped')
  await page.getByRole('button', { name: 'Turn on with the Visa ending in 4242' }).click()
  await expect(page.getByTestId('top-up-state')).toContainText('On.')
  await expect(page.getByText('Automatic top-up was turned off after a refund')).toBeHidden()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Automatic top-up is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn on with the Visa ending in 4242' })).toBeVisible()
  await page.goto('/account/settings')
  await expect(page.getByText('Later payments are refunded.')).toBeVisible()
  await look(page, info, 'settings')
})

async function tellLast(stripe: StripeDouble, base: string): Promise<void> {
  const sessionId = [...stripe.sessions.keys()].at(-1) ?? ''
  expect((await deliver(base, stripe.tell('checkout.session.completed', sessionId))).status).toBe(200)
}

function rotate(request: APIRequestContext, key: string) {
  const file = { name: 'page.pdf', mimeType: 'application/pdf', buffer: makePdf() }
  return request.post('/api/external/pdf-tools/rotate-pdf', {
    headers: { 'x-api-key': key },
    multipart: { file, options: '{"angle":90}' },
  })
}

/**
 * Stores a screenshot at every width in both schemes. Fails on content beyond the window and on violations of WCAG 2.2
 * A and AA.
 */
async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const { name: size, width, height } of SIZES) {
      await page.setViewportSize({ width, height })
      await page.screenshot({
        fullPage: true,
        clip: { x: 0, y: 0, width, height: 2 * height },
        path: info.outputPath(`${name}-${size}-${scheme}.png`),
      })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        `${name} on a ${size}, ${scheme}`,
      ).toBeLessThanOrEqual(0)
      expect(await findAccessibilityProblems(page), `${name} on a ${size}, ${scheme}`).toEqual([])
    }
  }
}
