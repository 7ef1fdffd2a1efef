import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { addNumberedTargets, pageBehind } from '../../../fixtures/numbered-targets'
import type { Layout } from '../../../fixtures/pdf-writer'
import { PdfDict, PdfRef, type PdfValue } from '../../../support/pdf-syntax'
import { readPdf } from '../../../support/reader'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'

const PAGES = 6

function make(layout: Layout = 'table', salt = 'numbers'): Buffer {
  const draft = new Draft({ pages: PAGES, salt })
  addNumberedTargets(draft)
  return draft.write(layout)
}

/** The numbers that the pages contain as text, in page order. A blank page has 0. */
async function numbersOf(bytes: Buffer): Promise<number[]> {
  return (await readPdf(bytes)).pages.map(page => Number(/PAGE (\d+) OF/.exec(page.text)?.[1] ?? 0))
}

/** Expects every target on its old content, as PDFium and PDF.js see it, written as a reference. */
async function expectTargets(bytes: Buffer, { isMerged = false } = {}): Promise<void> {
  const seen = await readPdf(bytes)
  const numbers = await numbersOf(bytes)
  const middle = isMerged ? numbers.length / 2 : numbers.length
  const half = (index: number): number[] => (index < middle ? numbers.slice(0, middle) : numbers.slice(middle))
  for (const [index, page] of seen.pages.entries()) {
    if (numbers[index] === 0) continue
    const target = pageBehind(numbers[index] ?? 0, PAGES)
    const hits = page.links.filter(link => !link.uri)
    expect(hits.map(link => numbers[(link.page ?? 0) - 1])).toEqual(hits.map(() => target))
    expect(hits).toHaveLength(half(index).includes(target) ? 10 : 0)
    for (const link of hits) expect((link.page ?? 0) > middle).toBe(index >= middle)
  }
  for (const item of seen.outline) expect(`To ${numbers[(item.page ?? 0) - 1]}`).toBe(item.title)
  expect(new Set(seen.outline.map(item => item.title)).size).toBe(new Set(numbers.filter(Boolean)).size)
  await expectNames(bytes, numbers)
  expectReferences(bytes, numbers, half)
}

async function expectNames(bytes: Buffer, numbers: number[]): Promise<void> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, isEvalSupported: false })
  const document = await task.promise
  const destinations = (await document.getDestinations()) as Record<string, [{ num: number; gen: number }]>
  expect(Object.keys(destinations).length).toBeGreaterThanOrEqual(new Set(numbers.filter(Boolean)).size * 3)
  for (const [name, [page]] of Object.entries(destinations)) {
    const number = Number(/(\d+)(_2)?$/.exec(name)?.[1])
    expect([name, numbers[await document.getPageIndex(page)]]).toEqual([name, number])
  }
  await task.destroy()
}

/** Adds links with these entries to the first page. */
function addLinks(draft: Draft, entries: string[]): void {
  for (const entry of entries) {
    draft.page(1).annotations.push(`${draft.pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${entry}>>`)} 0 R`)
  }
}

/** Chained actions and trigger events. None of the two readers reports them. */
function expectReferences(bytes: Buffer, numbers: number[], half: (index: number) => number[]): void {
  const strict = new StrictPdf(bytes)
  expect(strict.problems.concat(strict.malformed)).toEqual([])
  const numberOf = (destination: PdfValue | undefined): number | undefined => {
    const [page] = strict.array(destination)
    const index = page instanceof PdfRef ? strict.pages.findIndex(({ number }) => number === page.number) : -1
    return numbers[index]
  }
  for (const [index, { dict }] of strict.pages.entries()) {
    const own = numbers[index]
    if (!own || !half(index).includes(pageBehind(own, PAGES))) continue
    expect(numberOf(strict.dict(strict.dict(dict.get('AA')).get('O')).get('D'))).toBe(pageBehind(own, PAGES))
    const annotations = strict.array(dict.get('Annots')).map(value => strict.dict(value))
    const chained = annotations.find(annotation => annotation.has('AA'))
    expect(numberOf(strict.dict(strict.dict(chained?.get('AA')).get('U')).get('D'))).toBe(pageBehind(own, PAGES))
    const [named] = strict.array(strict.dict(chained?.get('A')).get('Next'))
    const last = strict.dict(named).get('Next')
    expect(last instanceof PdfDict && numberOf(last.get('D'))).toBe(pageBehind(own, PAGES))
  }
  if (half(0).includes(PAGES)) expect(numberOf(strict.catalog.get('OpenAction'))).toBe(PAGES)
  else expect(strict.catalog.has('OpenAction')).toBe(false)
}

describe('resolveNumberedTargets', () => {
  const CALLS: [string, unknown][] = [
    ['reverse-pages', {}],
    ['reverse-pages', { pages: '2-4' }],
    ['delete-pages', { pages: [1] }],
    ['delete-pages', { pages: [2, 3] }],
    ['extract-pages', { pages: [5, 6, 1] }],
    ['extract-pages', { pages: [4] }],
    ['organize-pdf', { pageOrder: [3, 1], missing: 'append' }],
    ['organize-pdf', { pageOrder: [6, 2, 1] }],
    ['organize-pdf', { preset: 'booklet' }],
    ['add-blank-page', { position: 'start', count: 2 }],
    ['add-blank-page', { position: 'every', interval: 2 }],
  ]
  it.each(CALLS)('lets %s %j keep the content that page numbers target', async (tool, options) => {
    for (const layout of ['table', 'streams'] as const) {
      await expectTargets((await runOn(tool, make(layout), options)).bytes)
    }
  })

  it('makes targets of repeated pages lead to their first copies', async () => {
    const { bytes } = await runOn('organize-pdf', make(), { preset: 'duplicate' })
    const numbers = await numbersOf(bytes)
    const { pages } = await readPdf(bytes)
    for (const [index, page] of pages.entries()) {
      const first = numbers.indexOf(pageBehind(numbers[index] ?? 0, PAGES)) + 1
      expect(page.links.filter(link => !link.uri).map(link => link.page)).toEqual(
        Array.from({ length: 10 }, () => first),
      )
    }
  })

  it('updates targets in every part of a split', async () => {
    const ranges = { mode: 'ranges', ranges: ['5-6', '1,2'] }
    for (const options of [{ mode: 'pages' }, { mode: 'every', every: 4 }, { mode: 'bookmarks' }, ranges]) {
      const { bytes } = await runOn('split-pdf', make(), options)
      const parts = readZip(bytes).filter(({ name }) => name.endsWith('.pdf'))
      expect(parts.length).toBe(options.mode === 'pages' || options.mode === 'bookmarks' ? PAGES : 2)
      for (const part of parts) await expectTargets(part.bytes)
    }
    const { bytes } = await runOn('extract-pages', make(), { pages: '2-3', separate: true })
    for (const part of readZip(bytes)) await expectTargets(part.bytes)
  })

  it('updates targets in every file of a merge', async () => {
    const files = [make('table', 'one'), make('streams', 'two')]
    await expectTargets((await runOn('merge-pdf', files)).bytes, { isMerged: true })
    await expectTargets((await runOn('merge-pdf', files, { pages: ['4-6', '1-3'] })).bytes, { isMerged: true })
  })

  it('makes bookmarks of deleted pages lead to the next page', async () => {
    const { bytes } = await runOn('delete-pages', make(), { pages: [2], bookmarks: 'keep-retarget' })
    const numbers = await numbersOf(bytes)
    const { outline } = await readPdf(bytes)
    expect(outline.map(item => item.title)).toEqual([1, 2, 3, 4, 5, 6].map(number => `To ${number}`))
    expect(outline.map(item => numbers[(item.page ?? 0) - 1])).toEqual([1, 3, 3, 4, 5, 6])
  })

  it('keeps numbers unchanged if pages keep their positions', async () => {
    const { bytes } = await runOn('rotate-pdf', make(), { angle: 90 })
    expect(bytes.toString('latin1')).toContain('/Dest[0 /Fit]')
  })

  it('rotates target positions on rotated pages, also if a number names the page', async () => {
    const draft = new Draft({ pages: 2, size: [600, 800], rotate: { 2: 90 } })
    addLinks(draft, ['/Dest[1 /XYZ 100 700 0]'])
    const strict = new StrictPdf((await runOn('rotate-pdf', draft.write(), { bake: true })).bytes)
    const [link] = strict.array(strict.pages[0]?.dict.get('Annots'))
    // After a clockwise quarter turn, (x, y) is at (y, width − x).
    expect(strict.array(strict.dict(link).get('Dest')).slice(2)).toEqual([700, 500, 0])
  })

  it('makes numbers beyond the last page lead nowhere, also if pages are added', async () => {
    const draft = new Draft({ pages: 2 })
    const numbers = ['5', '-1', '2', '99999999999', '-3.5']
    addLinks(
      draft,
      numbers.map(number => `/Dest[${number} /Fit]`),
    )
    const merged = await runOn('merge-pdf', [draft.write(), make()])
    const longer = await runOn('add-blank-page', draft.write(), { count: 9 })
    for (const { bytes } of [merged, longer]) {
      expect((await readPdf(bytes)).pages[0]?.links).toEqual(numbers.map(() => ({})))
    }
  })

  it('keeps page numbers of other files', async () => {
    const draft = new Draft({ pages: 3 })
    addLinks(draft, ['/A<</S/GoToR/F(other.pdf)/D[2 /Fit]>>', '/A<</S/GoToE/F(other.pdf)/D[1 /Fit]/T<</R/C/N(a)>>>>'])
    const strict = new StrictPdf((await runOn('reverse-pages', draft.write())).bytes)
    const links = strict.array(strict.pages[2]?.dict.get('Annots'))
    const actions = links.map(value => strict.dict(strict.dict(value).get('A')))
    expect(actions.map(action => strict.array(action.get('D'))[0])).toEqual([2, 1])
  })

  it("updates the page number of an attached file's annotation", async () => {
    const draft = new Draft({ pages: 4 })
    addLinks(draft, ['/A<</S/GoToE/D[7 /Fit]/T<</R/C/P 2/A 0>>>>'])
    const file = '<</Type/Filespec/F(a.pdf)>>'
    draft.page(3).annotations.push(`<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS${file}>>`)
    const targetOf = async (tool: string, options: unknown, at: number) => {
      const strict = new StrictPdf((await runOn(tool, draft.write(), options)).bytes)
      const [link] = strict.array(strict.pages[at]?.dict.get('Annots'))
      const goTo = strict.dict(strict.dict(link).get('A'))
      expect(strict.array(goTo.get('D'))[0]).toBe(7)
      return [strict.dict(goTo.get('T')).get('P'), strict.dict(goTo.get('T')).get('A')]
    }
    expect(await targetOf('reverse-pages', {}, 3)).toEqual([1, 0])
    expect(await targetOf('add-blank-page', { position: 'start', count: 5 }, 5)).toEqual([7, 0])
    expect(await targetOf('delete-pages', { pages: [3] }, 0)).toEqual([undefined, undefined])
  })
})
