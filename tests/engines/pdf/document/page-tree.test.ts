import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../../fixtures/draft'
import { replaceText } from '../../../fixtures/damaged'
import { type Layout, PdfWriter } from '../../../fixtures/pdf-writer'
import { readPdf } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'

async function pagesOf(
  file: Buffer,
): Promise<{ numbers: (string | undefined)[]; warnings: string[]; problems: string[] }> {
  const { bytes, warnings } = await runOn('rotate-pdf', file, { angle: 90 })
  const strict = new StrictPdf(bytes)
  return {
    numbers: (await readPdf(bytes)).pages.map(page => page.text.match(/PAGE (\d+)/)?.[1]),
    warnings,
    problems: strict.problems.concat(strict.malformed),
  }
}

describe('readPages and setPages', () => {
  it('return a page that is listed twice as two pages', async () => {
    const draft = new Draft({ pages: 2 })
    const file = replaceText(
      replaceText(draft.write(), '/Kids[', `/Kids[${draft.page(2).ref} 0 R `),
      '/Count 2',
      '/Count 3',
    )
    expect(await pagesOf(file)).toEqual({ numbers: ['2', '1', '2'], warnings: ['repaired'], problems: [] })
  })

  it('do not follow cycles, and keep every page once', async () => {
    const draft = new Draft({ pages: 4, fanOut: 2 })
    const file = replaceText(draft.write(), /\/Parent 2 0 R\/Count 2\/Kids\[/, '/Parent 2 0 R/Count 2/Kids[2 0 R ')
    expect((await pagesOf(file)).numbers).toEqual(['1', '2', '3', '4'])
  })

  it('write an array of kids if the file has a single page in its place', async () => {
    const draft = new Draft({ pages: 1 })
    const file = replaceText(draft.write(), `/Kids[${draft.page(1).ref} 0 R]`, `/Kids ${draft.page(1).ref} 0 R `)
    expect(await pagesOf(file)).toEqual({ numbers: ['1'], warnings: ['repaired'], problems: [] })
  })

  it('write a page that is a stream as a dictionary, because readers reject it', async () => {
    const draft = new Draft({ pages: 1 })
    draft.finish()
    const content = draft.pdf.addStream('', 'BT /F1 9 Tf (PAGE 7) Tj ET')
    const font = `/Resources<</Font<</F1 ${draft.font} 0 R>>>>`
    const stream = draft.pdf.addStream(
      `/Type/Page/Parent ${draft.tree} 0 R/MediaBox[0 0 9 9]/Contents ${content} 0 R${font}`,
      '',
    )
    draft.pdf.set(draft.tree, `<</Type/Pages/Count 2/Kids[${stream} 0 R ${draft.page(1).ref} 0 R]>>`)
    const file = draft.pdf.write({ root: draft.root })
    expect(await pagesOf(file)).toEqual({ numbers: ['7', '1'], warnings: ['repaired'], problems: [] })
  })

  it('enter nodes that are streams once', async () => {
    const draft = new Draft({ pages: 1 })
    draft.finish()
    let node = `${draft.page(1).ref} 0 R`
    for (let level = 0; level < 60; level++)
      node = `${draft.pdf.addStream(`/Type/Pages/Count 1/Kids[${node} ${node}]`, '')} 0 R`
    draft.pdf.set(draft.tree, `<</Type/Pages/Count 1/Kids[${node}]>>`)
    expect((await pagesOf(draft.pdf.write({ root: draft.root }))).problems).toEqual([])
  })

  it('replace a root that is a stream, because readers reject it', async () => {
    const draft = new Draft({ pages: 1 })
    draft.finish()
    const stream = draft.pdf.addStream(`/Type/Pages/Count 1/Kids[${draft.page(1).ref} 0 R]`, '')
    draft.pdf.set(draft.root, `<</Type/Catalog/Pages ${stream} 0 R>>`)
    const file = draft.pdf.write({ root: draft.root })
    expect(await pagesOf(file)).toEqual({ numbers: ['1'], warnings: ['repaired'], problems: [] })
  })

  it("leave out objects that aren't pages", async () => {
    const draft = new Draft({ pages: 2 })
    const file = replaceText(draft.write(), '/Kids[', `/Kids[${draft.font} 0 R null 5 (x) `)
    expect(await pagesOf(file)).toEqual({ numbers: ['1', '2'], warnings: ['repaired'], problems: [] })
  })

  /** Pages 1 to 5. The tree lost some of them: their references point elsewhere, or are missing. */
  function misplace(changes: Record<number, string>, layout: Layout): Buffer {
    const draft = new Draft({ pages: 5 })
    draft.finish()
    const kids = draft.pages.map(
      ({ number, ref }) => changes[number]?.replace('FONT', String(draft.font)) ?? `${ref} 0 R`,
    )
    draft.pdf.set(draft.tree, `<</Type/Pages/Count 5/Kids[${kids.join(' ')}]>>`)
    return draft.pdf.write({ root: draft.root, layout })
  }

  describe.each(['table', 'streams', 'hybrid'] as const)('in a file with %s', layout => {
    it.each([
      ['one page to nothing', { 2: '777 0 R' }],
      ["some pages to nothing and to objects that aren't pages", { 1: '777 0 R', 3: 'FONT 0 R', 5: '778 0 R' }],
      ["one page to a value that isn't a reference", { 4: '7 -1 R' }],
      ['all pages to nothing', { 1: '771 0 R', 2: '772 0 R', 3: '773 0 R', 4: '774 0 R', 5: '775 0 R' }],
    ])('find pages that a tree lost: the reference leads %s', async (_, changes) => {
      const all = ['1', '2', '3', '4', '5']
      expect(await pagesOf(misplace(changes, layout))).toEqual({ numbers: all, warnings: ['repaired'], problems: [] })
      const { bytes } = await runOn('merge-pdf', [numbered({ pages: 1 }), misplace(changes, layout)], {})
      expect((await readPdf(bytes)).pages.map(page => page.text.match(/PAGE (\d+)/)?.[1])).toEqual(['1', ...all])
    })

    it.each([
      ['no page is missing', { 2: '' }, ['1', '3', '4', '5']],
      ['null replaces the page', { 2: 'null' }, ['1', '3', '4', '5']],
      ['fewer pages are missing than unlisted', { 2: '', 4: '777 0 R' }, ['1', '3', '5']],
    ])('do not restore removed pages: %s', async (_, changes, left) => {
      expect((await pagesOf(misplace(changes, layout))).numbers).toEqual(left)
    })
  })

  it('remove /Kids from a page, because viewers would read the page as a node', async () => {
    const file = replaceText(numbered({ pages: 2 }), '/Type/Page/', '/Type/Page/Kids[5 null]/Count 1/')
    const { bytes } = await runOn('rotate-pdf', file, { angle: 90 })
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed)).toEqual([])
    expect((await readPdf(bytes)).pages).toHaveLength(2)
    expect(bytes.includes('[5 null]') || bytes.includes('[ 5 null ]')).toBe(false)
  })

  it('survive a tree of nodes that share their kids', async () => {
    const pdf = new PdfWriter()
    const root = pdf.add('<</Type/Catalog/Pages 2 0 R>>')
    for (let level = 0; level < 40; level++) pdf.add(`<</Type/Pages/Count 1/Kids[${level + 3} 0 R ${level + 3} 0 R]>>`)
    pdf.add('<</Type/Page/Parent 41 0 R/MediaBox[0 0 9 9]>>')
    const { bytes } = await runOn('rotate-pdf', pdf.write({ root }), { angle: 90 })
    expect(new StrictPdf(bytes).problems).toEqual([])
  })

  it('keep thousands of pages in order, in a tree of bounded width', async () => {
    const { bytes } = await runOn('reverse-pages', numbered({ pages: 300 }))
    const strict = new StrictPdf(bytes)
    expect(strict.problems).toEqual([])
    expect(strict.array(strict.dict(strict.catalog.get('Pages')).get('Kids')).length).toBeLessThanOrEqual(64)
    expect((await readPdf(bytes)).pages.map(page => page.text.match(/PAGE (\d+)/)?.[1])).toEqual(
      Array.from({ length: 300 }, (_, index) => String(300 - index)),
    )
  })

  it('accept a page without any box', async () => {
    const file = replaceText(numbered({ pages: 1 }), '/MediaBox[0 0 612 792]', '')
    expect((await pagesOf(file)).numbers).toEqual(['1'])
  })
})
