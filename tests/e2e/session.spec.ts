import type { Page } from '@playwright/test'
import { expect, freshEmail, PASSWORD, signUp, test } from './browser-test'

test('a session survives a reload and a new window', { tag: '@core' }, async ({ page, context }) => {
  const email = await signUp(page)
  await page.reload()
  await expect(page.getByText(email)).toBeVisible()
  const other = await context.newPage()
  await other.goto('/sign-in')
  await expect(other).toHaveURL(/\/account$/)
})

test('the session cookie is inaccessible to scripts and other sites', async ({ page, context }) => {
  await signUp(page)
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith('.session'))
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

test('nobody sees the account without signing in, nor after signing out', { tag: '@core' }, async ({ page }) => {
  await page.goto('/account')
  await expect(page).toHaveURL(/\/sign-in$/)
  await signUp(page)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/$/)
  await page.goto('/account')
  await expect(page).toHaveURL(/\/sign-in$/)
})

test('"Try it" in the documentation leads to the tool after a sign-up or a sign-in', async ({ page }) => {
  const email = freshEmail()
  for (const isNew of [true, false]) {
    await page.goto('/docs/rotate-pdf')
    await page.getByRole('link', { name: 'Try it' }).click()
    await expect(page).toHaveURL(/\/sign-in\?next=%2Faccount%2Fplayground%2Frotate-pdf$/)
    if (isNew) await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: isNew ? 'Create account' : 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Rotate pages' })).toBeVisible()
    await expect(page).toHaveURL(/\/account\/playground\/rotate-pdf$/)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(/\/$/)
  }
})

test('a sign-up with a known email address signs in with its password, or explains what to do', async ({ page }) => {
  const email = await signUp(page)
  for (const [password, isRight] of [
    ['another long password', false],
    [PASSWORD, true],
  ] as const) {
    await page.context().clearCookies()
    await page.goto('/sign-in?new=1')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    if (isRight) await page.waitForURL('**/account')
    else await expect(page.locator('[data-failure]')).toContainText('If you have an account with this email address')
  }
})

test('a sign-in never leads to another site', async ({ page }) => {
  const email = await signUp(page)
  await page.goto('/sign-in?next=https://example.com/account')
  await expect(page).toHaveURL(/\/account$/)
  await page.context().clearCookies()
  await page.goto('/sign-in?next=//example.com/account')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page).toHaveURL(/\/account$/)
})

test(
  'signing out everywhere ends the sessions of other browsers too',
  { tag: '@core' },
  async ({ page, browser, baseURL }) => {
    const email = await signUp(page)
    const elsewhere = await browser.newContext({ baseURL })
    const other = await elsewhere.newPage()
    await signInAs(other, email, PASSWORD)
    await other.waitForURL('**/account')
    await other.goto('/account/settings')
    await other.getByRole('button', { name: 'Sign out everywhere' }).click()
    await other.waitForURL('**/sign-in')
    await page.goto('/account')
    await expect(page).toHaveURL(/\/sign-in$/)
    expect(await (await page.request.get('/api/auth/session')).json()).toEqual({})
    await elsewhere.close()
  },
)

test('a new password ends other sessions and keeps this one', async ({ page, browser, baseURL }) => {
  const email = await signUp(page)
  const elsewhere = await browser.newContext({ baseURL })
  const other = await elsewhere.newPage()
  await signInAs(other, email, PASSWORD)
  await other.waitForURL('**/account')

  await page.goto('/account/settings')
  await page.getByRole('textbox', { name: 'Current password' }).fill('not the right one')
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('The current password is wrong.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is set.')).toBeVisible()

  await page.reload()
  await expect(page.getByText(email)).toBeVisible()
  await other.goto('/account')
  await expect(other).toHaveURL(/\/sign-in$/)
  await signInAs(other, email, PASSWORD)
  await expect(other.getByRole('alert').filter({ hasText: 'password is wrong' })).toBeVisible()
  await signInAs(other, email, 'another good password')
  await other.waitForURL('**/account')
  await elsewhere.close()
})

test('a wrong password and an unknown email get the same message', async ({ page }) => {
  const email = await signUp(page)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/$/)
  for (const address of [email, freshEmail('nobody')]) {
    await signInAs(page, address, 'a wrong password')
    await expect(page.locator('[data-failure]')).toHaveText('The email address or password is wrong.')
  }
})

test("the page names a contact for a forgotten password if the server can't send email", async ({ page, baseURL }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByText('This server can’t send email')).toBeVisible()
  await expect(page.getByText('Ask the person who runs this server.')).toBeVisible()
  const response = await page.request.post('/api/sign-in/forgot-password', {
    form: { email: 'a@example.com' },
    headers: { origin: baseURL },
    maxRedirects: 0,
  })
  expect(response.headers()['location']).toBe('/sign-in/forgot?problem=mail_not_set_up')
})

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
