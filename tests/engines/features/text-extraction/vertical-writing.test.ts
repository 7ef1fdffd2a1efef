import { expect, it } from 'vitest'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { makeTrap } from '../../../fixtures/traps'
import { runOn } from '../../../support/run-on'

/** Fonts for vertical writing without an embedded program: codes are UTF-16, or numbers with a map of texts. */
const fonts = (pdf: PdfWriter): string => {
  const descendant = (ordering: string): number =>
    pdf.add(
      `<</Type/Font/Subtype/CIDFontType0/BaseFont/Some/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000>>`,
    )
  const font = (ordering: string, encoding: string, more = ''): number =>
    pdf.add(
      `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/${encoding}/DescendantFonts[${descendant(ordering)} 0 R]${more}>>`,
    )
  const texts = pdf.addStream(
    '',
    '1 begincodespacerange <0000><FFFF> endcodespacerange 1 beginbfrange <3000><9FFF><3000> endbfrange',
  )
  const mapped = `/ToUnicode ${texts} 0 R`
  return `/Font<</J ${font('Japan1', 'UniJIS-UCS2-V')} 0 R/G ${font('GB1', 'UniGB-UCS2-V')} 0 R/I ${font('Identity', 'Identity-V', mapped)} 0 R>>`
}

const COLUMNS = ['あいうえおかきく', 'さしすせそたちつ', 'なにぬねのはひふ', 'まみむめもやゆよ']

const hex = (text: string): string =>
  Array.from(text, sign => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('')

/** Shows a text from the top of a column, which counts from the right. `row` is the first place of its glyphs. */
const show = (text: string, column: number, row = 0): string =>
  `1 0 0 1 ${250 - 24 * column} ${280 - 14 * row} Tm <${hex(text)}> Tj`

const inOrder = COLUMNS.map((text, column) => show(text, column))

it.each<[string, string, string]>([
  ['in their order', 'J', inOrder.join(' ')],
  ['of Chinese fonts', 'G', inOrder.join(' ')],
  ['of fonts with a map of texts', 'I', inOrder.join(' ')],
  ['from the left', 'J', inOrder.toReversed().join(' ')],
  [
    'glyph by glyph',
    'J',
    COLUMNS.flatMap((text, column) => Array.from(text, (sign, row) => show(sign, column, row))).join(' '),
  ],
  [
    'in two parts',
    'J',
    COLUMNS.flatMap((text, at) => [show(text.slice(0, 3), at), show(text.slice(3), at, 3)]).join(' '),
  ],
])('vertical columns are read from the right, each from the top: %s', async (_, font, content) => {
  const { file } = makeTrap({ content: `q BT /${font} 14 Tf ${content} ET Q`, resources: fonts })
  const { bytes } = await runOn('extract-text', new Uint8Array(file), {})
  expect(bytes.toString('utf8').replace(/\s/g, '')).toContain(COLUMNS.join(''))
})
