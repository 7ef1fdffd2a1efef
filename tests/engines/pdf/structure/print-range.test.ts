import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'

const numbers = Array.from({ length: 10 }, (_, index) => index + 1)

function makeRanged(range: string): Buffer {
  const draft = new Draft({ pages: numbers.length })
  draft.catalog.push(`/ViewerPreferences<</Duplex/Simplex/PrintPageRange[${range}]>>`)
  return draft.write()
}

/** Runs a tool and returns the print range, if the file has one. */
async function rangeAfter(
  tool: string,
  options: object,
  { range = '2 4 7 7', others = [] as Buffer[] } = {},
): Promise<unknown> {
  const { bytes } = await runOn(tool, [makeRanged(range), ...others], options)
  const preferences = new StrictPdf(bytes).dict(new StrictPdf(bytes).catalog.get('ViewerPreferences'))
  expect(preferences.get('Duplex')).toBeDefined()
  return preferences.get('PrintPageRange')
}

describe('the print range', () => {
  it('selects the same pages after other pages are removed, moved or added', async () => {
    expect(await rangeAfter('delete-pages', { pages: [1, 3] })).toEqual([1, 2, 5, 5])
    expect(await rangeAfter('reverse-pages', {})).toEqual([4, 4, 7, 9])
    expect(await rangeAfter('add-blank-page', { position: 'before', page: [4] })).toEqual([2, 3, 5, 5, 8, 8])
    expect(await rangeAfter('organize-pdf', { pageOrder: '5-8,2-4' })).toEqual([3, 3, 5, 7])
  })

  it('selects all pages if no selected page remains, or if files are added', async () => {
    expect(await rangeAfter('extract-pages', { pages: [1, 10] })).toBeUndefined()
    expect(await rangeAfter('merge-pdf', {}, { others: [new Draft({ pages: 1 }).write()] })).toBeUndefined()
  })

  it('may contain pages twice, backwards or beyond the end', async () => {
    expect(await rangeAfter('delete-pages', { pages: [1] }, { range: '2 5 4 6 9 8 0 1 10 99 3' })).toEqual([1, 5, 9, 9])
  })

  it('stays unchanged if pages keep their positions', async () => {
    expect(await rangeAfter('rotate-pdf', { angle: 90 }, { range: '5 2' })).toEqual([5, 2])
  })
})
