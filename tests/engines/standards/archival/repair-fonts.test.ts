import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { subsetTrueType } from '../../../../engines/pdf/fonts/programs/true-type/subset-true-type'
import { openTrueType } from '../../../../engines/pdf/fonts/programs/true-type/true-type'
import { findPackageFile } from '../../../../engines/installed-package'
import { charstring, boxOf } from '../../../fixtures/charstrings'
import { writeCffFixture } from '../../../fixtures/cff-writer'
import { writeCompositeFontPage, writeSimpleFontPage } from '../../../fixtures/font-pages'
import { writeType1Fixture } from '../../../fixtures/type1-writer'
import { compareImages } from '../../../support/compare-images'
import { listBrokenRules, validateFile } from '../../../support/conformance'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'

/** Arimo with four glyphs: 1 is A, 2 is B, 3 is the space. */
function trueType(): Uint8Array {
  const bytes = readFileSync(findPackageFile('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'))
  const program = openTrueType(bytes)
  const glyphs = ['A', 'B', ' '].map(letter =>
    Array.from({ length: 200 }, (_, glyph) => glyph).find(glyph =>
      program?.charactersOf(glyph).includes(letter.charCodeAt(0)),
    ),
  ) as number[]
  const unicodes = new Map(glyphs.map((glyph, index) => ['AB '.charCodeAt(index), glyph]))
  return subsetTrueType(program as NonNullable<typeof program>, { glyphs, unicodes })?.bytes ?? new Uint8Array()
}

const box = (width: number): Uint8Array => charstring(0, width, 'hsbw', boxOf(50, 500, 600), 'closepath', 'endchar')
const type1 = writeType1Fixture({ glyphs: { '.notdef': charstring(0, 700, 'hsbw', 'endchar'), A: box(700) } })
const cff = (width: number): Uint8Array =>
  writeCffFixture({
    glyphs: [
      { key: '.notdef', charstring: charstring('endchar') },
      { key: 'A', charstring: charstring(width, boxOf(50, 500, 600), 'endchar') },
    ],
  })

const CFF = { fileKey: 'FontFile3', programEntries: '/Subtype/Type1C' } as const
const WIN_ANSI = '/Encoding/WinAnsiEncoding'

const PAGES: Record<string, { file: () => Buffer; broken: string }> = {
  'a symbolic TrueType font with an encoding, and other widths': {
    file: () =>
      writeSimpleFontPage({
        subtype: 'TrueType',
        codes: [65, 32, 66],
        fontEntries: WIN_ANSI,
        fileKey: 'FontFile2',
        program: trueType(),
      }),
    broken: '6.2.11.6-3',
  },
  'widths of a TrueType CIDFont': {
    file: () =>
      writeCompositeFontPage({ subtype: 'CIDFontType2', cids: [1, 2], fileKey: 'FontFile2', program: trueType() }),
    broken: '6.2.11.5-1',
  },
  'widths of a CFF font that differ a little': {
    file: () =>
      writeSimpleFontPage({ subtype: 'Type1', codes: [65], fontEntries: WIN_ANSI, program: cff(702), ...CFF }),
    broken: '6.2.11.5-1',
  },
  'widths of a CFF CIDFont that differ a little': {
    file: () =>
      writeCompositeFontPage({
        subtype: 'CIDFontType0',
        cids: [1],
        program: cff(702),
        ...CFF,
        programEntries: '/Subtype/CIDFontType0C',
      }),
    broken: '6.2.11.5-1',
  },
  'a Type 1 font without a space': {
    file: () =>
      writeSimpleFontPage({
        subtype: 'Type1',
        codes: [65, 32, 65],
        fontEntries: WIN_ANSI,
        fileKey: 'FontFile',
        program: type1,
      }),
    broken: '6.2.11.4.1-2',
  },
  'a CFF font without a space': {
    file: () =>
      writeSimpleFontPage({ subtype: 'Type1', codes: [65, 32, 65], fontEntries: WIN_ANSI, program: cff(700), ...CFF }),
    broken: '6.2.11.4.1-2',
  },
}

describe('fonts that convert-to-pdfa repairs', () => {
  it.each(Object.entries(PAGES))('%s', async (_name, { file, broken }) => {
    const before = file()
    expect(listBrokenRules(before, 'pdfa-2b')).toContain(broken)
    const { bytes } = await runOn('convert-to-pdfa', before)
    expect(validateFile(bytes, 'pdfa-2b')).toMatchObject({ conforms: true })
    expect(compareImages(await renderPage(before, 0), await renderPage(bytes, 0))).toBeLessThan(0.001)
    expect(await readPdfjsTexts(bytes)).toEqual(await readPdfjsTexts(before))
  })

  it('refuses larger differences in other programs', async () => {
    const file = writeSimpleFontPage({
      subtype: 'Type1',
      codes: [65],
      fontEntries: WIN_ANSI,
      program: cff(600),
      ...CFF,
    })
    await expect(runOn('convert-to-pdfa', file)).rejects.toMatchObject({ problems: [{ rule: '6.2.11.5-1' }] })
  })
})
