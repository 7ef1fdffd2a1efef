import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { findTool } from '../../../engines/tools/registry'
import { makeJpeg } from '../../fixtures/jpeg'
import { makePng } from '../../fixtures/png'
import { makeTiff } from '../../fixtures/tiff'
import { readImages } from '../../support/pdfjs-images'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'

const WIDTH = 48
const HEIGHT = 32

/** Pixels of three bytes that differ in each corner. */
const PIXELS = Buffer.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, at) => [
    (at % WIDTH) * 5,
    Math.floor(at / WIDTH) * 8,
    at % 7 === 0 ? 200 : 40,
  ]).flat(),
)
const picture = (): Sharp => sharp(PIXELS, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })

const png = (chunks: Record<string, Buffer> = {}): Buffer =>
  makePng({
    width: WIDTH,
    height: HEIGHT,
    colorType: 2,
    bits: 8,
    chunks,
    pixel: (x, y) => [...PIXELS.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3)],
  })

const convert = async (files: Buffer | Buffer[], options: object = {}, limits = {}) =>
  runOn('images-to-pdf', files, options, { name: 'photo.jpeg', ...limits })
const sizes = async (files: Buffer[], options: object = {}): Promise<number[][]> =>
  (await readPdf((await convert(files, options)).bytes)).pages.map(({ width, height }) => [
    Math.round(width * 100) / 100,
    Math.round(height * 100) / 100,
  ])

/** The pixels of the first image on the first page, as PDF.js decodes them. */
async function pixelsOf(file: Buffer): Promise<Buffer> {
  const [image] = await readImages((await convert(file)).bytes)
  if (!image) throw new Error('no image')
  expect([image.width, image.height]).toEqual([WIDTH, HEIGHT])
  const bytes = image.pixelBits / 8
  return Buffer.from(image.data.filter((_, at) => bytes !== 4 || at % 4 < 3))
}

const problems = (options: object): string[] =>
  (findTool('images-to-pdf')?.options.safeParse(options).error?.issues ?? []).map(({ path }) => path.join('.'))

/** The color of a pixel of a rendered page, from the upper-left corner. */
async function colorAt(file: Buffer, x: number, y: number, pageIndex = 0): Promise<number[]> {
  const { width, pixels } = await renderPage(file, pageIndex)
  const at = (y * width + x) * 4
  return [pixels[at + 2] ?? 0, pixels[at + 1] ?? 0, pixels[at] ?? 0]
}

/** EXIF data with a resolution in both directions, and an orientation that isn't valid. */
function makeExif(resolution: number, unit: number): Buffer {
  const exif = Buffer.alloc(72)
  exif.write('Exif\0\0II*\0', 'latin1')
  const entries = [
    [0x112, 3, 9],
    [0x11a, 5, 58],
    [0x11b, 5, 58],
    [0x128, 3, unit],
  ]
  exif.writeUInt32LE(8, 10)
  exif.writeUInt16LE(entries.length, 14)
  for (const [index, [tag = 0, type = 0, value = 0]] of entries.entries()) {
    exif.writeUInt16LE(tag, 16 + index * 12)
    exif.writeUInt16LE(type, 18 + index * 12)
    exif.writeUInt32LE(value, 24 + index * 12)
  }
  exif.writeUInt32LE(Number.isFinite(resolution) ? Math.round(resolution * 10_000) : 1, 64)
  exif.writeUInt32LE(Number.isFinite(resolution) ? 10_000 : 0, 68)
  return exif
}

describe('images-to-pdf', () => {
  it('makes a page of each image, in the size of the image at its resolution', async () => {
    const jpeg = makeJpeg({ blocks: [[[128], [64]]], pixelsPerInch: 72 })
    const density = Buffer.from([0, 0, 0x1f, 0xc6, 0, 0, 0x1f, 0xc6, 1]) // 8134 per meter: 206.6 DPI
    const tiff = makeTiff([{ width: 4, height: 4, dpi: 36, parts: [Buffer.alloc(16, 90)] }])
    expect(await sizes([jpeg, png(), png({ pHYs: density }), tiff])).toEqual([
      [16, 8],
      [36, 24],
      [16.73, 11.15],
      [8, 8],
    ])
    expect(await sizes([png()], { dpi: 48, margin: 10 })).toEqual([[92, 68]])
  })

  it.each([
    [600, 2, [5.76, 3.84]],
    [236.2205, 3, [5.76, 3.84]],
    [72, 2, [36, 24]], // Cameras mean an unknown resolution.
    [Infinity, 2, [36, 24]],
  ])('reads the resolution %d of EXIF data in unit %i', async (resolution, unit, size) => {
    const exif = makeExif(resolution, unit)
    const jpeg = await picture().jpeg().toBuffer()
    const end = 4 + jpeg.readUInt16BE(4) // of the JFIF segment
    const mark = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
    const webp = await picture().webp().toBuffer()
    const head = Buffer.from(`EXIF${String.fromCharCode(exif.length)}\0\0\0`, 'latin1')
    const files = [
      Buffer.concat([jpeg.subarray(0, 2), mark, exif, jpeg.subarray(end)]),
      Buffer.concat([webp, head, exif]),
    ]
    expect(await sizes(files)).toEqual([size, size])
  })

  it('keeps the pixels of lossless formats', async () => {
    const files = [
      png(),
      await picture().webp({ lossless: true, exact: true }).toBuffer(),
      await picture().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
      await picture().tiff({ compression: 'deflate', tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer(),
      await picture().tiff({ compression: 'packbits' }).toBuffer(),
      await picture().tiff({ compression: 'none' }).toBuffer(),
    ]
    for (const file of files) expect((await pixelsOf(file)).equals(PIXELS)).toBe(true)
  })

  it('copies the data of JPEG files, without their metadata', async () => {
    const file = await picture()
      .jpeg({ quality: 90, progressive: true })
      .withExif({ IFD0: { Artist: 'Someone' } })
      .toBuffer()
    const { bytes } = await convert(file)
    const scan = file.subarray(file.indexOf(Buffer.from([0xff, 0xda])))
    expect(bytes.includes(scan)).toBe(true)
    expect(bytes.includes('Someone')).toBe(false)
  })

  it('converts lossy WebP files without visible loss, and keeps transparency', async () => {
    const lossy = await picture().webp({ quality: 90 }).toBuffer()
    const expected = await sharp(lossy).removeAlpha().raw().toBuffer()
    const seen = await pixelsOf(lossy)
    const mean = seen.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / seen.length
    expect(mean).toBeLessThan(6)
    const clear = await sharp({
      create: { width: 48, height: 32, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .webp({ lossless: true })
      .toBuffer()
    const { bytes } = await convert(clear, { background: '#00FF00' })
    expect(await colorAt(bytes, 10, 10)).toEqual([0, 255, 0])
  })

  it('shows the first frame of a GIF', async () => {
    const file = await picture().gif({ colours: 256, dither: 0 }).toBuffer()
    const expected = await sharp(file).removeAlpha().raw().toBuffer()
    expect((await pixelsOf(file)).equals(expected)).toBe(true)
  })

  it('applies EXIF orientations', async () => {
    const turned = await picture().jpeg({ quality: 95 }).withExif({}).withMetadata({ orientation: 6 }).toBuffer()
    expect(await sizes([turned], { pageSize: { width: 300, height: 400 } })).toEqual([[300, 400]])
    const { bytes } = await convert(turned, { dpi: 72 })
    const expected = await sharp(turned).rotate().raw().toBuffer()
    const page = await renderPage(bytes, 0)
    expect([page.width, page.height]).toEqual([HEIGHT, WIDTH])
    const [red = 0, green = 0] = await colorAt(bytes, HEIGHT - 3, 2)
    const at = (2 * HEIGHT + HEIGHT - 3) * 3
    expect(Math.abs(red - (expected[at] ?? 0))).toBeLessThan(12)
    expect(Math.abs(green - (expected[at + 1] ?? 0))).toBeLessThan(12)
  })

  it('keeps color profiles', async () => {
    const file = await picture().withIccProfile('p3').png().toBuffer()
    const { bytes } = await convert([file, file, await picture().withIccProfile('p3').jpeg().toBuffer()])
    const pdf = new StrictPdf(bytes)
    expect(pdf.problems).toEqual([])
    const images = [...pdf.objects.values()].filter(({ value }) => pdf.text(pdf.dict(value).get('Subtype')) === 'Image')
    expect(images).toHaveLength(2)
    const profiles = images.map(({ value }) => pdf.array(pdf.dict(value).get('ColorSpace')))
    expect(profiles.map(([name]) => pdf.text(name))).toEqual(['ICCBased', 'ICCBased'])
    expect(profiles[0]?.[1]).toEqual(profiles[1]?.[1])
  })

  it('turns pages to their image, and fits images inside of margins', async () => {
    const portrait = await picture().rotate(90).png().toBuffer()
    expect(await sizes([png(), portrait], { pageSize: 'A5' })).toEqual([
      [595.28, 419.53],
      [419.53, 595.28],
    ])
    expect(await sizes([png()], { pageSize: 'A5', orientation: 'portrait' })).toEqual([[419.53, 595.28]])
    const red = await sharp({ create: { width: 100, height: 50, channels: 3, background: '#ff0000' } })
      .withMetadata({ density: 72 })
      .png()
      .toBuffer()
    const on = async (options: object) =>
      (await convert(red, { pageSize: { width: 200, height: 200 }, margin: 20, background: '#0000FF', ...options }))
        .bytes
    const [RED, BLUE] = [
      [255, 0, 0],
      [0, 0, 255],
    ]
    const contain = await on({})
    expect([await colorAt(contain, 22, 100), await colorAt(contain, 18, 100)]).toEqual([RED, BLUE])
    expect([await colorAt(contain, 100, 62), await colorAt(contain, 100, 58)]).toEqual([RED, BLUE])
    const cover = await on({ fit: 'cover' })
    expect([await colorAt(cover, 22, 22), await colorAt(cover, 18, 100), await colorAt(cover, 100, 18)]).toEqual([
      RED,
      BLUE,
      BLUE,
    ])
    const actual = await on({ fit: 'actual' })
    expect([await colorAt(actual, 52, 100), await colorAt(actual, 48, 100)]).toEqual([RED, BLUE])
  })

  it('adds bookmarks and a title', async () => {
    const tiff = makeTiff([1, 2].map(() => ({ width: 8, height: 8, parts: [Buffer.alloc(64)] })))
    const { bytes, headers } = await convert([tiff, png()], { bookmarks: true, title: 'Für alle' })
    const { outline, title, pages } = await readPdf(bytes)
    expect(outline.map(entry => [entry.title, entry.page])).toEqual([
      ['input-1', 1],
      ['input-2', 3],
    ])
    expect([title, pages.length, headers['X-Page-Count']]).toEqual(['Für alle', 3, '3'])
  })

  it('names the file and its format if it is not an image', async () => {
    const refused: [Buffer, string][] = [
      [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1'), 'Got a HEIC image.'],
      [Buffer.from('%PDF-1.7\n'), 'Got a PDF.'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Got an SVG image.'],
      [Buffer.from('hello'), 'Got an unknown format.'],
      [Buffer.alloc(0), 'Got an empty file.'],
    ]
    for (const [file, message] of refused)
      await expect(convert([png(), file])).rejects.toMatchObject({
        reason: 'damaged',
        message: expect.stringContaining(message),
        problems: [{ param: 'files[1]' }],
      })
  })

  it('returns an error for images that end too early', async () => {
    const files = [
      png(),
      await picture().jpeg().toBuffer(),
      await picture().webp().toBuffer(),
      await picture().webp({ lossless: true }).toBuffer(),
      await picture().gif().toBuffer(),
      await picture().tiff({ compression: 'lzw' }).toBuffer(),
      await picture().tiff({ compression: 'jpeg' }).toBuffer(),
    ]
    for (const file of files) {
      await expect(convert(file)).resolves.toBeDefined()
      await expect(convert(file.subarray(0, Math.floor(file.length * 0.6)))).rejects.toMatchObject({
        reason: 'damaged',
      })
    }
  })

  it('limits the pixels of each image', async () => {
    // JPEG data isn't decoded, and the rows of an opaque PNG file take three bytes of four for each pixel.
    const files: [Buffer, number][] = [
      [png(), 3 / 4],
      [await picture().jpeg().toBuffer(), 1 / 10],
      [await picture().webp().toBuffer(), 1],
      [await picture().gif().toBuffer(), 1],
      [await picture().tiff().toBuffer(), 1],
    ]
    for (const [file, share] of files) {
      const least = Math.ceil(WIDTH * HEIGHT * share)
      await expect(convert([file], {}, { maxPixels: least })).resolves.toBeDefined()
      await expect(convert([file], {}, { maxPixels: least - 1 })).rejects.toMatchObject({
        reason: 'too_large',
        problems: [{ param: 'files[0]' }],
      })
    }
    await expect(convert([png(), png()], {}, { maxPagesOut: 1 })).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('rejects pages and margins that are impossible', async () => {
    await expect(convert(png(), { dpi: 1200 })).rejects.toMatchObject({ problems: [{ param: 'files[0]' }] })
    await expect(convert(png(), { pageSize: 'A6', margin: 200 })).rejects.toMatchObject({
      problems: [{ param: 'options.margin' }],
    })
    expect(problems({ fit: 'cover', orientation: 'portrait' })).toEqual(['fit', 'orientation'])
    expect(problems({ languages: ['eng'] })).toEqual(['languages'])
    expect(problems({ pageSize: 'A4', fit: 'cover', ocr: true, languages: ['eng'] })).toEqual([])
  })

  it('stores the same image once, and returns the same bytes for the same input', async () => {
    const once = (await convert(png())).bytes
    const many = (await convert(Array.from({ length: 100 }, () => png()))).bytes
    expect((await readPdf(many)).pages).toHaveLength(100)
    expect(many.length).toBeLessThan(once.length + 30_000)
    expect((await convert(png())).bytes.equals(once)).toBe(true)
  })
})
