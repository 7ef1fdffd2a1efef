import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { findAppearance } from '../../../../engines/pdf/annotations/appearance'
import { readFormFields } from '../../../../engines/pdf/forms/form-field'
import * as Name from '../../../../engines/pdf/syntax/names'
import { FormDraft, type Place } from '../../../fixtures/forms'
import { composite, unencoded, type AddFont } from '../../../fixtures/meanings'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { readPdfjsTexts } from '../../../support/pdfjs-texts'
import { LIMITS, runOn } from '../../../support/run-on'

const PLACE: Place = [100, 400, 300, 30]

/** A font whose glyphs are bars. The names of its glyphs mean nothing. */
function addBars(pdf: PdfWriter): number {
  const bar = pdf.addStream('', '500 0 0 0 500 1000 d1 0 0 100 1000 re f')
  return pdf.add(
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 500 1000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 48/LastChar 57' +
      `/Widths[${'500 '.repeat(10)}]/CharProcs<</b30 ${bar} 0 R/b31 ${bar} 0 R>>/Encoding<</Differences[48/b30/b31]>>` +
      '/Resources<<>>>>',
  )
}

const adds =
  (addFont: AddFont, text: string) =>
  (pdf: PdfWriter): number =>
    addFont(pdf, text).font

const standard =
  (baseFont: string, more = '') =>
  (pdf: PdfWriter): number =>
    pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/${baseFont}${more}>>`)

/** Fills a field whose default appearance names the font `Own`. Returns the base fonts in which the value is drawn. */
async function fill(
  value: unknown,
  {
    addFont,
    entries = '/FT/Tx',
    name = 'Own',
  }: { addFont?: (pdf: PdfWriter) => number; entries?: string; name?: string },
) {
  const form = new FormDraft()
  const resources = addFont ? `/Font<</Own ${addFont(form.draft.pdf)} 0 R>>` : ''
  form.field(`/T(field)/DA(/${name} 12 Tf 0 g)${entries}`, PLACE)
  const filled = await runOn('form-filler', form.write({ resources }), { fields: { field: value } })
  const document = openDocument(new Uint8Array(filled.bytes), LIMITS)
  const widget = document.peekDict(readFormFields(document)[0]?.widgets[0])
  const appearance = document.peekDict(widget && findAppearance(document, widget))
  const fonts = document.peekDict(document.peekDict(appearance?.get(Name.Resources))?.get(Name.Font))
  const drawn = fonts?.values().map(font => document.peekName(document.peekDict(font)?.get(Name.BaseFont)))
  return { fonts: drawn ?? [], warnings: filled.warnings, bytes: filled.bytes }
}

/** The text of the page once the form is flattened. */
async function readFlattened(bytes: Uint8Array): Promise<string> {
  return ((await readPdfjsTexts((await runOn('flatten-pdf', bytes)).bytes))[0] ?? '').replaceAll(/\s+/g, ' ').trim()
}

describe('the font of a field', () => {
  const natural = unencoded({ codeOf: letter => letter.charCodeAt(0) })
  const winAnsi = standard('Courier', '/Encoding/WinAnsiEncoding')
  const named = standard(
    'MyriadPro-Regular',
    `/Encoding/WinAnsiEncoding/FirstChar 0/LastChar 255/Widths[${'600 '.repeat(256)}]`,
  )
  const recoded = standard('Courier', '/Encoding<</Differences[65/Omega 66/A]>>')
  it.each<[string, unknown, Parameters<typeof fill>[1], (string | undefined)[], string?]>([
    ['a standard font of the form', 'Größe 5 €', { addFont: winAnsi }, ['Courier']],
    ['a standard font that the form only names', 'Größe 5 €', { name: 'TiBo' }, ['Times-Bold']],
    ['a font that the file only names, with its widths', 'Größe', { addFont: named }, ['MyriadPro-Regular']],
    ['the code that has the letter', 'A', { addFont: recoded }, ['Courier']],
    ['a composite font', 'Wort', { addFont: adds(composite({ says: letter => letter }), 'Wort') }, ['ABCDEF+Cousine']],
    ['a font without encoding', 'ab', { addFont: adds(natural, 'ab') }, ['ABCDEF+Cousine'], ''],
    ['a sign of a symbol font', '✔', { name: 'ZaDb' }, ['ZapfDingbats'], '4'],
    ['a sign by the letter of its code', '4', { name: 'ZaDb' }, ['ZapfDingbats']],
    ['a barcode font', '10', { addFont: addBars }, [undefined], ''],
    ['a list', 'two', { name: 'Cour', entries: '/FT/Ch/Opt[(one)(two)]' }, ['Courier']],
    ['several lines', 'one\ntwo', { name: 'Cour', entries: '/FT/Tx/Ff 4096' }, ['Courier'], 'one two'],
    ['a comb', 'ab', { name: 'Cour', entries: '/FT/Tx/Ff 16777216/MaxLen 4' }, ['Courier'], 'a b'],
  ])('draws its value: %s', async (_what, value, draft, fonts, text = String(value)) => {
    const filled = await fill(value, draft)
    expect(filled).toMatchObject({ fonts, warnings: [] })
    expect(await readFlattened(filled.bytes)).toContain(text)
  })

  it.each<[string, string, Parameters<typeof fill>[1]]>([
    ['a standard font without the character', 'Łódź', { addFont: standard('Courier') }],
    ['a composite font without the glyph', 'Wo', { addFont: adds(composite({ says: letter => letter }), 'W') }],
    ['a barcode font without the character', '12', { addFont: addBars }],
    ['a font that is not embedded', 'Wort', { addFont: standard('Garamond') }],
    ['a font without width for the character', 'a', { addFont: standard('Courier', '/FirstChar 98/Widths[600]') }],
    ['letters that depend on each other', 'سلام', { addFont: standard('Courier') }],
    ['a font that the form lacks', 'Wort', {}],
  ])('gives way to another one with a warning: %s', async (_what, value, draft) => {
    const filled = await fill(value, draft)
    expect(filled.warnings).toEqual(['field-font-replaced'])
    expect(filled.fonts.every(font => /^[A-Z]{6}\+(Inter|Noto)/.test(font ?? ''))).toBe(true)
  })
})
