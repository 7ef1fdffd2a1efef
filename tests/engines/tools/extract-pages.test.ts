import { describe, expect, it } from 'vitest'
import { withBlankPages } from '../../fixtures/blanks'
import { Draft } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { readZip } from '../../support/read-zip'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('extract-pages', () => {
  it('returns the pages in the requested order, including repeats', async () => {
    const five = new Draft().write('streams')
    for (const [pages, expected] of [
      [
        [2, 4],
        [2, 4],
      ],
      [
        [4, 2, 4],
        [4, 2, 4],
      ],
      ['last,1-2', [5, 1, 2]],
      ['r1-r5', [5, 4, 3, 2, 1]],
      ['all:even', [2, 4]],
    ] as const) {
      const { bytes } = await runOn('extract-pages', five, { pages })
      expect(await pageNumbers(bytes)).toEqual(expected)
      expect(new StrictPdf(bytes).problems).toEqual([])
    }
  })

  it('changes nothing if all pages are extracted in order', async () => {
    const file = makeBook().write()
    expect(await readPdf((await runOn('extract-pages', file, { pages: 'all' })).bytes)).toEqual(await readPdf(file))
  })

  it('refuses a page that the document does not have', async () => {
    await expect(runOn('extract-pages', new Draft().write(), { pages: '4-6' })).rejects.toMatchObject({
      reason: 'page_missing',
      message: 'options.pages: "4-6" (term 1) is outside this 5-page document.',
    })
  })

  it('returns a ZIP of single pages if requested, each without content of the others', async () => {
    const draft = makeBook()
    const { bytes, contentType, name } = await runOn('extract-pages', draft.write('streams'), {
      pages: [6, 2, 2],
      separate: true,
    })
    expect({ contentType, name }).toEqual({ contentType: 'application/zip', name: 'input-extracted.zip' })
    const parts = readZip(bytes)
    expect(parts.map(part => part.name)).toEqual(['input-1.pdf', 'input-2.pdf', 'input-3.pdf'])
    expect(await Promise.all(parts.map(part => pageNumbers(part.bytes)))).toEqual([[6], [2], [2]])
    for (const part of parts) {
      expect(findTraces(part.bytes, draft.words(1, 3, 4, 5))).toEqual([])
      expect(new StrictPdf(part.bytes).problems).toEqual([])
    }
    expect((await readPdf(parts[0]?.bytes ?? Buffer.alloc(0))).attachments).toEqual([])
  })

  it('leaves blank pages out if requested', async () => {
    const file = withBlankPages().write()
    expect(await pageNumbers((await runOn('extract-pages', file, { blank: true, pages: '5-1' })).bytes)).toEqual([5, 2])
    expect((await readPdf((await runOn('extract-pages', file, { blank: true })).bytes)).pages.length).toBe(4)
    expect(
      readZip((await runOn('extract-pages', file, { blank: true, pages: '1-5', separate: true })).bytes).length,
    ).toBe(2)
    await expect(runOn('extract-pages', file, { blank: true, pages: [1, 3] })).rejects.toThrow(
      'options.blank: at least one page must remain. All 2 pages to extract are blank.',
    )
    await expect(runOn('extract-pages', file, {})).rejects.toThrow('is required. Send the pages to extract')
  })

  it('removes bookmarks and labels if requested', async () => {
    const draft = makeBook()
    const seen = async (options: object) =>
      readPdf((await runOn('extract-pages', draft.write(), { pages: [2, 3], ...options })).bytes)
    const kept = await seen({})
    expect(kept.outline.length).toBeGreaterThan(0)
    expect(kept.pages.map(page => page.label)).not.toEqual(['1', '2'])
    const plain = await seen({ bookmarks: 'none', labels: false })
    expect(plain.outline).toEqual([])
    expect(plain.pages.map(page => page.label)).toEqual(['', ''])
    for (const part of readZip(
      (await runOn('extract-pages', draft.write(), { pages: [2, 3], bookmarks: 'none', labels: false, separate: true }))
        .bytes,
    )) {
      const { outline, pages } = await readPdf(part.bytes)
      expect({ outline, label: pages[0]?.label }).toEqual({ outline: [], label: '' })
    }
  })
})
