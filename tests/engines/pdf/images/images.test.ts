import { PDFName } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { isEngineError } from '../../../../engines/errors'
import { drawImage, embedImage } from '../../../../engines/pdf/images/images'
import type { EmbeddedImage } from '../../../../engines/pdf/images/embedded-image'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { PageContent } from '../../../../engines/pdf/content/page-content'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { makeJpeg, toYcc } from '../../../fixtures/jpeg'
import { makePng } from '../../../fixtures/png'
import { PdfWriter } from '../../../fixtures/pdf-writer'
import { renderPage } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { readSound, type StrictPdf } from '../../../support/strict-pdf'

/** An empty page of 160 × 160 points. */
function blank(): Buffer {
  const file = new PdfWriter()
  const pages = file.reserve()
  const page = file.add(`<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 160 160]>>`)
  file.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  return file.write({ root: file.add(`<</Type/Catalog/Pages ${pages} 0 R>>`) })
}

interface Drawn {
  image: EmbeddedImage
  strict: StrictPdf
  /** Red, green and blue in the middle of a cell, counted from the upper left, in a grid of this many cells. */
  colorAt: (column: number, row: number, columns: number, rows: number) => number[]
}

/** An image that fills the page, over a background of `backdrop`. */
async function draw(bytes: Uint8Array, { backdrop = '1 1 1', maxPixels = LIMITS.maxPixels } = {}): Promise<Drawn> {
  const document = openDocument(blank(), { ...LIMITS, maxPixels })
  const image = embedImage(document, bytes, 'options.image')
  const [page] = document.pages
  if (!page) throw new Error('no page')
  const content = new PageContent(document, page)
  content.drawOver(`${backdrop} rg 0 0 160 160 re f`)
  content.drawOver(
    drawImage(image, content.name(PDFName.of('XObject'), 'Image', image.ref), { x: 0, y: 0, width: 160, height: 160 }),
  )
  content.write()
  const written = Buffer.from(saveDocument(document).join())
  const strict = readSound(written)
  const { pixels } = await renderPage(written, 0)
  const colorAt: Drawn['colorAt'] = (column, row, columns, rows) => {
    const at = (Math.floor(((row + 0.5) * 160) / rows) * 160 + Math.floor(((column + 0.5) * 160) / columns)) * 4
    return [pixels[at + 2] ?? -1, pixels[at + 1] ?? -1, pixels[at] ?? -1]
  }
  return { image, strict, colorAt }
}

function expectNear(seen: number[], expected: number[], within = 3): void {
  for (const [index, value] of expected.entries())
    expect(Math.abs((seen[index] ?? -999) - value), `${seen.join()} for ${expected.join()}`).toBeLessThanOrEqual(within)
}

/** Side of the images in cells. A cell is two pixels wide and high, so smoothing doesn't affect its middle. */
const CELLS = 8
const SIDE = CELLS * 2
const cell = (x: number) => Math.floor(x / 2)

const PALETTE = Array.from({ length: 16 }, (_, index) => [index * 16, 255 - index * 16, (index * 53) % 256])

type Kind = { colorType: 0 | 2 | 3 | 4 | 6; bits: 1 | 2 | 4 | 8 | 16 }

const KINDS: Kind[] = [
  ...([1, 2, 4, 8, 16] as const).map(bits => ({ colorType: 0 as const, bits })),
  ...([8, 16] as const).flatMap(bits => [2, 4, 6].map(colorType => ({ colorType: colorType as 2 | 4 | 6, bits }))),
  ...([1, 2, 4, 8] as const).map(bits => ({ colorType: 3 as const, bits })),
]

/** The samples of a cell and its color over green. */
function describeCell({ colorType, bits }: Kind, column: number, row: number): { samples: number[]; color: number[] } {
  const most = 2 ** bits - 1
  const share = (value: number) => Math.round(value * most)
  const [r, g, b] = [column / 7, row / 7, ((column + row) % 4) / 3]
    .map(share)
    .map(value => [value, (value / most) * 255] as const)
  const [red, green, blue] = [r?.[1] ?? 0, g?.[1] ?? 0, b?.[1] ?? 0]
  const alpha = share(((column * 3 + row) % 5) / 4)
  const over = (color: number[]) =>
    color.map((value, index) => (value * alpha) / most + (index === 1 ? 255 : 0) * (1 - alpha / most))
  const gray = [red, red, red]
  if (colorType === 0) return { samples: [r?.[0] ?? 0], color: gray }
  if (colorType === 2) return { samples: [r?.[0] ?? 0, g?.[0] ?? 0, b?.[0] ?? 0], color: [red, green, blue] }
  if (colorType === 4) return { samples: [r?.[0] ?? 0, alpha], color: over(gray) }
  if (colorType === 6)
    return { samples: [r?.[0] ?? 0, g?.[0] ?? 0, b?.[0] ?? 0, alpha], color: over([red, green, blue]) }
  const index = (column + row * 3) % Math.min(16, 2 ** bits)
  return { samples: [index], color: PALETTE[index] ?? [] }
}

function pngOf(kind: Kind, more: { isInterlaced?: boolean; chunks?: Record<string, Buffer> } = {}): Buffer {
  const chunks = {
    ...(kind.colorType === 3 && { PLTE: Buffer.from(PALETTE.slice(0, 2 ** kind.bits).flat()) }),
    ...more.chunks,
  }
  return makePng({
    width: SIDE,
    height: SIDE,
    ...kind,
    ...more,
    chunks,
    pixel: (x, y) => describeCell(kind, cell(x), cell(y)).samples,
  })
}

describe('PNG files', () => {
  for (const kind of KINDS) {
    for (const isInterlaced of [false, true]) {
      it(
        `are drawn with the right colors: color type ${kind.colorType} with ${kind.bits} ` +
          `bits${isInterlaced ? ', interlaced' : ''}`,
        async () => {
          const { colorAt } = await draw(pngOf(kind, { isInterlaced }), { backdrop: '0 1 0' })
          for (const [column, row] of [
            [0, 0],
            [7, 0],
            [3, 2],
            [5, 6],
            [1, 7],
            [6, 3],
          ] as const)
            expectNear(colorAt(column, row, CELLS, CELLS), describeCell(kind, column, row).color)
        },
      )
    }
  }

  for (const isInterlaced of [false, true]) {
    it(`show the background through the transparent colors of a palette${isInterlaced ? ', interlaced' : ''}`, async () => {
      const kind: Kind = { colorType: 3, bits: 4 }
      const { colorAt } = await draw(
        pngOf(kind, { isInterlaced, chunks: { PLTE: Buffer.from(PALETTE.flat()), tRNS: Buffer.from([0, 128]) } }),
        { backdrop: '0 0 1' },
      )
      expectNear(colorAt(0, 0, CELLS, CELLS), [0, 0, 255])
      expectNear(
        colorAt(1, 0, CELLS, CELLS),
        (PALETTE[1] ?? []).map((value, index) => value * 0.5 + (index === 2 ? 127 : 0)),
      )
      expectNear(colorAt(2, 0, CELLS, CELLS), PALETTE[2] ?? [])
    })
  }

  for (const kind of [
    { colorType: 0, bits: 8 },
    { colorType: 2, bits: 8 },
    { colorType: 2, bits: 16 },
    { colorType: 0, bits: 2 },
  ] as Kind[]) {
    it(`show the background through their one transparent color: color type ${kind.colorType} with ${kind.bits} bits`, async () => {
      const { samples } = describeCell(kind, 3, 4)
      const tRNS = Buffer.from(samples.flatMap(sample => [sample >> 8, sample & 255]))
      const { colorAt } = await draw(pngOf(kind, { chunks: { tRNS } }), { backdrop: '0.4 0 0.2' })
      expectNear(colorAt(3, 4, CELLS, CELLS), [102, 0, 51])
      expectNear(colorAt(7, 1, CELLS, CELLS), describeCell(kind, 7, 1).color)
    })
  }

  it('without alpha are embedded unchanged, and an opaque image gets no mask', async () => {
    const plain = pngOf({ colorType: 2, bits: 8 })
    const { strict } = await draw(plain)
    const streams = [...strict.objects.values()].flatMap(({ data }) => (data ? [data] : []))
    expect(streams.some(data => plain.includes(data) && data.length > 100)).toBe(true)
    const opaque = makePng({ width: 2, height: 2, colorType: 6, bits: 8, pixel: () => [9, 9, 9, 255] })
    expect((await draw(opaque)).strict.bytes.includes('/SMask')).toBe(false)
  })

  it('have the size that their resolution states, or 96 DPI', async () => {
    // 5906 and 2953 pixels per meter are 150 and 75 DPI.
    const pHYs = Buffer.from([0, 0, 0x17, 0x12, 0, 0, 0x0b, 0x89, 1])
    const { image } = await draw(pngOf({ colorType: 0, bits: 8 }, { chunks: { pHYs } }))
    expect([image.widthPt, image.heightPt].map(Math.round)).toEqual([8, 15])
    expect((await draw(pngOf({ colorType: 0, bits: 8 }))).image).toMatchObject({
      width: 16,
      height: 16,
      widthPt: 12,
      heightPt: 12,
    })
  })
})

const RGB = [
  [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ],
  [
    [255, 255, 0],
    [0, 0, 0],
    [255, 255, 255],
  ],
]

/** How `RGB` looks in each orientation, by the EXIF specification: rows of cell names. */
const ORIENTED: Record<number, string[]> = {
  1: ['abc', 'def'],
  2: ['cba', 'fed'],
  3: ['fed', 'cba'],
  4: ['def', 'abc'],
  5: ['ad', 'be', 'cf'],
  6: ['da', 'eb', 'fc'],
  7: ['fc', 'eb', 'da'],
  8: ['cf', 'be', 'ad'],
}

describe('JPEG files', () => {
  const blocks = RGB.map(row => row.map(toYcc))

  for (const [orientation, rows] of Object.entries(ORIENTED)) {
    it(`are shown upright in orientation ${orientation}`, async () => {
      const { image, colorAt } = await draw(
        makeJpeg({ blocks, orientation: Number(orientation), byteOrder: Number(orientation) % 2 ? 'II' : 'MM' }),
      )
      const columns = rows[0]?.length ?? 0
      expect([image.width, image.height]).toEqual([columns * 8, rows.length * 8])
      for (const [row, names] of rows.entries()) {
        for (const [column, name] of [...names].entries())
          expectNear(colorAt(column, row, columns, rows.length), RGB.flat()['abcdef'.indexOf(name)] ?? [], 6)
      }
    })
  }

  it("keep their colors in gray, CMYK and Adobe's inverted CMYK", async () => {
    expectNear((await draw(makeJpeg({ blocks: [[[40], [200]]] }))).colorAt(1, 0, 2, 1), [200, 200, 200])
    const [red, paper] = [
      [0, 255, 255, 0],
      [0, 0, 0, 0],
    ]
    const plain = await draw(makeJpeg({ blocks: [[red, paper]] }))
    const adobe = await draw(
      makeJpeg({ blocks: [[red, paper].map(color => color.map(value => 255 - value))], adobeTransform: 0 }),
    )
    for (const { colorAt } of [plain, adobe]) {
      expectNear(colorAt(1, 0, 2, 1), [255, 255, 255], 6)
      const [r = 0, g = 0, b = 0] = colorAt(0, 0, 2, 1)
      expect(r - Math.max(g, b)).toBeGreaterThan(150)
    }
  })

  it('lose camera metadata, and have the size that they state', async () => {
    const { image, strict } = await draw(makeJpeg({ blocks, orientation: 6, pixelsPerInch: 72 }))
    expect([image.widthPt, image.heightPt]).toEqual([16, 24])
    expect(strict.bytes.includes('Exif')).toBe(false)
  })
})

describe("files that aren't images", () => {
  const png = pngOf({ colorType: 2, bits: 8 })
  const jpeg = makeJpeg({ blocks: [[[1], [2]]] })
  const flipped = Buffer.from(png)
  flipped[60] = (flipped[60] ?? 0) ^ 0xff
  const cases: Record<string, [Buffer, RegExp]> = {
    'a text': [Buffer.from('hello'), /must be a PNG or JPEG file/],
    'nothing at all': [Buffer.alloc(0), /must be a PNG or JPEG file/],
    'a GIF': [Buffer.from('GIF89a\x01\0\x01\0'), /must be a PNG or JPEG file/],
    'a PNG that is cut off': [png.subarray(0, 90), /damaged PNG file\. It ends too early/],
    'a PNG with wrong bytes': [flipped, /damaged PNG file\. A checksum is wrong/],
    'a PNG with too few rows': [
      makePng({ width: 4, height: 9, statedHeight: 10, colorType: 0, bits: 8, pixel: () => [1] }),
      /It has fewer pixels than its header says/,
    ],
    'a PNG of a depth that does not exist': [
      makePng({ width: 4, height: 4, colorType: 2, bits: 4, pixel: () => [1, 1, 1] }),
      /Its header has invalid values/,
    ],
    'a PNG without its palette': [
      makePng({ width: 4, height: 4, colorType: 3, bits: 4, pixel: () => [1] }),
      /It has no palette/,
    ],
    'a JPEG that is cut off': [jpeg.subarray(0, jpeg.length - 3), /damaged JPEG file/],
    'a JPEG without a scan': [jpeg.subarray(0, 90), /damaged JPEG file/],
    'a lossless JPEG': [makeJpeg({ blocks: [[[1]]], frame: 0xc3 }), /of a type that PDF doesn't support/],
  }
  for (const [name, [bytes, message]] of Object.entries(cases)) {
    it(`are refused: ${name}`, async () => {
      const error: unknown = await draw(bytes).catch((thrown: unknown) => thrown)
      if (!isEngineError(error)) throw new Error('was not refused', { cause: error })
      expect([error.reason, error.problems[0]?.param, error.message]).toEqual([
        'options_invalid',
        'options.image',
        expect.stringMatching(message),
      ])
    })
  }

  it('are refused before decoding if they have more pixels than allowed', async () => {
    // Rows of an opaque image may take four bytes for each allowed pixel. JPEG data isn't decoded.
    await expect(draw(png, { maxPixels: 191 })).rejects.toThrow(
      'options.image: must have at most 254 pixels. Got 16 × 16. Send a smaller image.',
    )
    await expect(draw(png, { maxPixels: 192 })).resolves.toBeDefined()
  })
})
