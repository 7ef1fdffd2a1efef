import { createKey, signUp, test } from './browser-test'
test('shots', async ({ page, request }) => {
  test.setTimeout(200_000)
  await signUp(page)
  const key = await createKey(page)
  for (let count = 0; count < 12; count++)
    await request.post('/api/external/pdf-tools/rotate-pdf', {
      headers: { 'x-api-key': key, 'user-agent': 'curl/8.5.0' },
      data: { file: { name: 'a.pdf', dataBase64: 'bm8gUERG' }, options: { angle: count % 2 ? 4711 : 90 } },
    })
  await page.waitForTimeout(1500)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/account/calls')
  await page.waitForTimeout(1500)
  await page.screenshot({ path: '/tmp/s-calls-1440.png' })
  await page.locator('a[href*="request=req"]').first().click()
  await page.waitForTimeout(1000)
  await page.screenshot({ path: '/tmp/s-call.png' })
  await page.setViewportSize({ width: 768, height: 900 })
  await page.goto('/account/calls')
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/s-calls-768.png' })
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const slug of ['protect-pdf', 'pdf-redaction', 'extract-text', 'compress-pdf']) {
    await page.goto(`/account/playground/${slug}`)
    await page.waitForTimeout(1500)
    if (slug === 'protect-pdf') await page.screenshot({ path: '/tmp/s-pg-form.png' })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.waitForTimeout(3500)
    await page.screenshot({ path: `/tmp/s-pg-${slug}.png` })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: '/tmp/s-pg-390.png' })
})
