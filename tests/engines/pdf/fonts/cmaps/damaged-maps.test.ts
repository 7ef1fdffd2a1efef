import { expect, it } from 'vitest'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { readWords } from '../../reading/read-drawn'

/** Makes a composite font whose codes of two bytes have this /ToUnicode map. */
const withMap =
  (map: string) =>
  (pdf: PdfWriter): string => {
    const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>'
    const descendant = pdf.add(`<</Type/Font/Subtype/CIDFontType0/BaseFont/Some${system}/DW 600>>`)
    const texts = pdf.addStream('', `1 begincodespacerange <0000><FFFF> endcodespacerange ${map}`)
    return `/Font<</M ${pdf.add(
      `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${texts} 0 R>>`,
    )} 0 R>>`
  }

it.each<[string, string, string, string]>([
  ['a range over xxFF', '1 beginbfrange <00FE><0101><0041> endbfrange', '00FE00FF01000101', 'ABCD'],
  ['a range over several rows', '1 beginbfrange <0001><0302><0040> endbfrange', '000200030004', 'ABC'],
  ['a list shorter than its range', '1 beginbfrange <0001><0009>[<0041><0042>] endbfrange', '00010002', 'AB'],
  ['a list longer than its range', '1 beginbfrange <0001><0002>[<0041><0042><0043>] endbfrange', '00010002', 'AB'],
  ['codes with an odd number of digits', '2 beginbfchar <001><0041> <0002><0042> endbfchar', '00020002', 'BB'],
  ['texts with an odd number of digits', '2 beginbfchar <0001><004> <0002><0042> endbfchar', '00020002', 'BB'],
  ['a count that is too small', '1 beginbfchar <0001><0041> <0002><0042> endbfchar', '00010002', 'AB'],
  ['a count that is too large', '9 beginbfchar <0001><0041> <0002><0042> endbfchar', '00010002', 'AB'],
  ['no count', 'beginbfchar <0001><0041> <0002><0042> endbfchar', '00010002', 'AB'],
  ['no end', '2 beginbfchar <0001><0041> <0002><0042>', '00010002', 'AB'],
  [
    'no end before the next part',
    '1 beginbfchar <0001><0041> 1 beginbfrange <0002><0003><0042> endbfrange',
    '00010003',
    'AC',
  ],
])('a map of texts with %s is read', (_, map, codes, text) => {
  expect(readWords(`BT /M 10 Tf 20 50 Td <${codes}> Tj ET`, { resources: withMap(map) })).toEqual([text])
})
