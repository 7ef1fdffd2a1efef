import type { Page, Response } from '@playwright/test'
import { gzipSync } from 'node:zlib'

/** Gzipped bytes of every script that a browser requests while the page loads. */
export async function scriptBytes(page: Page, path: string): Promise<number> {
  const scripts: Promise<Buffer>[] = []
  const note = (response: Response): void => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  }
  page.on('response', note)
  await page.goto(path, { waitUntil: 'networkidle' })
  page.off('response', note)
  return (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0)
}
