import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../engines/errors'
import { selectorProblem } from '../../../engines/options/selector-grammar'
import { resolvePage, resolvePageSet, resolvePages } from '../../../engines/options/selectors'
import { pagesOption } from '../../../engines/options/schemas'

const numbers = (selector: string | number[], pageCount = 10): number[] =>
  resolvePages(selector, pageCount, 'options.pages').map(index => index + 1)

function problemOf(selector: string | number[], pageCount = 10): EngineError {
  try {
    resolvePages(selector, pageCount, 'options.pages')
  } catch (error) {
    if (error instanceof EngineError) return error
  }
  throw new Error('no fault')
}

describe('resolvePages', () => {
  const meanings: Record<string, number[]> = {
    all: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    odd: [1, 3, 5, 7, 9],
    even: [2, 4, 6, 8, 10],
    '5': [5],
    '3-7': [3, 4, 5, 6, 7],
    '8-': [8, 9, 10],
    '7-3': [7, 6, 5, 4, 3],
    first: [1],
    last: [10],
    end: [10],
    z: [10],
    r1: [10],
    r2: [9],
    'r3-r1': [8, 9, 10],
    'r1-r3': [10, 9, 8],
    '9-last': [9, 10],
    'first-3': [1, 2, 3],
    'r3-': [8, 9, 10],
    '!3-10': [1, 2],
    'x2-9': [1, 10],
    '1-5,!2-4': [1, 5],
    '1-5,x3,3': [1, 2, 4, 5, 3],
    '!odd': [2, 4, 6, 8, 10],
    '2-6:odd': [2, 4, 6],
    '2-6:even': [3, 5],
    'all:even': [2, 4, 6, 8, 10],
    '10-1:odd': [10, 8, 6, 4, 2],
    '1,1,2,1': [1, 1, 2, 1],
    ' 1 , 3 - 4 ': [1, 3, 4],
    'LAST,First': [10, 1],
    '010': [10],
  }
  for (const [selector, pages] of Object.entries(meanings)) {
    it(`reads "${selector}" as ${pages.join(' ')}`, () => {
      expect(numbers(selector)).toEqual(pages)
    })
  }

  it('keeps order and repeats of an array', () => {
    expect(numbers([3, 1, 3])).toEqual([3, 1, 3])
  })

  it('names the term, its place and the page count when a page is not there', () => {
    expect(problemOf('1,4,12').message).toBe('options.pages: "12" (term 3) is outside this 10-page document.')
    expect(problemOf('r11').message).toBe('options.pages: "r11" (term 1) is outside this 10-page document.')
    expect(problemOf('5-11').message).toBe('options.pages: "5-11" (term 1) is outside this 10-page document.')
    for (const selector of ['0', 'r0', '0-3', '!11', '999999999999999'])
      expect(problemOf(selector)).toMatchObject({ reason: 'page_missing', problems: [{ param: 'options.pages' }] })
    expect(problemOf([1, 11])).toMatchObject({
      reason: 'page_missing',
      message: 'options.pages[1]: page 11 is not in this 10-page document. Use 1 to 10.',
      problems: [{ param: 'options.pages[1]' }],
    })
  })

  for (const selector of [
    '-3',
    'l-2',
    'last-2-1',
    '1--3',
    '1.5',
    '1;2',
    'two',
    '1-2-3',
    '',
    ' ',
    ',',
    '1,,2',
    '!',
    ':odd',
    '1:3',
    '1e2',
    'r',
    '-',
    '1-:both',
    'alle',
    '!!3',
  ]) {
    it(`refuses "${selector}" and names the invalid term`, () => {
      const problem = problemOf(selector)
      expect(problem.reason).toBe('options_invalid')
      expect(problem.message).toMatch(/must be a page selector|must select a page|must not be empty/)
    })
  }

  it('refuses a selector that selects no page', () => {
    expect(problemOf('!all').message).toBe(
      'options.pages: must select a page of this 10-page document. "!all" selects none.',
    )
    expect(problemOf('even', 1).message).toContain('must select a page of this 1-page document')
  })

  it('refuses selectors that are too long and selections that are too large', () => {
    expect(selectorProblem('1,'.repeat(1000) + '1')).toContain('at most 2000 characters')
    expect(selectorProblem(`${'1,'.repeat(999)}1`)).toBeUndefined()
    expect(problemOf('all,'.repeat(3).slice(0, -1), 9000).message).toContain('at most 20,000 pages')
    expect(numbers('all,all', 10_000)).toHaveLength(20_000)
    expect(problemOf(Array.from({ length: 20_001 }, () => 1)).reason).toBe('options_invalid')
  })

  it('shortens what it quotes', () => {
    expect(problemOf('y'.repeat(1999)).message.length).toBeLessThan(250)
  })
})

describe('resolvePageSet and resolvePage', () => {
  it('return all pages if no pages are requested', () => {
    expect([...resolvePageSet(undefined, 3, 'options.pages')]).toEqual([0, 1, 2])
    expect([...resolvePageSet('2,1,2', 3, 'options.pages')]).toEqual([1, 0])
  })

  it('name the parameter if a page does not exist', () => {
    expect(resolvePage(3, 3, 'options.ranges[0].end')).toBe(2)
    expect(() => resolvePage(4, 3, 'options.ranges[0].end')).toThrow(
      'options.ranges[0].end: page 4 is not in this 3-page document. Use 1 to 3.',
    )
  })
})

describe('pagesOption', () => {
  const schema = pagesOption('Pages.')

  it('takes arrays of positive integers and selectors', () => {
    for (const value of [[1, 3], 'all', '2-5,!3', ' r2 ']) expect(schema.safeParse(value).success).toBe(true)
  })

  it('refuses everything else before a file is read', () => {
    for (const value of [
      [],
      [0],
      [-1],
      [1.5],
      ['1'],
      [Number.NaN],
      5,
      null,
      {},
      '',
      '-3',
      'l-2',
      [1e308],
      Array.from({ length: 20_001 }, () => 1),
    ]) {
      expect(schema.safeParse(value).success).toBe(false)
    }
  })
})
