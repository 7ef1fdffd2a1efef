import { describe, expect, it } from 'vitest'
import {
  boxOf,
  isSameWord,
  joinQuads,
  joinText,
  readPageWords,
} from '../../../../engines/features/comparison/wording/page-words'
import {
  groupLines,
  orderForReading,
  orderTurnedLines,
} from '../../../../engines/features/comparison/wording/reading-order'
import { keyOf, splitUnspaced } from '../../../../engines/features/comparison/wording/word-keys'
import type { PlacedWord } from '../../../../engines/pdf/content/text-layer'

const RULES = { ignoresCase: false, ignoresPunctuation: false }
const FRAME = { rotation: 0, userUnit: 1, visible: { x: 0, y: 0, width: 600, height: 800 }, width: 600, height: 800 }

function word(text: string, x: number, y: number, more: Partial<PlacedWord> = {}): PlacedWord {
  return { text, x, y, length: text.length * 5, size: 10, angleDeg: 0, isSpaced: true, ...more }
}

const texts = (words: readonly PlacedWord[]): string[] => words.map(({ text }) => text)

describe('word keys', () => {
  it('make equal what files write in different ways', () => {
    expect(keyOf('o\ufb03ce', RULES)).toBe('office')
    expect(keyOf('co\u00adop\u200b', RULES)).toBe('coop')
    expect(keyOf('e\u0301', RULES)).toBe('\u00e9')
    expect(keyOf('m\u00b2', RULES)).not.toBe('m2')
    expect(keyOf('“Yes,”', { ignoresCase: true, ignoresPunctuation: true })).toBe('yes')
  })

  it('split scripts without spaces only', () => {
    expect(splitUnspaced('word')).toEqual(['word'])
    expect(splitUnspaced('第12条a')).toEqual(['第', '12', '条', 'a'])
  })
})

describe('reading order', () => {
  it('puts right-to-left lines into reading order, and keeps numbers and other words', () => {
    const line = [word('א2', 10, 0), word('12', 40, 0), word('abc', 60, 0), word('םולש', 90, 0)]
    expect(texts(orderForReading(line))).toEqual(['שלום', '12', 'abc', '2א'])
    const forward = [
      word('the', 0, 0),
      word('םולש', 20, 0),
      word('לודג', 40, 0),
      word('word', 60, 0),
      word('is', 80, 0),
    ]
    expect(texts(orderForReading(forward))).toEqual(['the', 'גדול', 'שלום', 'word', 'is'])
  })

  it('turns around the lines of a page that is turned', () => {
    const lines = groupLines([word('third', 0, 10), word('second', 0, 30), word('first', 0, 50)])
    expect(lines).toHaveLength(3)
    expect(orderTurnedLines([...lines].reverse(), 90).map(line => line[0]?.text)).toEqual(['first', 'second', 'third'])
    expect(orderTurnedLines(lines, 90).map(line => line[0]?.text)).toEqual(['first', 'second', 'third'])
    expect(orderTurnedLines(lines, 0)).toEqual(lines)
  })
})

describe('readPageWords', () => {
  it('joins a word that is divided at the end of a line', () => {
    const { words } = readPageWords([word('well-', 500, 700), word('known', 50, 680), word('fact', 90, 680)], {
      frame: FRAME,
      page: 0,
      rules: RULES,
    })
    expect(words.map(({ key, hyphenated, quads }) => [key, hyphenated, quads.length])).toEqual([
      ['wellknown', 'well-known', 2],
      ['fact', undefined, 1],
    ])
    const [divided] = words
    const whole = (text: string) => readPageWords([word(text, 0, 0)], { frame: FRAME, page: 0, rules: RULES }).words[0]
    for (const [text, isSame] of [
      ['well-known', true],
      ['wellknown', true],
      ['wel-known', false],
    ] as const)
      expect(divided && isSameWord(divided, whole(text) ?? divided)).toBe(isSame)
  })

  it('measures areas on the displayed page, and joins them on a line', () => {
    const turned = { ...FRAME, rotation: 90, width: 800, height: 600 }
    const { words } = readPageWords([word('one', 100, 700), word('two', 118, 700)], {
      frame: turned,
      page: 0,
      rules: RULES,
    })
    const [joined, ...more] = joinQuads(words)
    expect(more).toEqual([])
    // The page is turned clockwise: y 700 is at the right, and text runs downwards.
    const box = joined && boxOf(joined)
    expect(box?.x).toBeGreaterThan(695)
    expect(box?.y).toBeCloseTo(600 - 118 - 15)
    expect(box?.height).toBeCloseTo(33)
    expect(joinText(words)).toBe('one two')
  })

  it('keeps areas of text that does not count', () => {
    const rules = { ignoresCase: false, ignoresPunctuation: true }
    const { words, ignored } = readPageWords([word('a', 0, 0), word('–', 20, 0)], { frame: FRAME, page: 0, rules })
    expect([words.length, ignored.length]).toEqual([1, 1])
  })
})
