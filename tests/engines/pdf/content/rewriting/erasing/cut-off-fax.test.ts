import { describe, expect, it } from 'vitest'
import { CcittEncoder } from '../../../../../../engines/pdf/content/rewriting/erasing/ccitt-encoder'
import { END_MARKS } from '../../../../../../engines/pdf/content/rewriting/erasing/ccitt-rows'
import { openDocument } from '../../../../../../engines/pdf/open-save/open'
import { type Bitmap, openRenderer } from '../../../../../../engines/pdf/rendering/render'
import { PdfWriter } from '../../../../../fixtures/pdf-writer'
import { LIMITS, runOn } from '../../../../../support/run-on'

const [WIDTH, HEIGHT] = [400, 200]

/** Group 4 data of slanted black stripes, cut off after this share of its bytes. */
function encode(share: number): Uint8Array {
  const encoder = new CcittEncoder(WIDTH, 1000)
  for (let row = 0; row < HEIGHT; row++) {
    const changes: number[] = []
    for (let x = 1 + ((row * 3) % 40); x + 17 < WIDTH; x += 40) changes.push(x, x + 17)
    encoder.write(Int32Array.from([...changes, ...Array.from({ length: END_MARKS }, () => WIDTH)]))
  }
  const data = encoder.finish()
  return data.subarray(0, Math.floor(data.length * share))
}

/** A page of 400 × 200 points with only this image mask, one point for each pixel. */
function page(data: Uint8Array): Buffer {
  const pdf = new PdfWriter()
  const root = pdf.reserve()
  const image = pdf.addPlainStream(
    `/Type/XObject/Subtype/Image/ImageMask true/BitsPerComponent 1/Width ${WIDTH}/Height ${HEIGHT}` +
      `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${WIDTH}>>`,
    data,
  )
  const content = pdf.addStream('', `q 0 0 0.4 rg ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /I Do Q`)
  const tree = pdf.reserve()
  const leaf = pdf.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents ${content} 0 R` +
      `/Resources<</XObject<</I ${image} 0 R>>>>>>`,
  )
  pdf.set(tree, `<</Type/Pages/Kids[${leaf} 0 R]/Count 1>>`)
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  return pdf.write({ root })
}

async function draw(bytes: Uint8Array): Promise<Bitmap> {
  const renderer = await openRenderer(openDocument(new Uint8Array(bytes), LIMITS))
  try {
    return renderer.draw(0, { dpi: 72, color: 'gray', annotations: false })
  } finally {
    renderer.close()
  }
}

/** Pixels that differ, right of the area. One row may be incomplete. */
function countDifferences(one: Bitmap, other: Bitmap): number {
  let count = 0
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 60; x < WIDTH; x++) if (one.pixels[y * WIDTH + x] !== other.pixels[y * WIDTH + x]) count++
  return count
}

describe('redaction of a fax image that is cut off', () => {
  for (const share of [0.2, 0.35, 0.5, 0.75, 0.9])
    it(`keeps the look outside of the area after ${share} of the data`, async () => {
      const file = page(encode(share))
      const { bytes } = await runOn('pdf-redaction', file, { areas: [{ page: 1, x: 0, y: 0, width: 40, height: 40 }] })
      expect(countDifferences(await draw(file), await draw(bytes))).toBeLessThan(WIDTH)
    })

  it('leaves the image as it is when compressing', async () => {
    for (const level of ['lossless', 'print', 'screen']) {
      const data = encode(0.5)
      const { bytes } = await runOn('compress-pdf', page(data), { level })
      expect(Buffer.from(bytes).includes(Buffer.from(data))).toBe(true)
    }
  })
})
