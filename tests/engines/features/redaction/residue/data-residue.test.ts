import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../fixtures/images'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { shapeLetter } from '../../../../redaction-traps/fonts/letter-shapes'
import { writeCff } from '../../../../redaction-traps/fonts/write-cff'
import { writeTables, writeTrueType } from '../../../../redaction-traps/fonts/write-true-type'
import { readTables } from '../../../../support/redaction-judges/true-type-program'
import { runOn } from '../../../../support/run-on'

const SECRET = 'QUIMBYOLDFIELD'

/** Where an image draws, and the entries and data of its XObject. */
const addImage = (pdf: PdfWriter, entries: string, data: string | Buffer): string =>
  `/XObject<</I ${pdf.addStream(`/Type/XObject/Subtype/Image${entries}`, data)} 0 R>>`

const addFont = (pdf: PdfWriter, kind: string, program: string): string => {
  const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 -200 1000 900]${program}>>`)
  return `/Font<</F <</Type/Font/Subtype/${kind}/BaseFont/Own/FirstChar 65/LastChar 65/Widths[700]/FontDescriptor ${descriptor} 0 R>>/H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>`
}

const IN_BYTES: Record<string, (pdf: PdfWriter, secret: string) => string> = {
  'colors of a palette': (pdf, secret) =>
    addImage(
      pdf,
      `/Width 1/Height 1/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray ${secret.length - 1}(${secret})]`,
      Buffer.from([0]),
    ),
  'samples of an image': (pdf, secret) =>
    addImage(pdf, `/Width ${secret.length}/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray`, secret),
  'a program for hinting': (pdf, secret) => {
    const letters = [shapeLetter('A')]
    const cmaps = [{ platform: 3, encoding: 0, glyphs: new Map([[0xf041, 1]]) }]
    const tables = Object.fromEntries(readTables(writeTrueType({ letters, cmaps })))
    const program = writeTables({ ...tables, fpgm: Buffer.from(secret) })
    return addFont(pdf, 'TrueType', `/FontFile2 ${pdf.addStream('', program)} 0 R`)
  },
  'names of CFF glyphs': (pdf, secret) => {
    const letters = [{ ...shapeLetter('A'), name: secret }]
    const program = writeCff({ letters, codes: [65] })
    return addFont(pdf, 'Type1', `/FontFile3 ${pdf.addStream('/Subtype/Type1C', program)} 0 R`)
  },
}

const isVerified = async (file: Buffer, options: object): Promise<string | undefined> =>
  (await runOn('pdf-redaction', file, options)).headers['X-Redaction-Verified']

describe.each(Object.entries(IN_BYTES))('a term in %s', (_, add) => {
  const content = 'BT /F 20 Tf 20 150 Td (A) Tj ET q 50 0 0 50 100 20 cm /I Do Q'

  it.each([
    ['', (text: string) => text],
    [' in UTF-16', (text: string) => Buffer.from(text, 'utf16le').toString('latin1')],
  ])('is not verified%s, and other bytes are', async (_name, encode) => {
    const [file, other] = [SECRET, 'ANOTHERCONTENT'].map(text => makePage(content, pdf => add(pdf, encode(text))))
    const options = { search: [{ text: SECRET }] }
    expect(await isVerified(file as Buffer, options)).toBe('false')
    expect(await isVerified(other as Buffer, options)).toBe('true')
  })
})

it('words under an area are searched in bytes too', async () => {
  const fonts = '/Font<</H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>'
  const content = `BT /H 12 Tf 20 150 Td (${SECRET}) Tj ET q 50 0 0 50 100 20 cm /I Do Q`
  const options = { areas: [{ page: 1, x: 15, y: 140, width: 150, height: 30 }] }
  const [file, other] = [SECRET, 'ANOTHERCONTENT'].map(text =>
    makePage(content, pdf => fonts + IN_BYTES['samples of an image']?.(pdf, text)),
  )
  expect(await isVerified(file as Buffer, options)).toBe('false')
  expect(await isVerified(other as Buffer, options)).toBe('true')
})

it('names of usual glyphs are no residue', async () => {
  const file = makePage('BT /H 12 Tf 20 150 Td (Omegatonos) Tj ET BT /F 20 Tf 20 100 Td (A) Tj ET', pdf => {
    const program = writeCff({ letters: [{ ...shapeLetter('A'), name: 'Omegatonos' }], codes: [65] })
    return addFont(pdf, 'Type1', `/FontFile3 ${pdf.addStream('/Subtype/Type1C', program)} 0 R`)
  })
  expect(await isVerified(file, { search: [{ text: 'Omegatonos' }] })).toBe('true')
})
