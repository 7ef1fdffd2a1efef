import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { addSignature, addXfa } from '../../fixtures/features'
import { makeBook } from '../../fixtures/make-fixtures'
import { wideString } from '../../fixtures/pdf-writer'
import { type Image, readPdf, renderPage, type SeenPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

async function flatten(
  file: Buffer,
  options: unknown = {},
): Promise<{ bytes: Buffer; file: StrictPdf; seen: SeenPdf; warnings: string[] }> {
  const { bytes, warnings } = await runOn('flatten-pdf', file, options)
  const strict = new StrictPdf(bytes)
  expect(strict.problems).toEqual([])
  return { bytes, file: strict, seen: await readPdf(bytes), warnings }
}

/** A page with one annotation. A form XObject that is half red and half blue paints it. */
function stamped({
  rect = '[100 300 200 340]',
  form = '/BBox[0 0 100 40]',
  rotate = 0,
  flags = 4,
  entries = '',
  origin = [0, 0] as [number, number],
} = {}): Buffer {
  const draft = new Draft({ pages: 1, rotate: { 1: rotate }, origin })
  const appearance = draft.pdf.addStream(
    `/Type/XObject/Subtype/Form${form}`,
    '1 0 0 rg 0 0 50 40 re f 0 0 1 rg 50 0 50 40 re f',
  )
  const stamp = draft.pdf.add(
    `<</Type/Annot/Subtype/Stamp/Rect${rect}/F ${flags}/AP<</N ${appearance} 0 R>>${entries}>>`,
  )
  draft.page(1).annotations.push(`${stamp} 0 R`)
  return draft.write()
}

/** A page with fields. Each string holds a field's entries other than type, subtype and rectangle. */
function form(
  fields: string[],
  { entries = '', layout = 'table' as const, draft = new Draft({ pages: 1, salt: 'form' }) } = {},
): Buffer {
  const refs = fields.map((field, index) =>
    draft.pdf.add(
      `<</Type/Annot/Subtype/Widget/Rect[60 ${500 - 40 * index} 260 ${520 - 40 * index}]/F 4/P ` +
        `${draft.page(1).ref} 0 R${field}>>`,
    ),
  )
  draft.page(1).annotations.push(...refs.map(ref => `${ref} 0 R`))
  draft.catalog.push(
    `/AcroForm<</Fields[${refs.map(ref => `${ref} 0 R`).join(' ')}]/DA(/Helv 11 Tf 0 g)/DR<</Font<</Helv ` +
      `${draft.font} 0 R>>>>${entries}>>`,
  )
  return draft.write(layout)
}

describe('flatten-pdf', () => {
  for (const layout of ['table', 'streams', 'hybrid'] as const) {
    it(`draws fields and annotations of a file written as ${layout} into its pages, with the same look`, async () => {
      const source = makeBook({ pages: 4 }).write(layout)
      const before = await readPdf(source)
      const { file, seen, bytes } = await flatten(source)
      expect(file.catalog.has('AcroForm')).toBe(false)
      // A note without an appearance is drawn too, and its pop-up is removed.
      expect(seen.pages.map(page => [page.annotationCount, page.fields, page.links])).toEqual(
        before.pages.map(page => [page.links.length, [], page.links]),
      )
      expect({ ...seen, pages: [] }).toEqual({ ...before, pages: [] })
      // PDFium smooths the edges of letters over an image slightly differently.
      for (let index = 0; index < 4; index++)
        expect(difference(await renderPage(source, index), await renderPage(bytes, index))).toBeLessThan(0.002)
    })
  }

  it('turns each value and stamp into text', async () => {
    const draft = makeBook({ pages: 2 })
    const { seen } = await flatten(draft.write())
    for (const page of draft.pages)
      for (const word of [draft.plant(page.number, 'value'), draft.plant(page.number, 'stamp')])
        expect(seen.pages[page.number - 1]?.text.split(word)).toHaveLength(2)
  })

  const places: [string, Parameters<typeof stamped>[0]][] = [
    ['a box that is scaled', { form: '/BBox[0 0 50 80]' }],
    ['a box with an offset and a matrix that turns it', { form: '/BBox[10 0 90 40]/Matrix[0 1 -1 0 7 9]' }],
    ['a skewed matrix', { form: '/BBox[0 0 100 40]/Matrix[1 0.3 0.5 2 0 0]' }],
    ['corners in the other order', { rect: '[200 340 100 300]' }],
    ['a rotated page', { rotate: 90 }],
    ['a page whose box does not begin at 0', { origin: [50, 100] }],
  ]
  for (const [title, place] of places) {
    it(`draws an appearance where viewers do: ${title}`, async () => {
      const source = stamped(place)
      const { bytes, seen } = await flatten(source)
      expect(seen.pages[0]?.annotationCount).toBe(0)
      expect(difference(await renderPage(source, 0), await renderPage(bytes, 0))).toBeLessThan(0.0005)
      expect(await redPixels(bytes)).toBeGreaterThan(500)
    })
  }

  it('keeps a NoRotate annotation upright', async () => {
    const { bytes } = await flatten(stamped({ rotate: 90, flags: 4 | 16 }))
    const turned = await flatten(stamped({ rotate: 90 }))
    const [upright, other] = [extent(await renderPage(bytes, 0)), extent(await renderPage(turned.bytes, 0))]
    expect([upright.width, upright.height]).toEqual([100, 40])
    expect([other.width, other.height]).toEqual([40, 100])
    // The annotation's upper-left corner, 100|340, is at its old position on the page rotated clockwise.
    expect([upright.left, upright.top]).toEqual([340, 100])
  })

  it('honors the flags: hidden, not for the screen, not for print', async () => {
    const red = async (flags: number, options: unknown) =>
      (await redPixels((await flatten(stamped({ flags }), options)).bytes)) > 0
    expect([await red(2, {}), await red(2, { annotationView: 'all' })]).toEqual([false, false])
    expect([
      await red(0, {}),
      await red(0, { annotationView: 'print' }),
      await red(0, { annotationView: 'all' }),
    ]).toEqual([true, false, true])
    expect([
      await red(36, {}),
      await red(36, { annotationView: 'print' }),
      await red(36, { annotationView: 'all' }),
    ]).toEqual([false, true, true])
  })

  it('keeps an annotation in its layer', async () => {
    const draft = new Draft({ pages: 1 })
    const layer = draft.pdf.add('<</Type/OCG/Name(Off)>>')
    const appearance = draft.pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 100 40]', '1 0 0 rg 0 0 100 40 re f')
    draft
      .page(1)
      .annotations.push(
        `${draft.pdf.add(`<</Type/Annot/Subtype/Stamp/Rect[100 300 200 340]/F 4/AP<</N ${appearance} 0 R>>/OC ${layer} 0 R>>`)} ` +
          '0 R',
      )
    draft.catalog.push(`/OCProperties<</OCGs[${layer} 0 R]/D<</OFF[${layer} 0 R]>>>>`)
    expect(await redPixels((await flatten(draft.write())).bytes)).toBe(0)
  })

  it('draws fields without appearances: texts, check boxes, radio buttons, choices', async () => {
    const { seen, bytes, file } = await flatten(
      form([
        '/FT/Tx/T(plain)/V(Plain value)',
        `/FT/Tx/T(wide)/V${wideString('Größe 5 €')}`,
        '/FT/Btn/T(check)/V/Yes/AS/Yes/MK<</BC[0]>>',
        '/FT/Ch/Ff 131072/T(combo)/Opt[(Poland)(Norway)]/V(Norway)',
        '/FT/Ch/T(list)/Opt[(small)(large)]/V(large)',
        '/FT/Tx/T(empty)',
      ]),
    )
    expect(file.catalog.has('AcroForm')).toBe(false)
    for (const text of ['Plain value', 'Größe 5 €', 'Norway', 'large']) expect(seen.pages[0]?.text).toContain(text)
    const blank = await flatten(form(['/FT/Tx/T(a)', '/FT/Tx/T(b)', '/FT/Btn/T(check)/AS/Off/MK<</BC[0]>>']))
    const square = { left: 60, top: 792 - 440, right: 260, bottom: 792 - 420 }
    expect(ink(await renderPage(bytes, 0), square)).toBeGreaterThan(ink(await renderPage(blank.bytes, 0), square))
  })

  it('draws nothing for a field without value and appearance, as viewers do', async () => {
    const source = form([
      '/FT/Tx/T(empty)/MK<</BC[0]>>',
      '/FT/Tx/T(blank)/V()/MK<</BC[0]>>',
      '/FT/Btn/T(off)/V/Off/MK<</BC[0]>>',
    ])
    expect(
      (await renderPage((await flatten(source)).bytes, 0)).pixels.equals((await renderPage(pageAlone(), 0)).pixels),
    ).toBe(true)
  })

  it('draws the value of a field that is missing from /Fields', async () => {
    const draft = new Draft({ pages: 1 })
    draft
      .page(1)
      .annotations.push(
        `${draft.pdf.add('<</Type/Annot/Subtype/Widget/FT/Tx/T(orphan)/V(Orphan value)/Rect[60 500 260 520]/F 4>>')} ` +
          '0 R',
      )
    const { seen, file } = await flatten(draft.write())
    expect(seen.pages[0]?.text).toContain('Orphan value')
    expect(file.catalog.has('AcroForm')).toBe(false)
  })

  it('redraws values if the form marks appearances as outdated', async () => {
    const draft = new Draft({ pages: 1, salt: 'old' })
    const old = draft.pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</Helv ${draft.font} 0 R>>>>`,
      'BT /Helv 10 Tf 2 5 Td (Old value) Tj ET',
    )
    const { seen } = await flatten(
      form([`/FT/Tx/T(a)/V(New value)/AP<</N ${old} 0 R>>`], { entries: '/NeedAppearances true', draft }),
    )
    expect(seen.pages[0]?.text).toContain('New value')
    expect(seen.pages[0]?.text).not.toContain('Old value')
  })

  it('draws values in any script, and a square for missing characters', async () => {
    const { seen, file, warnings } = await flatten(
      form([
        `/FT/Tx/T(name)/V${wideString('東京 Щука')}`,
        `/FT/Tx/T(other)/V${wideString('Left\u{10fffd}right\tend')}`,
      ]),
    )
    expect(warnings).toEqual(['field-font-replaced', 'characters-missing'])
    expect(file.catalog.has('AcroForm')).toBe(false)
    expect(seen.pages[0]?.text).toContain('東京 Щука')
    expect(seen.pages[0]?.text.replace(/\s+/g, ' ')).toContain('Left\u25a1right end')
  })

  it('warns if a value does not fit into its field', async () => {
    const long = 'a value that is much longer than its field is wide '.repeat(3)
    const warningsOf = async (field: string) => (await flatten(form([field]))).warnings
    expect(await warningsOf(`/FT/Tx/T(name)/DA(/Helv 11 Tf 0 g)/V(${long})`)).toEqual(['text-cut'])
    expect(await warningsOf('/FT/Tx/T(name)/DA(/Helv 11 Tf 0 g)/V(short)')).toEqual([])
  })

  it('keeps forms or annotations if requested, and keeps the named fields', async () => {
    const source = makeBook({ pages: 2, tags: 'plain' }).write()
    const before = await readPdf(source)
    expect((await flatten(source, { annotations: false })).seen.pages.map(page => page.annotationCount)).toEqual(
      before.pages.map(page => page.annotationCount - page.fields.length),
    )
    expect((await flatten(source, { forms: false })).seen.pages.map(page => page.fields)).toEqual(
      before.pages.map(page => page.fields),
    )
    const { seen } = await flatten(source, { keepFields: ['book-2', 'book-choice'] })
    expect(seen.pages.map(page => page.fields.map(field => field.name))).toEqual([
      ['book-choice'],
      ['book-2', 'book-choice'],
    ])
  })

  it('returns an error with the nearest name if a field to keep does not exist', async () => {
    await expect(
      runOn('flatten-pdf', makeBook({ pages: 2 }).write(), { keepFields: ['book-1', 'bok-2'] }),
    ).rejects.toMatchObject({
      reason: 'field_missing',
      problems: [
        {
          param: 'options.keepFields[1]',
          message: 'options.keepFields[1]: unknown field "bok-2". Did you mean "book-2"?',
        },
      ],
    })
    await expect(runOn('flatten-pdf', numbered(), { keepFields: ['a'] })).rejects.toMatchObject({
      problems: [{ message: 'options.keepFields[0]: unknown field "a". This document has no fields.' }],
    })
  })

  it('removes values that no page shows, XFA and signatures, with warnings', async () => {
    const draft = new Draft({ pages: 1 })
    addXfa(draft)
    const xfa = await flatten(draft.write('streams'))
    expect(xfa.warnings).toContain('xfa-dropped')
    expect(findTraces(xfa.bytes, draft.words(1).slice(1))).toEqual([])
    const signed = new Draft({ pages: 2 })
    addSignature(signed, 2)
    const after = await flatten(signed.write())
    expect(after.warnings).toContain('signatures-invalidated')
    expect(after.seen.pages.map(page => page.annotationCount)).toEqual([0, 0])
  })

  it('handles cyclic fields and widgets without a page', async () => {
    const draft = new Draft({ pages: 1 })
    const [loop, lost] = [
      draft.pdf.reserve(),
      draft.pdf.add('<</Type/Annot/Subtype/Widget/FT/Tx/T(lost)/V(SECRETVALUE)/Rect[0 0 9 9]>>'),
    ]
    draft.pdf.set(loop, `<</T(loop)/FT/Tx/V(x)/Parent ${loop} 0 R/Kids[${loop} 0 R]>>`)
    draft.catalog.push(`/AcroForm<</Fields[${loop} 0 R ${lost} 0 R]>>`)
    const { bytes, file } = await flatten(draft.write())
    expect(file.catalog.has('AcroForm')).toBe(false)
    expect(findTraces(bytes, ['SECRETVALUE'])).toEqual([])
  })

  it('returns a file without fields and annotations unchanged, and writes the same bytes each time', async () => {
    const source = numbered({ imageBytes: 900 })
    expect(
      (await flatten(source)).bytes.equals((await runOn('rotate-pdf', source, { angle: 90, pages: [1] })).bytes),
    ).toBe(false)
    expect(
      (await renderPage((await flatten(source)).bytes, 1)).pixels.equals((await renderPage(source, 1)).pixels),
    ).toBe(true)
    const book = makeBook().write()
    expect((await flatten(book)).bytes.equals((await flatten(book)).bytes)).toBe(true)
  })

  it('removes links if requested, and changes nothing else if nothing else is requested', async () => {
    const source = makeBook().write()
    const { pages } = await readPdf(source)
    const { seen } = await flatten(source, { links: true, forms: false, annotations: false })
    expect(seen.pages.map(page => [page.links, page.annotationCount, page.text])).toEqual(
      pages.map(page => [[], page.annotationCount - page.links.length, page.text]),
    )
    expect(pages.some(page => page.links.length > 0)).toBe(true)
    expect((await flatten(source, { links: true })).seen.pages.map(page => page.annotationCount)).toEqual(
      (await flatten(source)).seen.pages.map(page => page.annotationCount - page.links.length),
    )
  })
})

/** The page of `form` without its fields. */
function pageAlone(): Buffer {
  return new Draft({ pages: 1, salt: 'form' }).write()
}

function difference(a: Image, b: Image): number {
  if (a.width !== b.width || a.height !== b.height) return 1
  let count = 0
  for (let at = 0; at < a.pixels.length; at++)
    if (at % 4 !== 3 && Math.abs((a.pixels[at] ?? 0) - (b.pixels[at] ?? 0)) > 96) count++
  return count / (a.width * a.height)
}

async function redPixels(bytes: Buffer): Promise<number> {
  const { pixels } = await renderPage(bytes, 0)
  let count = 0
  for (let at = 0; at < pixels.length; at += 4)
    if ((pixels[at + 2] ?? 0) > 200 && (pixels[at + 1] ?? 0) < 60 && (pixels[at] ?? 0) < 60) count++
  return count
}

/** The bounds of the colored pixels. */
function extent({ width, pixels }: Image): { left: number; top: number; width: number; height: number } {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let at = 0; at < pixels.length; at += 4) {
    if (Math.abs((pixels[at] ?? 0) - (pixels[at + 2] ?? 0)) < 100) continue
    xs.push((at / 4) % width)
    ys.push(Math.floor(at / 4 / width))
  }
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 }
}

function ink({ width, pixels }: Image, box: { left: number; top: number; right: number; bottom: number }): number {
  let count = 0
  for (let y = box.top; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++) if ((pixels[(y * width + x) * 4] ?? 255) < 128) count++
  return count
}
