import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findAccessibilityProblems } from '../accessibility'
import { createKey, expect, signUp, test } from '../browser-test'

const checklist = (page: Page) => page.getByRole('region', { name: 'First-day checklist' })
const step = (page: Page, title: string) => checklist(page).getByRole('listitem').filter({ hasText: title })

async function setThreshold(page: Page, threshold: string) {
  const status = await page.evaluate(
    async body =>
      (
        await fetch('/api/account/low-balance', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).status,
    JSON.stringify({ threshold }),
  )
  expect(status).toBe(200)
}

async function expectToFit(page: Page) {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
    [320, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('the checklist for the first day checks its own steps, without a reload', async ({ page, request }) => {
  const dataBase64 = (await readFile('public/samples/report.pdf')).toString('base64')
  const send = async (key: string, angle: number, headers: Record<string, string> = {}) =>
    (
      await request.post('/api/external/pdf-tools/rotate-pdf', {
        headers: { 'x-api-key': key, ...headers },
        data: { file: { name: 'report.pdf', dataBase64 }, options: { angle } },
      })
    ).status()
  await signUp(page)
  await expect(checklist(page).getByRole('status')).toHaveText('1 of 5 done')
  await expect(step(page, 'Get a low-balance alert')).toContainText('You get an alert below 20 credits')
  await expect(page.getByRole('heading', { name: 'First request' })).toBeVisible()
  await setThreshold(page, '0')
  await expect(checklist(page).getByRole('status')).toHaveText('0 of 5 done')
  await expect(step(page, 'Get a low-balance alert')).toContainText('Your alert is off.')
  for (const title of ['Create an API key', 'Send the first request', 'Send an Idempotency-Key', 'Handle errors'])
    await expect(step(page, title)).toContainText(/\(not done\).*Done when/)
  await expectToFit(page)

  const key = await createKey(page)
  await expect(checklist(page).getByRole('status')).toHaveText('1 of 5 done')
  await expect(step(page, 'Create an API key')).toContainText('(done)')
  expect(await send(key, 90, { 'idempotency-key': 'first-day' })).toBe(200)
  await expect(checklist(page).getByRole('status')).toHaveText('3 of 5 done')
  await expect(step(page, 'Send the first request')).toContainText('(done)')
  await expect(step(page, 'Send an Idempotency-Key')).toContainText('(done)')
  await expect(page.getByRole('heading', { name: 'First request' })).toBeHidden()
  expect(await send(key, 4711)).toBe(422)
  expect(await send(key, 180)).toBe(200)
  await expect(checklist(page).getByRole('status')).toHaveText('4 of 5 done')
  await expect(step(page, 'Handle errors')).toContainText('(done)')
  await step(page, 'Get a low-balance alert').getByRole('link', { name: 'Change the threshold' }).click()
  await page.getByLabel('Notify me below').fill('50')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await page.goto('/account')
  const summary = checklist(page).getByText('First-day checklist complete')
  await expect(summary).toBeVisible()
  await expect(step(page, 'Handle errors')).toBeHidden()
  await expectToFit(page)
  await summary.click()
  await expect(step(page, 'Get a low-balance alert')).toContainText('below 50 credits')
  expect(await findAccessibilityProblems(page)).toEqual([])
  await checklist(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(checklist(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'API key' })).toBeVisible()
  await expect(checklist(page)).toBeHidden()
})
