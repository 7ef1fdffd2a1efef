import { expect } from 'vitest'
import { darkIn, drawName } from '../../../../fixtures/hidden-images'
import type { GrayPicture } from '../../../../fixtures/placed-images'
import { picturesOf } from '../../../../support/pictures-of'
import { runOn } from '../../../../support/run-on'

/** Redacts the name in an image of a file. The other words of the image must stay. */
export async function expectCleared(make: ((picture: GrayPicture) => Buffer) | undefined): Promise<void> {
  const { picture, before, from, to, after } = await drawName()
  const file = make?.(picture) ?? Buffer.alloc(0)
  const large = (all: Awaited<ReturnType<typeof picturesOf>>) => all.filter(({ width }) => width === picture.width)
  const original = large(await picturesOf(file))
  expect(Math.max(...original.map(one => darkIn(one, from, to)))).toBeGreaterThan(200)
  const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: 'Vexholm' }], ocr: true })
  expect(headers).toMatchObject({ 'X-Redactions-Applied': '1', 'X-Redaction-Verified': 'true' })
  const left = large(await picturesOf(bytes))
  for (const one of left) if (isPrinted(one, before)) expect(darkIn(one, from, to)).toBe(0)
  const words = left.filter(one => darkIn(one, 0, before) > 200 && darkIn(one, to + 3, after + 1) > 200)
  expect(words.length).toBeGreaterThan(0)
}

/** Returns whether a picture has words, and not only one color. */
function isPrinted(picture: Parameters<typeof darkIn>[0], before: number): boolean {
  const dark = darkIn(picture, 0, before)
  return dark > 0 && dark < before * picture.height * 0.9
}
