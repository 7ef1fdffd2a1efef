import { inflateSync } from 'node:zlib'
import { PDFName, PDFRawStream } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { openCff } from '../../../engines/font-programs/cff/cff'
import { cutUnusedGlyphs } from '../../../engines/fonts/cut-unused-glyphs'
import { storeType1AsCff } from '../../../engines/fonts/type1-as-cff'
import { openDocument } from '../../../engines/pdf-core/pages/open'
import { saveDocument } from '../../../engines/pdf-core/pages/save'
import * as Name from '../../../engines/pdf-core/syntax/names'
import { boxOf, charstring } from '../../fixtures/charstrings'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { USUAL_SUBRS, writeType1Fixture } from '../../fixtures/type1-writer'
import { readPdfjsTexts } from '../../support/pdfjs-texts'
import { readPdf, renderPage } from '../../support/reader'
import { LIMITS } from '../../support/run-on'

const start = charstring(0, 600, 'hsbw')
const shape = (left: number, width: number): Uint8Array =>
  charstring(start, boxOf(left, width, 700), 'closepath', 'endchar')
const glyphs = {
  '.notdef': charstring(start, 'endchar'),
  A: shape(20, 400),
  B: shape(100, 90),
  ff: shape(10, 50),
  quotedblright: shape(300, 200),
  C: shape(1, 2),
}
const codes = { 65: 'A', 66: 'B', 11: 'ff', 34: 'quotedblright', 67: 'C' }
const program = writeType1Fixture({ glyphs, subrs: USUAL_SUBRS, codes })
const unusual = writeType1Fixture({
  glyphs: { ...glyphs, A: charstring(start, 'pop', boxOf(20, 400, 700), 'endchar') },
  subrs: USUAL_SUBRS,
  codes,
})

interface Shown {
  source?: Uint8Array
  /** Entries of fonts that share the program, with the codes that each shows. */
  fonts?: readonly { entries?: string; shown: readonly number[]; subtype?: string }[]
  isForm?: boolean
  charSet?: string
}

/** A page with lines in fonts that have the same program. */
function write({ source = program, fonts = [{ shown: [65, 11, 34] }], isForm = false, charSet }: Shown = {}): Buffer {
  const pdf = new PdfWriter()
  const [root, pages] = [pdf.reserve(), pdf.reserve()]
  const file = pdf.addStream(`/Length1 ${source.length}/Length2 0/Length3 0`, source)
  const glyphList = charSet === undefined ? '' : `/CharSet(${charSet})`
  const descriptor = pdf.add(
    `<</Type/FontDescriptor/FontName/AAAAAA+Fixture/Flags 4/FontBBox[0 0 600 700]/ItalicAngle 0/Ascent 700/Descent 0/StemV 80/FontFile ${file} 0 R${glyphList}>>`,
  )
  const refs = fonts.map(({ entries = '', subtype = 'Type1' }) =>
    pdf.add(
      `<</Type/Font/Subtype/${subtype}/BaseFont/AAAAAA+Fixture/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]/FontDescriptor ${descriptor} 0 R${entries}>>`,
    ),
  )
  const names = refs.map((ref, index) => `/F${index} ${ref} 0 R`).join('')
  const lines = fonts.map(({ shown }, index) => `/F${index} 20 Tf <${Buffer.from(shown).toString('hex')}> Tj T*`)
  const content = pdf.addStream('', `BT 20 150 Td 30 TL ${lines.join(' ')} ET`)
  const page = pdf.add(
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 200 200]/Resources<</Font<<${names}>>>>/Contents ${content} 0 R>>`,
  )
  pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  const form = isForm ? `/AcroForm<</Fields[]/DR<</Font<<${names}>>>>>>` : ''
  pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R${form}>>`)
  return pdf.write({ root })
}

function compress(file: Uint8Array): Uint8Array {
  const document = openDocument(new Uint8Array(file), LIMITS)
  cutUnusedGlyphs(document)
  storeType1AsCff(document)
  return saveDocument(document).join()
}

/** What the fonts of the page have for a program, with the glyph names of a CFF program. */
function readFonts(file: Uint8Array): Record<'keys' | 'entries' | 'names' | 'charSet' | 'encoding', string>[] {
  const document = openDocument(new Uint8Array(file), LIMITS)
  const resources = document.peekDict(document.pages[0]?.dict.get(Name.Resources))
  return (document.peekDict(resources?.get(Name.Font))?.values() ?? []).map(value => {
    const font = document.peekDict(value)
    const descriptor = document.peekDict(font?.get(Name.FontDescriptor))
    const keys = ['FontFile', 'FontFile3'].filter(key => descriptor?.has(PDFName.of(key)))
    const stream = document.peek(descriptor?.get(PDFName.of(keys[0] ?? '')))
    if (!(stream instanceof PDFRawStream)) throw new Error('the font has no program')
    const cff = keys[0] === 'FontFile3' ? openCff(new Uint8Array(inflateSync(stream.contents))) : undefined
    const names = Array.from({ length: cff?.glyphCount ?? 0 }, (_, glyph) => cff?.nameOf(glyph) ?? '')
    return {
      keys: keys.join(' '),
      entries: stream.dict.keys().map(String).sort().join(' '),
      names: names.join(' '),
      charSet: String(descriptor?.get(PDFName.of('CharSet')) ?? ''),
      encoding: String(font?.get(Name.Encoding) ?? '').replaceAll(/\s+/g, ' '),
    }
  })
}

async function expectSame(file: Uint8Array, result: Uint8Array): Promise<void> {
  const [before, after] = [await renderPage(file, 0, { scale: 3 }), await renderPage(result, 0, { scale: 3 })]
  expect(after.pixels.equals(before.pixels)).toBe(true)
  expect(await readPdfjsTexts(result)).toEqual(await readPdfjsTexts(file))
  const [seen, expected] = [await readPdf(result), await readPdf(file)]
  expect(seen.pages.map(({ text }) => text)).toEqual(expected.pages.map(({ text }) => text))
}

describe('storeType1AsCff', () => {
  it('stores a subset as CFF, which shows and says the same', async () => {
    const file = write({ charSet: '/A/B/C/ff/quotedblright' })
    const result = compress(file)
    expect(readFonts(result)).toEqual([
      {
        keys: 'FontFile3',
        entries: '/Filter /Length /Subtype',
        names: '.notdef ff quotedblright A',
        charSet: '(/A/ff/quotedblright)',
        encoding: '<< /Type /Encoding /Differences [ 11 /ff 34 /quotedblright ] >>',
      },
    ])
    expect(result.length).toBeLessThan(file.length * 0.7)
    await expectSame(file, result)
  })

  it('keeps all glyphs of a font of the form', async () => {
    const file = write({ isForm: true, charSet: '/A/B/C/ff/quotedblright' })
    const result = compress(file)
    expect(readFonts(result)).toMatchObject([
      { keys: 'FontFile3', names: '.notdef ff quotedblright A B C', charSet: '(/A/B/C/ff/quotedblright)' },
    ])
    await expectSame(file, result)
  })

  it('converts a program for all fonts that use it', async () => {
    const fonts = [
      { shown: [65, 34] },
      { shown: [97, 98, 34], entries: '/Encoding<</Type/Encoding/Differences[97/A/B]>>' },
      { shown: [65, 66], entries: '/Encoding/WinAnsiEncoding' },
    ]
    const file = write({ fonts })
    const result = compress(file)
    expect(readFonts(result)).toMatchObject([
      { keys: 'FontFile3', names: '.notdef quotedblright A', encoding: expect.stringContaining('34 /quotedblright') },
      { keys: 'FontFile3', names: '.notdef quotedblright A B' },
      { keys: 'FontFile3', names: '.notdef A B', encoding: '/WinAnsiEncoding' },
    ])
    await expectSame(file, result)
  })

  it.each([
    ['that readers may not read alike', { source: unusual }],
    ['of multiple masters', { fonts: [{ shown: [65], subtype: 'MMType1' }] }],
    [
      'that a font of another kind shares',
      { fonts: [{ shown: [65] }, { shown: [66], subtype: 'MMType1' }], isForm: true },
    ],
  ])('keeps a program %s', async (_, draft) => {
    const file = write(draft)
    const result = compress(file)
    for (const { keys } of readFonts(result)) expect(keys).toBe('FontFile')
    await expectSame(file, result)
  })
})
