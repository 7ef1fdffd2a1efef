import { describe, expect, it } from 'vitest'
import { openParagraph } from '../../../../engines/pdf/text/paragraph'
import { openTypesetter } from '../../../../engines/pdf/text/typesetter'

const typesetter = await openTypesetter()

async function lines(text: string, width: number): Promise<string[]> {
  const paragraph = await openParagraph(typesetter, text)
  const laidOut = paragraph.layOut(width)
  expect(paragraph.countLines(width)).toBe(laidOut.length)
  for (const line of laidOut) if (Array.from(line.text).length > 1) expect(line.width).toBeLessThanOrEqual(width + 1)
  return laidOut.map(line => line.text)
}

describe('openParagraph', () => {
  it('breaks between words, and omits the spaces there', async () => {
    expect(await lines('The quick brown fox', 6000)).toEqual(['The quick', 'brown fox'])
    expect(await lines('one', 6000)).toEqual(['one'])
    expect(await lines('well-known figures', 4500)).toEqual(['well-', 'known', 'figures'])
  })

  it('begins a new line at a line break', async () => {
    expect(await lines('a\nb', 9000)).toEqual(['a', 'b'])
    expect(await lines('a\n\nb', 9000)).toEqual(['a', '', 'b'])
    expect(await lines('a\n', 9000)).toEqual(['a', ''])
    expect(await lines('\n', 9000)).toEqual(['', ''])
    expect(await lines('', 9000)).toEqual([])
  })

  it('cuts a word that is longer than a line', async () => {
    expect((await lines('Donaudampfschifffahrt', 4000)).join('')).toBe('Donaudampfschifffahrt')
    expect((await lines('a WWWWWW b', 2500)).join('')).toContain('W')
    expect(await lines('WW', 10)).toEqual(['W', 'W'])
  })

  it('breaks Chinese between characters, but not before a full stop', async () => {
    const broken = await lines('本文件仅供内部使用。', 4100)
    expect(broken.join('')).toBe('本文件仅供内部使用。')
    expect(broken.length).toBeGreaterThan(1)
    expect(broken.every(line => !line.startsWith('。'))).toBe(true)
  })

  it('breaks Thai between words, which have no spaces', async () => {
    const broken = await lines('เอกสารลับมากสวัสดีชาวโลก', 5000)
    expect(broken.join('')).toBe('เอกสารลับมากสวัสดีชาวโลก')
    expect(broken[0]).toBe('เอกสารลับ')
  })

  it('returns the narrowest column that cuts no word', async () => {
    const paragraph = await openParagraph(typesetter, 'a bb ccc')
    expect(paragraph.widestWord).toBeCloseTo(typesetter.shape('ccc').width, 6)
  })
})
