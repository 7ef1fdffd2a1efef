import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CcittEncoder } from '../../../../../../engines/pdf/content/rewriting/erasing/ccitt-encoder'
import { applyPngFilters } from '../../../../../../engines/pdf/images/png-filters'
import { FAX_CODINGS, makePage } from '../../../../../fixtures/images'
import { pixelAt, readImages, type SeenImage } from '../../../../../support/pdfjs-images'
import { runOn } from '../../../../../support/run-on'

/** Pixels of the images. Each is two points wide and high on a page of 200 × 200. */
const WIDTH = 90
const HEIGHT = 80

/** The redacted area in points of the page, and the pixels in that area. */
const AREA = { page: 1, x: 41, y: 61, width: 40, height: 20 }
const CLEARED = { left: 16, right: 35, top: 50, bottom: 59 }

/** Long runs of equal values, with some other values between them. */
function samples(bits: number, components: number): Uint8Array {
  const rowBytes = Math.ceil((WIDTH * bits * components) / 8)
  return Uint8Array.from({ length: rowBytes * HEIGHT }, (_, index) => {
    const [x, y] = [index % rowBytes, Math.floor(index / rowBytes)]
    return x * 3 + y * 5 + ((x * y) % 7 === 0 ? 90 : 0)
  })
}

/** Differences to the pixel on the left, as the TIFF predictor stores them. */
function differences(data: Uint8Array, bits: number, components: number): Uint8Array {
  const rowBytes = Math.ceil((WIDTH * bits * components) / 8)
  const coded = Buffer.alloc(data.length)
  for (let start = 0; start < data.length; start += rowBytes) {
    const row = Buffer.from(data.subarray(start, start + rowBytes))
    const bytes = bits / 8
    for (let at = 0; at < rowBytes; at += bytes) {
      const before = at - bytes * components
      const value = row.readUIntBE(at, bytes) - (before < 0 ? 0 : row.readUIntBE(before, bytes))
      coded.writeUIntBE(value & (2 ** bits - 1), start + at, bytes)
    }
  }
  return coded
}

function literalRuns(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = 0; at < data.length; at += 128) {
    const part = data.subarray(at, at + 128)
    parts.push(Uint8Array.of(part.length - 1), part)
  }
  return Buffer.concat([...parts, Uint8Array.of(128)])
}

/** Encodes LZW in codes of nine bits. The encoder clears the table before it needs longer codes. */
function clearedLzw(data: Uint8Array): Uint8Array {
  let bits = ''
  for (const [index, byte] of data.entries())
    bits += (index % 200 === 0 ? (256).toString(2) : '') + byte.toString(2).padStart(9, '0')
  bits += (257).toString(2)
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], eight => Number.parseInt(eight.padEnd(8, '0'), 2))
}

interface Kind {
  entries: string
  data: Uint8Array
}

const png = (data: Uint8Array, bits: number, channels: number): Uint8Array =>
  deflateSync(applyPngFilters(data, { width: WIDTH, height: HEIGHT, bits, channels }))
const predictor = (number: number, bits: number, colors: number): string =>
  `/Filter/FlateDecode/DecodeParms<</Predictor ${number}/BitsPerComponent ${bits}/Colors ${colors}/Columns ${WIDTH}>>`
const palette = Array.from({ length: 256 }, (_, index) =>
  [index, 255 - index, (index * 7) % 256].map(value => value.toString(16).padStart(2, '0')).join(''),
).join('')

const RGB = '/ColorSpace/DeviceRGB/BitsPerComponent 8'
const KINDS: Record<string, Kind> = {
  RGB: { entries: `${RGB}/Filter/FlateDecode`, data: deflateSync(samples(8, 3)) },
  'RGB with PNG filters': { entries: `${RGB}${predictor(15, 8, 3)}`, data: png(samples(8, 3), 8, 3) },
  'RGB with differences': {
    entries: `${RGB}${predictor(2, 8, 3)}`,
    data: deflateSync(differences(samples(8, 3), 8, 3)),
  },
  'RGB of 16 bits': {
    entries: '/ColorSpace/DeviceRGB/BitsPerComponent 16/Filter/FlateDecode',
    data: deflateSync(samples(16, 3)),
  },
  'RGB of 16 bits with differences': {
    entries: `/ColorSpace/DeviceRGB/BitsPerComponent 16${predictor(2, 16, 3)}`,
    data: deflateSync(differences(samples(16, 3), 16, 3)),
  },
  CMYK: { entries: '/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/FlateDecode', data: deflateSync(samples(8, 4)) },
  'a palette': {
    entries: `/ColorSpace[/Indexed/DeviceRGB 255<${palette}>]/BitsPerComponent 8/Filter/FlateDecode`,
    data: deflateSync(samples(8, 1)),
  },
  'four bits of gray': {
    entries: '/ColorSpace/DeviceGray/BitsPerComponent 4/Filter/FlateDecode',
    data: deflateSync(samples(4, 1)),
  },
  'RGB in LZW': { entries: `${RGB}/Filter/LZWDecode`, data: clearedLzw(samples(8, 3)) },
  'RGB in runs': { entries: `${RGB}/Filter/RunLengthDecode`, data: literalRuns(samples(8, 3)) },
  'RGB in two filters': {
    entries: `${RGB}/Filter[/ASCIIHexDecode/FlateDecode]`,
    data: Buffer.from(`${deflateSync(samples(8, 3)).toString('hex')}>`),
  },
}

function show(entries: string, data: Uint8Array, [width, height]: [number, number] = [WIDTH, HEIGHT]): Buffer {
  return makePage(
    `q ${width * 2} 0 0 ${height * 2} 10 20 cm /I Do Q`,
    pdf =>
      '/XObject<</I ' +
      `${pdf.addPlainStream(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${entries}`, data)} 0 R>>`,
  )
}

/** Returns the changed pixels outside the cleared ones, and the distinct values of the cleared pixels. */
function compare(before: SeenImage, after: SeenImage, cleared: typeof CLEARED): { changed: number; values: number } {
  expect([after.width, after.height, after.pixelBits]).toEqual([before.width, before.height, before.pixelBits])
  let changed = 0
  const values = new Set<string>()
  for (let y = 0; y < before.height; y++) {
    for (let x = 0; x < before.width; x++) {
      const isCleared = x >= cleared.left && x < cleared.right && y >= cleared.top && y < cleared.bottom
      const isNear = x >= cleared.left - 1 && x <= cleared.right && y >= cleared.top - 1 && y <= cleared.bottom
      if (isCleared) values.add(pixelAt(after, x, y))
      else if (!isNear && pixelAt(before, x, y) !== pixelAt(after, x, y)) changed++
    }
  }
  return { changed, values: values.size }
}

async function redact(file: Buffer, maxInflateBytes: number): Promise<Buffer> {
  const { bytes, headers, warnings } = await runOn('pdf-redaction', file, { areas: [AREA] }, { maxInflateBytes })
  expect(headers['X-Redaction-Verified']).toBe('true')
  expect(warnings).toEqual([])
  return bytes
}

describe('images close to the limit of samples in a document', () => {
  for (const [name, { entries, data }] of Object.entries(KINDS)) {
    it(`${name}: loses the pixels under an area, and no other pixel changes`, async () => {
      const file = show(entries, data)
      const bits =
        Number(/BitsPerComponent (\d+)/.exec(entries)?.[1]) *
        (/RGB\/Bits/.test(entries) ? 3 : /CMYK/.test(entries) ? 4 : 1)
      const [[before], [after]] = [
        await readImages(file),
        await readImages(await redact(file, Math.ceil((WIDTH * HEIGHT * bits) / 8))),
      ]
      if (!before || !after) throw new Error('an image is missing')
      expect(compare(before, after, CLEARED)).toEqual({ changed: 0, values: 1 })
    })
  }

  it('are refused if they exceed the limit', async () => {
    const file = show(`${RGB}/Filter/FlateDecode`, deflateSync(samples(8, 3)))
    await expect(redact(file, WIDTH * HEIGHT * 3 - 1)).rejects.toThrow('is too large to edit')
  })

  it('are cleared together with their soft masks', async () => {
    const file = makePage('q 180 0 0 160 10 20 cm /I Do Q', pdf => {
      const mask = pdf.addStream(
        `/Type/XObject/Subtype/Image/Width ${WIDTH}/Height ${HEIGHT}/ColorSpace/DeviceGray/BitsPerComponent 8`,
        samples(8, 1),
      )
      return (
        '/XObject<</I ' +
        `${pdf.addStream(`/Type/XObject/Subtype/Image/Width ${WIDTH}/Height ${HEIGHT}${RGB}/SMask ${mask} 0 R`, samples(8, 3))} ` +
        '0 R>>'
      )
    })
    const [[before], [after]] = [await readImages(file), await readImages(await redact(file, WIDTH * HEIGHT * 3))]
    if (!before || !after) throw new Error('an image is missing')
    expect(compare(before, after, CLEARED)).toEqual({ changed: 0, values: 1 })
  })

  it('end where their data ends', async () => {
    const data = deflateSync(samples(8, 3))
    const [file, whole] = [data.subarray(0, data.length * 0.75), data].map(part =>
      show(`${RGB}/Filter/FlateDecode`, part),
    ) as [Buffer, Buffer]
    const [[before], [after]] = [await readImages(whole), await readImages(await redact(file, WIDTH * HEIGHT * 3))]
    if (!before || !after) throw new Error('an image is missing')
    for (let x = 0; x < WIDTH; x++) expect(pixelAt(after, x, 5)).toBe(pixelAt(before, x, 5))
  })
})

describe('fax images', () => {
  const cleared = { left: 16, right: 35, top: 18, bottom: 27 }

  for (const [name, { dictionary, data }] of Object.entries(FAX_CODINGS)) {
    it(`${name}: remain fax images, without the pixels under an area`, async () => {
      const file = show(dictionary, data, [64, 48])
      const bytes = await redact(file, 20_000)
      expect(bytes.toString('latin1')).toContain('/CCITTFaxDecode')
      // PDF.js misreads aligned rows. All files show one image.
      const { dictionary: sound, data: own } = FAX_CODINGS[
        name.includes('aligned') ? 'one-dimensional' : name
      ] as (typeof FAX_CODINGS)[string]
      const [[before], [after]] = [await readImages(show(sound, own, [64, 48])), await readImages(bytes)]
      if (!before || !after) throw new Error('an image is missing')
      expect(compare(before, after, cleared)).toEqual({ changed: 0, values: 1 })
    })
  }

  it('are decoded by PDFium if their data is invalid', async () => {
    const [, { dictionary, data }] = Object.entries(FAX_CODINGS).at(-1) as [
      string,
      { dictionary: string; data: Buffer },
    ]
    const damaged = Buffer.from(data)
    damaged.fill(0, 150, 152)
    expect((await redact(show(dictionary, damaged, [64, 48]), 20_000)).toString('latin1')).not.toContain(
      '/CCITTFaxDecode',
    )
  })

  it('of 35,000 × 35,000 pixels are redacted within the default limits', async () => {
    const side = 35_000
    const writer = new CcittEncoder(side, 0)
    const line = Int32Array.from([
      ...Array.from({ length: 200 }, (_, index) => 1000 + index * 160),
      side,
      side,
      side,
      side,
    ])
    const blank = Int32Array.from([side, side, side, side])
    for (let y = 0; y < side; y++) writer.write(y % 100 < 40 ? line : blank)
    const file = show(
      `/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${side}/Rows ` +
        `${side}>>`,
      writer.finish(),
      [side, side],
    )
      .toString('latin1')
      .replace(/q \d+ 0 0 \d+ 10 20 cm/, 'q 180 0 0 180 10 10 cm')
    const { headers } = await runOn('pdf-redaction', Buffer.from(file, 'latin1'), {
      areas: [{ page: 1, x: 100, y: 100, width: 12, height: 12 }],
    })
    expect(headers['X-Redaction-Verified']).toBe('true')
  })
})
