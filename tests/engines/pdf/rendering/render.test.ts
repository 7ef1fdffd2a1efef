import { describe, expect, it } from 'vitest'
import { selectPages } from '../../../../engines/pdf/pages/select-pages'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { memoryOf, openPdfium } from '../../../../engines/pdf/rendering/pdfium/pdfium'
import { type Bitmap, openRenderer } from '../../../../engines/pdf/rendering/render'
import { replaceText } from '../../../fixtures/damaged'
import { Draft, numbered } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

const open = (bytes: Uint8Array, limits = {}) => openDocument(new Uint8Array(bytes), { ...LIMITS, ...limits })

type Drawing = Parameters<Awaited<ReturnType<typeof openRenderer>>['draw']>[1]

async function draw(bytes: Uint8Array, drawing: Partial<Drawing> = {}, limits = {}): Promise<Bitmap> {
  const renderer = await openRenderer(open(bytes, limits))
  try {
    return renderer.draw(0, { dpi: 72, color: 'rgb', annotations: true, ...drawing })
  } finally {
    renderer.close()
  }
}

/** Red, green and blue of a pixel, counted from the upper-left corner of the page as displayed. */
function colorAt({ width, channels, pixels }: Bitmap, x: number, y: number): number[] {
  return [...pixels.subarray((y * width + x) * channels, (y * width + x + 1) * channels)]
}

/** A page with only a red square of 40 units in the lower-left corner of its visible part. */
function marked(entries: string): Buffer {
  const draft = new Draft({ pages: 1, size: [400, 300] })
  draft.page(1).content.splice(0, 1, '1 0 0 rg 100 50 40 40 re f')
  draft.page(1).entries.push('/CropBox[100 50 300 150]', entries)
  return draft.write()
}

/** A page with an image that states far more pixels than its data has. */
function giant(): Buffer {
  const draft = new Draft({ pages: 1, inherits: true })
  const image = draft.pdf.addStream(
    '/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceGray/BitsPerComponent 8',
    Buffer.alloc(1_000_000),
  )
  draft.page(1).content.splice(0, 1, 'q 600 0 0 700 0 0 cm /Giant Do Q')
  draft.page(1).entries.push(`/Resources<</XObject<</Giant ${image} 0 R>>>>`)
  return draft.write()
}

/** A red square of 40 units in the lower-left corner, drawn by an annotation on a layer that is off. */
function layered(subtype: string, membership: (layer: number) => string, config = '/OFF[#]'): Buffer {
  const draft = new Draft({ pages: 1, size: [400, 300] })
  const layer = draft.pdf.add('<</Type/OCG/Name(Hidden)>>')
  draft.catalog.push(`/OCProperties<</OCGs[${layer} 0 R]/D<<${config.replace('#', `${layer} 0 R`)}>>>>`)
  const look = draft.pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 40 40]', '1 0 0 rg 0 0 40 40 re f')
  const annotation = draft.pdf.add(
    `<</Type/Annot/Subtype/${subtype}/F 4/Rect[0 0 40 40]/AP<</N ${look} 0 R>>/FT/Tx/T(field)/V(hidden)` +
      `/OC ${membership(layer)}>>`,
  )
  draft.page(1).annotations.push(`${annotation} 0 R`)
  if (subtype === 'Widget') draft.catalog.push(`/AcroForm<</Fields[${annotation} 0 R]>>`)
  return draft.write()
}

const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

describe('openRenderer', () => {
  it('draws a page cut to its crop box, at the requested resolution', async () => {
    const image = await draw(marked(''), { dpi: 144 })
    expect(image).toMatchObject({ width: 400, height: 200, channels: 3, dpi: 144 })
    expect([colorAt(image, 5, 195), colorAt(image, 75, 125), colorAt(image, 85, 195), colorAt(image, 5, 115)]).toEqual([
      RED,
      RED,
      WHITE,
      WHITE,
    ])
  })

  it('draws a rotated page as displayed', async () => {
    const turned = await draw(marked('/Rotate 90'))
    expect([turned.width, turned.height]).toEqual([100, 200])
    expect([colorAt(turned, 5, 5), colorAt(turned, 5, 195), colorAt(turned, 95, 5)]).toEqual([RED, WHITE, WHITE])
    const back = await draw(marked('/Rotate 270'))
    expect([colorAt(back, 95, 195), colorAt(back, 5, 5)]).toEqual([RED, WHITE])
  })

  it('draws a page with /UserUnit at its true size', async () => {
    const image = await draw(marked('/UserUnit 2'))
    expect([image.width, image.height]).toEqual([400, 200])
    expect([colorAt(image, 75, 125), colorAt(image, 85, 195)]).toEqual([RED, WHITE])
  })

  it('draws in gray', async () => {
    const image = await draw(marked(''), { color: 'gray' })
    expect(image.pixels.length).toBe(200 * 100)
    expect([colorAt(image, 5, 95), colorAt(image, 150, 20)]).toEqual([[76], [255]])
  })

  it('draws annotations and fields once, or omits them', async () => {
    const draft = new Draft({ pages: 1 })
    const half = draft.pdf.add('<</ca 0.5>>')
    const look = draft.pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Resources<</ExtGState<</G ${half} 0 R>>>>`,
      '/G gs 0 0 50 50 re f',
    )
    const field = draft.pdf.add(`<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[0 0 50 50]/AP<</N ${look} 0 R>>>>`)
    const stamp = draft.pdf.add(`<</Type/Annot/Subtype/Stamp/F 4/Rect[100 0 150 50]/AP<</N ${look} 0 R>>>>`)
    const empty = draft.pdf.add('<</Type/Annot/Subtype/Widget/FT/Tx/T(b)/F 4/Rect[200 0 250 50]>>')
    draft.page(1).annotations.push(`${field} 0 R`, `${stamp} 0 R`, `${empty} 0 R`)
    draft.catalog.push(`/AcroForm<</Fields[${field} 0 R ${empty} 0 R]/DA(/Helv 12 Tf 0 g)>>`)
    const shades = async (annotations: boolean) => {
      const image = await draw(draft.write(), { annotations, color: 'gray' })
      return [25, 125, 225].map(x => colorAt(image, x, 767)[0])
    }
    expect(await shades(true)).toEqual([128, 128, 255])
    expect(await shades(false)).toEqual([255, 255, 255])
  })

  it('draws the current state of the document, changed or repaired', async () => {
    const draft = new Draft({ pages: 3, size: [100, 100] })
    draft.page(2).content.push('1 0 0 rg 0 0 100 100 re f')
    const changed = open(draft.write())
    selectPages(changed, [1, 0])
    const mended = open(replaceText(draft.write(), /startxref\n\d+/, 'startxref\n7'))
    for (const [document, position] of [
      [changed, 0],
      [mended, 1],
    ] as const) {
      const renderer = await openRenderer(document)
      for (let index = 0; index < 2; index++) {
        const image = renderer.draw(index, { dpi: 36, color: 'rgb', annotations: true })
        expect(colorAt(image, 25, 25)).toEqual(index === position ? RED : WHITE)
      }
      renderer.close()
    }
  })

  it('draws a large page smaller, and refuses a page that remains too large', async () => {
    const file = numbered({ pages: 1, size: [720, 360] })
    const image = await draw(file, { dpi: 300 }, { maxPixels: 400_000 })
    expect(image.width * image.height).toBeLessThanOrEqual(400_000)
    expect(image.width * image.height).toBeGreaterThan(390_000)
    expect(image.dpi).toBeCloseTo(89.3, 0)
    await expect(draw(file, { dpi: 300 }, { maxPixels: 100_000 })).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('Page 1 is too large to render. 720 × 360 points') as string,
    })
    expect((await draw(file, { dpi: 300, leastDpi: 1 }, { maxPixels: 100_000 })).dpi).toBeLessThan(72)
  })

  it('stops drawing an image that would take too long, and draws the next one', async () => {
    await expect(draw(giant(), { limitMs: 200 })).rejects.toMatchObject({
      reason: 'timed_out',
      message: 'Page 1 takes more than 0.2 seconds to render. Send it with smaller images or fewer objects.',
    })
    expect(colorAt(await draw(marked('')), 5, 95)).toEqual(RED)
  })

  it('frees its memory', async () => {
    const file = numbered({ pages: 1, imageBytes: 1_000_000 })
    await draw(file, { dpi: 300 })
    const before = memoryOf(await openPdfium()).length
    for (let count = 0; count < 5; count++) await draw(file, { dpi: 300 }) // 34 MB each.
    expect(memoryOf(await openPdfium()).length).toBe(before)
  })
})

describe('annotations on layers', () => {
  const hidden: Record<string, Buffer> = {
    'a stamp': layered('Stamp', layer => `${layer} 0 R`),
    'a field': layered('Widget', layer => `${layer} 0 R`),
    'a square of a hidden base state': layered('Square', layer => `${layer} 0 R`, '/BaseState/OFF'),
    'a note of hidden members': layered('Text', layer => `<</Type/OCMD/OCGs[${layer} 0 R]/P/AllOn>>`),
    'a drawing with an expression': layered('Ink', layer => `<</Type/OCMD/VE[/And ${layer} 0 R]>>`),
  }
  for (const [name, file] of Object.entries(hidden))
    it(`are not drawn if the layer is off: ${name}`, async () => {
      expect(colorAt(await draw(file), 20, 280)).toEqual(WHITE)
    })

  it('are drawn if the layer is on', async () => {
    for (const subtype of ['Stamp', 'Widget'])
      expect(colorAt(await draw(layered(subtype, layer => `${layer} 0 R`, '/ON[#]')), 20, 280)).toEqual(RED)
  })
})
