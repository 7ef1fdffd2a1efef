import { describe, expect, it } from 'vitest'
import { cleanFonts, recordFonts } from '../../../../../engines/pdf/fonts'
import { openDocument } from '../../../../../engines/pdf/open'
import { saveDocument } from '../../../../../engines/pdf/save'
import { makePage } from '../../../../fixtures/images'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { readPdf } from '../../../../support/reader'
import { readByteViews } from '../../../../support/redaction-judges/byte-views'
import { LIMITS } from '../../../../support/run-on'

function clean(file: Uint8Array): Buffer {
  const document = openDocument(file, LIMITS)
  cleanFonts(document, recordFonts(document))
  return Buffer.from(saveDocument(document).join())
}

const map = (pdf: PdfWriter): number => pdf.addStream('', '3 beginbfchar <41> <0051> <42> <0052> <61> <0053> endbfchar')
const font = (pdf: PdfWriter, descriptor = ''): number =>
  pdf.add(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica' +
      `/ToUnicode ${map(pdf)} 0 R/FontDescriptor<</Type/FontDescriptor/FontName/Helvetica/Flags 32${descriptor}>>>>`,
  )

describe('cleanFonts', () => {
  it('keeps the texts of shown codes only', async () => {
    const file = makePage('BT /F 20 Tf 20 20 Td (BA) Tj ET', pdf => `/Font<</F ${font(pdf)} 0 R>>`)
    const cleaned = clean(file)
    expect((await readPdf(cleaned)).pages[0]?.text).toBe('RQ')
    const maps = readByteViews(cleaned).filter(view => view.includes('beginbfchar'))
    expect(maps.some(view => view.includes('<41> <0051>\n<42> <0052>\n'))).toBe(true)
    expect(maps.some(view => view.includes('0053'))).toBe(false)
  })

  it('removes the texts of a font that shows nothing', () => {
    const file = makePage('', pdf => `/Font<</F ${font(pdf)} 0 R>>`)
    expect(readByteViews(file).some(view => view.includes('/tounicode'))).toBe(true)
    expect(readByteViews(clean(file)).some(view => view.includes('/tounicode'))).toBe(false)
  })

  it('removes lists of glyphs of a program that is not there', () => {
    const file = makePage(
      '',
      pdf => `/Font<</F ${font(pdf, `/CharSet(/q/u/i/m/b/y)/CIDSet ${pdf.addStream('', 'quimby')} 0 R`)} 0 R>>`,
    )
    const views = readByteViews(clean(file))
    for (const word of ['/charset', '/cidset', 'quimby'])
      expect(
        views.some(view => view.includes(word)),
        word,
      ).toBe(false)
  })
})
