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

test.describe('a click before the scripts of the page', () => {
  test('creates the key', { tag: '@core' }, async ({ page }) => {
    await signUp(page)
    const loadScripts = await openEarly(page, '/account')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await loadScripts()
    await expect(page.getByTestId('api-key')).toBeVisible()
  })

  test('signs in, also with the Enter key', { tag: '@core' }, async ({ page, context }) => {
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

const PAGES = [
  ...['/', '/no-such-page', '/sign-in', '/sign-in?new=1', '/sign-in/forgot', '/status'],
  ...['/docs', '/docs/quickstart', '/docs/merge-pdf', '/docs/webpage-to-pdf'],
]
const ACCOUNT_PAGES = [
  ...['/account', '/account/credits', '/account/calls', '/account/settings', '/account/playground'],
  ...['/account/playground/merge-pdf', '/account/playground/crop-pdf', '/account/playground/webpage-to-pdf'],
]

for (const { visitor, paths, kinds } of [
  { visitor: 'a visitor', paths: PAGES, kinds: ['button', 'tab'] },
  { visitor: 'an owner', paths: ACCOUNT_PAGES, kinds: ['button', 'radio', 'switch', 'tab'] },
]) {
  test(`every control that ${visitor} clicks early is clicked again`, async ({ page }) => {
    test.setTimeout(400_000)
    if (visitor === 'an owner') {
      await signUp(page)
      await createKey(page)
    }
    const seen = new Set<string>()
    for (const path of paths) {
      const loadScripts = await openEarly(page, path)
      const clicked = await clickAllControls(page)
      expect(clicked, path).not.toEqual([])
      await loadScripts()
      const clicks = await page.evaluate(() => Reflect.get(globalThis, 'clicks') as string[])
      expect(clicks, path).toEqual(clicked)
      for (const name of clicks) seen.add(name.split(': ')[0] ?? '')
      await page.unrouteAll({ behavior: 'wait' })
    }
    expect([...seen].toSorted()).toEqual(kinds)
  })
}

/**
 * Clicks the visible controls that need scripts, and returns their kinds and names. Later clicks by the page are noted
 * in `clicks`, and have no effect.
 */
function clickAllControls(page: Page): Promise<string[]> {
  return page.evaluate(ready => {
    const clicks: string[] = []
    Reflect.set(globalThis, 'clicks', clicks)
    const describe = (element: Element) => {
      const role = element.getAttribute('role')
      const field = element instanceof HTMLInputElement ? element : undefined
      const name = element.getAttribute('aria-label') ?? field?.labels?.[0]?.textContent ?? element.textContent
      return `${role ?? field?.type ?? 'button'}: ${name}`
    }
    const works = (element: Element) =>
      element instanceof HTMLButtonElement &&
      element.type === 'submit' &&
      element.form !== null &&
      (element.form.method === 'get' || element.form.hasAttribute('action'))
    const roles = ['button', 'checkbox', 'menuitem', 'option', 'radio', 'switch', 'tab']
    const selector = [
      'button',
      'input:is([type=checkbox], [type=radio], [type=file])',
      ...roles.map(role => `[role=${role}]`),
    ]
    const controls = [...document.querySelectorAll<HTMLElement>(selector.join())].filter(
      control => control.checkVisibility() && !control.matches(':disabled') && !works(control),
    )
    for (const control of controls) control.click()
    let isReady = false
    document.addEventListener(ready, () => (isReady = true), { capture: true })
    window.addEventListener(
      'click',
      event => {
        if (!isReady || !(event.target instanceof Element)) return
        event.preventDefault()
        event.stopImmediatePropagation()
        clicks.push(describe(event.target))
      },
      { capture: true },
    )
    return controls.map(describe)
  }, READY_EVENT)
}
