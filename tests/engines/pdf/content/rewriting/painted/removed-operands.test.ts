import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../../fixtures/images'
import type { PdfWriter } from '../../../../../fixtures/pdf-writer'
import { readPageTexts } from '../../../../../support/page-texts'
import { runOn } from '../../../../../support/run-on'
import { findTraces } from '../../../../../support/traces'

const AREA = { page: 1, x: 40, y: 90, width: 120, height: 40 }
const KEPT = 'BT /F 12 Tf 10 20 Td (KEPT) Tj ET'

const FONT = '/F<</Type/Font/Subtype/Type1/BaseFont/Courier>>'

/** A Type 3 font with a procedure for the letter a, and one for the letter b. */
function addDrawnFont(pdf: PdfWriter, [one, other]: [string, string]): string {
  const [a, b] = [one, other].map(text => pdf.addStream('', text))
  return (
    `/T<</Type/Font/Subtype/Type3/FontBBox[0 0 100 100]/FontMatrix[.01 0 0 .01 0 0]/CharProcs<</a ${a} 0 R/b ${b} 0 R>>` +
    '/Encoding<</Differences[97/a/b]>>/FirstChar 97/LastChar 98/Widths[60 60]' +
    `/Resources<</Font<<${FONT}>>>>>>`
  )
}

async function redact(content: string, fonts: (pdf: PdfWriter) => string = () => ''): Promise<Buffer> {
  const file = makePage(`q\n${content}\nQ\n${KEPT}`, pdf => `/Font<<${FONT}${fonts(pdf)}>>`)
  const { bytes, headers } = await runOn('pdf-redaction', file, { areas: [AREA] })
  expect(headers['X-Redaction-Verified']).toBe('true')
  expect((await readPageTexts(bytes))[0]?.replaceAll(/\s/g, '')).toContain('KEPT')
  return bytes
}

describe('redaction leaves nothing that tells the removed drawings', () => {
  it.each([
    [
      'colors of cells',
      ['0.111', '0.222', '0.333'].map((gray, at) => `${gray} g ${50 + at * 9} 100 9 9 re f`).join('\n'),
    ],
    [
      'widths of bars',
      ['1.111', '2.222']
        .map((width, at) => `${width} w ${50 + at * 9} 100 m 0 9 l S`.replace('0 9 l', `${50 + at * 9} 120 l`))
        .join('\n'),
    ],
    ['dashes', '20 w [1.111 2.222] 0.333 d 50 110 m 150 110 l S'],
    ['matrices of bars', 'q 11.11 0 0 9 50 100 cm 0 0 1 1 re f Q q 22.22 0 0 9 50 112 cm 0 0 1 1 re f Q'],
    ['moves of letters', 'BT /F 9 Tf 50 100 Td (a) Tj 11.11 0 Td (b) Tj 22.22 0 Td (c) Tj ET'],
    ['matrices of letters', 'BT /F 9 Tf 1 0 0 1 51.11 100 Tm (a) Tj 1 0 0 1 62.22 100 Tm (b) Tj ET'],
    ['spacing of letters', 'BT /F 9 Tf 50 100 Td 1.111 Tc 2.222 Tw 111.7 Tz .333 Ts (ab) Tj ET'],
    ['sequences around letters', '/X.111 <</MCID 222333>> BDC BT /F 9 Tf 50 100 Td (ab) Tj ET EMC'],
    ['clips around letters', 'q 51.11 100 22.22 9 re W n BT /F 9 Tf 50 100 Td (ab) Tj ET Q'],
  ])('%s', async (_, content) => {
    const bytes = await redact(content)
    expect(findTraces(bytes, content.match(/\d*\.(?:111|222|333|11|22|7)\b|222333/g) ?? [])).toEqual([])
  })

  it('and has one number for all that was removed between two letters', async () => {
    const bytes = await redact(
      'BT /F 10 Tf 10 100 Td [(abcde) 11.37 (fg) -22.39 (hi)] TJ [-33.41 (j) 55 (klmnopqrstuvwxyz)] TJ ET',
    )
    expect(findTraces(bytes, ['11.37', '22.39', '33.41'])).toEqual([])
  })

  it.each([
    ['beside its box', '60 0 0 0 50 50 d1 BT /F 90 Tf 400 0 Td (SECRET) Tj ET'],
    ['without a box', '60 0 d0 BT /F 90 Tf 400 0 Td (SECRET) Tj ET'],
    ['that a matrix moves', '60 0 0 0 50 50 d1 1 0 0 1 400 0 cm BT /F 90 Tf (SECRET) Tj ET'],
  ])('of a glyph that paints %s', async (_, procedure) => {
    const bytes = await redact('BT /T 10 Tf 10 100 Td (a) Tj ET', pdf =>
      addDrawnFont(pdf, [procedure, '60 0 d0 0 0 50 50 re f']),
    )
    expect(findTraces(bytes, ['SECRET'])).toEqual([])
  })

  it('of a glyph that nothing shows', async () => {
    const bytes = await redact('BT /T 10 Tf 10 160 Td (a) Tj ET', pdf =>
      addDrawnFont(pdf, ['60 0 d0 0 0 50 50 re f', '60 0 d0 BT /F 90 Tf (SECRET) Tj ET']),
    )
    expect(findTraces(bytes, ['SECRET'])).toEqual([])
  })
})
