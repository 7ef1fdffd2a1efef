import type { APIRequestContext, Page, TestInfo } from '@playwright/test'
import { makePdf } from '../contract/documents'
import { readFile } from 'node:fs/promises'
import { readPageTexts } from '../support/page-texts'
import type { MailServer } from '../support/mail-server'
import { deliver, type StripeDouble } from '../support/stripe-double'
import { findAccessibilityProblems } from './accessibility'
import { expect, freshEmail } from './browser-test'
import { askForLink, linkIn, openSignedIn, test } from './mail-test'

const SIZES = [
  { name: 'phone', width: 360, height: 780 },
  { name: 'desktop', width: 1280, height: 900 },
]

test(
  'a user without credits buys more, and the next request works',
  { tag: '@core' },
  async ({ browser, service, request, stripe, accounts: { poor } }) => {
    expect((await rotate(request, poor.key)).status()).toBe(200)
    const refused = await rotate(request, poor.key)
    expect(refused.status()).toBe(402)
    expect((await refused.json()).message).toContain('/account/credits')

    const page = await openSignedIn(browser, service.base, poor)
    await page.goto('/account/credits')
    await expect(page.getByTestId('balance')).toHaveText('0')
    await orderOther(page, '3')
    await expect(page.locator('[data-failure]')).toContainText('from 5 to 1,000')
    stripe.webhook = undefined // Stripe responds slowly.
    await orderOther(page, '12')
    await payOnStripe(page)
    await tellLast(stripe, service.base)
    await expect(page.getByText('12,000 credits added')).toBeVisible()
    await expect(page.getByTestId('balance')).toHaveText('12,000')

    expect((await rotate(request, poor.key)).status()).toBe(200)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Invoice \d+/ }).click()
    const pages = await readPageTexts(await readFile(await (await download).path()))
    expect(pages.join('\n')).toContain('$12.00')
    await page.context().close()
  },
)

test('the pages of a purchase fit and are accessible', async ({ page, mail, stripe }, info) => {
  test.setTimeout(400_000)
  await signUpByLink(page, mail)
  await page.goto('/account/credits')
  await look(page, info, 'before')
  await orderOther(page, '3')
  await page.getByLabel('Amount in US dollars').fill('12')
  await expect(page.getByText('12,000 credits')).toBeVisible()
  await look(page, info, 'other-amount')
  stripe.webhook = undefined // Stripe responds slowly.
  await orderOther(page, '12')
  await payOnStripe(page)
  await look(page, info, 'confirming')
  await tellLast(stripe, new URL(page.url()).origin)
  await expect(page.getByText('12,000 credits added')).toBeVisible()
  await look(page, info, 'bought')
})

test('a user saves a card, and turns automatic top-up off again', async ({ page, mail, stripe }, info) => {
  test.setTimeout(200_000)
  await signUpByLink(page, mail)
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

async function signUpByLink(page: Page, mail: MailServer): Promise<void> {
  const email = freshEmail('buyer')
  await askForLink(page, email)
  await page.goto(await linkIn(mail, email))
}

async function orderOther(page: Page, dollars: string): Promise<void> {
  await page.getByRole('radio', { name: /Other/ }).click()
  await page.getByLabel('Amount in US dollars').fill(dollars)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
}

/** Pays 12 dollars. Stripe's page leads back before Stripe reports the payment. */
async function payOnStripe(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Pay 12 usd' })).toBeVisible()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL('**/account/credits?purchase=*')
  await expect(page.getByText('The payment is being confirmed')).toBeVisible()
}

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
