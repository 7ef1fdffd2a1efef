import type { Page } from '@playwright/test'
import { expect, signUp, test } from '../browser-test'
import { scriptBytes } from './script-bytes'

interface Sizes {
  /** Kilobytes of gzipped script that the browser loads before any click. */
  script: number
  /** Kilobytes of HTML. */
  html: number
}

/**
 * What a page may have: its size on 2026-11-28 and 3 percent. 134 KB of the script are React, its renderer, the router
 * of Next.js and the loader of its chunks, which every page needs.
 */
const OPEN_PAGES: Record<string, Sizes> = {
  '/': { script: 142, html: 57 },
  '/docs': { script: 142, html: 46 },
  '/docs/merge-pdf': { script: 142, html: 92 },
  '/docs/pdf-redaction': { script: 142, html: 120 },
  '/docs/invoice-generator': { script: 142, html: 200 },
  '/sign-in': { script: 144, html: 25 },
  '/sign-in/forgot': { script: 141, html: 25 },
  '/status': { script: 141, html: 32 },
}
const ACCOUNT_PAGES: Record<string, Sizes> = {
  '/account': { script: 150, html: 87 },
  '/account/credits': { script: 149, html: 33 },
  '/account/calls': { script: 147, html: 42 },
  '/account/settings': { script: 149, html: 31 },
  '/account/playground': { script: 147, html: 52 },
  '/account/playground/invoice-generator': { script: 169, html: 194 },
  '/account/playground/merge-pdf': { script: 171, html: 59 },
  '/account/playground/organize-pdf': { script: 203, html: 47 },
  '/account/playground/pipeline': { script: 193, html: 53 },
}

test('open pages load few scripts and little HTML', async ({ page }) => {
  expect(await listExcess(page, OPEN_PAGES)).toEqual([])
})

test('pages of the account area load few scripts and little HTML', async ({ page }) => {
  test.setTimeout(180_000)
  await signUp(page)
  expect(await listExcess(page, ACCOUNT_PAGES)).toEqual([])
})

/** The pages that have more than they may, with their sizes. */
async function listExcess(page: Page, most: Record<string, Sizes>): Promise<string[]> {
  const excess: string[] = []
  for (const [path, { script, html }] of Object.entries(most)) {
    const text = await (await page.request.get(path)).body()
    const [scriptKb, htmlKb] = [(await scriptBytes(page, path)) / 1024, text.length / 1024]
    expect(scriptKb, path).toBeGreaterThan(100)
    if (scriptKb > script || htmlKb > html)
      excess.push(`${path}: ${scriptKb.toFixed(1)} KB of script, ${htmlKb.toFixed(1)} KB of HTML`)
  }
  return excess
}
