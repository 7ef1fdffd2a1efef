import { describe, expect, it } from 'vitest'
import { encodeJbig2 } from '../../../../../engines/features/compression/recoding/jbig2-encoder'
import { noise } from '../../../../fixtures/draft'
import { makePage } from '../../../../fixtures/images'
import { readImages } from '../../../../support/pdfjs-images'

/** Encodes rows of bits and decodes them with PDF.js. */
async function decode(width: number, height: number, bits: Uint8Array): Promise<Buffer> {
  const file = makePage(
    '200 0 0 200 0 0 cm /I Do',
    pdf =>
      `/XObject<</I ${pdf.addPlainStream(
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode`,
        encodeJbig2({ width, height, bits }),
      )} 0 R>>`,
  )
  const [image] = await readImages(file)
  expect(image).toMatchObject({ width, height, pixelBits: 1 })
  return Buffer.from(image?.data ?? [])
}

/** Rows with the bits behind the width cleared, as PDF.js returns them. */
function clearMargin(width: number, bits: Uint8Array): Buffer {
  const rowBytes = Math.ceil(width / 8)
  return Buffer.from(
    bits.map((byte, at) => ((at + 1) % rowBytes === 0 ? byte & (255 << ((8 - (width & 7)) & 7)) : byte)),
  )
}

describe('encodeJbig2', () => {
  it.each([
    [8, 4],
    [1, 1],
    [3, 50],
    [257, 33],
    [640, 200],
  ])('keeps noise of %i × %i pixels exactly', async (width, height) => {
    const bits = new Uint8Array(noise(`${width}`, Math.ceil(width / 8) * height))
    const seen = await decode(width, height, bits)
    expect(clearMargin(width, seen).equals(clearMargin(width, bits))).toBe(true)
  })

  it('keeps repeated rows and encodes them in almost no space', async () => {
    const width = 1600
    const rows = Array.from({ length: 800 }, (_, y) =>
      Buffer.alloc(width / 8, y < 300 ? 255 : y < 500 ? 0b11001100 : 0),
    )
    const bits = new Uint8Array(Buffer.concat(rows))
    expect((await decode(width, 800, bits)).equals(Buffer.from(bits))).toBe(true)
    expect(encodeJbig2({ width, height: 800, bits }).length).toBeLessThan(200)
  })
})
