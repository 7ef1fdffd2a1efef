import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { openTrueType } from '../../../../../engines/pdf/fonts/programs/true-type/true-type'
import { cutUnusedGlyphs } from '../../../../../engines/pdf/fonts/subsets/cut-unused-glyphs'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { saveDocument } from '../../../../../engines/pdf/open-save/save'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { writeCompositeFontPage, writeSimpleFontPage } from '../../../../fixtures/font-pages'
import { compareImages } from '../../../../support/compare-images'
import { renderPage } from '../../../../support/reader'
import { LIMITS } from '../../../../support/run-on'

const program = readFileSync(
  createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
)

function cut(file: Uint8Array): { isChanged: boolean; bytes: Uint8Array } {
  const document = openDocument(new Uint8Array(file), LIMITS)
  const isChanged = cutUnusedGlyphs(document)
  return { isChanged, bytes: saveDocument(document).join() }
}

describe('cutUnusedGlyphs', () => {
  it.each([
    [
      'simple',
      writeSimpleFontPage({
        subtype: 'TrueType',
        codes: [...Buffer.from('Hamburg')],
        fileKey: 'FontFile2',
        program,
        isSymbolic: false,
        fontEntries: '/Encoding/WinAnsiEncoding',
      }),
    ],
    [
      'composite',
      writeCompositeFontPage({
        subtype: 'CIDFontType2',
        cids: [43, 68, 80, 69, 88, 85, 74],
        fileKey: 'FontFile2',
        program,
        fontEntries: '/CIDToGIDMap/Identity',
      }),
    ],
  ])('keeps what a %s font shows, in a tenth of the size', async (_kind, file) => {
    const { isChanged, bytes } = cut(file)
    expect(isChanged).toBe(true)
    expect(bytes.length).toBeLessThan(file.length / 10)
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
  })

  /** A page with two fonts, and a form XObject that doesn't say whether its font is one of them. */
  function writeForm(content: string): Buffer {
    const pdf = new PdfWriter()
    const root = pdf.reserve()
    const pages = pdf.reserve()
    const fonts = ['Arimo', 'Other'].map(name => {
      const stream = pdf.addStream(
        `/Length1 ${program.length}/Salt/${name}`,
        Buffer.concat([program, Buffer.from(name)]),
      )
      const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/${name}/Flags 32/FontFile2 ${stream} 0 R>>`)
      return pdf.add(
        `<</Type/Font/Subtype/TrueType/BaseFont/${name}/Encoding/WinAnsiEncoding/FontDescriptor ${descriptor} 0 R>>`,
      )
    })
    const form = pdf.addStream('/Subtype/Form/BBox[0 0 99 99]', content)
    const shown = pdf.addStream('', 'BT /A 20 Tf (Ham) Tj /B 20 Tf (bus) Tj ET /X Do')
    const page = pdf.add(
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 200 200]/Contents ${shown} 0 R/Resources<</XObject<</X ${form} 0 R>>` +
        `/Font<</A ${fonts[0]} 0 R/B ${fonts[1]} 0 R>>>>>>`,
    )
    pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
    pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R>>`)
    return pdf.write({ root })
  }

  /** The number of outlines in each embedded program. */
  async function countOutlines(bytes: Uint8Array): Promise<number[]> {
    const { context } = await PDFDocument.load(bytes)
    const programs = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) =>
        object instanceof PDFRawStream && object.dict.has(PDFName.of('Length1'))
          ? [openTrueType(decodePDFRawStream(object).decode())]
          : [],
      )
    return programs.map(opened => {
      if (!opened) return 0
      const glyphs = Array.from({ length: opened.glyphCount }, (_, glyph) => opened.outlines.read(glyph))
      return glyphs.filter(outline => outline !== undefined).length
    })
  }

  it('adds text in a font that only has a name to the fonts of that name', async () => {
    const { isChanged, bytes } = cut(writeForm('BT /B 20 Tf (drink) Tj ET'))
    expect(isChanged).toBe(true)
    expect((await countOutlines(bytes)).sort((one, other) => one - other)).toEqual([3, 8])
  })

  it('adds text in a font without a name to all fonts', async () => {
    const { bytes } = cut(writeForm('BT (drink) Tj ET'))
    expect((await countOutlines(bytes)).sort((one, other) => one - other)).toEqual([8, 8])
  })

  it('keeps only the missing glyph and a single width of a font that shows nothing', async () => {
    const { bytes } = cut(
      writeSimpleFontPage({
        subtype: 'TrueType',
        codes: [],
        fileKey: 'FontFile2',
        program,
        isSymbolic: false,
        fontEntries: '/Encoding/WinAnsiEncoding',
      }),
    )
    expect(await countOutlines(bytes)).toEqual([1])
    const { context } = await PDFDocument.load(bytes)
    const fonts = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFDict && object.has(PDFName.of('Widths')) ? [object] : []))
    expect(
      fonts.map(font => [font.get(PDFName.of('FirstChar')), font.get(PDFName.of('LastChar'))].map(String)),
    ).toEqual([['0', '0']])
  })

  it('changes nothing if content that may use the fonts exceeds the limits', () => {
    const file = writeForm(' '.repeat(900_000))
    const document = openDocument(new Uint8Array(file), { ...LIMITS, maxStreamBytes: 899_999 })
    expect(cutUnusedGlyphs(document)).toBe(false)
  })

  it('keeps all glyphs of a font of the form', () => {
    const pdf = new PdfWriter()
    const root = pdf.reserve()
    const pages = pdf.reserve()
    const stream = pdf.addStream(`/Length1 ${program.length}`, program)
    const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Arimo/Flags 32/FontFile2 ${stream} 0 R>>`)
    const font = pdf.add(
      `<</Type/Font/Subtype/TrueType/BaseFont/Arimo/Encoding/WinAnsiEncoding/FontDescriptor ${descriptor} 0 R>>`,
    )
    const content = pdf.addStream('', 'BT /F 20 Tf 20 60 Td (Text) Tj ET')
    const page = pdf.add(
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 200 200]/Resources<</Font<</F ${font} 0 R>>>>/Contents ${content} 0 R>>`,
    )
    pdf.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
    pdf.set(root, `<</Type/Catalog/Pages ${pages} 0 R/AcroForm<</Fields[]/DR<</Font<</F ${font} 0 R>>>>>>>>`)
    const file = pdf.write({ root })
    expect(cut(file).isChanged).toBe(false)
  })
})
