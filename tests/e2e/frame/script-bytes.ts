import type { Page, Response } from '@playwright/test'
import { gzipSync } from 'node:zlib'

/** Gzipped bytes of every script that a browser requests while the page loads. */
export async function scriptBytes(page: Page, path: string): Promise<number> {
  const urls = new Set<string>()
  const note = (response: Response): void => {
    if (response.request().resourceType() === 'script') urls.add(response.url())
  }
  page.on('response', note)
  await page.goto(path, { waitUntil: 'networkidle' })
  page.off('response', note)
  // The browser may have discarded its copies.
  const scripts = await Promise.all([...urls].map(async url => (await page.request.get(url)).body()))
  return scripts.reduce((sum, script) => sum + gzipSync(script).length, 0)
}
