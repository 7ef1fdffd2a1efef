import { describe, expect, it } from 'vitest'
import {
  changeSelection,
  pagesBetween,
  readSelection,
  writeSelection,
} from '../../../../../app/_ui/playground/thumbnails/page-selection'
import { EngineError } from '../../../../../engines/errors'
import { resolvePages } from '../../../../../engines/options/selectors'

const SELECTORS = [
  ...['all', 'odd', 'even', '5', '3-7', '7-3', '5-', 'first', 'last', 'z', 'r2', 'r3-r1', '!4', 'x2-3', '1-3,5,5'],
  ...['all:odd', '2-9:even', '!odd:even', ' 1 , 2 ', 'LAST,1-r2', '10', '11', 'r11', '0', '', ',', '1,,2', '1--2', 'a'],
]

describe('readSelection', () => {
  it.each(SELECTORS)('selects the same pages as the service: %j', selector => {
    const { indexes, problem } = readSelection(selector, 10)
    let expected: number[] | undefined
    try {
      expected = resolvePages(selector, 10, 'options.pages')
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
    if (expected) expect(indexes).toEqual(expected)
    else expect(problem).toBeDefined()
  })

  it('reads arrays, and names the page that is outside', () => {
    expect(readSelection([3, 1, 3], 5)).toEqual({ indexes: [2, 0, 2] })
    expect(readSelection([3, 6], 5)).toMatchObject({ problem: 'Page 6 is outside this 5-page document.' })
    expect(readSelection([1.5], 5).problem).toBeDefined()
    expect(readSelection(true, 5).problem).toBeDefined()
    expect(readSelection(undefined, 5)).toEqual({ indexes: [] })
  })
})

describe('writeSelection', () => {
  it.each([
    [[0, 1, 2, 4], '1-3,5'],
    [[4, 3, 2, 1, 0], '5-1'],
    [[3, 1, 0], '4,2,1'],
    [[0, 1], '1-2'],
    [[2, 2, 3], '3,3-4'],
  ])('writes %j as %s, which selects the same pages', (indexes, text) => {
    expect(writeSelection(indexes)).toBe(text)
    expect(readSelection(text, 10).indexes).toEqual(indexes)
  })

  it('writes page numbers if the text would be too long', () => {
    const indexes = pagesBetween(0, 999).flatMap(index => [index, index])
    expect(writeSelection(indexes)).toEqual(indexes.map(index => index + 1))
    expect(writeSelection([])).toBeUndefined()
  })
})

it('adds pages in the order of the document, unless the selection has its own', () => {
  expect(changeSelection([0, 4], [2], true)).toEqual([0, 2, 4])
  expect(changeSelection([4, 0], [2], true)).toEqual([4, 0, 2])
  expect(changeSelection([4, 0, 4], [4], false)).toEqual([0])
})
