import type { APIRequestContext, Page } from '@playwright/test'
import { makePdf } from '../../contract/documents'
import { startService } from '../../support/service'
import { startStripe } from '../../support/stripe-double'
import { findAccessibilityProblems } from '../accessibility'
import { createKey, expect, MID_MONTH, signUp, test as base } from '../browser-test'

/** What the server offers to an account without credits. */
const OFFERS = ['nothing', 'email', 'purchase'] as const

const PAGES = [
  '/account',
  '/account/credits',
  '/account/calls',
  '/account/playground',
  '/account/playground/rotate-pdf',
  '/account/settings',
]

for (const offer of OFFERS) {
  const test = base.extend<object>({
    service: [
      // Playwright reads the fixture's dependencies from the pattern: none.
      // oxlint-disable-next-line eslint/no-empty-pattern
      async ({}, provide) => {
        const stripe = offer === 'purchase' ? await startStripe() : undefined
        const env = offer === 'email' ? { OPERATOR_EMAIL: 'operator@example.com' } : (stripe?.env ?? {})
        const service = await startService({ env: { ...MID_MONTH, ...env, TRUSTED_PROXIES: '1' } })
        await provide(service)
        await service.stop()
        await stripe?.close()
      },
      { scope: 'worker', timeout: 400_000 },
    ],
  })

  test.describe(`without credits, if the server offers ${offer}`, () => {
    test('every page says so once, with at most one action, and Run is disabled', async ({ page, request }, info) => {
      test.setTimeout(400_000)
      await signUp(page)
      const key = await createKey(page)
      await spend(request, key, 99)
      await page.goto('/account')
      const notice = page.getByTestId('credit-notice')
      await expect(notice).toContainText('You have 1 credit left.')
      await spendLast(page)
      await expect(notice).toBeVisible()
      const actions = { nothing: 0, email: 1, purchase: 1 }[offer]
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height })
        for (const path of PAGES) {
          await page.goto(path)
          await expect(notice).toHaveCount(1)
          await expect(notice.getByRole('heading', { name: 'You have no credits left' })).toBeVisible()
          await expect(notice).toContainText(/You get 100 free credits on 1 \w+\./)
          await expect(notice.getByRole('link')).toHaveCount(actions)
          await expect(page.getByText('Your balance is low')).toHaveCount(0)
          expect(await findAccessibilityProblems(page)).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
          await page.screenshot({ path: info.outputPath(`${offer}${path.replaceAll('/', '-')}-${width}.png`) })
        }
      }
      await page.goto('/account/playground/rotate-pdf')
      const run = page.getByRole('button', { name: 'Run', exact: true })
      await expect(run).toBeDisabled()
      await expect(run).toHaveAccessibleDescription(/^You have no credits left, so you can’t run requests\./)
      if (offer === 'nothing') return
      const action = notice.getByRole('link')
      const href = { email: 'mailto:operator@example.com', purchase: '/account/credits#buy' }[offer]
      await expect(action).toHaveAttribute('href', href)
      await expect(page.getByRole('region', { name: 'Run' }).getByRole('link')).toHaveAttribute('href', href)
    })

    test('a low balance has one hint', async ({ page, service }) => {
      const email = await signUp(page)
      await page.goto('/account/credits')
      await page.getByLabel(/^(Email|Notify) me below/).fill('500')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByTestId('credit-notice')).toContainText(
        /You have 100 credits left\. Your threshold is 500\. You get 100 free credits on/,
      )
      await expect(page.getByText('Your balance is low')).toHaveCount(1)
      await page.goto('/account')
      await expect(page.getByText('Your balance is low')).toHaveCount(1)
      expect(await findAccessibilityProblems(page)).toEqual([])
      await page.goto('/account/settings')
      await expect(page.getByTestId('credit-notice')).toHaveCount(0)
      await service.account(email, { credits: 500 })
      await page.goto('/account')
      await expect(page.getByTestId('credit-notice')).toHaveCount(0)
    })
  })
}

/** Runs a request in the playground with the last credit. */
async function spendLast(page: Page) {
  await page.goto('/account/playground/rotate-pdf')
  await expect(page.getByTestId('balance')).toHaveText('1')
  await expect(page.getByRole('button', { name: 'Remove report.pdf' })).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('result')).toHaveAttribute('data-outcome', 'file')
  await expect(page.getByTestId('balance')).toHaveText('0')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
}

async function spend(request: APIRequestContext, key: string, count: number) {
  for (let sent = 0; sent < count; sent += 8) {
    const responses = await Promise.all(
      Array.from({ length: Math.min(8, count - sent) }, () =>
        request.post('/api/external/pdf-tools/rotate-pdf', {
          headers: { 'x-api-key': key },
          multipart: {
            file: { name: 'page.pdf', mimeType: 'application/pdf', buffer: makePdf() },
            options: JSON.stringify({ angle: 90 }),
          },
        }),
      ),
    )
    expect(new Set(responses.map(response => response.status()))).toEqual(new Set([200]))
  }
}
