import { expect, it } from 'vitest'
import { readFormFields } from '../../../../../engines/pdf/forms/form-field'
import { findAppearance } from '../../../../../engines/pdf/annotations/appearance'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { decodeUpToLimit } from '../../../../../engines/pdf/document/decode-content'
import * as Name from '../../../../../engines/pdf/syntax/names'
import { makeTrap } from '../../../../fixtures/traps'
import { readPdf, renderPage } from '../../../../support/reader'
import { LIMITS, runOn } from '../../../../support/run-on'

/** A text field of three lines with a background, drawn in Courier. */
function makeField({ value = 'ORCHID MEADOW WILLOW', font = '/BaseFont/Courier', size = 15 } = {}): Buffer {
  let field = 0
  return makeTrap({
    page: (pdf, page) => {
      const own = pdf.add(`<</Type/Font/Subtype/Type1${font}/Encoding/WinAnsiEncoding>>`)
      const resources = `/Resources<</Font<</Own ${own} 0 R>>>>`
      const shown = `1 1 .8 rg 0 0 270 85 re f /Tx BMC BT 0 g /Own ${size} Tf 40 65 Td (ORCHID) Tj 0 -20 Td (MEADOW) Tj 0 -20 Td (WILLOW) Tj ET EMC`
      const appearance = pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 270 85]${resources}`, shown)
      field = pdf.add(
        `<</Type/Annot/Subtype/Widget/FT/Tx/Ff 4096/T(f)/V(${value})/F 4/DA(/Own 0 Tf 0 g)/Rect[20 100 290 185]` +
          `/P ${page} 0 R/AP<</N ${appearance} 0 R>>>>`,
      )
      return `/Annots[${field} 0 R]`
    },
    catalog: () => `/AcroForm<</Fields[${field} 0 R]>>`,
  }).file
}

const area = { page: 1, x: 50, y: 140, width: 100, height: 20 }

/** The values of the fields, and the fonts and the content of the first one. */
function readField(file: Buffer) {
  const document = openDocument(new Uint8Array(file), LIMITS)
  const [field] = readFormFields(document)
  const widget = document.peekDict(field?.widgets[0])
  const ref = widget && findAppearance(document, widget)
  const fonts = document.peekDict(document.peekDict(document.peekDict(ref)?.get(Name.Resources))?.get(Name.Font))
  return {
    fonts: fonts?.values().map(font => document.peekName(document.peekDict(font)?.get(Name.BaseFont))),
    content: Buffer.from(decodeUpToLimit(document, ref) ?? []).toString('latin1'),
  }
}

it('cuts a word of a field under an area, and keeps the look of the rest', async () => {
  const file = makeField()
  const { bytes } = await runOn('pdf-redaction', file, { areas: [area], color: '#ffffcc' })
  const [page] = (await readPdf(bytes)).pages
  expect(page?.fields).toMatchObject([{ name: 'f', value: 'ORCHID  WILLOW' }])
  const [before, after] = [await renderPage(file, 0), await renderPage(bytes, 0)]
  for (let y = 0; y < 300; y++) {
    const isUnder = y > 138 && y < 162
    const row = (pixels: Buffer): Buffer => pixels.subarray(y * 1200, (y + 1) * 1200)
    if (!isUnder) expect(row(after.pixels).equals(row(before.pixels)), `row ${y}`).toBe(true)
  }
})

it.each([
  ['mostly under an area', makeField(), { ...area, y: 95, height: 100, x: 20, width: 200 }, {}],
  ['that shows another text', makeField({ value: 'OTHER' }), area, {}],
  ['under an area with a replacement text', makeField(), { ...area, replacementText: 'x' }, {}],
])('removes a field %s', async (_what, file, place, more) => {
  const { bytes, headers } = await runOn('pdf-redaction', file, { areas: [place], ...more })
  expect((await readPdf(bytes)).pages[0]?.fields).toEqual([])
  expect(headers['X-Redaction-Verified']).toBe('true')
})

it('draws a changed value in the font and the size of the field', async () => {
  const font = `/BaseFont/MyriadPro-Regular/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]`
  const { bytes } = await runOn('pdf-redaction', makeField({ font, size: 9 }), { search: [{ text: 'MEADOW' }] })
  const { fonts, content } = readField(bytes)
  expect(fonts).toEqual(['MyriadPro-Regular'])
  expect(content).toMatch(/ 9 Tf/)
  expect(content).not.toMatch(/ (?!9 )\d+ Tf/)
})
