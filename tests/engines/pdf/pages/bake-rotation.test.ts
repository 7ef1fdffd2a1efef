import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { makeBook } from '../../../fixtures/make-fixtures'
import { makeTurned } from '../../../fixtures/turned'
import type { Layout } from '../../../fixtures/pdf-writer'
import { type PdfDict, PdfRef, type PdfValue } from '../../../support/pdf-syntax'
import { readFieldsAndNotes } from '../../../support/pdfjs-objects'
import { type Image, readPdf, renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'

/** The share of pixels that differ clearly. */
function difference(one: Image, other: Image): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.pixels.length; at++)
    if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 64) count++
  return count / one.pixels.length
}

async function bake(file: Buffer, options = {}): Promise<StrictPdf> {
  const strict = readSound((await runOn('rotate-pdf', file, { bake: true, ...options })).bytes)
  return strict
}

/** A value as text. Pages are written as their numbers. */
function show(strict: StrictPdf, value: PdfValue | undefined): string {
  const page = strict.pages.findIndex(({ dict }) => dict === strict.get(value)) + 1
  if (page) return `p${page}`
  const found = strict.get(value)
  return Array.isArray(found)
    ? found.map(item => show(strict, item)).join(' ')
    : (strict.text(found) ?? JSON.stringify(found))
}

function annotation(strict: StrictPdf, page: number, index: number): PdfDict {
  return strict.dict(strict.array(strict.pages[page - 1]?.dict.get('Annots'))[index])
}

describe('bakeRotations', () => {
  it('makes rotated pages upright without changing their look', async () => {
    const file = makeTurned('streams')
    const { bytes, pages } = await bake(file)
    expect(pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 0, 0, 0])
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => [page.width, page.height])).toEqual(
      (await readPdf(file)).pages.map(page => [page.width, page.height]),
    )
    const upright = await renderPage(file, 0)
    for (let index = 0; index < 4; index++) {
      const before = await renderPage(file, index)
      expect(difference(before, await renderPage(bytes, index))).toBeLessThan(0.002)
      if (index) expect(difference(before, upright)).toBeGreaterThan(0.05)
    }
  })

  it('ignores pages that are not rotated or not selected', async () => {
    const file = makeTurned()
    const before = new StrictPdf(file)
    const after = await bake(file, { pages: '1,3' })
    for (const page of [1, 2, 4]) {
      expect(show(after, after.pages[page - 1]?.dict.get('MediaBox'))).toBe('10 20 410 620')
      expect(show(after, annotation(after, page, 0).get('Rect'))).toBe(
        show(before, annotation(before, page, 0).get('Rect')),
      )
    }
    expect(after.pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 90, 0, 270])
    for (const index of [1, 3])
      expect(difference(await renderPage(file, index), await renderPage(after.bytes, index))).toBe(0)
  })

  it('rotates pages first if an angle is requested', async () => {
    const file = makeTurned()
    const turned = (await runOn('rotate-pdf', file, { angle: 90 })).bytes
    const { bytes, pages } = await bake(file, { angle: 90 })
    expect(pages.map(({ dict }) => dict.get('Rotate') ?? 0)).toEqual([0, 0, 0, 0])
    for (let index = 0; index < 4; index++)
      expect(difference(await renderPage(turned, index), await renderPage(bytes, index))).toBeLessThan(0.002)
  })

  it('rotates boxes, and positions and sides in annotations', async () => {
    const strict = await bake(makeTurned())
    const boxes = (page: number) =>
      ['MediaBox', 'CropBox', 'TrimBox'].map(key => show(strict, strict.pages[page - 1]?.dict.get(key)))
    expect(boxes(2)).toEqual(['10 20 610 420', '30 50 550 400', '40 60 540 390'])
    expect(boxes(3)).toEqual(['10 20 410 620', '40 80 390 600', '50 90 380 590'])
    expect(boxes(4)).toEqual(['10 20 610 420', '70 40 590 390', '80 50 580 380'])
    const stamp = annotation(strict, 2, 0)
    expect([show(strict, stamp.get('Rect')), show(strict, stamp.get('RD'))]).toEqual(['390 120 420 180', '4 1 2 3'])
    // The page is upright now, so its upper-left corner (100, 230) has moved.
    expect(show(strict, annotation(strict, 2, 1).get('Rect'))).toBe('220 300 280 330')
    expect(show(strict, annotation(strict, 2, 2).get('QuadPoints'))).toBe('110 370 110 270 90 370 90 270')
    expect(show(strict, annotation(strict, 2, 3).get('InkList'))).toBe('120 370 140 330')
    expect([1, 2, 3, 4].map(page => strict.dict(annotation(strict, page, 4).get('MK')).get('R') ?? 0)).toEqual([
      90, 0, 270, 180,
    ])
  })

  it('rotates the targets of links and actions, and each shared target once', async () => {
    const strict = await bake(makeTurned())
    const outlines = strict.dict(strict.catalog.get('Outlines'))
    expect(['First', 'Last'].map(key => show(strict, strict.dict(outlines.get(key)).get('Dest')))).toEqual([
      'p2 XYZ 190 330 0',
      'p2 XYZ 190 330 0',
    ])
    expect(show(strict, strict.catalog.get('OpenAction'))).toBe('p4 XYZ 430 110 0')
    const names = strict
      .tree(strict.dict(strict.catalog.get('Names')).get('Dests'), 'Names')
      .map(([, value]) => show(strict, value))
    expect(names).toEqual(['p1 FitH 500', 'p2 FitV 10', 'p3 Fit', 'p4 XYZ 430 110 0'])
    for (const page of [1, 2, 3, 4]) {
      const action = strict.dict(annotation(strict, page, 5).get('A'))
      expect(show(strict, action.get('D'))).toBe('p2 FitR 30 300 230 400')
      expect(show(strict, strict.dict(strict.array(action.get('Next'))[0]).get('D'))).toBe('p3 XYZ null 340 2')
    }
  })

  it('rotates measurement viewports, and keeps their measurements', async () => {
    const strict = await bake(makeTurned())
    const [plan, map] = [1, 2, 3, 4]
      .map(page => strict.array(strict.pages[page - 1]?.dict.get('VP')).map(item => strict.dict(item)))
      .reduce<PdfDict[][]>((all, views) => views.map((view, index) => [...(all[index] ?? []), view]), [])
    expect(plan?.map(view => show(strict, view.get('BBox')))).toEqual([
      '30 40 230 140',
      '30 200 130 400',
      '190 500 390 600',
      '490 40 590 240',
    ])
    const measures = plan?.map(view => strict.dict(view.get('Measure')))
    expect(measures?.map(measure => show(strict, measure.get('O')))).toEqual(['30 40', '30 400', '390 600', '590 40'])
    expect(
      measures?.map(measure => ['X', 'Y'].map(axis => strict.dict(strict.array(measure.get(axis))[0]).get('C'))),
    ).toEqual([
      [2, 5],
      [5, 2],
      [2, 5],
      [5, 2],
    ])
    expect(measures?.map(measure => measure.get('CYX'))).toEqual([4, 0.25, 4, 0.25])
    // The lower-left corner of the map, and a point a quarter to the right on its upper edge.
    expect(map?.map(view => show(strict, strict.dict(view.get('Measure')).get('LPTS')))).toEqual([
      '0 0 0.25 1',
      '0 1 1 0.75',
      '1 1 0.75 0',
      '1 0 0 0.25',
    ])
  })

  it('rotates the boxes of tagged figures, and destinations of structure elements', async () => {
    const strict = await bake(makeTurned())
    const figures = strict
      .array(strict.dict(strict.dict(strict.catalog.get('StructTreeRoot')).get('K')).get('K'))
      .map(figure => strict.array(strict.dict(figure).get('A')).map(item => strict.get(item)))
    expect(figures.map(([layout]) => show(strict, strict.dict(layout).get('BBox')))).toEqual([
      '60 100 160 120',
      '90 270 110 370',
      '260 520 360 540',
      '510 70 530 170',
    ])
    expect(
      figures.map(([layout, revision, table]) => [
        strict.dict(layout).get('Width'),
        revision,
        strict.dict(table).get('RowSpan'),
      ]),
    ).toEqual(Array.from({ length: 4 }, () => [100, 0, 2]))
    const last = strict.dict(strict.dict(strict.catalog.get('Outlines')).get('Last'))
    expect(strict.array(strict.dict(last.get('A')).get('SD')).slice(2)).toEqual([190, 330, 0])
  })

  it('keeps everything else of the document', async () => {
    const file = (await runOn('rotate-pdf', makeBook().write(), { angle: 270 })).bytes
    const [before, after] = [await readPdf(file), await readPdf((await bake(file)).bytes)]
    expect(after).toEqual({ ...before, pages: before.pages.map(page => ({ ...page, rotation: 0 })) })
  })

  it('keeps annotations unchanged for other pages that list them, and copies them for rotated pages', async () => {
    for (const layout of ['table', 'streams'] as const) {
      const file = makeSharing(layout)
      const before = new StrictPdf(file)
      const { bytes, ...after } = await bake(file)
      for (const index of [0, 3]) {
        expect(difference(await renderPage(file, index), await renderPage(bytes, index))).toBe(0)
      }
      for (const index of [1, 2]) {
        const one = await renderPage(file, index, { hasFields: true })
        expect(difference(one, await renderPage(bytes, index, { hasFields: true }))).toBeLessThan(0.002)
      }
      const strict = new StrictPdf(bytes)
      expect(after.pages).toHaveLength(4)
      const rects = (pdf: StrictPdf, page: number) => {
        const count = pdf.array(pdf.pages[page - 1]?.dict.get('Annots')).length
        return Array.from({ length: count }, (_, index) => show(pdf, annotation(pdf, page, index).get('Rect')))
      }
      for (const page of [1, 4]) expect(rects(strict, page)).toEqual(rects(before, page))
      expect(rects(strict, 2)).not.toEqual(rects(before, 2))
      const all = strict.pages.flatMap(({ dict }) => strict.array(dict.get('Annots')))
      const numbers = all.flatMap(value => (value instanceof PdfRef ? [value.number] : []))
      // Pages 1 and 4 still share their annotations.
      expect(new Set(numbers).size).toBe(numbers.length - 6)
      for (const page of [2, 3]) {
        const own = strict.array(strict.pages[page - 1]?.dict.get('Annots')).map(value => strict.dict(value))
        const [stamp, note, popup, reply] = own
        expect(own.map(dict => show(strict, dict.get('P')))).toEqual(own.map(() => `p${page}`))
        expect([strict.get(note?.get('Popup')), strict.get(popup?.get('Parent'))]).toEqual([popup, note])
        expect(strict.get(reply?.get('IRT'))).toBe(stamp)
      }
    }
  })

  it('adds widgets to fields for these copies, and shows signatures as stamps', async () => {
    const { bytes } = await bake(makeSharing())
    const { fields, annotations } = await readFieldsAndNotes(bytes)
    const values = Object.entries(fields).map(([name, widgets]) => [
      name,
      ...widgets.flatMap(widget => widget.value ?? []),
    ])
    expect(values).toEqual([['merged', 'shown', 'shown', 'shown'], ['split', 'kept', 'kept', 'kept'], ['sealed']])
    expect(annotations.filter(({ subtype }) => subtype === 'Stamp')).toHaveLength(4 + 2)
    const seen = (await readPdf(bytes)).pages.map(page => page.fields.map(field => `${field.name} ${field.value}`))
    const texts = ['merged shown', 'split kept']
    expect(seen).toEqual([[...texts, 'sealed '], texts, texts, [...texts, 'sealed ']])
  })

  it('does the same if pages are scaled', async () => {
    const file = makeSharing()
    const small = (await runOn('crop-pdf', file, { margins: { top: 100 }, pages: '4' })).bytes
    const { bytes } = await runOn('merge-pdf', [small, small], { pageSize: { width: 400, height: 600 } })
    for (let index = 0; index < 3; index++) {
      expect(difference(await renderPage(small, index), await renderPage(bytes, index))).toBeLessThan(0.002)
    }
  })
})

/** Four pages, rotated by 0, 90, 180 and 0 degrees, that list the same annotations in separate arrays. */
function makeSharing(layout: Layout = 'table'): Buffer {
  const draft = new Draft({ pages: 4, size: [400, 600], rotate: { 2: 90, 3: 180 } })
  const { pdf } = draft
  const page = `/P ${draft.page(2).ref} 0 R/F 4`
  const look = (color: string): string => {
    const form = pdf.addStream(
      '/Type/XObject/Subtype/Form/BBox[0 0 60 30]',
      `${color} rg 0 0 60 30 re f 0 g 0 0 20 10 re f`,
    )
    return `/AP<</N ${form} 0 R>>`
  }
  const stamp = pdf.add(`<</Type/Annot/Subtype/Stamp/Rect[250 400 310 430]${page}${look('0 1 0')}>>`)
  const note = pdf.reserve()
  const popup = pdf.add(`<</Type/Annot/Subtype/Popup/Rect[300 300 360 360]/Parent ${note} 0 R>>`)
  pdf.set(
    note,
    `<</Type/Annot/Subtype/Square/Contents(note)/Rect[20 20 80 50]${page}/Popup ${popup} 0 R${look('1 0 0')}>>`,
  )
  const reply = `/Type/Annot/Subtype/Text/Contents(reply)/F 2/Rect[20 90 80 120]/IRT ${stamp} 0 R`
  const replies = draft.pages.map(({ ref }) => pdf.add(`<<${reply}/P ${ref} 0 R>>`))
  const widget = `/Type/Annot/Subtype/Widget${page}`
  const merged = pdf.add(`<<${widget}/FT/Tx/T(merged)/V(shown)/DA(/F1 9 Tf)/Rect[100 100 160 130]${look('0 0 1')}>>`)
  const field = pdf.reserve()
  const kid = pdf.add(`<<${widget}/Parent ${field} 0 R/Rect[100 200 160 230]${look('0 1 1')}>>`)
  pdf.set(field, `<</FT/Tx/T(split)/V(kept)/DA(/F1 9 Tf)/Kids[${kid} 0 R]>>`)
  const signature = '/V<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>'
  const sealed = pdf.add(`<<${widget}/FT/Sig/T(sealed)${signature}/Rect[100 300 160 330]${look('1 1 0')}>>`)
  draft.catalog.push(`/AcroForm<</SigFlags 3/Fields[${merged} 0 R ${field} 0 R ${sealed} 0 R]>>`)
  for (const [index, { annotations }] of draft.pages.entries()) {
    for (const one of [stamp, note, popup, replies[index] ?? 0, merged, kid, sealed]) annotations.push(`${one} 0 R`)
  }
  return draft.write(layout)
}
