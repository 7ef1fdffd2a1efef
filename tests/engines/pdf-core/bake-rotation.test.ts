import { describe, expect, it } from 'vitest'
import { makeBook } from '../../fixtures/make-fixtures'
import { makeTurned } from '../../fixtures/turned'
import type { PdfDict, PdfValue } from '../../support/pdf-syntax'
import { readPdf, renderPage } from '../../support/reader'
import type { Picture } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'

/** Pixels that differ clearly, as a share of all. */
function difference(one: Picture, other: Picture): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.pixels.length; at++) if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 64) count++
  return count / one.pixels.length
}

async function bake(file: Buffer, options = {}): Promise<StrictPdf> {
  const strict = new StrictPdf((await runOn('rotate-pdf', file, { bake: true, ...options })).bytes)
  expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
  return strict
}

/** A value as text, pages as their numbers. */
function show(strict: StrictPdf, value: PdfValue | undefined): string {
  const page = strict.pages.findIndex(({ dict }) => dict === strict.get(value)) + 1
  if (page) return `p${page}`
  const found = strict.get(value)
  return Array.isArray(found) ? found.map(item => show(strict, item)).join(' ') : (strict.text(found) ?? JSON.stringify(found))
}

function annotation(strict: StrictPdf, page: number, index: number): PdfDict {
  return strict.dict(strict.array(strict.pages[page - 1]?.dict.get('Annots'))[index])
}

describe('bakeRotations', () => {
  it('makes turned pages upright ones that look the same', async () => {
    const file = makeTurned('streams')
    const { bytes, pages } = await bake(file)
    expect(pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 0, 0, 0])
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => [page.width, page.height])).toEqual((await readPdf(file)).pages.map(page => [page.width, page.height]))
    const upright = await renderPage(file, 0)
    for (let index = 0; index < 4; index++) {
      const before = await renderPage(file, index)
      expect(difference(before, await renderPage(bytes, index))).toBeLessThan(0.002)
      if (index) expect(difference(before, upright)).toBeGreaterThan(0.05)
    }
  })

  it('leaves pages alone that are not turned, or were not chosen', async () => {
    const file = makeTurned()
    const before = new StrictPdf(file)
    const after = await bake(file, { pages: '1,3' })
    for (const page of [1, 2, 4]) {
      expect(show(after, after.pages[page - 1]?.dict.get('MediaBox'))).toBe('10 20 410 620')
      expect(show(after, annotation(after, page, 0).get('Rect'))).toBe(show(before, annotation(before, page, 0).get('Rect')))
    }
    expect(after.pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 90, 0, 270])
    for (const index of [1, 3]) expect(difference(await renderPage(file, index), await renderPage(after.bytes, index))).toBe(0)
  })

  it('turns pages first where an angle is given', async () => {
    const file = makeTurned()
    const turned = (await runOn('rotate-pdf', file, { angle: 90 })).bytes
    const { bytes, pages } = await bake(file, { angle: 90 })
    expect(pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 0, 0, 0])
    for (let index = 0; index < 4; index++) expect(difference(await renderPage(turned, index), await renderPage(bytes, index))).toBeLessThan(0.002)
  })

  it('turns boxes and what annotations say of places and sides', async () => {
    const strict = await bake(makeTurned())
    const boxes = (page: number) => ['MediaBox', 'CropBox', 'TrimBox'].map(key => show(strict, strict.pages[page - 1]?.dict.get(key)))
    expect(boxes(2)).toEqual(['10 20 610 420', '30 50 550 400', '40 60 540 390'])
    expect(boxes(3)).toEqual(['10 20 410 620', '40 80 390 600', '50 90 380 590'])
    expect(boxes(4)).toEqual(['10 20 610 420', '70 40 590 390', '80 50 580 380'])
    const stamp = annotation(strict, 2, 0)
    expect([show(strict, stamp.get('Rect')), show(strict, stamp.get('RD'))]).toEqual(['390 120 420 180', '4 1 2 3'])
    // Upright: its upper left corner (100, 230) has turned.
    expect(show(strict, annotation(strict, 2, 1).get('Rect'))).toBe('220 300 280 330')
    expect(show(strict, annotation(strict, 2, 2).get('QuadPoints'))).toBe('110 370 110 270 90 370 90 270')
    expect(show(strict, annotation(strict, 2, 3).get('InkList'))).toBe('120 370 140 330')
    expect([1, 2, 3, 4].map(page => strict.dict(annotation(strict, page, 4).get('MK')).get('R') ?? 0)).toEqual([90, 0, 270, 180])
  })

  it('turns the places that anything leads to, shared ones once', async () => {
    const strict = await bake(makeTurned())
    const outlines = strict.dict(strict.catalog.get('Outlines'))
    expect(['First', 'Last'].map(key => show(strict, strict.dict(outlines.get(key)).get('Dest')))).toEqual(['p2 XYZ 190 330 0', 'p2 XYZ 190 330 0'])
    expect(show(strict, strict.catalog.get('OpenAction'))).toBe('p4 XYZ 430 110 0')
    const names = strict.tree(strict.dict(strict.catalog.get('Names')).get('Dests'), 'Names').map(([, value]) => show(strict, value))
    expect(names).toEqual(['p1 FitH 500', 'p2 FitV 10', 'p3 Fit', 'p4 XYZ 430 110 0'])
    for (const page of [1, 2, 3, 4]) {
      const action = strict.dict(annotation(strict, page, 5).get('A'))
      expect(show(strict, action.get('D'))).toBe('p2 FitR 30 300 230 400')
      expect(show(strict, strict.dict(strict.array(action.get('Next'))[0]).get('D'))).toBe('p3 XYZ null 340 2')
    }
  })

  it('turns what is measured on pages, and keeps what it measures', async () => {
    const strict = await bake(makeTurned())
    const [plan, map] = [1, 2, 3, 4].map(page => strict.array(strict.pages[page - 1]?.dict.get('VP')).map(item => strict.dict(item))).reduce<PdfDict[][]>((all, views) => views.map((view, index) => [...(all[index] ?? []), view]), [])
    expect(plan?.map(view => show(strict, view.get('BBox')))).toEqual(['30 40 230 140', '30 200 130 400', '190 500 390 600', '490 40 590 240'])
    const measures = plan?.map(view => strict.dict(view.get('Measure')))
    expect(measures?.map(measure => show(strict, measure.get('O')))).toEqual(['30 40', '30 400', '390 600', '590 40'])
    expect(measures?.map(measure => ['X', 'Y'].map(axis => strict.dict(strict.array(measure.get(axis))[0]).get('C')))).toEqual([[2, 5], [5, 2], [2, 5], [5, 2]])
    expect(measures?.map(measure => measure.get('CYX'))).toEqual([4, 0.25, 4, 0.25])
    // The lower-left corner of the map, and a place a quarter to the right on its upper edge.
    expect(map?.map(view => show(strict, strict.dict(view.get('Measure')).get('LPTS')))).toEqual(['0 0 0.25 1', '0 1 1 0.75', '1 1 0.75 0', '1 0 0 0.25'])
  })

  it('turns the boxes of tagged figures, and destinations that name an element', async () => {
    const strict = await bake(makeTurned())
    const figures = strict.array(strict.dict(strict.dict(strict.catalog.get('StructTreeRoot')).get('K')).get('K')).map(figure => strict.array(strict.dict(figure).get('A')).map(item => strict.get(item)))
    expect(figures.map(([layout]) => show(strict, strict.dict(layout).get('BBox')))).toEqual(['60 100 160 120', '90 270 110 370', '260 520 360 540', '510 70 530 170'])
    expect(figures.map(([layout, revision, table]) => [strict.dict(layout).get('Width'), revision, strict.dict(table).get('RowSpan')])).toEqual(Array.from({ length: 4 }, () => [100, 0, 2]))
    const last = strict.dict(strict.dict(strict.catalog.get('Outlines')).get('Last'))
    expect(strict.array(strict.dict(last.get('A')).get('SD')).slice(2)).toEqual([190, 330, 0])
  })

  it('keeps everything else of the document', async () => {
    const file = (await runOn('rotate-pdf', makeBook().write(), { angle: 270 })).bytes
    const [before, after] = [await readPdf(file), await readPdf((await bake(file)).bytes)]
    expect(after).toEqual({ ...before, pages: before.pages.map(page => ({ ...page, rotation: 0 })) })
  })
})
