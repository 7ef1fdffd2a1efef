import { READY_EVENT } from '../../../app/_ui/frame/kept-clicks'
import type { Page } from '@playwright/test'
import { createKey, expect, signUp, test } from '../browser-test'

/** Holds the scripts of the next pages back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/_next/static/**/*.js', async route => {
    await released
    await route.continue()
  })
  return release
}

/** Opens a page without its scripts. The page isn't ready then. */
async function openEarly(page: Page, path: string): Promise<() => Promise<void>> {
  const release = await holdScripts(page)
  const opened = page.goto(path)
  await page.waitForEvent('domcontentloaded')
  return async () => {
    release()
    await opened
  }
}

test.describe('a click before the scripts of the page', { tag: '@core' }, () => {
  test('creates the key', async ({ page }) => {
    await signUp(page)
    const loadScripts = await openEarly(page, '/account')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await loadScripts()
    await expect(page.getByTestId('api-key')).toBeVisible()
  })

  test('signs in, also with the Enter key', async ({ page, context }) => {
    const email = await signUp(page)
    await context.clearCookies()
    const loadScripts = await openEarly(page, '/sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await loadScripts()
    await page.waitForURL('**/account')
  })

  test('opens the search', async ({ page }) => {
    const loadScripts = await openEarly(page, '/docs')
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click()
    await loadScripts()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  test('opens the trial', async ({ page }) => {
    const loadScripts = await openEarly(page, '/')
    await page.getByRole('button', { name: 'Open the trial' }).click()
    await loadScripts()
    await expect(page.getByRole('group', { name: 'Trial' })).toBeVisible()
  })
})

const PAGES = ['/', '/sign-in', '/sign-in?new=1', '/docs', '/docs/quickstart', '/status']
const ACCOUNT_PAGES = ['/account', '/account/credits', '/account/calls', '/account/settings', '/account/playground']

for (const [visitor, paths] of [
  ['a visitor', PAGES],
  ['an owner', ACCOUNT_PAGES],
] as const) {
  test(`every button that ${visitor} clicks early is clicked again`, async ({ page }) => {
    if (visitor === 'an owner') {
      await signUp(page)
      await createKey(page)
    }
    for (const path of paths) {
      const loadScripts = await openEarly(page, path)
      const clicked = await clickAllButtons(page)
      expect(clicked, path).not.toEqual([])
      await loadScripts()
      expect(await page.evaluate(() => Reflect.get(globalThis, 'clicks')), path).toEqual(clicked)
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
}

/** Clicks the visible buttons that need scripts. Later clicks by the page are noted in `clicks`, and have no effect. */
function clickAllButtons(page: Page): Promise<string[]> {
  return page.evaluate(ready => {
    const clicks: string[] = []
    Reflect.set(globalThis, 'clicks', clicks)
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? ''
    const works = ({ form }: HTMLButtonElement) =>
      form !== null && (form.method === 'get' || form.hasAttribute('action'))
    const buttons = [...document.querySelectorAll('button')].filter(
      button => button.checkVisibility() && !button.disabled && !works(button),
    )
    for (const button of buttons) button.click()
    let isReady = false
    document.addEventListener(ready, () => (isReady = true), { capture: true })
    window.addEventListener(
      'click',
      event => {
        if (!isReady || !(event.target instanceof Element)) return
        event.preventDefault()
        event.stopImmediatePropagation()
        clicks.push(nameOf(event.target))
      },
      { capture: true },
    )
    return buttons.map(nameOf)
  }, READY_EVENT)
}
