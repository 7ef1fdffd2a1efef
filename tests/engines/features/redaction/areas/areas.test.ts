import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { removeAnnotationsNear } from '../../../../../engines/features/redaction/areas/annotations-near'
import { emptyPage, joinPageAreas, resolveAreas } from '../../../../../engines/features/redaction/areas/areas'
import type { AskedArea } from '../../../../../engines/features/redaction/areas/areas'
import { Draft, numbered } from '../../../../fixtures/draft'
import { LIMITS } from '../../../../support/run-on'

const document = openDocument(numbered(), LIMITS)
const area = (more: Partial<AskedArea>): AskedArea => ({
  x: 10,
  y: 10,
  width: 20,
  height: 20,
  unit: 'pt',
  origin: 'top-left',
  ...more,
})
const pagesOf = (areas: AskedArea[]) => resolveAreas(document, areas, 0).map(page => [page.index, page.areas.length])

describe('areas', () => {
  it('are listed by page, in page order', () => {
    const asked = [area({ page: 4 }), area({ pages: '2-3,2' }), area({ page: 1 }), area({ page: 2 })]
    expect(pagesOf(asked)).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
      [3, 1],
    ])
    expect(pagesOf([area({})])).toHaveLength(5)
    const [first = [], last = []] = [[area({ page: 5 })], [area({ page: 1 })]].map(one =>
      resolveAreas(document, one, 0),
    )
    expect(joinPageAreas(document, [...first, ...last], false).map(({ index }) => index)).toEqual([0, 4])
    expect(joinPageAreas(document, last, true).map(({ areas }) => areas.length)).toEqual([1, 0, 0, 0, 0])
  })

  it('need a page that exists', () => {
    expect(() => emptyPage(document, 5)).toThrow(RangeError)
  })

  it('remove annotations from a page that has at most 100,000', () => {
    const remove = (count: number) => {
      const draft = new Draft({ pages: 1 })
      draft.page(1).annotations.push('null '.repeat(count))
      const crowded = openDocument(draft.write(), LIMITS)
      removeAnnotationsNear(crowded, resolveAreas(crowded, [area({ page: 1 })], 0))
    }
    expect(() => remove(100_000)).not.toThrow()
    expect(() => remove(100_001)).toThrow('Page 1 has 100,001 annotations.')
  })
})
