import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { CcittEncoder } from '../../../../engines/pdf/content/rewriting/erasing/ccitt-encoder'
import { makeTiff, type TiffDraft } from '../../../fixtures/tiff'
import { readImages } from '../../../support/pdfjs-images'
import { renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'

const convert = async (page: TiffDraft, options = {}) =>
  (await runOn('images-to-pdf', makeTiff([page], options), { dpi: 72 })).bytes
const message = async (page: TiffDraft): Promise<string> =>
  convert(page).then(
    () => 'no error',
    (error: unknown) => String(error instanceof Error && error.message),
  )

/** The colors of the first page, as red, green and blue of each pixel. */
async function colors(page: TiffDraft, options = {}): Promise<number[][]> {
  const { width, height, pixels } = await renderPage(await convert(page, options), 0)
  expect([width, height]).toEqual([page.width, page.height])
  return Array.from({ length: width * height }, (_, at) => [
    pixels[at * 4 + 2] ?? 0,
    pixels[at * 4 + 1] ?? 0,
    pixels[at * 4] ?? 0,
  ])
}

const [RED, GREEN, BLUE, WHITE, BLACK] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
  [0, 0, 0],
]
const square = { width: 4, height: 4 }
const four = (rows: unknown[][]): Buffer => Buffer.from(rows.flat(2) as number[])
const QUARTERS = [RED, RED, GREEN, GREEN, RED, RED, GREEN, GREEN, BLUE, BLUE, WHITE, WHITE, BLUE, BLUE, WHITE, WHITE]

describe('pages of TIFF files', () => {
  it('reads both byte orders, strips, planes and tiles', async () => {
    const pixels = Buffer.from(QUARTERS.flat())
    const rgb = { ...square, channels: 3, photometric: 2 }
    const strips = [0, 1].map(index => pixels.subarray(index * 24, index * 24 + 24))
    for (const isBigEndian of [false, true])
      expect(await colors({ ...rgb, rowsPerStrip: 2, parts: strips }, { isBigEndian })).toEqual(QUARTERS)
    const planes = [0, 1, 2].map(channel => Buffer.from(QUARTERS.map(color => color[channel] ?? 0)))
    expect(await colors({ ...rgb, parts: planes, tags: { 284: [2] } })).toEqual(QUARTERS)
    const tile = Buffer.alloc(16 * 16 * 3)
    for (const [at, color] of QUARTERS.entries()) tile.set(color, (Math.floor(at / 4) * 16 + (at % 4)) * 3)
    expect(await colors({ ...rgb, tile: [16, 16], compression: 8, parts: [deflateSync(tile)] })).toEqual(QUARTERS)
  })

  it('reads gray of 1 to 16 bits, also with white as zero', async () => {
    const checks = [BLACK, WHITE, BLACK, WHITE]
    const expected = [...checks, ...checks, ...checks, ...checks]
    const rows = (row: number[]): Buffer => four([row, row, row, row])
    expect(await colors({ ...square, bits: 1, parts: [rows([0x50])] })).toEqual(expected)
    expect(await colors({ ...square, bits: 1, photometric: 0, parts: [rows([0xa0])] })).toEqual(expected)
    expect(await colors({ ...square, bits: 1, parts: [rows([0x0a])], tags: { 266: [2] } })).toEqual(expected)
    expect(await colors({ ...square, bits: 2, parts: [rows([0x33])] })).toEqual(expected)
    expect(await colors({ ...square, bits: 4, parts: [rows([0x0f, 0x0f])] })).toEqual(expected)
    expect(await colors({ ...square, photometric: 0, parts: [rows([255, 0, 255, 0])] })).toEqual(expected)
    const wide = rows([0x01, 0x00, 0xf0, 0xff, 0x01, 0x00, 0xf0, 0xff])
    expect((await colors({ ...square, bits: 16, parts: [wide] })).map(([red = 0]) => red > 128)).toEqual(
      expected.map(color => color === WHITE),
    )
  })

  it('reads differences of 16 bits in the byte order of the file', async () => {
    const row = [0, 0, 0xff, 0xff, 0x01, 0x00, 0xff, 0xff] // 0, +65535, +1, +65535
    const page = {
      ...square,
      bits: 16,
      compression: 8,
      tags: { 317: [2] },
      parts: [deflateSync(four([row, row, row, row]))],
    }
    expect((await colors(page)).slice(0, 4)).toEqual([BLACK, WHITE, BLACK, WHITE])
  })

  it('reads palettes, CMYK and opacity', async () => {
    const map = [0xffff, 0, 0, 0xffff, 0, 0xffff, 0, 0xffff, 0, 0, 0xffff, 0xffff]
    const indexes = Buffer.from(QUARTERS.map(color => [RED, GREEN, BLUE, WHITE].indexOf(color)))
    const palette = [...map, ...Array.from({ length: 756 }, () => 0)]
    const padded = [0, 1, 2].flatMap(channel => [...map.slice(channel * 4, channel * 4 + 4), ...palette.slice(12, 264)])
    expect(await colors({ ...square, photometric: 3, parts: [indexes], tags: { 320: padded } })).toEqual(QUARTERS)
    const cmyk = Buffer.from(Array.from({ length: 16 }, () => [0, 0, 0, 0]).flat())
    expect((await colors({ ...square, channels: 4, photometric: 5, parts: [cmyk] }))[0]).toEqual(WHITE)
    // Half red: colors are multiplied by the opacity with type 1.
    const half = (color: number[]) => Buffer.from(Array.from({ length: 16 }, () => [...color, 128]).flat())
    for (const [kind, color] of [
      [1, [128, 0, 0]],
      [2, [255, 0, 0]],
    ] as const) {
      const [red = 0, green = 0] =
        (
          await colors({ ...square, channels: 4, photometric: 2, parts: [half([...color])], tags: { 338: [kind] } })
        )[0] ?? []
      expect([red, Math.abs(green - 127) < 3]).toEqual([255, true])
    }
  })

  it('keeps fax data in Group 4 and copies it if possible', async () => {
    const writer = new CcittEncoder(32, 100)
    for (let row = 0; row < 32; row++) writer.write(Int32Array.from([row, 32, 32, 32, 32]))
    const data = Buffer.from(writer.finish())
    const page = { width: 32, height: 32, bits: 1, compression: 4, photometric: 0, parts: [data] }
    const bytes = await convert(page)
    expect(bytes.includes(data)).toBe(true)
    const reversed = data.map(byte => Number.parseInt([...byte.toString(2).padStart(8, '0')].reverse().join(''), 2))
    for (const file of [bytes, await convert({ ...page, parts: [reversed], tags: { 266: [2] } })]) {
      const { pixels } = await renderPage(file, 0)
      // In row 10, black begins at column 10.
      expect([pixels[(10 * 32 + 9) * 4], pixels[(10 * 32 + 10) * 4]]).toEqual([255, 0])
    }
    expect((await colors({ ...page, photometric: 1 }))[31]).toEqual(WHITE)
    expect(await message({ ...page, parts: [data.subarray(0, 8)] })).toContain('damaged page 1')
  })

  it('reads JPEG data in one part and in several', async () => {
    const picture = sharp({ create: { width: 64, height: 300, channels: 3, background: '#c02040' } })
    for (const options of [{}, { tile: true, tileWidth: 32, tileHeight: 32 }]) {
      const file = await picture
        .clone()
        .tiff({ compression: 'jpeg', quality: 95, ...options })
        .toBuffer()
      const { bytes } = await runOn('images-to-pdf', file)
      const [image] = await readImages(bytes)
      const [red = 0, green = 0, blue = 0] = image?.data ?? []
      expect(image).toMatchObject({ width: 64, height: 300 })
      expect(Math.max(Math.abs(red - 0xc0), Math.abs(green - 0x20), Math.abs(blue - 0x40))).toBeLessThan(8)
    }
  })

  it('names what it does not read', async () => {
    const page = { ...square, parts: [Buffer.alloc(64)] }
    expect(await message({ ...page, compression: 50_000 })).toMatch(
      /^files\[0\]: is a TIFF file with Zstandard data on page 1/,
    )
    expect(await message({ ...page, bits: 32 })).toContain('32 bits per sample')
    expect(await message({ ...page, tags: { 339: [3] } })).toContain('floating-point')
    expect(await message({ ...page, photometric: 8, channels: 3 })).toContain('Lab colors')
    expect(await message({ ...page, width: 100 })).toContain('damaged page 1')
  })

  it('returns an error for directories that form a circle', async () => {
    const file = makeTiff([{ ...square, parts: [Buffer.alloc(16)] }])
    file.writeUInt32LE(file.readUInt32LE(4), file.length - 4)
    await expect(runOn('images-to-pdf', file)).rejects.toMatchObject({ reason: 'damaged' })
  })
})
