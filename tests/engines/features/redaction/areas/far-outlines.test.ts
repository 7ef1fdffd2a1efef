import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../fixtures/images'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { shapeLetter } from '../../../../redaction-traps/fonts/letter-shapes'
import type { LetterShape } from '../../../../redaction-traps/fonts/letter-shapes'
import { writeCff } from '../../../../redaction-traps/fonts/write-cff'
import { writeTrueType } from '../../../../redaction-traps/fonts/write-true-type'
import { writeType1 } from '../../../../redaction-traps/fonts/write-type1'
import { listOutlines } from '../../../../support/redaction-judges/embedded-glyphs'
import { runOn } from '../../../../support/run-on'

/** A letter whose outline is far from its advance, in thousandths of an em. */
function moved(letter: LetterShape, dx: number, dy: number): LetterShape {
  const outline = letter.outline.map(points => points.map(({ x, y, isOn }) => ({ x: x + dx, y: y + dy, isOn })))
  return { ...letter, outline }
}

type AddProgram = (pdf: PdfWriter, letters: LetterShape[]) => { key: string; kind: string }

const PROGRAMS: Record<string, AddProgram> = {
  TrueType: (pdf, letters) => {
    const cmaps = [{ platform: 3, encoding: 0, glyphs: new Map([[0xf041, 1]]) }]
    return { key: `/FontFile2 ${pdf.addStream('', writeTrueType({ letters, cmaps }))} 0 R`, kind: 'TrueType' }
  },
  CFF: (pdf, letters) => {
    const file = pdf.addStream('/Subtype/Type1C', writeCff({ letters, codes: [65] }))
    return { key: `/FontFile3 ${file} 0 R`, kind: 'Type1' }
  },
  'Type 1': (pdf, letters) => {
    const { data, lengths } = writeType1(letters, [65])
    const file = pdf.addStream(`/Length1 ${lengths[0]}/Length2 ${lengths[1]}/Length3 ${lengths[2]}`, data)
    return { key: `/FontFile ${file} 0 R`, kind: 'Type1' }
  },
}

/** A page with the letter `A` at (50, 100) in 40 points, in a font of its own. */
function pageWith(add: AddProgram, letter: LetterShape): Buffer {
  return makePage('BT /F 40 Tf 50 100 Td (A) Tj ET', pdf => {
    const { key, kind } = add(pdf, [letter])
    const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/ABCDEF+Far/Flags 4/FontBBox[0 -200 1000 900]${key}>>`)
    const font =
      `<</Type/Font/Subtype/${kind}/BaseFont/ABCDEF+Far/FirstChar 65/LastChar 65/Widths[700]` +
      `/FontDescriptor ${descriptor} 0 R>>`
    return `/Font<</F ${pdf.add(font)} 0 R>>`
  })
}

describe.each(Object.entries(PROGRAMS))('a glyph of a %s program', (_, add) => {
  it.each([
    ['beside its advance', 2500, 0, { x: 155, y: 105, width: 20, height: 20 }],
    ['before its advance', -1200, 0, { x: 5, y: 105, width: 20, height: 20 }],
    ['above its line', 0, 1800, { x: 55, y: 175, width: 20, height: 20 }],
    ['below its line', 0, -1800, { x: 55, y: 32, width: 20, height: 20 }],
  ])('goes with an area where it draws: %s', async (_name, dx, dy, area) => {
    const file = pageWith(add, moved(shapeLetter('A'), dx, dy))
    const { bytes, headers, warnings } = await runOn('pdf-redaction', file, { areas: [{ page: 1, ...area }] })
    expect([...warnings]).toEqual([])
    expect(headers).toMatchObject({ 'X-Redaction-Verified': 'true' })
    expect(listOutlines(bytes)).toEqual([])
  })

  it('stays if an area is beside its outline', async () => {
    const file = pageWith(add, moved(shapeLetter('A'), 2500, 0))
    const area = { page: 1, x: 100, y: 105, width: 20, height: 20 }
    const { bytes } = await runOn('pdf-redaction', file, { areas: [area] })
    expect(listOutlines(bytes)).toHaveLength(1)
  })
})
