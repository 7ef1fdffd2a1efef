import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { addForm, addNotes, addSignature, addXfa } from '../../../fixtures/features'
import { makeBook } from '../../../fixtures/make-fixtures'
import type { Layout } from '../../../fixtures/pdf-writer'
import { readPdf } from '../../../support/reader'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

const LAYOUTS: Layout[] = ['table', 'streams', 'hybrid']

describe('selectPages: removed content', () => {
  for (const layout of LAYOUTS) {
    for (const tags of ['plain', 'indirect-kids', 'indirect-content'] as const) {
      it(`leaves no trace of a removed page (${layout}, tags ${tags}) and loses nothing of the other pages`, async () => {
        const draft = makeBook({ salt: `trace-${tags}`, tags })
        const input = draft.write(layout)
        expect(findTraces(input, draft.words(1, 2, 3, 4, 5, 6))).toEqual(draft.words(1, 2, 3, 4, 5, 6))
        const { bytes } = await runOn('delete-pages', input, { pages: [2, 5] })
        expect(findTraces(bytes, draft.words(2, 5))).toEqual([])
        expect(findTraces(bytes, draft.words(1, 3, 4, 6))).toEqual(draft.words(1, 3, 4, 6))
        readSound(bytes)
      })
    }
  }

  it('keeps nothing of the other pages if one page of a large document is extracted', async () => {
    const draft = makeBook({ pages: 90, salt: 'large', fanOut: 10 })
    const { bytes } = await runOn('extract-pages', draft.write('streams'), { pages: [45] })
    expect(findTraces(bytes, draft.words(...numbersTo(90).filter(number => number !== 45)))).toEqual([])
    expect((await readPdf(bytes)).pages.map(page => page.text.match(/PAGE (\d+)/)?.[1])).toEqual(['45'])
  })

  it('does not copy images of other pages, though all pages share one resource dictionary', async () => {
    for (const inherits of [false, true]) {
      const input = new Draft({
        pages: 10,
        salt: 'pictures',
        sharesResources: !inherits,
        inherits,
        imageBytes: 60_000,
      }).write()
      const { bytes } = await runOn('extract-pages', input, { pages: [7] })
      expect(bytes.length).toBeGreaterThan(55_000)
      expect(bytes.length).toBeLessThan(input.length / 8)
    }
  })

  it('removes the value of a field whose only widget was on a removed page, and an empty form', async () => {
    const draft = new Draft({ pages: 2, salt: 'fields' })
    addForm(draft)
    addNotes(draft)
    const { bytes } = await runOn('delete-pages', draft.write(), { pages: [1] })
    expect((await readPdf(bytes)).pages[0]?.fields.map(field => field.name)).toEqual(['field-2', 'field-choice'])
    const strict = new StrictPdf(bytes)
    const group = strict
      .array(strict.dict(strict.catalog.get('AcroForm')).get('Fields'))
      .map(field => strict.dict(field))
      .find(field => strict.text(field.get('T')) === 'field-choice')
    expect(strict.array(group?.get('Kids'))).toHaveLength(1)
  })

  it('removes XFA with its values if pages change, and adds a warning', async () => {
    const draft = new Draft({ salt: 'twin' })
    addXfa(draft)
    const { bytes, warnings } = await runOn('delete-pages', draft.write(), { pages: [5] })
    expect(warnings).toEqual(['xfa-dropped'])
    expect(findTraces(bytes, draft.words(5))).toEqual([])
  })

  it('keeps an XFA form if pages are only rotated', async () => {
    const draft = new Draft({ salt: 'twin' })
    addXfa(draft)
    expect((await runOn('rotate-pdf', draft.write(), { angle: 90 })).warnings).toEqual([])
  })

  it('warns that signatures are invalid, also if the signature is removed with its page', async () => {
    for (const pages of [[1], [2]]) {
      const draft = new Draft({ salt: 'signed' })
      addSignature(draft, 2)
      expect((await runOn('delete-pages', draft.write(), { pages })).warnings).toEqual(['signatures-invalidated'])
    }
  })

  for (const [tool, options] of [
    ['delete-pages', { pages: [2] }],
    ['extract-pages', { pages: [1] }],
    ['split-pdf', { ranges: ['1'] }],
  ] as const) {
    it(`keeps nothing of the file's certification with ${tool}`, async () => {
      for (const makeEntry of [
        (value: string) => `/Perms<</DocMDP ${value}>>`,
        (value: string) => `/Perms<</UR3 ${value}>>`,
        (value: string) => `/DSS<</Certs[${value}]>>`,
      ]) {
        const draft = new Draft({ pages: 3, salt: 'certified' })
        const entry = makeEntry(
          `${draft.pdf.add('<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents<00>/Name(SECRETSIGNER)>>')} ` +
            '0 R',
        )
        draft.catalog.push(entry)
        const { bytes, warnings } = await runOn(tool, draft.write(), options)
        expect(warnings).toEqual(['signatures-invalidated'])
        const file = tool === 'split-pdf' ? readZip(bytes)[0]?.bytes : bytes
        expect(findTraces(file ?? Buffer.alloc(0), ['SECRETSIGNER', 'Perms', 'DSS'])).toEqual([])
      }
    })
  }
})

describe('selectPages: kept content', () => {
  for (const layout of LAYOUTS) {
    it(`updates bookmarks, links and labels of the remaining pages (${layout})`, async () => {
      const { bytes } = await runOn('extract-pages', makeBook().write(layout), { pages: [3, 4, 6] })
      const seen = await readPdf(bytes)
      expect(seen.outline.map(entry => [entry.title.replace(/ [A-Z]+$/, ''), entry.page, entry.level])).toEqual([
        ['Part 2', undefined, 1],
        ['Chapter 3', 1, 2],
        ['Chapter 4', 2, 2],
        ['Part 3', undefined, 1],
        ['Chapter 6', 3, 2],
      ])
      expect(seen.pages.map(page => page.links.map(link => link.page ?? 'web'))).toEqual([
        [2, 'web', 'web'],
        ['web', 'web'],
        ['web', 'web'],
      ])
      expect(seen.pages.map(page => page.label)).toEqual(['A-1', 'A-2', 'A-4'])
    })
  }

  it('keeps bookmarks, links and labels on their content if pages move', async () => {
    const seen = await readPdf(
      (await runOn('organize-pdf', makeBook().write('streams'), { pageOrder: [6, 5, 4, 3, 2, 1] })).bytes,
    )
    expect(seen.outline.filter(entry => entry.level === 2).map(entry => entry.page)).toEqual([6, 5, 4, 3, 2, 1])
    expect(seen.pages.map(page => page.links[0]?.page)).toEqual([6, 1, 2, 3, 4, 5])
    expect(seen.pages.map(page => page.label)).toEqual(['A-4', 'A-3', 'A-2', 'A-1', 'ii', 'i'])
  })

  it('copies the annotations of a repeated page and adds a second widget to its field', async () => {
    const draft = new Draft({ pages: 2, salt: 'twice' })
    addForm(draft, { value: 'same value' })
    addNotes(draft)
    const { bytes } = await runOn('extract-pages', draft.write(), { pages: [1, 2, 1, 2] })
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => page.fields.map(field => [field.name, field.value]))).toEqual(
      [1, 2, 1, 2].map(number => [
        [`field-${number}`, 'same value'],
        ['field-choice', 'c1'],
      ]),
    )
    const strict = readSound(bytes)
    const annotations = strict.pages.flatMap(page => strict.array(page.dict.get('Annots')))
    expect(new Set(annotations.map(value => JSON.stringify(value))).size).toBe(annotations.length)
    for (const page of strict.pages) {
      for (const value of strict.array(page.dict.get('Annots')))
        expect(strict.dict(value).get('P') ?? { number: page.number }).toMatchObject({ number: page.number })
    }
  })

  it('keeps boxes, rotation and resources that a page inherited', async () => {
    const input = new Draft({
      pages: 6,
      salt: 'heir',
      inherits: true,
      rotate: { 2: 90 },
      size: [400, 700],
      fanOut: 2,
    }).write()
    const seen = await readPdf((await runOn('extract-pages', input, { pages: [2, 5] })).bytes)
    expect(seen.pages.map(({ width, height, rotation }) => ({ width, height, rotation }))).toEqual([
      { width: 700, height: 400, rotation: 90 },
      { width: 400, height: 700, rotation: 0 },
    ])
    expect(seen.pages.map(page => page.text.match(/PAGE \d/)?.[0])).toEqual(['PAGE 2', 'PAGE 5'])
  })

  it('keeps tags of the remaining pages in the parent tree', async () => {
    const { bytes } = await runOn('extract-pages', makeBook({ tags: 'indirect-content' }).write(), { pages: [4, 2] })
    const strict = new StrictPdf(bytes)
    const root = strict.dict(strict.catalog.get('StructTreeRoot'))
    const parents = new Map(strict.tree(root.get('ParentTree'), 'Nums'))
    expect([...parents.keys()]).toEqual([2, 3, 6, 7])
    for (const page of strict.pages) {
      const [paragraph] = strict.array(parents.get(Number(page.dict.get('StructParents'))))
      expect(strict.text(strict.dict(paragraph).get('ActualText'))).toMatch(/^[A-Z]{14}$/)
    }
  })

  it('keeps attachments and document scripts if pages are extracted', async () => {
    const seen = await readPdf((await runOn('extract-pages', makeBook().write(), { pages: [1] })).bytes)
    expect(seen.attachments.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['book.txt', 'book'],
      ['notes.txt', 'notes of book'],
    ])
    expect(seen.scripts).toEqual(['start-book'])
  })
})

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
