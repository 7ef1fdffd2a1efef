import { expect } from 'vitest'
import { replaceText } from '../../../../fixtures/damaged'
import { forEachChange } from '../../../../support/compare-images'
import { type Image, renderPage } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'

/** What tests check of a page of 200 × 200, in user space. */
const MIDDLE = { x: 50, y: 50, width: 100, height: 100 }

export interface Cropped {
  bytes: Buffer
  /** The page as rendered after mode `box` and after mode `remove`. */
  before: Image
  after: Image
  /** The page after mode `remove`, enlarged to its original size. */
  whole: Image
}

export async function cropMiddle(file: Buffer): Promise<Cropped> {
  const [boxed, removed] = [
    (await runOn('crop-pdf', file, { cropBox: MIDDLE })).bytes,
    (await runOn('crop-pdf', file, { cropBox: MIDDLE, mode: 'remove' })).bytes,
  ]
  const uncropped = ['CropBox', 'MediaBox'].reduce(
    (pdf, name) => replaceText(pdf, `/${name}[50 50 150 150]`, `/${name}[0 0 200 200]`),
    removed,
  )
  return {
    bytes: removed,
    before: await renderPage(boxed, 0),
    after: await renderPage(removed, 0),
    whole: await renderPage(uncropped, 0),
  }
}

/** Returns the share of all pixels that differ by more than `levels`. */
export function differing(one: Image, other: Image, levels: number): number {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  let count = 0
  forEachChange(one, other, (_, change) => {
    if (change > levels) count++
  })
  return count / (one.width * one.height)
}

/** Returns the points on a page of 200 × 200 that are darker than `level` and farther than `farPt` from the middle. */
export function strayPixels({ width, height, pixels }: Image, farPt: number, level = 240): string[] {
  const stray: string[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isFar = x < 50 - farPt || x >= 150 + farPt || y < 50 - farPt || y >= 150 + farPt
      const at = (y * width + x) * 4
      if (isFar && [0, 1, 2].some(channel => (pixels[at + channel] ?? 0) < level)) stray.push(`${x},${y}`)
    }
  }
  return stray
}

export function isBlank({ pixels }: Image): boolean {
  return pixels.every((value, at) => at % 4 === 3 || value > 240)
}
