import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PdfWriter } from '../../../fixtures/pdf-writer'
import { makeScan } from '../../../fixtures/scan'
import { runOn } from '../../../support/run-on'

/** A page of 280 × 280 points that one grayscale image covers. */
function withImage({
  width,
  height,
  bits,
  data,
}: {
  width: number
  height: number
  bits: number
  data: Uint8Array
}): Buffer {
  const pdf = new PdfWriter()
  const [root, tree] = [pdf.reserve(), pdf.reserve()]
  const image = pdf.addPlainStream(
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent ` +
      `${bits}/Filter/FlateDecode`,
    deflateSync(data, { level: 1 }),
  )
  const page = pdf.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 280 280]/Contents ` +
      `${pdf.addStream('', 'q 280 0 0 280 0 0 cm /P Do Q')} 0 R/Resources<</XObject<</P ${image} 0 R>>>>>>`,
  )
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`)
  return pdf.write({ root })
}

/** Light that changes softly over the image, with some grain, as in a photo of a wall or the sky. */
function makePhoto(size: number): Buffer {
  const pixels = new Uint8Array(size * size)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [at % size, Math.floor(at / size)]
    pixels[at] = 128 + 60 * Math.sin(x / 60) + 40 * Math.cos(y / 45 + x / 200) + ((at * 7919) % 9)
  }
  return withImage({ width: size, height: size, bits: 8, data: pixels })
}

const SIDE = 35_000
/** Bands of black and white in an image of more than a billion pixels. */
const makeHuge = (): Buffer =>
  withImage({
    width: SIDE,
    height: SIDE,
    bits: 1,
    data: Buffer.alloc(
      Math.ceil(SIDE / 8) * SIDE,
      Buffer.concat([Buffer.alloc(500_000, 255), Buffer.alloc(500_000, 0)]),
    ),
  })

const FILES: Record<string, () => Buffer | Promise<Buffer>> = {
  'a page of noise': () => makeScan([{ lines: [], specks: 1 }]),
  'a photograph without text': () => makePhoto(700),
  'a picture of 35,000 × 35,000 pixels': makeHuge,
}

describe('a page without readable text', () => {
  it.each(Object.entries(FILES))('returns empty text and a warning, and the next page is read: %s', async (_, make) => {
    const { bytes, warnings, headers } = await runOn('pdf-ocr', await make(), { outputFormat: 'text' })
    expect({ text: bytes.toString('utf8'), warnings, confidence: headers['X-OCR-Confidence'] }).toEqual({
      text: '',
      warnings: ['ocr-low-confidence'],
      confidence: '0.0',
    })
    const next = await runOn(
      'pdf-ocr',
      await makeScan([{ lines: ['The next page is read', 'as if nothing had been.'] }]),
      { outputFormat: 'text' },
    )
    expect(next.bytes.toString('utf8').replace(/\s+/g, ' ').trim()).toBe(
      'The next page is read as if nothing had been.',
    )
  })
})
