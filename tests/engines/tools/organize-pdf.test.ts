import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('organize-pdf', () => {
  const draft = new Draft()
  const five = draft.write()

  it('arranges pages in the given order, including repeats', async () => {
    expect(await pageNumbers((await runOn('organize-pdf', five, { pageOrder: [3, 1, 5, 2, 4] })).bytes)).toEqual([
      3, 1, 5, 2, 4,
    ])
    expect(await pageNumbers((await runOn('organize-pdf', five, { pageOrder: 'even,odd,1' })).bytes)).toEqual([
      2, 4, 1, 3, 5, 1,
    ])
  })

  it('removes unnamed pages permanently', async () => {
    const { bytes } = await runOn('organize-pdf', five, { pageOrder: [5, 1] })
    expect(await pageNumbers(bytes)).toEqual([5, 1])
    expect(findTraces(bytes, draft.words(2, 3, 4))).toEqual([])
  })

  it('requires an order, and names the invalid one', async () => {
    await expect(runOn('organize-pdf', five)).rejects.toMatchObject({ name: 'ZodError' })
    await expect(runOn('organize-pdf', five, { pageOrder: [1, 9] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [{ param: 'options.pageOrder[1]' }],
    })
  })

  it('handles unnamed pages as requested', async () => {
    const order = async (options: unknown) => pageNumbers((await runOn('organize-pdf', five, options)).bytes)
    expect(await order({ pageOrder: [4, 2], missing: 'append' })).toEqual([4, 2, 1, 3, 5])
    expect(await order({ pageOrder: [4, 2], missing: 'drop' })).toEqual([4, 2])
    expect(await order({ pageOrder: '5-1,1', missing: 'error' })).toEqual([5, 4, 3, 2, 1, 1])
    await expect(order({ pageOrder: [4, 2], missing: 'error' })).rejects.toMatchObject({
      reason: 'options_invalid',
      message:
        'options.pageOrder: must contain every page if missing is "error". 3 of 5 pages are missing (1, 3, 5). Add ' +
        'them, or set missing to "drop" or "append".',
    })
  })

  const presets: [preset: string, ofFive: number[], ofFour: number[]][] = [
    ['reverse', [5, 4, 3, 2, 1], [4, 3, 2, 1]],
    ['odd-even', [1, 3, 5, 2, 4], [1, 3, 2, 4]],
    ['duplex', [1, 5, 2, 4, 3], [1, 4, 2, 3]],
    ['interleave-halves', [1, 4, 2, 5, 3], [1, 3, 2, 4]],
    ['duplicate', [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 1, 2, 2, 3, 3, 4, 4]],
  ]
  for (const [preset, ofFive, ofFour] of presets) {
    it(`arranges pages by the preset ${preset}`, async () => {
      expect(await pageNumbers((await runOn('organize-pdf', five, { preset })).bytes)).toEqual(ofFive)
      expect(
        await pageNumbers((await runOn('organize-pdf', new Draft({ pages: 4 }).write(), { preset })).bytes),
      ).toEqual(ofFour)
      expect(
        await pageNumbers((await runOn('organize-pdf', new Draft({ pages: 1 }).write(), { preset })).bytes),
      ).toEqual(preset === 'duplicate' ? [1, 1] : [1])
    })
  }

  it('repeats every page as often as requested', async () => {
    expect(
      await pageNumbers(
        (await runOn('organize-pdf', new Draft({ pages: 2 }).write(), { preset: 'duplicate', times: 3 })).bytes,
      ),
    ).toEqual([1, 1, 1, 2, 2, 2])
    await expect(
      runOn('organize-pdf', five, { preset: 'duplicate', times: 20 }, { maxPagesOut: 99 }),
    ).rejects.toMatchObject({ reason: 'options_invalid', problems: [{ param: 'options.times' }] })
  })

  it('refuses conflicting options', async () => {
    for (const options of [
      { pageOrder: [1], preset: 'reverse' },
      { preset: 'reverse', missing: 'append' },
      { preset: 'reverse', times: 3 },
      { pageOrder: [1], times: 3 },
      { preset: 'duplicate', times: 21 },
    ]) {
      await expect(runOn('organize-pdf', five, options)).rejects.toMatchObject({ name: 'ZodError' })
    }
  })

  it('arranges the pages of a folded booklet in sheet order, with blank pages at the end', async () => {
    const order = async (pages: number) =>
      pageNumbers((await runOn('organize-pdf', numbered({ pages }), { preset: 'booklet' })).bytes)
    const blank = Number.NaN
    expect(await order(4)).toEqual([4, 1, 2, 3])
    expect(await order(8)).toEqual([8, 1, 2, 7, 6, 3, 4, 5])
    expect(await order(6)).toEqual([blank, 1, 2, blank, 6, 3, 4, 5])
    expect(await order(1)).toEqual([blank, 1, blank, blank])
    expect(await order(11)).toEqual([blank, 1, 2, 11, 10, 3, 4, 9, 8, 5, 6, 7])
    const { bytes } = await runOn('organize-pdf', numbered({ pages: 3, size: [300, 500] }), { preset: 'booklet' })
    expect((await readPdf(bytes)).pages.map(page => [page.width, page.height])).toEqual([
      [300, 500],
      [300, 500],
      [300, 500],
      [300, 500],
    ])
    const book = await readPdf((await runOn('organize-pdf', makeBook().write(), { preset: 'booklet' })).bytes)
    expect(book.outline.map(entry => entry.page)).toEqual([undefined, 2, 3, undefined, 6, 7, undefined, 8, 5])
  })
})
