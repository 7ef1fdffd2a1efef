import { createKey, expect, signUp, test } from './browser-test'

const SHOTS = '/tmp/pages-work/shots'
test('shots', async ({ page }) => {
  test.setTimeout(600_000)
  await page.goto('/')
  const shoot = async (name: string, full = false) => {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 768, 1440]) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        await page.waitForTimeout(250)
        const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), full ? 2600 : 1300)
        await page.screenshot({
          path: `${SHOTS}/${name}-${width}-${scheme}.png`,
          fullPage: true,
          clip: { x: 0, y: 0, width, height },
        })
      }
  }
  const sizes: string[] = []
  await shoot('landing', true)
  await page.goto('/docs/pdf-redaction')
  await shoot('docs')
  await page.goto('/sign-in?new=1')
  await shoot('signin')
  await signUp(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByTestId('api-key')).toBeVisible()
  await shoot('dialog')
  await page.getByRole('button', { name: 'I stored the key' }).click()
  await shoot('account', true)
  await page.goto('/account/playground/pdf-redaction', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('result')).toBeVisible({ timeout: 120_000 })
  await page.waitForTimeout(3000)
  await shoot('playground', true)
  await page.goto('/account/playground/add-headers-footers', { waitUntil: 'networkidle' })
  await shoot('form', true)
  await page.goto('/account/calls')
  await shoot('calls')
  await page.goto('/account/settings')
  await shoot('settings')
  await page.goto('/account/credits')
  await shoot('credits', true)
  console.log(sizes.join('\n'))
})
