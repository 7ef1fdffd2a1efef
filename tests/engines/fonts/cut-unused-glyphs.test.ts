import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { cutUnusedGlyphs } from '../../../engines/fonts/cut-unused-glyphs'
import { openDocument } from '../../../engines/pdf-core/pages/open'
import { saveDocument } from '../../../engines/pdf-core/pages/save'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { writeCompositeFontPage, writeSimpleFontPage } from '../../fixtures/font-pages'
import { compareImages } from '../../support/compare-images'
import { renderPage } from '../../support/reader'
import { LIMITS } from '../../support/run-on'

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
