import { describe, expect, it } from 'vitest'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { readWords } from './read-drawn'

const show = (setup: string, text: string): string => `BT /F 10 Tf ${setup} ${text} ET`

describe('spaced letters are one word', () => {
  it.each<[string, string, string]>([
    ['by spacing', '1 0 0 1 20 50 Tm 6 Tc', '(SPACED) Tj'],
    ['by scaled spacing', '1 0 0 1 20 50 Tm 9 Tc 60 Tz', '(SPACED) Tj'],
    ['by spacing under a matrix', '2 0 0 2 20 50 Tm 6 Tc', '(SPACED) Tj'],
    ['by negative scaling and spacing', '1 0 0 1 280 50 Tm 6 Tc -100 Tz', '(SPACED) Tj'],
    ['by spacing against a negative size', '-1 0 0 -1 20 50 Tm /F -10 Tf -4 Tc', '(SPACED) Tj'],
    ['by numbers', '1 0 0 1 20 50 Tm', '[(S)-500(P)-500(A)-500(C)-500(E)-500(D)] TJ'],
    ['by uneven numbers', '1 0 0 1 20 50 Tm', '[(S)-500(P)-540(A)-460(C)-520(E)-480(D)] TJ'],
    ['by offsets', '1 0 0 1 20 50 Tm', Array.from('SPACED', letter => `(${letter}) Tj 11 0 Td`).join(' ')],
    ['on a slanted line', '.8 .6 -.6 .8 20 50 Tm 6 Tc', '(SPACED) Tj'],
    ['upside down', '-1 0 0 -1 280 50 Tm 6 Tc', '(SPACED) Tj'],
  ])('%s', (_, setup, text) => {
    expect(readWords(show(setup, text))).toEqual(['SPACED'])
  })
})

describe('words begin', () => {
  it.each<[string, string]>([
    ['after a blank', '(ONE TWO) Tj'],
    ['after a blank without width', '[(ONE )600(TWO)] TJ'],
    ['after a gap', '[(ONE)-300(TWO)] TJ'],
    ['after an offset', '(ONE) Tj 22 0 Td (TWO) Tj'],
    ['after a wide gap', '[(ONE)-2900(TWO)] TJ'],
    ['after a blank that is drawn last', '(ONE) Tj 24 0 Td (TWO) Tj -6 0 Td ( ) Tj'],
    ['on a line below', '(ONE) Tj 0 -12 Td (TWO) Tj'],
    ['on a line with another angle', '(ONE) Tj .9 .436 -.436 .9 39 50 Tm (TWO) Tj'],
    ['after a wider gap than between letters', '[(O)-400(N)-400(E)-1000(T)-400(W)-400(O)] TJ'],
    ['after a no-break space', '(ONE\\240TWO) Tj'],
    ['after a blank and a glyph without a text', '(ONE \\001TWO) Tj'],
    ['after a gap and a glyph without a text', '[(ONE)-300(\\001\\002TWO)] TJ'],
  ])('%s', (_, text) => {
    expect(readWords(show('1 0 0 1 20 50 Tm', text))).toEqual(['ONE', 'TWO'])
  })
})

/** A composite font whose glyphs are 0.6 em wide. Only capital letters have a text. */
const capitals = (pdf: PdfWriter): string => {
  const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>'
  const descendant = pdf.add(`<</Type/Font/Subtype/CIDFontType0/BaseFont/Some${system}/DW 600>>`)
  const map = pdf.addStream(
    '',
    '1 begincodespacerange <0000><FFFF> endcodespacerange 1 beginbfrange <0041><005A><0041> endbfrange',
  )
  return `/Font<</C ${pdf.add(
    `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${map} 0 R>>`,
  )} 0 R>>`
}

it.each<[string, string]>([
  ['one', '<0041004200000043> Tj'],
  ['one that is moved', '[<00410042>-30<0000>20<0043>] TJ'],
  ['two', '<0041004200010002> Tj <0043> Tj'],
  ['one after a gap', '[<00410042>-300<0000>600<0043>] TJ'],
  ['one on its own', '<00410042> Tj <0003> Tj <0043> Tj'],
])('glyphs without a text leave a gap: %s', (_, text) => {
  expect(readWords(`BT /C 10 Tf 20 50 Td ${text} ET`, { resources: capitals })).toEqual(['AB', 'C'])
})

describe('words go on', () => {
  it.each<[string, string]>([
    ['after kerning', '[(ON)-100(ET)100(WO)] TJ'],
    ['after an offset', '(ONE) Tj 18 0 Td (TWO) Tj'],
    ['after a small gap', '(ONE) Tj 19.4 0 Td (TWO) Tj'],
    ['with other letters', '(ONE) Tj /F 9 Tf (TWO) Tj'],
    ['with a small rise', '(ONE) Tj 2 Ts (TWO) Tj'],
  ])('%s', (_, text) => {
    expect(readWords(show('1 0 0 1 20 50 Tm', text))).toEqual(['ONETWO'])
  })
})

describe('a line is read along its direction', () => {
  it.each<[string, string]>([
    ['turned', '0 1 -1 0 50 20 Tm'],
    ['upside down', '-1 0 0 -1 280 50 Tm'],
    ['slanted', '.8 .6 -.6 .8 50 50 Tm'],
    ['skewed', '1 .5 0 1 50 50 Tm'],
    ['with skewed letters', '1 0 .4 1 50 50 Tm'],
    ['flipped', '-1 0 0 1 280 50 Tm'],
    ['with a negative size', '1 0 0 1 280 50 Tm /F -10 Tf'],
  ])('%s', (_, setup) => {
    expect(readWords(show(setup, '[(FIRST)-300(SECOND)-600(THIRD)] TJ'))).toEqual(['FIRST', 'SECOND', 'THIRD'])
  })
})
