import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { addAttachments, addForm, addLayers, addLinks, addSignature, addXfa } from '../../../fixtures/features'
import { makeBook } from '../../../fixtures/make-fixtures'
import { replaceText } from '../../../fixtures/damaged'
import type { Layout } from '../../../fixtures/pdf-writer'
import { readPdf, renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

const LAYOUTS: [Layout, Layout][] = [
  ['table', 'table'],
  ['streams', 'table'],
  ['table', 'hybrid'],
  ['streams', 'streams'],
]

describe('appendDocuments', () => {
  for (const [first, second] of LAYOUTS) {
    it(`keeps everything of both files and writes a valid file (${first} and ${second})`, async () => {
      const drafts = [makeBook({ salt: 'left', pages: 4 }), makeBook({ salt: 'right', pages: 6, fanOut: 2 })]
      const [left, right] = [drafts[0]?.write(first), drafts[1]?.write(second)]
      const { bytes, warnings } = await runOn('merge-pdf', [left ?? Buffer.alloc(0), right ?? Buffer.alloc(0)])
      readSound(bytes)
      const words = drafts.flatMap((draft, index) =>
        draft.words(...Array.from({ length: index ? 6 : 4 }, (_, page) => page + 1)),
      )
      expect(findTraces(bytes, words)).toEqual(words)
      expect(warnings).toEqual([])
      expect(bytes.length).toBeLessThanOrEqual(((left?.length ?? 0) + (right?.length ?? 0)) * 1.05)
    })
  }

  it("keeps bookmarks and links of every file on the file's own pages", async () => {
    const seen = await readPdf(
      (
        await runOn('merge-pdf', [
          makeBook({ salt: 'a', pages: 4 }).write(),
          makeBook({ salt: 'b', pages: 2 }).write(),
          makeBook({ salt: 'c', pages: 3 }).write(),
        ])
      ).bytes,
    )
    expect(seen.outline.filter(entry => entry.level === 2).map(entry => entry.page)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect(seen.pages.map(page => page.links[0]?.page)).toEqual([2, 3, 4, 1, 6, 5, 8, 9, 7])
  })

  it('renames duplicate destinations and their links, also if the same file is added three times', async () => {
    const file = makeBook({ pages: 4 }).write()
    const { bytes } = await runOn('merge-pdf', [file, file, file])
    const seen = await readPdf(bytes)
    expect(seen.pages.map(page => page.links[0]?.page)).toEqual([2, 3, 4, 1, 6, 7, 8, 5, 10, 11, 12, 9])
    expect(seen.outline.filter(entry => entry.level === 2).map(entry => entry.page)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
    const strict = new StrictPdf(bytes)
    expect(strict.tree(strict.dict(strict.catalog.get('Names')).get('Dests'), 'Names')).toHaveLength(12)
    expect(strict.dict(strict.catalog.get('Dests')).size).toBe(12)
  })

  it('renames the destination of an action that several links share only once', async () => {
    const make = (): Buffer => {
      const draft = new Draft({ pages: 3, salt: 'shared-action' })
      const action = draft.pdf.add('<</S/GoTo/D(a)>>')
      for (const page of draft.pages)
        page.annotations.push(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${action} 0 R>>`)
      draft.names.push(`/Dests<</Names[(a)[${draft.page(2).ref} 0 R/Fit](a_2)[${draft.page(3).ref} 0 R/Fit]]>>`)
      return draft.write()
    }
    const simple = new Draft({ pages: 1, salt: 'simple' })
    simple.names.push(`/Dests<</Names[(a)[${simple.page(1).ref} 0 R/Fit]]>>`)
    const seen = await readPdf((await runOn('merge-pdf', [simple.write(), make()])).bytes)
    expect(seen.pages.map(page => page.links.map(link => link.page))).toEqual([[], [3], [3], [3]])
  })

  it('joins page labels, and continues counting for files without labels', async () => {
    const bare = new Draft({ pages: 2, salt: 'bare' }).write()
    const labels = async (files: Buffer[]): Promise<string[]> =>
      (await readPdf((await runOn('merge-pdf', files)).bytes)).pages.map(page => page.label)
    expect(await labels([makeBook({ pages: 4 }).write(), bare])).toEqual(['i', 'ii', 'A-1', 'A-2', '5', '6'])
    expect(await labels([bare, makeBook({ pages: 3 }).write()])).toEqual(['1', '2', 'i', 'ii', 'A-1'])
  })

  it('renames duplicate fields, so that both values stay', async () => {
    const form = (salt: string): Buffer => {
      const draft = new Draft({ pages: 2, salt })
      addForm(draft, { value: `value of ${salt}` })
      return draft.write()
    }
    const { bytes } = await runOn('merge-pdf', [form('one'), form('two'), form('three')])
    expect((await readPdf(bytes)).pages.map(page => page.fields.map(field => [field.name, field.value]))).toEqual(
      ['one', 'two', 'three'].flatMap((salt, index) =>
        [1, 2].map(number => [
          [`field-${number}${index ? `_${index + 1}` : ''}`, `value of ${salt}`],
          [`field-choice${index ? `_${index + 1}` : ''}`, 'c1'],
        ]),
      ),
    )
  })

  it('adds a form and its defaults to a file without a form', async () => {
    const draft = new Draft({ pages: 1, salt: 'with' })
    addForm(draft)
    const { bytes } = await runOn('merge-pdf', [
      new Draft({ pages: 1, salt: 'without' }).write(),
      draft.write('streams'),
    ])
    expect((await readPdf(bytes)).pages[1]?.fields.map(field => field.name)).toEqual(['field-1', 'field-choice'])
    const strict = new StrictPdf(bytes)
    const form = strict.dict(strict.catalog.get('AcroForm'))
    expect(strict.dict(strict.dict(form.get('DR')).get('Font')).has('Helv')).toBe(true)
  })

  it('keeps attachments of all files under different names', async () => {
    const file = (text: string): Buffer => {
      const draft = new Draft({ pages: 1, salt: text })
      addAttachments(draft, { 'data.csv': text, [`${text}.txt`]: text })
      return draft.write()
    }
    const { bytes } = await runOn('merge-pdf', [file('one'), file('two'), file('three')])
    const seen = (await readPdf(bytes)).attachments.map(({ name, bytes: content }) => [name, content.toString()])
    expect(seen.sort((one, two) => (String(one) < String(two) ? -1 : 1))).toEqual([
      ['data (2).csv', 'two'],
      ['data (3).csv', 'three'],
      ['data.csv', 'one'],
      ['one.txt', 'one'],
      ['three.txt', 'three'],
      ['two.txt', 'two'],
    ])
  })

  for (const base of ['ON', 'OFF'] as const) {
    it(`keeps hidden layers hidden and visible layers visible (second file with base state ${base})`, async () => {
      const layered = (salt: string, state: 'ON' | 'OFF'): Buffer => {
        const draft = new Draft({ pages: 1, salt })
        addLayers(draft, state)
        return draft.write()
      }
      const plain = new Draft({ pages: 1, salt: 'bare' }).write()
      for (const files of [
        [layered('one', 'ON'), layered('two', base)],
        [plain, layered('two', base)],
        [layered('two', base), layered('one', 'ON')],
      ]) {
        const { bytes } = await runOn('merge-pdf', files)
        for (const [index, file] of files.entries())
          expect((await renderPage(bytes, index)).pixels.equals((await renderPage(file, 0)).pixels)).toBe(true)
      }
      const pixels = await renderPage(layered('two', base), 0)
      expect(colorAt(pixels, 425, 125)).toEqual([255, 0, 0])
      expect(colorAt(pixels, 485, 125)).toEqual([255, 255, 255])
    })
  }

  it('joins tags: all marked content and every tagged link finds its structure element', async () => {
    const drafts = [
      makeBook({ salt: 'x', pages: 2 }),
      makeBook({ salt: 'y', pages: 3, tags: 'indirect-kids' }),
      makeBook({ salt: 'z', pages: 2 }),
    ]
    const files = drafts.map(draft => draft.write())
    for (const inputs of [
      files,
      files.slice(0, 2),
      [new Draft({ pages: 1, salt: 'untagged' }).write(), ...files.slice(1)],
    ]) {
      const { bytes } = await runOn('merge-pdf', inputs)
      const strict = new StrictPdf(bytes)
      const root = strict.dict(strict.catalog.get('StructTreeRoot'))
      const parents = new Map(strict.tree(root.get('ParentTree'), 'Nums'))
      const texts = (await readPdf(bytes)).pages.map(page => page.text)
      for (const kid of strict.array(root.get('K')))
        expect(strict.dict(kid).get('P')).toEqual(strict.catalog.get('StructTreeRoot'))
      for (const [index, { dict }] of strict.pages.entries()) {
        if (!dict.has('StructParents')) continue
        const words = drafts
          .flatMap(draft => draft.pages.map(page => draft.words(page.number)))
          .find(own => own.some(word => texts[index]?.includes(word)))
        const [paragraph] = strict.array(parents.get(Number(dict.get('StructParents'))))
        expect(words).toContain(strict.text(strict.dict(paragraph).get('ActualText')))
        const link = strict
          .array(dict.get('Annots'))
          .map(value => strict.dict(value))
          .find(annotation => annotation.has('StructParent'))
        expect(words).toContain(strict.text(strict.dict(parents.get(Number(link?.get('StructParent')))).get('Alt')))
      }
    }
  })

  it('keeps scripts and threads of all files', async () => {
    const { bytes } = await runOn('merge-pdf', [makeBook({ salt: 'a' }).write(), makeBook({ salt: 'b' }).write()])
    expect((await readPdf(bytes)).scripts.sort()).toEqual(['start-a', 'start-b'])
    const strict = new StrictPdf(bytes)
    expect(strict.array(strict.catalog.get('Threads'))).toHaveLength(2)
  })

  it('keeps a page that a file lists twice as two pages', async () => {
    const draft = new Draft({ pages: 2, salt: 'again' })
    const file = replaceText(
      replaceText(draft.write(), '/Kids[', `/Kids[${draft.page(1).ref} 0 R `),
      '/Count 2',
      '/Count 3',
    )
    const seen = await readPdf((await runOn('merge-pdf', [new Draft({ pages: 1 }).write(), file])).bytes)
    expect(seen.pages.map(page => page.text.match(/PAGE \d OF \d/)?.[0])).toEqual([
      'PAGE 1 OF 1',
      'PAGE 1 OF 2',
      'PAGE 1 OF 2',
      'PAGE 2 OF 2',
    ])
  })

  it('keeps a page that is a direct object in a list of kids', async () => {
    const draft = new Draft({ pages: 2, salt: 'direct' })
    const file = draft.write().toString('latin1')
    const page = new RegExp(`\\n${draft.page(1).ref} 0 obj\\n(.*)\\nendobj`).exec(file)?.[1] ?? ''
    const direct = Buffer.from(
      file.replace(`/Kids[${draft.page(1).ref} 0 R`, () => `/Kids[${page}`),
      'latin1',
    )
    const seen = await readPdf((await runOn('merge-pdf', [new Draft({ pages: 1 }).write(), direct])).bytes)
    expect(seen.pages.map(one => one.text.match(/PAGE \d OF \d/)?.[0])).toEqual([
      'PAGE 1 OF 1',
      'PAGE 1 OF 2',
      'PAGE 2 OF 2',
    ])
  })

  it('warns if XFA data of a file could not be kept', async () => {
    const twin = new Draft({ pages: 2, salt: 'xfa' })
    addXfa(twin)
    const plain = new Draft({ pages: 1 }).write()
    const again = new Draft({ pages: 2, salt: 'xfa' })
    addXfa(again)
    for (const files of [
      [plain, twin.write()],
      [again.write(), plain],
    ]) {
      const { bytes, warnings } = await runOn('merge-pdf', files)
      expect(warnings).toEqual(['xfa-dropped'])
      expect(findTraces(bytes, ['xdp:xdp'])).toEqual([])
    }
  })

  it('warns that signatures are invalid, whichever file has them', async () => {
    const make = (): Buffer => {
      const draft = new Draft({ pages: 2, salt: 'signed' })
      addSignature(draft, 1)
      return draft.write()
    }
    const plain = new Draft({ pages: 1 }).write()
    for (const files of [
      [plain, make()],
      [make(), plain],
    ])
      expect((await runOn('merge-pdf', files)).warnings).toEqual(['signatures-invalidated'])
  })

  it('refuses more pages than a response may have', async () => {
    const file = new Draft({ pages: 6 }).write()
    await expect(runOn('merge-pdf', [file, file], {}, { maxPagesOut: 11 })).rejects.toMatchObject({
      name: 'EngineError',
      reason: 'too_large',
    })
  })

  it('keeps links to other documents', async () => {
    const draft = new Draft({ pages: 2, salt: 'links' })
    addLinks(draft)
    const seen = await readPdf(
      (await runOn('merge-pdf', [new Draft({ pages: 1 }).write(), draft.write('streams')])).bytes,
    )
    expect(seen.pages[2]?.links[1]?.uri).toMatch(/^https:\/\/example\.com\/[A-Z]{14}$/)
  })
})

function colorAt(
  { width, height, pixels }: { width: number; height: number; pixels: Buffer },
  x: number,
  y: number,
): number[] {
  const at = ((height - 1 - y) * width + x) * 4
  return [...pixels.subarray(at, at + 3)]
}
