import { describe, expect, it } from 'vitest'
import { keepKeys, nextKey, readOrder, writeOrder } from '../../../../../app/_ui/playground/thumbnails/page-orders'

describe('readOrder', () => {
  it.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ pageOrder: 'last,1-r2' }, [4, 0, 1, 2, 3]],
    [{ pageOrder: [3], missing: 'append' }, [2, 0, 1, 3, 4]],
    [{ preset: 'reverse' }, [4, 3, 2, 1, 0]],
    [{ preset: 'duplicate', times: 3 }, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]],
    [{ preset: 'booklet' }, [7, 0, 1, 6, 5, 2, 3, 4]],
  ])('orders pages by %j', (options, order) => {
    expect(readOrder(options, 5)).toEqual({ indexes: order })
  })

  it('keeps the order of the file for a wrong selector', () => {
    expect(readOrder({ pageOrder: '9' }, 2)).toMatchObject({ indexes: [0, 1], problem: expect.any(String) })
  })
})

it('writes an order in place of a preset, without blank pages', () => {
  expect(writeOrder({ preset: 'duplicate', times: 3, outputName: 'a.pdf' }, [1, 0, 7, 1], 2)).toEqual({
    outputName: 'a.pdf',
    pageOrder: '2,1-2',
  })
  expect(writeOrder({ pageOrder: '1', missing: 'append' }, [1, 0], 2)).toEqual({ pageOrder: '2,1' })
  expect(writeOrder({ pageOrder: '1', missing: 'error' }, [1, 0], 2)).toEqual({ missing: 'error', pageOrder: '2,1' })
  expect(writeOrder({ pageOrder: '1', missing: 'error' }, [1], 2)).toEqual({ pageOrder: '2' })
})

it('keeps the keys of pages that stay', () => {
  const before = keepKeys([], [0, 1, 0])
  expect(new Set(before.map(({ key }) => key)).size).toBe(3)
  const after = keepKeys(before, [1, 0, 2, 0])
  expect(after.map(({ key }) => key)).toEqual([before[1]?.key, before[0]?.key, nextKey(2, new Set()), before[2]?.key])
})
