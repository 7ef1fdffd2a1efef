import { describe, expect, it } from 'vitest'
import { removeAnnotations } from '../../../engines/tools/remove-annotations'
import { Draft } from '../../fixtures/draft'
import { addForm, addLinks, addNotes, addSignature, addXfa } from '../../fixtures/features'
import { makeBook } from '../../fixtures/make-fixtures'
import { wideString } from '../../fixtures/pdf-writer'
import { addTags } from '../../fixtures/tagged'
import type { PdfDict } from '../../support/pdf-syntax'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound, type StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

async function remove(file: Buffer, options: unknown = {}): Promise<StrictPdf> {
  const strict = readSound((await runOn('remove-annotations', file, options)).bytes)
  return strict
}

/** The annotations of a page. */
function annotations(pdf: StrictPdf, pageNumber = 1): PdfDict[] {
  return pdf.array(pdf.pages[pageNumber - 1]?.dict.get('Annots')).map(value => pdf.dict(value))
}

/** The names of the annotations of a page from /NM, which the fixture sets, or their subtypes. */
function names(pdf: StrictPdf, pageNumber = 1): (string | undefined)[] {
  return annotations(pdf, pageNumber).map(
    annotation => pdf.text(annotation.get('NM')) ?? pdf.text(annotation.get('Subtype')),
  )
}

/** One page with a thread of notes by two people, a highlight with its pop-up, links, and a field. */
function makeNotes(): Buffer {
  const draft = new Draft({ pages: 2, salt: 'thread' })
  const { pdf } = draft
  const page = draft.page(1)
  const [note, popup] = [pdf.reserve(), pdf.reserve()]
  const add = (name: string, subtype: string, entries: string): number => {
    const ref = pdf.add(`<</Type/Annot/Subtype/${subtype}/Rect[10 10 50 50]/NM(${name})${entries}>>`)
    page.annotations.push(`${ref} 0 R`)
    return ref
  }
  pdf.set(
    note,
    `<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/NM(note)/T(Ann)/Contents(${draft.plant(1, 'note')})/Popup ` +
      `${popup} 0 R>>`,
  )
  pdf.set(popup, `<</Type/Annot/Subtype/Popup/Rect[10 10 50 50]/NM(popup)/Parent ${note} 0 R>>`)
  page.annotations.push(`${note} 0 R`, `${popup} 0 R`)
  const reply = add('reply', 'Text', `/T ${wideString('Bj\u00f6rn')}/IRT ${note} 0 R/RT/R`)
  add('answer', 'Text', `/T(ANN)/IRT ${reply} 0 R`)
  add('mark', 'Highlight', '/T(Ann )/QuadPoints[10 50 50 50 10 10 50 10]')
  add('film', 'Screen', '')
  add('own-kind', 'Acme#20Thing', '')
  add('site', 'Link', '/A<</S/URI/URI(https://Docs.example.com/a/b?c=1)>>')
  add('chained', 'Link', `/A<</S/Hide/T ${note} 0 R/Next[<</S/URI/URI(http://other.test/)>>]>>`)
  add('jump', 'Link', `/Dest[${draft.page(2).ref} 0 R/Fit]`)
  page.annotations.push(
    '<</Type/Annot/Subtype/Square/Rect[0 0 9 9]/NM(direct)/T(Ann)>>',
    `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/NM(direct-reply)/T(Cleo)/IRT ${note} 0 R>>`,
  )
  draft.page(2).annotations.push('<</Type/Annot/Subtype/Circle/Rect[0 0 9 9]/NM(second)>>')
  return draft.write()
}

describe('remove-annotations: by default', () => {
  for (const layout of ['table', 'streams', 'hybrid'] as const) {
    for (const tags of ['plain', 'indirect-kids', 'indirect-content'] as const) {
      it(`keeps form fields only, with no trace of other annotations (${layout}, tags ${tags})`, async () => {
        const draft = makeBook({ salt: `notes-${tags}`, tags })
        const file = draft.write(layout)
        const [before, pdf] = [await readPdf(file), await remove(file)]
        const after = await readPdf(pdf.bytes)
        const gone = ['note', 'stamp', 'uri', 'tagged-link', 'alt'].flatMap(kind =>
          [1, 2, 3, 4, 5, 6].map(number => draft.plant(number, kind)),
        )
        const kept = ['text', 'value', 'actual', 'section', 'outline', 'named'].flatMap(kind =>
          [1, 2, 3, 4, 5, 6].map(number => draft.plant(number, kind)),
        )
        expect(findTraces(file, gone)).toEqual(gone)
        expect(findTraces(pdf.bytes, gone)).toEqual([])
        expect(findTraces(pdf.bytes, kept)).toEqual(kept)
        expect(after).toEqual({
          ...before,
          pages: before.pages.map(page => ({ ...page, links: [], annotationCount: 2 })),
        })
        for (const page of [1, 2, 3, 4, 5, 6]) expect(names(pdf, page)).toEqual(['Widget', 'Widget'])
      })

      it(`removes their structure elements (${layout}, tags ${tags})`, async () => {
        const draft = new Draft({ pages: 3, salt: tags })
        addTags(draft, tags)
        const pdf = await remove(draft.write(layout), { pages: [2] })
        const root = pdf.dict(pdf.catalog.get('StructTreeRoot'))
        const [top] = pdf.array(root.get('K')).length ? pdf.array(root.get('K')) : [root.get('K')]
        const sections = pdf.array(pdf.dict(top).get('K')).map(section => pdf.dict(section))
        expect(
          sections.map(section => pdf.array(section.get('K')).map(kid => pdf.text(pdf.dict(kid).get('S')))),
        ).toEqual([['P', 'Link'], ['P'], ['P', 'Link']])
        expect(pdf.tree(root.get('ParentTree'), 'Nums').map(([key]) => key)).toEqual([0, 1, 2, 4, 5])
        expect(
          findTraces(
            pdf.bytes,
            [1, 2, 3].map(number => draft.plant(number, 'alt')),
          ),
        ).toEqual([1, 3].map(number => draft.plant(number, 'alt')))
      })
    }
  }

  it('keeps the look of pages except for annotations', async () => {
    const [plain, noted] = [new Draft({ pages: 1, imageBytes: 900 }), new Draft({ pages: 1, imageBytes: 900 })]
    addNotes(noted)
    const [expected, without, before] = [
      await renderPage(plain.write(), 0),
      await renderPage((await remove(noted.write())).bytes, 0),
      await renderPage(noted.write(), 0),
    ]
    expect(before.pixels.equals(expected.pixels)).toBe(false)
    expect(without.pixels.equals(expected.pixels)).toBe(true)
  })

  it('removes unknown types, direct annotation objects, and files attached to annotations', async () => {
    const pdf = await remove(makeNotes())
    expect([names(pdf, 1), names(pdf, 2)]).toEqual([[], []])
    const draft = new Draft({ pages: 1 })
    const file = draft.pdf.addStream('/Type/EmbeddedFile', draft.plant(1, 'file'))
    draft
      .page(1)
      .annotations.push(
        `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(a)/EF<</F ${file} 0 R>>>>>>`,
      )
    expect(findTraces((await remove(draft.write())).bytes, [draft.plant(1, 'file')])).toEqual([])
  })

  it('returns a file without annotations unchanged', async () => {
    const file = makeBook().write()
    const once = await remove(file)
    expect((await remove(once.bytes)).bytes.equals(once.bytes)).toBe(true)
  })

  it('keeps a structure element that has its own text, without its description', async () => {
    const draft = new Draft({ pages: 1, salt: 'words' })
    addTags(draft)
    const file = Buffer.from(
      draft
        .write()
        .toString('latin1')
        .replace(/\/K (<<\/Type\/OBJR[^>]*>>)/, (_, kid: string) => `/K[1 ${kid}]`),
      'latin1',
    )
    const pdf = await remove(file)
    const links = [...pdf.objects.values()]
      .map(({ value }) => pdf.dict(value))
      .filter(dict => pdf.text(dict.get('S')) === 'Link')
    expect(links.map(link => [link.get('K'), link.has('Alt')])).toEqual([[[1], false]])
  })

  it('handles lists that reference the catalog, pages, streams and null', async () => {
    const draft = new Draft({ pages: 2, salt: 'odd' })
    const note = draft.pdf.add(
      `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Popup ${draft.tree} 0 R/IRT ${draft.root} 0 R>>`,
    )
    draft
      .page(1)
      .annotations.push(
        `${draft.root} 0 R`,
        `${draft.page(2).ref} 0 R`,
        `${draft.tree} 0 R`,
        `${draft.font} 0 R`,
        `${note} 0 R`,
        `${note} 0 R`,
        'null',
        '(x)',
      )
    const { bytes } = await runOn('remove-annotations', draft.write())
    expect((await readPdf(bytes)).pages.map(page => /PAGE \d/.exec(page.text)?.[0])).toEqual(['PAGE 1', 'PAGE 2'])
  })
})

describe('remove-annotations: types', () => {
  it('comments keeps links and media', async () => {
    expect(names(await remove(makeNotes(), { types: 'comments' }))).toEqual([
      'film',
      'own-kind',
      'site',
      'chained',
      'jump',
    ])
  })

  it('links keeps everything else', async () => {
    expect(names(await remove(makeNotes(), { types: 'links' }))).toEqual([
      'note',
      'popup',
      'reply',
      'answer',
      'mark',
      'film',
      'own-kind',
      'direct',
      'direct-reply',
    ])
  })

  it('by name remove pop-ups and replies too, and clean references to them', async () => {
    const draft = makeNotes()
    expect(names(await remove(draft, { types: ['Highlight', 'Screen'] }))).toEqual([
      'note',
      'popup',
      'reply',
      'answer',
      'own-kind',
      'site',
      'chained',
      'jump',
      'direct',
      'direct-reply',
    ])
    const pdf = await remove(draft, { types: ['Popup'] })
    expect(annotations(pdf).some(annotation => annotation.has('Popup'))).toBe(false)
    expect(names(pdf)).toContain('note')
  })

  it('all removes the form with its values', async () => {
    const draft = new Draft({ pages: 2, salt: 'all' })
    addForm(draft)
    addLinks(draft)
    const pdf = await remove(draft.write(), { types: 'all', pages: 'all' })
    expect(pdf.catalog.has('AcroForm')).toBe(false)
    expect(
      findTraces(
        pdf.bytes,
        ['value', 'uri'].map(kind => draft.plant(1, kind)),
      ),
    ).toEqual([])
  })

  it('all on selected pages keeps the fields of other pages', async () => {
    const draft = new Draft({ pages: 2, salt: 'some' })
    addForm(draft)
    const pdf = await remove(draft.write(), { types: 'all', pages: [1] })
    expect((await readPdf(pdf.bytes)).pages.map(page => page.fields.map(field => field.name))).toEqual([
      [],
      ['field-2', 'field-choice'],
    ])
    expect(findTraces(pdf.bytes, [draft.plant(1, 'value'), draft.plant(2, 'value')])).toEqual([draft.plant(2, 'value')])
  })

  it('all removes XFA and signatures with warnings, and by default the XFA form stays', async () => {
    const xfa = new Draft({ salt: 'twin' })
    addXfa(xfa)
    expect((await runOn('remove-annotations', xfa.write(), { types: 'all' })).warnings).toEqual(['xfa-dropped'])
    expect((await runOn('remove-annotations', xfa.write())).warnings).toEqual([])
    const signed = new Draft({ salt: 'signed' })
    addSignature(signed, 2)
    expect((await runOn('remove-annotations', signed.write(), { types: 'all' })).warnings).toEqual([
      'signatures-invalidated',
    ])
  })

  it('that are kept stay, without references to removed annotations', async () => {
    const pdf = await remove(makeNotes(), { keep: ['Highlight', 'Popup', 'Link'] })
    expect(names(pdf)).toEqual(['popup', 'mark', 'site', 'chained', 'jump'])
    expect(annotations(pdf)[0]?.has('Parent')).toBe(false)
    const draft = new Draft({ pages: 1 })
    addForm(draft)
    addNotes(draft)
    expect(names(await remove(draft.write(), { types: 'all', keep: ['Widget'] }))).toEqual(['Widget', 'Widget'])
  })
})

describe('remove-annotations: filters', () => {
  it('only on the pages named', async () => {
    const pdf = await remove(makeNotes(), { pages: 'last' })
    expect([names(pdf, 1).length, names(pdf, 2).length]).toEqual([12, 0])
  })

  it('by author, in any case and encoding, and keeps replies by others as separate notes', async () => {
    const pdf = await remove(makeNotes(), { author: 'ann' })
    expect(names(pdf)).toEqual(['reply', 'film', 'own-kind', 'site', 'chained', 'jump', 'direct-reply'])
    expect(annotations(pdf).some(annotation => annotation.has('IRT') || annotation.has('RT'))).toBe(false)
    expect(findTraces(pdf.bytes, [new Draft({ salt: 'thread' }).plant(1, 'note')])).toEqual([])
    expect(names(await remove(makeNotes(), { author: 'BJ\u00d6RN' }))).not.toContain('reply')
    expect(names(await remove(makeNotes(), { author: 'Nobody' }))).toHaveLength(12)
  })

  it('never reads the name of a field as an author', async () => {
    const draft = new Draft({ pages: 1 })
    addForm(draft)
    expect(names(await remove(draft.write(), { types: 'all', author: 'field-1' }))).toEqual(['Widget', 'Widget'])
  })

  const all = ['site', 'chained', 'jump']
  const patterns: Record<string, string[]> = {
    'example.com': ['site'],
    EXAMPLE: ['site'],
    'https://*.example.com/*': ['site'],
    'http*': ['site', 'chained'],
    '*c=1': ['site'],
    '*/a/*/b*': [],
    'docs.example.com*': [],
    'https://docs.example.com/a/b?c=1*?c=1': [],
    '*': ['site', 'chained'],
    'a.b': [],
  }
  for (const [urlPattern, gone] of Object.entries(patterns)) {
    it(`by URL: ${urlPattern}`, async () => {
      const left = names(await remove(makeNotes(), { urlPattern }))
      expect(left.filter(name => all.includes(name ?? ''))).toEqual(all.filter(name => !gone.includes(name)))
      expect(left).toHaveLength(12 - gone.length)
    })
  }

  it('do not try all ways to match a pattern with many stars', async () => {
    const draft = new Draft({ pages: 1 })
    draft.page(1).annotations.push(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(${'a'.repeat(2000)})>>>>`)
    expect(names(await remove(draft.write(), { urlPattern: `${'*a'.repeat(249)}b` }))).toEqual(['Link'])
  })

  it('must have known types and must not be empty', () => {
    for (const options of [
      { types: 'notes' },
      { types: [] },
      { types: ['text'] },
      { keep: ['Links'] },
      { author: '' },
      { urlPattern: '' },
      { regex: 'x' },
    ]) {
      expect(removeAnnotations.options.safeParse(options).success).toBe(false)
    }
  })
})
