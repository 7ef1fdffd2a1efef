import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { findTool } from '../../../engines/tools/registry'
import { Draft, numbered } from '../../fixtures/draft'
import { makeApplication } from '../../fixtures/forms'
import { makePage } from '../../fixtures/images'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { compareImages } from '../../support/compare-images'
import { hasProgram } from '../../support/other-programs'
import { renderWith } from '../../support/other-renderers'
import { readZip } from '../../support/read-zip'
import { type Image, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'

const file = numbered({ rotate: { 2: 90 } })
const convert = async (options: object, input: Buffer = file, limits = {}) =>
  runOn('pdf-to-images', input, options, { name: 'report.pdf', ...limits })
const single = async (options: object, input?: Buffer): Promise<Buffer> =>
  (await convert({ pages: [1], ...options }, input)).bytes

/** An image file on white, in the order of channels that PDFium uses. */
async function decode(bytes: Buffer): Promise<Image> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at] ?? 0
    data[at] = data[at + 2] ?? 0
    data[at + 2] = red
  }
  return { width: info.width, height: info.height, pixels: data }
}

function largestDifference(one: Image, other: Image): number {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  return one.pixels.reduce((most, value, at) => Math.max(most, Math.abs(value - (other.pixels[at] ?? 0))), 0)
}

const problems = (options: object): (string | undefined)[] =>
  (findTool('pdf-to-images')?.options.safeParse(options).error?.issues ?? []).map(({ path }) => path.join('.'))

describe('pdf-to-images', () => {
  it('returns a ZIP with a PNG of each page, named by page number', async () => {
    const result = await convert({ dpi: 36 })
    expect(result).toMatchObject({ contentType: 'application/zip', name: 'report-images.zip' })
    const entries = readZip(result.bytes)
    expect(entries.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5].map(number => `report-${number}.png`))
    const sizes = await Promise.all(entries.map(async ({ bytes }) => sharp(bytes).metadata()))
    expect(sizes.map(({ width, height, density, channels }) => [width, height, density, channels])).toEqual([
      [306, 396, 36, 3],
      [396, 306, 36, 3],
      ...[3, 4, 5].map(() => [306, 396, 36, 3]),
    ])
  })

  it('shows what PDFium shows', async () => {
    expect(largestDifference(await decode(await single({ dpi: 72 })), await renderPage(file, 0))).toBe(0)
  })

  it.skipIf(!hasProgram('mutool'))('shows what MuPDF (mutool) shows', async () => {
    const [seen = expect.fail()] = renderWith('mutool', file)
    expect(compareImages(await decode(await single({ dpi: 72 })), seen)).toBeLessThan(0.002)
  })

  it('writes JPEG with its resolution, and with more bytes at a higher quality', async () => {
    const bytes = await single({ format: 'jpeg', dpi: 100 })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 850, height: 1100, density: 100 })
    expect(bytes.length).toBeGreaterThan((await single({ format: 'jpeg', dpi: 100, quality: 20 })).length)
    expect(compareImages(await decode(bytes), await decode(await single({ dpi: 100 })))).toBeLessThan(0.001)
  })

  it('writes WebP, and gray images in each format', async () => {
    const color = makePage('1 0 0 rg 0 0 400 400 re f')
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await single({ format, color: 'gray', dpi: 36 }, color)
      const image = await decode(bytes)
      const [blue = 0, green = 0, red = 0] = image.pixels.subarray((image.height - 4) * image.width * 4 + 16)
      expect(Math.max(Math.abs(red - 76), Math.abs(green - 76), Math.abs(blue - 76))).toBeLessThan(4)
      const { channels } = await sharp(bytes).metadata()
      expect(channels).toBe(format === 'webp' ? 3 : 1)
    }
  })

  it('fits images into a width, a height, or both', async () => {
    const sizeOf = async (options: object) => {
      const { width, height } = await sharp(await single(options)).metadata()
      return [width, height]
    }
    expect(await sizeOf({ width: 306 })).toEqual([306, 396])
    expect(await sizeOf({ height: 99 })).toEqual([77, 99])
    expect(await sizeOf({ width: 500, height: 99 })).toEqual([77, 99])
  })

  it('leaves the background transparent, and looks the same on white', async () => {
    const white = await decode(await single({ dpi: 72 }))
    for (const color of ['rgb', 'gray']) {
      const bytes = await single({ dpi: 72, background: 'transparent', color })
      const alpha = await sharp(bytes).extractChannel('alpha').raw().toBuffer()
      expect(alpha[0]).toBe(0)
      expect(alpha.some(value => value === 255)).toBe(true)
      expect(largestDifference(await decode(bytes), white)).toBeLessThan(3)
    }
    const webp = await single({ dpi: 72, background: 'transparent', format: 'webp' })
    expect((await sharp(webp).metadata()).hasAlpha).toBe(true)
  })

  it('keeps half-transparent colors unmultiplied', async () => {
    const page = makePage('/G gs 1 0 0 rg 0 0 400 400 re f', pdf => `/ExtGState<</G ${pdf.add('<</ca 0.5>>')} 0 R>>`)
    const { data } = await sharp(await single({ dpi: 36, background: 'transparent' }, page))
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [red = 0, green, blue, alpha = 0] = data
    expect([red, green, blue]).toEqual([255, 0, 0])
    expect(Math.abs(alpha - 128)).toBeLessThan(3)
  })

  it('shows or hides form fields, and smooths their text without colors', async () => {
    const form = makeApplication()
    const shown = await decode(await single({ dpi: 72 }, form))
    const hidden = await decode(await single({ dpi: 72, annotations: false }, form))
    expect(compareImages(shown, hidden)).toBeGreaterThan(0)
    const isColored = (image: Image): boolean =>
      image.pixels.some((value, at) => at % 4 < 2 && Math.abs(value - (image.pixels[at + 1] ?? 0)) > 24)
    expect(isColored(hidden)).toBe(false)
    expect(isColored(shown)).toBe(false)
  })

  it('draws the pages of a selector in its order, named by a template', async () => {
    const { bytes } = await convert({
      dpi: 8,
      pages: [3, 1, 3],
      nameTemplate: '{index} of {name}, p. {page} {label}',
      format: 'jpeg',
    })
    expect(readZip(bytes).map(({ name }) => name)).toEqual(
      ['1 of report, p. 3 3', '2 of report, p. 1 1', '3 of report, p. 3 3'].map(name => `${name}.jpg`),
    )
    const same = await convert({ dpi: 8, pages: [1, 2], nameTemplate: '../x' })
    expect(readZip(same.bytes).map(({ name }) => name)).toEqual(
      ['-x.png', '-x (2).png'].map(name => name.replace(/^-/, '')),
    )
  })

  it('uses page labels in names', async () => {
    const draft = new Draft({ pages: 2 })
    draft.catalog.push('/PageLabels<</Nums[0<</S/r/P(A-)>>]>>')
    const { bytes } = await convert({ dpi: 8, nameTemplate: '{label}' }, draft.write())
    expect(readZip(bytes).map(({ name }) => name)).toEqual(['A-i.png', 'A-ii.png'])
  })

  it('returns a contact sheet with all pages, with or without labels', async () => {
    const contactSheet = { columns: 3, pageWidth: 100, gap: 10 }
    const result = await convert({ contactSheet })
    expect(result).toMatchObject({ contentType: 'image/png', name: 'report-images.png' })
    const sheet = await sharp(result.bytes).metadata()
    expect(sheet.width).toBe(3 * 100 + 4 * 10)
    const plain = (await convert({ contactSheet: { ...contactSheet, labels: false } })).bytes
    expect(await sharp(plain).metadata()).toMatchObject({ width: 340, height: 10 + 2 * (129 + 10) })
    expect(sheet.height ?? 0).toBeGreaterThan(288)
    // Page 2 is turned, so it is lower than its row. The white above it has no line.
    const row = await sharp(plain).extract({ left: 0, top: 30, width: 340, height: 1 }).greyscale().raw().toBuffer()
    expect([row[9], row[110], row[119], row[220], row[229], row[330]]).toEqual([190, 190, 255, 255, 190, 190])
    for (const format of ['jpeg', 'webp'])
      expect((await sharp((await convert({ contactSheet, format })).bytes).metadata()).format).toBe(format)
  })

  it('names the page, its size and the largest resolution if an image is too large', async () => {
    const limits = { maxPixels: 100_000 }
    await expect(convert({ dpi: 300 }, file, limits)).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringMatching(/2,550 × 3,300 pixels for page 1\. Use at most 32 DPI/),
      problems: [{ param: 'options.dpi' }],
    })
    await expect(convert({ dpi: 32, pages: [1] }, file, limits)).resolves.toBeDefined()
    await expect(convert({ dpi: 33, pages: [1] }, file, limits)).rejects.toMatchObject({ reason: 'too_large' })
    await expect(convert({ width: 5000 }, file, limits)).rejects.toMatchObject({
      problems: [{ param: 'options.width' }],
    })
    await expect(convert({ contactSheet: { pageWidth: 2000 } }, file, limits)).rejects.toMatchObject({
      problems: [{ param: 'options.contactSheet' }],
    })
    await expect(convert({ height: 17_000, format: 'webp', pages: [1] })).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('returns an error for a page whose content is unreadable, never a white image', async () => {
    const pdf = new PdfWriter()
    const [root, tree, page] = [pdf.reserve(), pdf.reserve(), pdf.reserve()]
    const content = pdf.addPlainStream('/Filter/Unknown', 'some data')
    pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
    pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`)
    pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 99 99]/Contents ${content} 0 R>>`)
    const damaged = pdf.write({ root })
    for (const options of [{}, { contactSheet: {} }])
      await expect(convert(options, damaged)).rejects.toMatchObject({
        reason: 'damaged',
        message: expect.stringContaining('Page 1'),
      })
  })

  it('refuses a page with more annotations than can be drawn in time, unless it draws none', async () => {
    const draft = new Draft({ pages: 1 })
    const note = draft.pdf.add('<</Type/Annot/Subtype/Text/Rect[10 10 20 20]>>')
    draft.page(1).entries.push(`/Annots[${`${note} 0 R `.repeat(10_001)}]`)
    const crowded = draft.write()
    for (const options of [{ dpi: 20 }, { contactSheet: {} }])
      await expect(convert(options, crowded)).rejects.toThrow('Page 1 has 10,001 annotations.')
    expect((await convert({ dpi: 20, annotations: false }, crowded)).contentType).toBe('image/png')
  })

  it('returns the image of one page itself, or in a ZIP if the request says so', async () => {
    expect(await convert({ pages: 'last', dpi: 8 })).toMatchObject({
      contentType: 'image/png',
      name: 'report-images.png',
    })
    expect(await convert({ pages: 'last', dpi: 8, zip: true })).toMatchObject({ contentType: 'application/zip' })
  })

  it('rejects options that have no effect together', () => {
    expect(problems({ dpi: 72, width: 100 })).toEqual(['width'])
    expect(problems({ quality: 50 })).toEqual(['quality'])
    expect(problems({ format: 'jpeg', background: 'transparent' })).toEqual(['background'])
    expect(problems({ contactSheet: {}, dpi: 72, background: 'transparent', zip: true })).toEqual([
      'dpi',
      'background',
      'zip',
    ])
    expect(problems({ contactSheet: {}, nameTemplate: '{page}' })).toEqual(['nameTemplate'])
    expect(problems({ nameTemplate: '{title}' })).toEqual(['nameTemplate'])
  })

  it('returns the same bytes for the same input', async () => {
    for (const options of [{ dpi: 20 }, { dpi: 20, format: 'webp' }, { contactSheet: { pageWidth: 50 } }])
      expect((await convert(options)).bytes.equals((await convert(options)).bytes)).toBe(true)
  })
})
