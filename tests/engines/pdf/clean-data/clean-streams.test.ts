import { describe, expect, it } from 'vitest'
import { cleanStreams } from '../../../../engines/pdf/clean-data'
import { openDocument } from '../../../../engines/pdf/open'
import { saveDocument } from '../../../../engines/pdf/save'
import { makePage } from '../../../fixtures/images'
import { renderPage } from '../../../support/reader'
import { isInViews, readByteViews } from '../../../support/redaction-judges/byte-views'
import { LIMITS } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'

const SECRET = 'QUIMBYSECRET'

async function clean(file: Uint8Array): Promise<Buffer> {
  const document = openDocument(file, LIMITS)
  await cleanStreams(document)
  return Buffer.from(saveDocument(document).join())
}

describe('cleanStreams', () => {
  it('copies nothing from between objects', async () => {
    const file = makePage('0 0 10 10 re f').toString('latin1')
    const places = ['endstream\n', '<</Type/Page', '/MediaBox', 'endobj\n']
    for (const place of places) {
      const spoiled = Buffer.from(
        file.replaceAll(
          place,
          `${place.startsWith('e') ? place : ''}%${SECRET}\n${place.startsWith('e') ? '' : place}`,
        ),
        'latin1',
      )
      expect(isInViews(readByteViews(spoiled), SECRET)).toBe(true)
      const cleaned = await clean(spoiled)
      expect(isInViews(readByteViews(cleaned), SECRET), place).toBe(false)
      expect(new StrictPdf(cleaned).problems).toEqual([])
      expect(
        (await renderPage(cleaned, 0)).pixels.equals((await renderPage(Buffer.from(file, 'latin1'), 0)).pixels),
      ).toBe(true)
    }
  })

  it.each([
    ['a calculator', '/FunctionType 4', '{ dup % twice\n 0.5 gt { 1 exch sub } { 2 div .25 add } ifelse }'],
    ['a calculator with tiny and negative numbers', '/FunctionType 4', '{ 0.0000012 add -1 mul 1 add .0 add +.1 add}'],
    ['samples', '/FunctionType 0/Size[3]/BitsPerSample 8', '\0\xff\x40'],
  ])('keeps the colors of %s', async (_name, entries, data) => {
    const file = makePage(
      `/S cs ${Array.from({ length: 10 }, (_, step) => `${step / 10} scn ${20 * step} 0 20 200 re f`).join(' ')}`,
      pdf =>
        '/ColorSpace<</S[/Separation/Spot/DeviceGray ' +
        `${pdf.addStream(`/Domain[0 1]/Range[0 1]${entries}`, Buffer.from(data, 'latin1'))} 0 R]>>`,
    )
    const cleaned = await clean(file)
    expect((await renderPage(cleaned, 0)).pixels.equals((await renderPage(file, 0)).pixels)).toBe(true)
  })
})
