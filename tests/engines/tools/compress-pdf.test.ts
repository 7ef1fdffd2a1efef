import { deflateSync } from 'node:zlib'
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { writeSrgbProfile } from '../../../engines/standards/archival/profiles/icc-profile'
import { Draft, noise, numbered } from '../../fixtures/draft'
import {
  addAttachments,
  addForm,
  addLabels,
  addLayers,
  addLinks,
  addOutline,
  addScripts,
  addSignature,
} from '../../fixtures/features'
import { makePage } from '../../fixtures/images'
import { makeJpeg } from '../../fixtures/jpeg'
import { addTags } from '../../fixtures/tagged'
import { compareImages } from '../../support/compare-images'
import { readImages } from '../../support/pdfjs-images'
import { readPdfjsTexts } from '../../support/pdfjs-texts'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'

const compress = (file: Uint8Array, options: unknown = {}) => runOn('compress-pdf', file, options)

/** Samples of a photo: a smooth gradient with noise. */
function photo(width: number, height: number, channels: number): Uint8Array {
  const grain = noise('grain', width * height)
  const samples = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++)
        samples[(y * width + x) * channels + channel] =
          40 + ((x + (channel + 1) * y) % 160) + ((grain[y * width + x] ?? 0) & 15)
  return samples
}

/** A page of 200 × 200 points that is filled with one image. */
function imagePage(entries: string, samples: Uint8Array, { width = 600, height = 600 } = {}): Buffer {
  const dictionary = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${entries}/Filter/FlateDecode`
  return makePage(
    'q 200 0 0 200 0 0 cm /I Do Q',
    pdf => `/XObject<</I ${pdf.addPlainStream(dictionary, deflateSync(samples))} 0 R>>`,
  )
}

const COLOR = '/ColorSpace/DeviceRGB/BitsPerComponent 8'
const GRAY = '/ColorSpace/DeviceGray/BitsPerComponent 8'

/** The XMP packet of a file, read by pdf-lib. */
async function readXmpSource(file: Uint8Array): Promise<string> {
  const { catalog } = await PDFDocument.load(file)
  const metadata = catalog.lookup(PDFName.of('Metadata'))
  return metadata instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(metadata).decode()).toString() : ''
}

async function sizeOfImage(file: Uint8Array): Promise<string> {
  const [image] = await readImages(file)
  return `${image?.width} × ${image?.height}`
}

describe('compress-pdf', () => {
  it('reduces photos to the resolution of the level', async () => {
    // 700 pixels over 200 points are 252 DPI.
    const file = imagePage(COLOR, photo(700, 700, 3), { width: 700, height: 700 })
    const [print, screen] = [await compress(file, { level: 'print' }), await compress(file, { level: 'screen' })]
    expect(await sizeOfImage(print.bytes)).toBe('556 × 556')
    expect(await sizeOfImage(screen.bytes)).toBe('417 × 417')
    expect(screen.bytes.length).toBeLessThan(print.bytes.length)
    expect(print.bytes.length).toBeLessThan(file.length / 4)
    expect(screen.headers).toMatchObject({
      'X-Bytes-Before': String(file.length),
      'X-Bytes-After': String(screen.bytes.length),
      'X-Page-Count': '1',
    })
    expect((await compress(file, { level: 'screen' })).bytes.equals(screen.bytes)).toBe(true)
    expect(compareImages(await renderPage(file, 0), await renderPage(print.bytes, 0))).toBeLessThan(0.001)
  })

  it('reduces an image while it is decoded if it is larger than the memory for it', async () => {
    // The samples take 3 MB, and the limit is 1 MB. 1000 pixels over 200 points are 360 DPI.
    const file = imagePage(COLOR, photo(1000, 1000, 3), { width: 1000, height: 1000 })
    const small = { maxPixels: 250_000 }
    const screen = await runOn('compress-pdf', file, { level: 'screen' }, small)
    expect(screen.warnings).toEqual([])
    expect(await sizeOfImage(screen.bytes)).toBe('417 × 417')
    expect(compareImages(await renderPage(file, 0), await renderPage(screen.bytes, 0))).toBeLessThan(0.001)
    const target = await runOn('compress-pdf', file, { targetBytes: 100_000 }, small)
    expect(target.warnings).toEqual([])
    expect(target.bytes.length).toBeLessThanOrEqual(100_000)
  })

  it('codes plain areas of a reduced JPEG without loss, if that is smaller', async () => {
    const samples = Uint8Array.from({ length: 1200 * 1200 * 3 }, (_, at) =>
      Math.floor(at / 3600) % 40 < 12 && (at % 3600) / 3 > 100 ? 30 : 250,
    )
    const raw = { width: 1200, height: 1200, channels: 3 } as const
    const jpeg = await sharp(samples, { raw }).jpeg({ quality: 90 }).toBuffer()
    const file = makePage(
      'q 200 0 0 200 0 0 cm /I Do Q',
      pdf =>
        `/XObject<</I ${pdf.addPlainStream(
          `/Type/XObject/Subtype/Image/Width 1200/Height 1200${COLOR}/Filter/DCTDecode`,
          jpeg,
        )} 0 R>>`,
    )
    const { bytes } = await compress(file, { level: 'print' })
    expect(await sizeOfImage(bytes)).toBe('556 × 556')
    expect(bytes.includes('/DCTDecode')).toBe(false)
    expect(bytes.length).toBeLessThan(file.length / 3)
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBeLessThan(0.002)
  })

  it.each([
    ['direct', false],
    ['shared', true],
  ])('removes images that nothing draws from %s resources', async (_, isShared) => {
    const image = deflateSync(photo(100, 100, 3))
    const dictionary = `/Type/XObject/Subtype/Image/Width 100/Height 100${COLOR}/Filter/FlateDecode`
    const file = makePage('q 200 0 0 200 0 0 cm /Used Do Q', pdf => {
      const used = `${pdf.addPlainStream(dictionary, image)} 0 R`
      const unused = `${pdf.addPlainStream(dictionary, deflateSync(photo(90, 100, 3)))} 0 R`
      const objects = `<</Used ${used}/Unused ${unused}>>`
      return `/XObject ${isShared ? `${pdf.add(objects)} 0 R` : objects}`
    })
    const { bytes } = await compress(file, { level: 'print' })
    const { context } = await PDFDocument.load(bytes)
    const images = context
      .enumerateIndirectObjects()
      .filter(([, object]) => object instanceof PDFRawStream && object.dict.get(PDFName.of('Width')))
    expect(images).toHaveLength(1)
    expect(await sizeOfImage(bytes)).toBe('100 × 100')
  })

  it('keeps images that a glyph may draw', async () => {
    const image = deflateSync(photo(100, 100, 3))
    const file = makePage('BT /F 40 Tf 20 20 Td (a) Tj ET', pdf => {
      const dictionary = `/Type/XObject/Subtype/Image/Width 100/Height 100${COLOR}/Filter/FlateDecode`
      const glyph = pdf.addStream('', '1000 0 d0 q 800 0 0 800 0 0 cm /I Do Q')
      const font = pdf.add(
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 97' +
          `/Widths[1000]/Encoding<</Differences[97/a]>>/CharProcs<</a ${glyph} 0 R>>>>`,
      )
      return `/Font<</F ${font} 0 R>>/XObject<</I ${pdf.addPlainStream(dictionary, image)} 0 R>>`
    })
    const { bytes } = await compress(file, { level: 'screen' })
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBeLessThan(0.001)
  })

  it.each(['print', 'lossless'])('warns if an image is too large for memory and needs its pixels: %s', async level => {
    const file = imagePage(COLOR, photo(500, 500, 3), { width: 500, height: 500 })
    const { bytes, warnings } = await runOn('compress-pdf', file, { level }, { maxPixels: 125_000 })
    expect(warnings).toContain('image-not-compressed')
    expect(await sizeOfImage(bytes)).toBe('500 × 500')
  })

  it('converts CMYK photos to RGB only for screens', async () => {
    const raw = { width: 600, height: 600, channels: 3 } as const
    const jpeg = await sharp(photo(600, 600, 3), { raw })
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer()
    const file = makePage(
      'q 200 0 0 200 0 0 cm /I Do Q',
      pdf =>
        `/XObject<</I ${pdf.addPlainStream(
          '/Type/XObject/Subtype/Image/Width 600/Height 600/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode' +
            '/Decode[1 0 1 0 1 0 1 0]',
          jpeg,
        )} 0 R>>`,
    )
    const [screen, print] = [await compress(file, { level: 'screen' }), await compress(file, { level: 'print' })]
    expect(await sizeOfImage(screen.bytes)).toBe('417 × 417')
    expect(screen.bytes.length).toBeLessThan(file.length / 3)
    expect(compareImages(await renderPage(file, 0), await renderPage(screen.bytes, 0))).toBeLessThan(0.002)
    expect(await sizeOfImage(print.bytes)).toBe('600 × 600')
  })

  it('keeps the shades of a gray JPEG, as redaction does', async () => {
    const blocks = Array.from({ length: 40 }, (_, y) =>
      Array.from({ length: 40 }, (_, x) => [40 + ((x * 5 + y * 3) % 180)]),
    )
    const file = makePage(
      'q 200 0 0 200 0 0 cm /I Do Q',
      pdf =>
        `/XObject<</I ${pdf.addPlainStream(
          `/Type/XObject/Subtype/Image/Width 320/Height 320${GRAY}/Filter/DCTDecode`,
          makeJpeg({ blocks }),
        )} 0 R>>`,
    )
    const before = await renderPage(file, 0)
    const small = (await compress(file, { level: 'screen' })).bytes
    expect(compareImages(before, await renderPage(small, 0))).toBeLessThan(0.001)
    const areas = [{ page: 1, x: 0, y: 0, width: 40, height: 40 }]
    const redacted = (await runOn('pdf-redaction', file, { areas })).bytes
    expect(compareImages(before, await renderPage(redacted, 0))).toBeLessThan(0.06)
  })

  it('returns the repaired file if the file is damaged, even if it is larger', async () => {
    const sound = numbered({ pages: 1 })
    const damaged = Buffer.from(sound.toString('latin1').replace(/startxref\s+\d+/, 'startxref 3'), 'latin1')
    const { bytes, warnings } = await compress(damaged)
    expect(warnings).toContain('repaired')
    expect(warnings).not.toContain('already-small')
    expect((await readPdfjsTexts(bytes)).length).toBe(1)
    expect(bytes.equals(damaged)).toBe(false)
  })

  it('changes no pixel without loss', async () => {
    const colors = imagePage(COLOR, photo(300, 300, 3), { width: 300, height: 300 })
    const gray = Buffer.from(photo(300, 300, 1)).fill(255, 0, 40_000)
    const grayAsColor = Uint8Array.from({ length: gray.length * 3 }, (_, at) => gray[Math.floor(at / 3)] ?? 0)
    for (const file of [colors, imagePage(COLOR, grayAsColor, { width: 300, height: 300 })]) {
      const { bytes } = await compress(file, { level: 'lossless' })
      expect(bytes.length).toBeLessThan(file.length)
      const [before, after] = [await renderPage(file, 0, { scale: 2 }), await renderPage(bytes, 0, { scale: 2 })]
      expect(before.pixels.equals(after.pixels)).toBe(true)
    }
  })

  it('codes black and white images with one bit per pixel', async () => {
    const samples = noise('text', 600 * 600).map((_, at) => ((at % 600) % 50 < 20 && at / 600 > 100 ? 0 : 255))
    const file = imagePage(GRAY, samples)
    const { bytes } = await compress(file, { level: 'lossless' })
    expect(bytes.toString('latin1')).toContain('JBIG2Decode')
    const [before, after] = [await renderPage(file, 0, { scale: 3 }), await renderPage(bytes, 0, { scale: 3 })]
    expect(before.pixels.equals(after.pixels)).toBe(true)
  })

  it.each([
    ['gray', (level: number) => [level, level, level]],
    ['colored', (level: number) => [level, 255 - level, 90]],
  ])('keeps the colors of a reduced image with a %s palette', async (_, colorOf) => {
    const table = Array.from({ length: 16 }, (_, index) => colorOf(index * 17)).flat()
    // Flat squares of 24 pixels in all colors, with noise between them. Two pixels in each byte.
    const grain = noise('grain', 600 * 300)
    const samples = grain.map((byte, at) => {
      const [x, y] = [(at % 300) * 2, Math.floor(at / 300)]
      const isFlat = x % 40 >= 8 && x % 40 < 32 && y % 40 >= 8 && y % 40 < 32
      return isFlat ? ((Math.floor(x / 40) * 5 + Math.floor(y / 40)) % 16) * 17 : byte
    })
    const space = `[/Indexed/DeviceRGB 15<${Buffer.from(table).toString('hex')}>]`
    const file = imagePage(`/ColorSpace${space}/BitsPerComponent 4`, samples)
    const { bytes } = await compress(file, { level: 'screen' })
    expect(await sizeOfImage(bytes)).toBe('417 × 417')
    const [before, after] = [await renderPage(file, 0, { scale: 3 }), await renderPage(bytes, 0, { scale: 3 })]
    for (let row = 0; row < 15; row++)
      for (let column = 0; column < 15; column++) {
        const middle = ((row * 40 + 20) * 600 + column * 40 + 20) * 4
        for (const at of [middle, middle + 1, middle + 2])
          expect(Math.abs((before.pixels[at] ?? 0) - (after.pixels[at] ?? 0))).toBeLessThan(17)
      }
  })

  it('keeps an inverted image mask', async () => {
    const samples = new Uint8Array(noise('mask', 75 * 600).map((byte, at) => (at % 75 < 40 ? byte : 0)))
    const file = imagePage('/ImageMask true/BitsPerComponent 1/Decode[1 0]', samples)
    const { bytes } = await compress(file, { level: 'lossless' })
    const [before, after] = [await renderPage(file, 0, { scale: 3 }), await renderPage(bytes, 0, { scale: 3 })]
    expect(before.pixels.equals(after.pixels)).toBe(true)
  })

  it('keeps samples that a color key mask compares', async () => {
    const size = { width: 450, height: 450 }
    const file = imagePage(`${COLOR}/Mask[0 60 0 255 0 255]`, photo(450, 450, 3), size)
    const { bytes } = await compress(file, { level: 'screen' })
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
    expect(await sizeOfImage(bytes)).toBe('450 × 450')
  })

  it('keeps soft masks and the look of what they cover', async () => {
    const alpha = deflateSync(Uint8Array.from({ length: 600 * 600 }, (_, at) => (at % 600) >> 2))
    const samples = deflateSync(photo(600, 600, 3))
    const common = '/Type/XObject/Subtype/Image/Width 600/Height 600/Filter/FlateDecode'
    const file = makePage('1 0 0 rg 0 0 100 200 re f q 200 0 0 200 0 0 cm /I Do Q', pdf => {
      const mask = pdf.addPlainStream(`${common}${GRAY}`, alpha)
      return `/XObject<</I ${pdf.addPlainStream(`${common}${COLOR}/SMask ${mask} 0 R`, samples)} 0 R>>`
    })
    const { bytes } = await compress(file, { level: 'screen' })
    expect(bytes.length).toBeLessThan(file.length / 4)
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBeLessThan(0.001)
  })

  it('measures an image at its largest use, also inside a form', async () => {
    const data = deflateSync(photo(600, 600, 3))
    const image = `/Type/XObject/Subtype/Image/Width 600/Height 600${COLOR}/Filter/FlateDecode`
    const file = makePage('q 10 0 0 10 0 0 cm /I Do Q q 2 0 0 2 0 0 cm /F Do Q', pdf => {
      const ref = pdf.addPlainStream(image, data)
      const form = pdf.addStream(
        `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</XObject<</I ${ref} 0 R>>>>`,
        '72 0 0 72 0 0 cm /I Do',
      )
      return `/XObject<</I ${ref} 0 R/F ${form} 0 R>>`
    })
    // The form draws the image at 144 points, which are 2 inches.
    expect(await sizeOfImage((await compress(file, { level: 'screen' })).bytes)).toBe('300 × 300')
  })

  it('merges identical streams', async () => {
    const data = noise('twice', 30_000)
    const twice = makePage('', pdf => {
      const [one, other] = [1, 2].map(() => pdf.addPlainStream('/Type/XObject/Subtype/Form/BBox[0 0 1 1]', data))
      return `/XObject<</A ${one} 0 R/B ${other} 0 R>>`
    })
    expect((await compress(twice)).bytes.length).toBeLessThan(35_000)
  })

  it('returns the file itself if it is as small as possible', async () => {
    const { bytes: small } = await compress(numbered())
    const { bytes, warnings, headers } = await compress(small)
    expect(bytes.equals(small)).toBe(true)
    expect(warnings).toEqual(['already-small'])
    expect(headers['X-Bytes-After']).toBe(String(small.length))
  })

  it('returns a signed file unchanged', async () => {
    const draft = new Draft({ imageBytes: 10_000 })
    addSignature(draft, 1)
    const file = draft.write()
    const { bytes, warnings } = await compress(file)
    expect(bytes.equals(file)).toBe(true)
    expect(warnings).toEqual(['signed-not-compressed'])
    await expect(compress(file, { targetBytes: 5000 })).rejects.toMatchObject({
      problems: [{ param: 'options.targetBytes' }],
    })
  })

  it('keeps PDF/A true', async () => {
    const { bytes: archive } = await runOn(
      'convert-to-pdfa',
      imagePage(COLOR, photo(300, 300, 3), { width: 300, height: 300 }),
    )
    const { bytes, warnings } = await compress(archive, { level: 'screen' })
    expect(warnings).toEqual([])
    expect(bytes.length).toBeLessThan(archive.length / 2)
    const report: unknown = JSON.parse((await runOn('validate-pdf', bytes)).bytes.toString())
    expect(report).toMatchObject({ conforms: true })
  })

  it('replaces a profile of sRGB by a smaller one with the same colors, if pixels may change', async () => {
    const file = makePage(
      '/C cs 1 0 0 scn 0 0 50 200 re f .2 .5 .8 scn 50 0 50 200 re f .02 .6 .1 scn 100 0 100 200 re f',
      pdf => `/ColorSpace<</C[/ICCBased ${pdf.addStream('/N 3', writeSrgbProfile())} 0 R]>>`,
    )
    const [screen, lossless] = [await compress(file, { level: 'screen' }), await compress(file, { level: 'lossless' })]
    expect(lossless.bytes.length - screen.bytes.length).toBeGreaterThan(1500)
    const [before, after] = [await renderPage(file, 0), await renderPage(screen.bytes, 0)]
    expect(before.pixels.every((value, at) => Math.abs(value - (after.pixels[at] ?? 0)) <= 1)).toBe(true)
  })

  it('lets equal forms share their resources', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `F${index}`)
    const entries = '/FormType 1/Matrix [ 1 0 0 1 0 0 ]/Resources<</ProcSet[/PDF /Text]/ExtGState<</G<</ca .5>>>>>>'
    const file = makePage(
      names.map(name => `/${name} Do`).join(' '),
      pdf =>
        `/XObject<<${names
          .map((name, index) => {
            const content = Buffer.from(`/G gs .2 .4 .8 rg ${index * 15} 0 10 ${50 + index * 10} re f`)
            return `/${name} ${pdf.addPlainStream(`/Type/XObject/Subtype/Form/BBox[0 0 200 200]${entries}`, content)} 0 R`
          })
          .join(' ')}>>`,
    )
    const { bytes } = await compress(file, { level: 'lossless' })
    const forms = (await PDFDocument.load(bytes)).context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFRawStream ? [object.dict] : []))
      .filter(dict => dict.get(PDFName.of('Subtype')) === PDFName.of('Form'))
    expect(forms).toHaveLength(names.length)
    expect(new Set(forms.map(dict => String(dict.get(PDFName.of('Resources'))))).size).toBe(1)
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
  })

  it('removes previews and padding from metadata, and keeps the rest', async () => {
    const preview = `<xmp:Thumbnails><rdf:Alt><rdf:li>${noise('preview', 4000).toString('base64')}</rdf:li></rdf:Alt></xmp:Thumbnails>`
    const packet =
      '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
      `xmlns:xmp="http://ns.adobe.com/xap/1.0/">${preview}<xmp:Label>Œuvre</xmp:Label></rdf:Description></rdf:RDF>` +
      `</x:xmpmeta>${' '.repeat(2000)}<?xpacket end="w"?>`
    const draft = new Draft()
    draft.catalog.push(`/Metadata ${draft.pdf.addPlainStream('/Type/Metadata/Subtype/XML', Buffer.from(packet))} 0 R`)
    const file = draft.write()
    const read = async (options: unknown): Promise<string> => readXmpSource((await compress(file, options)).bytes)
    const kept = '</x:xmpmeta>\n<?xpacket end="w"?>'
    for (const options of [{ level: 'screen' }, { level: 'print' }])
      expect(await read(options)).toBe(packet.replace(preview, '').replace(/<\/x:xmpmeta>.*/s, kept))
    expect(await read({ level: 'lossless' })).toBe(packet.replace(/<\/x:xmpmeta>.*/s, kept))
  })

  it.each([
    ['1', false],
    ['2', true],
  ] as const)('deflates the metadata of PDF/A-%s only if the standard allows it', async (part, isDeflated) => {
    const { bytes: archive } = await runOn(
      'convert-to-pdfa',
      imagePage(GRAY, photo(300, 300, 1), { width: 300, height: 300 }),
      {
        profile: `pdfa-${part}b`,
      },
    )
    const { bytes } = await compress(archive, { level: 'screen' })
    expect(bytes.includes('pdfaid:part')).toBe(!isDeflated)
    const report: unknown = JSON.parse((await runOn('validate-pdf', bytes)).bytes.toString())
    expect(report).toMatchObject({ conforms: true })
  })
})

describe('compress-pdf with targetBytes', () => {
  const file = imagePage(COLOR, photo(300, 300, 3), { width: 300, height: 300 })

  it.each(IS_COMPLETE ? [15_000, 40_000] : [15_000])('reaches a target of %i bytes from below', async targetBytes => {
    const { bytes } = await compress(file, { targetBytes })
    expect(bytes.length).toBeLessThanOrEqual(targetBytes)
    expect(bytes.length).toBeGreaterThanOrEqual(targetBytes * 0.95)
  })

  it('names the smallest size', async () => {
    const error: unknown = await compress(file, { targetBytes: 1000 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'options_invalid', problems: [{ param: 'options.targetBytes' }] })
    const least = Number(/at least ([\d,]+)/.exec(String(error))?.[1]?.replaceAll(',', ''))
    expect((await compress(file, { targetBytes: least })).bytes.length).toBeLessThanOrEqual(least)
  })

  it('changes nothing in images if the file is small enough without loss', async () => {
    const { bytes } = await compress(file, { targetBytes: file.length })
    expect(compareImages(await renderPage(file, 0), await renderPage(bytes, 0))).toBe(0)
  })

  it('rejects a level beside it', async () => {
    await expect(compress(file, { level: 'print', targetBytes: 5000 })).rejects.toThrow('targetBytes')
  })
})

describe('compress-pdf keeps', () => {
  const kinds: Record<string, (draft: Draft) => void> = {
    outline: addOutline,
    links: addLinks,
    labels: addLabels,
    form: addForm,
    attachments: draft => addAttachments(draft, { 'a.txt': 'one', 'b.txt': 'one' }),
    layers: addLayers,
    scripts: draft => addScripts(draft, { start: 'app.alert(1)' }),
    tags: addTags,
  }

  it.each(Object.keys(kinds))('%s', async kind => {
    const draft = new Draft({ pages: 3, imageBytes: 10_000 })
    kinds[kind]?.(draft)
    const file = draft.write()
    const { bytes, warnings } = await compress(file, { level: 'screen' })
    expect(bytes.length).toBeLessThan(file.length)
    expect(warnings).toEqual([])
    expect(await readPdf(bytes)).toEqual(await readPdf(file))
    for (const page of [0, 2])
      expect(compareImages(await renderPage(file, page), await renderPage(bytes, page))).toBeLessThan(0.03)
  })
})
