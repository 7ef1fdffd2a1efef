import { expect, it } from 'vitest'
import type { Band } from '../../../../../engines/features/text-extraction/lines/bands'
import type { TextLine } from '../../../../../engines/features/text-extraction/lines/model'
import { divideRun } from '../../../../../engines/features/text-extraction/tables/column-changes'

/** Bands of cells at random places, always the same for a seed. */
function makeBands(seed: number): Band[] {
  let state = seed * 2_654_435_761 + 1
  const random = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  return Array.from({ length: 2 + random(12) }, (_, row) => {
    const [top, bottom] = [row * 12, row * 12 + 10]
    let left = 0
    let right = 0
    // Lines may overlap, as in drawings and damaged files.
    const items = Array.from({ length: 1 + random(5) }, (): TextLine => {
      left += random(60)
      right = left + 5 + random(90)
      return { words: [], left, right, top, bottom, baseline: bottom, size: 10, isBold: false, isRightToLeft: false }
    })
    return { items, left: items[0]?.left ?? 0, right, top, bottom }
  })
}

it('divides a run into parts that follow each other and have bands', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const bands = makeBands(seed)
    const parts = divideRun(bands)
    expect(parts[0]?.start).toBe(0)
    expect(parts.at(-1)?.end).toBe(bands.length)
    for (const [index, { start, end }] of parts.entries()) {
      expect(end).toBeGreaterThan(start)
      if (index > 0) expect(start).toBe(parts[index - 1]?.end)
    }
  }
})
