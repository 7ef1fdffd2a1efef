import { describe, expect, it } from 'vitest'
import {
  choosePairs,
  findGaps,
  pairEqualPages,
  pairReplacedPages,
} from '../../../../engines/features/comparison/pairing/pair-pages'

const all = { canMove: () => true }

describe('pairEqualPages', () => {
  it('pairs pages in order, and others as moved', () => {
    expect(pairEqualPages(['a', 'b', 'c', 'd'], ['a', 'c', 'd', 'b'], all)).toEqual({
      inOrder: [
        [0, 0],
        [2, 1],
        [3, 2],
      ],
      moved: [[1, 3]],
    })
  })

  it('pairs no pages without an ID, and moves none that are too common', () => {
    expect(pairEqualPages([undefined], [undefined], all)).toEqual({ inOrder: [], moved: [] })
    expect(pairEqualPages(['a', 'b'], ['b', 'a'], { canMove: () => false }).moved).toEqual([])
  })
})

describe('findGaps', () => {
  it('lists the pages between pairs without moved ones', () => {
    expect(findGaps({ beforeCount: 5, afterCount: 4 }, [[1, 1]], [[3, 0]])).toEqual([
      { before: [0], after: [] },
      { before: [2, 4], after: [2, 3] },
    ])
  })
})

describe('choosePairs', () => {
  it('chooses the pairs with the highest total similarity that do not cross', () => {
    const candidates = [
      { before: 0, after: 1, similarity: 0.9 },
      { before: 1, after: 0, similarity: 0.5 },
      { before: 1, after: 1, similarity: 0.6 },
      { before: 2, after: 2, similarity: 0.4 },
    ]
    expect(choosePairs(candidates)).toEqual([
      [0, 1],
      [2, 2],
    ])
    expect(choosePairs([])).toEqual([])
  })
})

describe('pairReplacedPages', () => {
  it('pairs pages between two pairs if both sides have as many', () => {
    const gap = { before: [0, 1, 2, 3], after: [0, 1, 2, 3, 4] }
    expect(pairReplacedPages(gap, [[1, 1]])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(pairReplacedPages({ before: [5], after: [7] }, [])).toEqual([[5, 7]])
  })
})
