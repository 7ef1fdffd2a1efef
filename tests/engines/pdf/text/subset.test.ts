import { describe, expect, test } from 'vitest'
import { readSfntTables } from '../../../../engines/pdf/fonts/programs/true-type/sfnt'
import {
  type FontFamily,
  type FontFile,
  MAIN,
  MAIN_ITALIC,
  readFontFile,
  SYMBOLS,
} from '../../../../engines/pdf/text/fonts-by-script'
import { openSubsetter } from '../../../../engines/pdf/text/subset'

const read = (file: FontFile | undefined): Uint8Array => readFontFile(file ?? { specifier: '' })

function countGlyphs(font: Uint8Array): number {
  return Buffer.from(readSfntTables(font).get('maxp') ?? []).readUInt16BE(4)
}

describe('openSubsetter', () => {
  test.each([MAIN, MAIN_ITALIC, ...SYMBOLS].map((family): [string, FontFamily] => [family.name, family]))(
    'cuts the same bytes of %s if the glyphs were used before',
    async (_, { files, isVariable }) => {
      const openSubset = await openSubsetter()
      const font = read(files[0])
      const count = countGlyphs(font)
      for (const wght of isVariable ? [400, 600] : [400]) {
        const axes: Record<string, number> = isVariable ? { wght } : {}
        for (let round = 0; round < 2; round++) {
          const glyphs = Array.from({ length: 30 }, (__, index) => (index * 97 + round * 31) % count)
          const used = openSubset(font)
          used([...glyphs, ...Array.from({ length: 200 }, (__, index) => (index * 13 + round) % count)], {})
          expect(Buffer.compare(used(glyphs, axes), openSubset(font)(glyphs, axes))).toBe(0)
        }
      }
    },
  )

  test('opens more fonts than its memory holds', async () => {
    const openSubset = await openSubsetter()
    const font = read(MAIN.files[0])
    const sources = Array.from({ length: 80 }, () => openSubset(font))
    expect(sources.length * font.length).toBeGreaterThan(64 * 2 ** 20)
    const [first] = sources.map(source => source([0, 1, 2], { wght: 400 }))
    expect(sources[0]?.([0, 1, 2], { wght: 400 })).toEqual(first)
  })
})
