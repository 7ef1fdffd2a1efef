import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { hasProgram, qpdfComplaints } from '../../support/other-programs'
import { readPdfjsTexts } from '../../support/pdfjs-texts'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound } from '../../support/strict-pdf'
import { pageNumbers } from './page-tools'

describe('reverse-pages', () => {
  const five = numbered({ imageBytes: 900 })
  const order = async (options: unknown) => pageNumbers((await runOn('reverse-pages', five, options)).bytes)

  it.each(['table', 'streams', 'hybrid'] as const)(
    'moves the last page to the front in a file with %s layout',
    async layout => {
      const { bytes } = await runOn('reverse-pages', new Draft().write(layout))
      expect(await pageNumbers(bytes)).toEqual([5, 4, 3, 2, 1])
      const texts = await readPdfjsTexts(bytes)
      expect(texts.map(text => Number(/PAGE (\d+) OF/.exec(text)?.[1]))).toEqual([5, 4, 3, 2, 1])
      readSound(bytes)
    },
  )

  it.skipIf(!hasProgram('qpdf'))('writes files in which qpdf finds no problem', async () => {
    for (const layout of ['table', 'streams', 'hybrid'] as const)
      expect(qpdfComplaints((await runOn('reverse-pages', new Draft().write(layout))).bytes)).toEqual([])
  })

  it('restores the original order if it runs twice', async () => {
    const once = (await runOn('reverse-pages', five)).bytes
    expect(await pageNumbers((await runOn('reverse-pages', once)).bytes)).toEqual([1, 2, 3, 4, 5])
  })

  it('returns a document of one page unchanged', async () => {
    const one = numbered({ pages: 1 })
    expect(await readPdf((await runOn('reverse-pages', one)).bytes)).toEqual(await readPdf(one))
  })

  it('keeps the pages of a unit together', async () => {
    expect(await order({ unit: 2 })).toEqual([5, 3, 4, 1, 2])
    expect(await order({ unit: 5 })).toEqual([1, 2, 3, 4, 5])
    expect(await order({ unit: 9 })).toEqual([1, 2, 3, 4, 5])
  })

  it('reverses only the named pages', async () => {
    expect(await order({ pages: '2-4' })).toEqual([1, 4, 3, 2, 5])
    expect(await order({ pages: [5, 1] })).toEqual([5, 2, 3, 4, 1])
    expect(await order({ pages: [3, 3] })).toEqual([1, 2, 3, 4, 5])
    expect(await order({ pages: '2-5', unit: 2 })).toEqual([1, 4, 5, 2, 3])
  })

  it('moves the look, the size and the rotation of a page with it', async () => {
    const file = numbered({ pages: 3, inherits: true, rotate: { 1: 90, 3: 180 }, imageBytes: 900 })
    const { bytes } = await runOn('reverse-pages', file)
    expect((await readPdf(bytes)).pages.map(page => page.rotation)).toEqual([180, 0, 90])
    for (const [before, after] of [
      [0, 2],
      [1, 1],
      [2, 0],
    ] as const) {
      const [wanted, seen] = [await renderPage(file, before), await renderPage(bytes, after)]
      expect([seen.width, seen.height]).toEqual([wanted.width, wanted.height])
      expect(seen.pixels.equals(wanted.pixels)).toBe(true)
    }
  })

  it('keeps bookmarks and links on their content', async () => {
    const file = makeBook().write()
    const [before, after] = [await readPdf(file), await readPdf((await runOn('reverse-pages', file)).bytes)]
    const moved = (page: number | undefined) => page && before.pages.length + 1 - page
    const linked = (pages: typeof before.pages) => pages.map(({ links }) => links.map(({ page }) => page))
    expect(before.outline.filter(({ page }) => page !== undefined).length).toBeGreaterThan(0)
    expect(after.outline).toEqual(before.outline.map(entry => ({ ...entry, page: moved(entry.page) })))
    expect(linked(before.pages).flat().length).toBeGreaterThan(0)
    expect(linked(after.pages.toReversed())).toEqual(linked(before.pages).map(pages => pages.map(moved)))
  })

  it('keeps everything else of the document', async () => {
    const file = makeBook().write()
    const [before, after] = [await readPdf(file), await readPdf((await runOn('reverse-pages', file)).bytes)]
    const withoutTargets = ({ label: _, links, ...page }: (typeof before.pages)[number]) => ({
      ...page,
      links: links.length,
    })
    expect(after.pages.toReversed().map(withoutTargets)).toEqual(before.pages.map(withoutTargets))
    expect({ ...after, pages: [], outline: [] }).toEqual({ ...before, pages: [], outline: [] })
  })

  it('returns an error for pages that do not exist and units below 1', async () => {
    await expect(order({ pages: [6] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [{ param: 'options.pages[0]' }],
    })
    await expect(order({ unit: 0 })).rejects.toMatchObject({ name: 'ZodError' })
    await expect(order({ unit: 1.5 })).rejects.toMatchObject({ name: 'ZodError' })
  })
})
