import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import type { PlacedWord } from '../../../../../engines/pdf/content/text-layer'
import { openRenderer } from '../../../../../engines/pdf/rendering/render'
import { readPdfiumWords } from '../../../../support/pdfium-words'
import { Draft, numbered } from '../../../../fixtures/draft'
import { addLayers } from '../../../../fixtures/features'
import { makeBook } from '../../../../fixtures/make-fixtures'
import { makeTurned } from '../../../../fixtures/turned'
import { compareImages } from '../../../../support/compare-images'
import { readPdf, renderPage } from '../../../../support/reader'
import { LIMITS, runOn } from '../../../../support/run-on'
import { readSound, type StrictPdf } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'

async function rasterize(
  file: Buffer,
  options = {},
  limits = {},
): Promise<{ bytes: Buffer; strict: StrictPdf; warnings: string[] }> {
  const { bytes, warnings } = await runOn('flatten-pdf', file, { rasterize: true, ...options }, limits)
  const strict = readSound(bytes)
  return { bytes, strict, warnings }
}

async function words(file: Buffer, pageIndex = 0): Promise<PlacedWord[]> {
  const renderer = await openRenderer(openDocument(new Uint8Array(file), LIMITS))
  const found = readPdfiumWords(renderer, pageIndex)
  renderer.close()
  return found
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The dictionary entries of all page images. */
function images(strict: StrictPdf): unknown[][] {
  return strict.pages.map(({ dict }) => {
    const image = strict.dict(strict.dict(strict.dict(dict.get('Resources')).get('XObject')).get('P'))
    return [
      image.get('Width'),
      image.get('Height'),
      strict.text(image.get('ColorSpace')),
      strict.text(image.get('Filter')),
    ]
  })
}

describe('rasterize', () => {
  it('makes one image of each page, with text and links at their old positions', async () => {
    const file = (await runOn('flatten-pdf', makeBook({ pages: 2 }).write('streams'))).bytes
    const { bytes, strict, warnings } = await rasterize(file)
    expect(images(strict)).toEqual(images(strict).map(() => [1275, 1650, 'DeviceRGB', 'DCTDecode']))
    const [before, after] = [await readPdf(file), await readPdf(bytes)]
    expect(after.pages.map(page => ({ ...page, text: plain(page.text) }))).toEqual(
      before.pages.map(page => ({ ...page, text: plain(page.text) })),
    )
    expect({ outline: after.outline, attachments: after.attachments, isTagged: after.isTagged }).toEqual({
      outline: before.outline,
      attachments: before.attachments,
      isTagged: false,
    })
    expect(warnings).toContain('tags-dropped')
    for (let index = 0; index < 2; index++)
      expect(compareImages(await renderPage(file, index), await renderPage(bytes, index))).toBeLessThan(0.003)
  })

  it('keeps no text if none is requested', async () => {
    const draft = makeBook({ pages: 2 })
    const file = draft.write()
    const options = { textLayer: false, links: true, dpi: 72 }
    const { bytes } = await rasterize(file, options)
    expect((await rasterize(file, options)).bytes.equals(bytes)).toBe(true)
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => [page.text, page.links])).toEqual(seen.pages.map(() => ['', []]))
    const pageText = draft.pages.map(page => draft.words(page.number)[0] ?? '')
    expect(findTraces(file, pageText)).toEqual(pageText)
    expect(findTraces(bytes, pageText)).toEqual([])
  })

  it('makes rotated and cropped pages upright pages of the same size', async () => {
    const file = (await runOn('flatten-pdf', makeTurned())).bytes
    const { bytes, strict } = await rasterize(file, { format: 'png', dpi: 72 })
    expect(strict.pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 0, 0, 0])
    expect(images(strict)[1]).toEqual([520, 350, 'DeviceRGB', 'FlateDecode'])
    for (let index = 0; index < 4; index++)
      expect(compareImages(await renderPage(file, index), await renderPage(bytes, index))).toBeLessThan(0.002)
  })

  it('keeps words at their positions, in any direction, and none from outside the page', async () => {
    const draft = new Draft({ pages: 1, crop: [50, 50, 500, 700], rotate: { 1: 90 } })
    draft
      .page(1)
      .content.push(
        'BT /F1 20 Tf 0 1 -1 0 300 200 Tm (Going up) Tj ET BT /F1 12 Tf 0.866 0.5 -0.5 0.866 100 300 Tm (Slanted ' +
          'words) Tj ET BT /F1 12 Tf 550 400 Td (Outside) Tj ET',
      )
    const upright = (await runOn('rotate-pdf', draft.write(), { bake: true })).bytes
    const expected = (await words(upright)).filter(word => word.text !== 'Outside')
    const found = await words((await rasterize(draft.write())).bytes)
    expect(found.map(word => word.text)).toEqual(expected.map(word => word.text))
    expect(found.map(word => word.text)).toEqual(expect.arrayContaining(['Going', 'up', 'Slanted', 'words', 'PAGE']))
    for (const [index, word] of found.entries()) {
      expect(Math.hypot(word.x - (expected[index]?.x ?? 0), word.y - (expected[index]?.y ?? 0))).toBeLessThan(0.5)
      expect(word.angleDeg).toBeCloseTo(expected[index]?.angleDeg ?? 0, 1)
      if (Math.round(word.angleDeg) % 90 === 0)
        expect(Math.abs(word.length - (expected[index]?.length ?? 0))).toBeLessThan(1)
    }
  })

  it('keeps fillable fields above the image', async () => {
    const file = makeBook({ pages: 2 }).write()
    const name = (await readPdf(file)).pages[0]?.fields[0]?.name ?? ''
    const { fields } = (await readPdf((await rasterize(file, { keepFields: [name], dpi: 72 })).bytes)).pages[0] ?? {
      fields: [],
    }
    expect(fields.map(field => field.name)).toEqual([name])
  })

  it('removes layers with their hidden content', async () => {
    const draft = new Draft({ pages: 1 })
    addLayers(draft)
    const { bytes, strict } = await rasterize(draft.write(), { format: 'png', dpi: 72 })
    expect(strict.catalog.has('OCProperties')).toBe(false)
    const { width, pixels } = await renderPage(bytes, 0)
    const colorAt = (x: number, y: number) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
    expect([colorAt(425, 667), colorAt(485, 667)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ])
  })

  it('keeps no text of hidden layers, whatever hides them', async () => {
    const draft = new Draft({ pages: 1 })
    const { pdf } = draft
    const [off, on] = [pdf.add('<</Type/OCG/Name(Off)>>'), pdf.add('<</Type/OCG/Name(On)>>')]
    const rule = pdf.add(`<</Type/OCMD/OCGs[${off} 0 R ${on} 0 R]/P/AllOn>>`)
    const write = (text: string, y: number) => `BT /F1 16 Tf 60 ${y} Td (${text}) Tj ET`
    const addForm = (entries: string, text: string, y: number) =>
      pdf.addStream(
        `/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 ${draft.font} 0 R>>>>${entries}`,
        write(text, y),
      )
    const forms = [
      addForm(`/OC ${off} 0 R`, 'HIDDENONE', 500),
      addForm(`/OC ${rule} 0 R`, 'HIDDENTWO', 480),
      addForm('', 'HIDDENTHREE', 460),
      addForm(`/OC ${on} 0 R`, 'SHOWNONE', 440),
    ]
    const content = [
      ...[0, 1, 3].map(index => `/X${index} Do`),
      '/OC /Off BDC /X2 Do',
      write('HIDDENFOUR', 420),
      'EMC /OC /On BDC',
      write('SHOWNTWO', 400),
      'EMC',
    ]
    draft.page(1).content = content
    draft.catalog.push(`/OCProperties<</OCGs[${off} 0 R ${on} 0 R]/D<</OFF[${off} 0 R]/Order[${off} 0 R ${on} 0 R]>>>>`)
    draft.finish()
    const page = pdf.bodies[draft.page(1).ref - 1]
    const resources =
      `/Resources<</Properties<</Off ${off} 0 R/On ${on} 0 ` +
      `R>>/XObject<<${forms.map((ref, index) => `/X${index} ${ref} 0 R`).join('')}>>`
    if (typeof page === 'string') pdf.set(draft.page(1).ref, page.replace('/Resources <<', resources))
    const { bytes } = await rasterize(pdf.write({ root: draft.root }))
    expect((await readPdf(bytes)).pages[0]?.text.split(/\s+/)).toEqual(['SHOWNONE', 'SHOWNTWO'])
  })

  it('keeps nothing of the structure that actions refer to', async () => {
    const draft = new Draft({ pages: 1 })
    const { pdf } = draft
    const page = draft.page(1)
    const root = pdf.reserve()
    const element = pdf.add(
      `<</Type/StructElem/S/P/P ${root} 0 R/Pg ${page.ref} 0 R/ActualText(${draft.plant(1, 'actual')})>>`,
    )
    pdf.set(root, `<</Type/StructTreeRoot/K ${element} 0 R>>`)
    const action = `<</S/GoTo/D[${page.ref} 0 R/Fit]/SD[${element} 0 R/Fit]>>`
    const chained = `<</S/URI/URI(https://example.com/)/Next ${action}>>`
    for (const entries of [`/A ${action}`, `/A ${chained}`, `/Dest[${element} 0 R/Fit]`])
      page.annotations.push(`<</Type/Annot/Subtype/Link/Rect[20 20 90 40]${entries}>>`)
    draft.catalog.push(`/StructTreeRoot ${root} 0 R/OpenAction ${action}/Dests<</part<</D[${element} 0 R/Fit]>>>>`)
    const { bytes, strict } = await rasterize(draft.write())
    expect(findTraces(bytes, draft.words(1).slice(1))).toEqual([])
    expect(strict.catalog.has('OpenAction')).toBe(true)
    expect((await readPdf(bytes)).pages[0]?.links.length).toBeGreaterThan(0)
  })

  it('makes color images only of pages with color', async () => {
    const draft = new Draft({ pages: 2 })
    draft.page(2).content.push('1 0 0 rg 100 100 50 50 re f')
    for (const [format, filter] of [
      ['jpeg', 'DCTDecode'],
      ['png', 'FlateDecode'],
    ]) {
      const { bytes, strict } = await rasterize(draft.write(), { format, dpi: 72 })
      expect(images(strict)).toEqual([
        [612, 792, 'DeviceGray', filter],
        [612, 792, 'DeviceRGB', filter],
      ])
      const { width, pixels } = await renderPage(bytes, 1)
      const [blue = 0, green = 0, red = 0] = pixels.subarray((667 * width + 125) * 4)
      expect([red > 250, green < 5, blue < 5]).toEqual([true, true, true])
    }
  })

  it('draws large pages smaller, and refuses pages that are too large', async () => {
    const file = numbered({ pages: 1, size: [720, 720] })
    const { strict, warnings } = await rasterize(file, {}, { maxPixels: 1_000_000 })
    expect(warnings).toEqual(['scale-reduced'])
    const [[width = 0, height = 0] = []] = images(strict) as number[][]
    expect([width * height <= 1_000_000, width * height > 990_000]).toEqual([true, true])
    await expect(rasterize(file, {}, { maxPixels: 500_000 })).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('has options of its own', async () => {
    for (const options of [{ dpi: 200 }, { format: 'png' }, { textLayer: false }])
      await expect(runOn('flatten-pdf', numbered(), options)).rejects.toThrow('only applies if rasterize is true')
    for (const dpi of [71, 401, 100.5])
      await expect(rasterize(numbered(), { dpi })).rejects.toMatchObject({ name: 'ZodError' })
  })
})
