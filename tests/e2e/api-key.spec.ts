import { createKey, expect, signUp, test } from './browser-test'

test(
  'the dialog with the key stays open until the user confirms that the key is stored, and keeps the focus',
  { tag: '@core' },
  async ({ page }) => {
    await signUp(page)
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your API key' })
    await expect(dialog).toBeVisible()

    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect(dialog).toBeVisible()
    await expect(dialog.getByText('You can’t see this key again.')).toBeVisible()

    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab')
      // A modal dialog may let the focus move to the browser's own frame. The document's active element is its body then.
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
        ),
      ).toBe(true)
    }
    await dialog.getByRole('button', { name: 'I stored the key' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Rotate key' })).toBeFocused()
  },
)

test('copying the key puts exactly the key on the clipboard and confirms it', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.base })
  await signUp(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = await page.getByTestId('api-key').innerText()
  await page.getByRole('button', { name: 'Copy the API key' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied the API key' })).toBeAttached()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
})

test('the key is in no URL, no later page and no stored data of the browser', { tag: '@core' }, async ({ page }) => {
  const addresses: string[] = []
  page.on('request', request => addresses.push(request.url()))
  await signUp(page)
  const key = await createKey(page)
  await page.reload()
  expect(await page.content()).not.toContain(key)
  expect(addresses.filter(address => address.includes(key))).toEqual([])
  expect(
    await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), history.state]),
    ),
  ).not.toContain(key)
})

test('the response with the key may not be cached', async ({ page }) => {
  await signUp(page)
  const [response] = await Promise.all([
    page.waitForResponse('**/api/account/key'),
    page.getByRole('button', { name: 'Create API key' }).click(),
  ])
  expect(response.headers()['cache-control']).toBe('no-store')
})

test('if two windows create a key, one gets it and the other gets an error', async ({ page, context }) => {
  await signUp(page)
  const other = await context.newPage()
  await other.goto('/account')
  await createKey(page)
  await other.getByRole('button', { name: 'Create API key' }).click()
  await expect(other.getByRole('alert').filter({ hasText: 'created in another window' })).toBeVisible()
  await expect(other.getByTestId('api-key')).toHaveCount(0)
})

test(
  'if two windows rotate the same key, one gets a new key and the other gets an error',
  { tag: '@core' },
  async ({ page, context }) => {
    await signUp(page)
    const last4 = (await createKey(page)).slice(-4)
    const responses = await page.evaluate(
      last4 =>
        Promise.all(
          Array.from({ length: 4 }, async () => {
            const response = await fetch('/api/account/key/rotate', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ last4 }),
            })
            return response.status
          }),
        ),
      last4,
    )
    expect(responses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])

    const other = await context.newPage()
    await other.goto('/account')
    await page.reload()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('button', { name: 'Rotate now' }).click()
    await page.getByRole('button', { name: 'I stored the key' }).click()
    await other.getByRole('button', { name: 'Rotate key' }).click()
    await other.getByRole('button', { name: 'Rotate now' }).click()
    await expect(other.getByRole('alert').filter({ hasText: 'changed in another window' })).toBeVisible()
  },
)

test('opening the URL of a key changes nothing', async ({ page }) => {
  await signUp(page)
  await createKey(page)
  expect((await page.request.get('/api/account/key')).status()).toBe(405)
  expect((await page.request.get('/api/account/key/rotate')).status()).toBe(405)
})
