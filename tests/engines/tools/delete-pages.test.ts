import { describe, expect, it } from 'vitest'
import { withBlankPages } from '../../fixtures/blanks'
import { Draft } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('delete-pages', () => {
  it('keeps the other pages in order, whatever the order of the request', async () => {
    const five = new Draft().write()
    expect(await pageNumbers((await runOn('delete-pages', five, { pages: [5, 2, 2] })).bytes)).toEqual([1, 3, 4])
    expect(await pageNumbers((await runOn('delete-pages', five, { pages: '1-3,5' })).bytes)).toEqual([4])
    expect(await pageNumbers((await runOn('delete-pages', five, { pages: '!2' })).bytes)).toEqual([2])
  })

  it('removes the text of the deleted pages permanently', async () => {
    for (const layout of ['table', 'streams', 'hybrid'] as const) {
      const draft = new Draft({ salt: layout })
      const { bytes } = await runOn('delete-pages', draft.write(layout), { pages: [1, 3] })
      expect(findTraces(bytes, draft.words(1, 3))).toEqual([])
      expect(findTraces(bytes, draft.words(2, 4, 5))).toEqual(draft.words(2, 4, 5))
    }
  })

  it('refuses to delete every page', async () => {
    for (const pages of ['all', [1, 2, 3, 4, 5], '5-1']) {
      await expect(runOn('delete-pages', new Draft().write(), { pages })).rejects.toMatchObject({
        reason: 'options_invalid',
        message: 'options.pages: at least one page must remain. Got all 5 pages.',
      })
    }
  })

  it('requires pages', async () => {
    await expect(runOn('delete-pages', new Draft().write())).rejects.toMatchObject({ name: 'ZodError' })
  })

  it('removes the bookmarks of deleted pages, or points them at the next remaining page', async () => {
    const draft = makeBook()
    const before = (await readPdf(draft.write())).outline
    expect(before.map(entry => entry.page)).toEqual([undefined, 1, 2, undefined, 3, 4, undefined, 5, 6])
    const pruned = await runOn('delete-pages', draft.write('streams'), { pages: [2, 3, 6] })
    expect((await readPdf(pruned.bytes)).outline.map(entry => entry.page)).toEqual([
      undefined,
      1,
      undefined,
      2,
      undefined,
      3,
    ])
    const { bytes } = await runOn('delete-pages', draft.write('streams'), {
      pages: [2, 3, 6],
      bookmarks: 'keep-retarget',
    })
    const after = (await readPdf(bytes)).outline
    expect(after.map(entry => entry.page)).toEqual([undefined, 1, 2, undefined, 2, 2, undefined, 3, 3])
    expect(after.map(entry => entry.title)).toEqual(before.map(entry => entry.title))
    readSound(bytes)
    expect(
      (
        await readPdf((await runOn('delete-pages', draft.write(), { pages: '2-', bookmarks: 'keep-retarget' })).bytes)
      ).outline.map(entry => entry.page),
    ).toEqual([undefined, 1, 1, undefined, 1, 1, undefined, 1, 1])
  })

  it('deletes blank pages together with named pages', async () => {
    const draft = withBlankPages()
    expect(await pageNumbers((await runOn('delete-pages', draft.write(), { blank: true })).bytes)).toEqual([
      2,
      5,
      Number.NaN,
      Number.NaN,
    ])
    expect(await pageNumbers((await runOn('delete-pages', draft.write(), { blank: true, pages: '7-' })).bytes)).toEqual(
      [2, 5],
    )
    expect(
      await pageNumbers((await runOn('delete-pages', draft.write(), { blank: true, blankThreshold: 0.004 })).bytes),
    ).toEqual([2, 5, Number.NaN])
  })

  it('returns a document without blank pages unchanged', async () => {
    const book = makeBook().write()
    expect(await readPdf((await runOn('delete-pages', book, { blank: true })).bytes)).toEqual(await readPdf(book))
  })

  it('refuses to delete every page if all are blank', async () => {
    const draft = withBlankPages()
    for (const [options, message] of [
      [{ blank: true, blankThreshold: 0.1 }, 'options.blank: at least one page must remain. All 8 pages are blank.'],
      [
        { blank: true, pages: '2,5,7,8' },
        "options.blank: at least one page must remain. The 4 pages that aren't in pages are all blank.",
      ],
      [{ blank: true, pages: 'all' }, 'options.pages: at least one page must remain. Got all 8 pages.'],
    ] as const) {
      await expect(runOn('delete-pages', draft.write(), options)).rejects.toMatchObject({
        reason: 'options_invalid',
        message,
      })
    }
    await expect(runOn('delete-pages', draft.write(), { pages: [1], blankThreshold: 0.004 })).rejects.toThrow(
      'only applies if blank is true',
    )
  })
})
