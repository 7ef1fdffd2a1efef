import { describe, expect, it } from 'vitest'
import { findScannedPages } from '../../../../../engines/features/redaction/meaning/scanned-pages'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { PdfWriter } from '../../../../fixtures/pdf-writer'
import { addPicture, drawWords } from '../../../../fixtures/placed-images'
import type { GrayPicture } from '../../../../fixtures/placed-images'
import { LIMITS, runOn } from '../../../../support/run-on'
import { IS_COMPLETE } from '../../../../support/scope'

/** What a page of 300 × 400 points draws. The image is /P, a form with it /X, a pattern with it /T, and the font /F1. */
interface Drawn {
  content: string
  image?: GrayPicture
  stamp?: boolean
  rotate?: number
}

const WORDS = await drawWords('QUIMBY 4471', { width: 150, height: 200, scale: 1 })

const plain = (width: number, height: number, shade = (_: number): number => 235): GrayPicture => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, at) => shade(at)),
})

const whole = 'q 300 0 0 400 0 0 cm /P Do Q'
const text = (operators: string): string => `BT /F1 12 Tf ${operators} ET`

function makePages(pages: Drawn[]): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  const kids = pages.map(({ content, image = WORDS, stamp = false, rotate = 0 }) => {
    const picture = addPicture(pdf, image)
    const resources = `/Resources<</XObject<</P ${picture} 0 R>>>>`
    const form = pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 300 400]${resources}`,
      'q 300 0 0 200 0 0 cm /P Do Q',
    )
    const pattern = pdf.addStream(
      `/PatternType 1/PaintType 1/TilingType 1/XStep 300/YStep 400/BBox[0 0 300 400]${resources}`,
      whole,
    )
    const shown = pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 300 400]${resources}`, whole)
    const annotation = stamp
      ? `/Annots[${pdf.add(`<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 300 400]/AP<</N ${shown} 0 R>>>>`)} 0 R]`
      : ''
    return (
      `${pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 300 400]/Rotate ${rotate}/Contents ${pdf.addStream('', content)} 0 R/Resources<</Font<</F1 ${font} 0 R>>/XObject<</P ${picture} 0 R/X ${form} 0 R>>/Pattern<</T ${pattern} 0 R>>>>${annotation}>>`)} ` +
      '0 R'
    )
  })
  pdf.set(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root })
}

const strips = Array.from({ length: 10 }, (_, at) => `q 300 0 0 30 0 ${at * 30} cm /P Do Q`).join('\n')

const SCANS: Record<string, Drawn> = {
  'an image over the page': { content: whole },
  'an image over two thirds of a turned page': { content: 'q 300 0 0 270 0 60 cm /P Do Q', rotate: 90 },
  'an inline image': {
    content: `q 300 0 0 400 0 0 cm BI /W 40 /H 40 /BPC 8 /CS /G /F /AHx ID ${'ff00'.repeat(800)}> EI Q`,
  },
  'strips of an image': { content: strips },
  'a form that is drawn twice': { content: '/X Do q 1 0 0 1 0 200 cm /X Do Q' },
  'a pattern': { content: '/Pattern cs /T scn 0 0 300 400 re f' },
  'a stamp over the page': { content: '', stamp: true },
  'a number in the margin': { content: `${whole} ${text('20 12 Td (EXHIBIT 0001) Tj')}` },
  'a number in the margin of a turned page': { content: `${whole} ${text('0 1 -1 0 12 60 Tm (0001) Tj')}`, rotate: 90 },
  'a blank glyph': { content: `${whole} ${text('100 200 Td ( ) Tj')}` },
}

const OTHERS: Record<string, Drawn> = {
  'a blank page': { content: '' },
  'a logo and no text': { content: 'q 200 0 0 100 20 280 cm /P Do Q' },
  'a logo and text': { content: `q 200 0 0 100 20 280 cm /P Do Q ${text('40 200 Td (Dear Sir) Tj')}` },
  'a photo and text': { content: `q 300 0 0 300 0 100 cm /P Do Q ${text('40 80 Td (a caption) Tj')}` },
  'a scan with invisible text': { content: `${whole} ${text('3 Tr 40 200 Td (QUIMBY) Tj')}` },
  'a scan with invisible text in the margin': { content: `${whole} ${text('3 Tr 40 12 Td (QUIMBY) Tj')}` },
  'a scan over its text': { content: `${text('40 200 Td (QUIMBY) Tj')} ${whole}` },
  'a background of one color': { content: whole, image: plain(150, 200) },
  'a background of one pixel': { content: `${whole} 0 g 40 40 10 10 re f`, image: plain(1, 1) },
  'a gradient of one row': { content: whole, image: plain(256, 1, at => at) },
  'images that overlap': { content: Array(4).fill('q 300 0 0 150 0 0 cm /P Do Q').join('\n') },
}

describe('pages that are scans without text', () => {
  it.each(Object.entries(SCANS))('are found: %s', async (_, page) => {
    const document = openDocument(new Uint8Array(makePages([{ content: '' }, page])), LIMITS)
    expect(await findScannedPages(document, [0, 1])).toEqual([1])
  })

  it.each(Object.entries(OTHERS))('are not: %s', async (_, page) => {
    const document = openDocument(new Uint8Array(makePages([page])), LIMITS)
    expect(await findScannedPages(document, [0])).toEqual([])
  })

  it('are found on each of many pages', async () => {
    const pages = Array.from({ length: 25 }, () => ({ content: whole }))
    const document = openDocument(new Uint8Array(makePages(pages)), LIMITS)
    expect(await findScannedPages(document, [...pages.keys()])).toHaveLength(25)
  })
})

describe('a redaction of a scan', () => {
  const file = makePages([{ content: whole }, { content: text('40 200 Td (ZEBRA) Tj') }])
  const verify = async (options: object): Promise<[string | undefined, boolean]> => {
    const { headers, warnings } = await runOn('pdf-redaction', file, options)
    return [headers['X-Redaction-Verified'], [...warnings].includes('text-not-searchable')]
  }

  it('by rules is not verified, and warns', async () => {
    expect(await verify({ search: [{ text: 'zebra' }] })).toEqual(['false', true])
  })

  it('by rules for other pages, by areas, or without images is verified', async () => {
    expect(await verify({ search: [{ text: 'zebra', pages: '2' }] })).toEqual(['true', false])
    expect(await verify({ areas: [{ page: 1, x: 20, y: 20, width: 50, height: 50 }] })).toEqual(['true', false])
    expect(await verify({ search: [{ text: 'zebra' }], images: 'all' })).toEqual(['true', false])
  })

  it.runIf(IS_COMPLETE)('with text recognition is verified', async () => {
    expect(await verify({ search: [{ text: 'zebra' }], ocr: true })).toEqual(['true', false])
  })
})
