import { describe, expect, it } from 'vitest'
import type { PageText, TextLine } from '../../../../../engines/features/ocr/page-text/page-text'
import { linesOf } from '../../../../../engines/features/ocr/page-text/page-text'
import { joinReadings } from '../../../../../engines/features/redaction/recognized/join-readings'
import { placeLine, placeWords } from '../../../../../engines/features/redaction/recognized/recognized-boxes'
import { matchRecognized } from '../../../../../engines/features/redaction/recognized/recognized-text'
import { Rule } from '../../../../../engines/features/redaction/search-rules/rule'

/** A line of words, each with its left edge. A letter is 6 points wide, and a line is 10 points high. */
function line(words: [text: string, x: number][], y = 0): TextLine {
  const boxes = words.map(([text, x]) => ({
    text,
    box: { x, y, width: 6 * text.length, height: 10 },
    confidence: 90,
  }))
  return { words: boxes, start: { x: 0, y: y + 8 }, end: { x: 300, y: y + 8 }, size: 10 }
}

function page(...lines: TextLine[]): PageText {
  return {
    width: 300,
    height: 300,
    toSeen: [1, 0, 0, -1, 0, 300],
    blocks: lines.map(one => ({ paragraphs: [{ lines: [one] }] })),
  }
}

describe('several readings of a page', () => {
  const join = (...readings: PageText[]) => {
    const joined = joinReadings(readings)
    return joined && linesOf(joined).map(({ words }) => words.map(({ text }) => text).join(' '))
  }

  it('are the lines of the first one, with the words that only others have, in their place', () => {
    expect(join()).toBeUndefined()
    const first = page(
      line([
        ['one', 0],
        ['four', 100],
      ]),
    )
    expect(
      join(
        first,
        page(
          line([
            ['two', 24],
            ['fuor', 103],
            ['five', 130],
          ]),
        ),
      ),
    ).toEqual(['one two four five'])
    expect(join(first, page(line([['two', 64]], 3.9)), page(line([['two', 65]], 3.9)))).toEqual(['one two four'])
    expect(join(first, page(line([['next', 24]], 4.5)))).toEqual(['one four', 'next'])
    expect(join(first, page(line([['far', 145]])))).toEqual(['one four', 'far'])
    expect(join(first, page(line([['near', 144]])))).toEqual(['one four near'])
  })

  it('have the same word if its boxes share three tenths of the smaller one', () => {
    const first = page(line([['long', 0]]))
    expect(join(first, page(line([['ab', 20.3]])))).toEqual(['long'])
    expect(join(first, page(line([['ab', 20.5]])))).toEqual(['long ab'])
  })
})

describe('recognized text', () => {
  const find = (text: string, ...lines: TextLine[]) => {
    const rule = new Rule({ text, caseSensitive: false, wholeWord: false }, 'search[0]', 1)
    const [found] = matchRecognized(page(...lines), [rule])
    return found?.matches.map(match => match.map(part => [lines.indexOf(part.line), part.first, part.last]))
  }

  it('is matched word by word, across lines', () => {
    const lines = [
      line([
        ['Mr', 0],
        ['Jane', 18],
        ['Doe', 48],
        ['and', 72],
      ]),
      line([['Jane', 0]], 20),
      line([['Doe', 0]], 40),
    ]
    expect(find('Jane Doe', ...lines)).toEqual([
      [[0, 1, 2]],
      [
        [1, 0, 0],
        [2, 0, 0],
      ],
    ])
    expect(find('absent', ...lines)).toEqual([])
  })

  it('continues after a hyphen at the end of a line, if a small letter follows', () => {
    const first = line([
      ['the', 0],
      ['Mont-', 24],
    ])
    const parts = [
      [0, 1, 1],
      [1, 0, 0],
    ]
    expect(find('Montgomery', first, line([['gomery', 0]], 20))).toEqual([parts])
    expect(find('Montgomery', first, line([['Gomery', 0]], 20))).toEqual([])
    expect(find('Mont-Gomery', first, line([['Gomery', 0]], 20))).toEqual([parts])
  })

  it('may be one word in parts with a narrow gap, or with a wider gap next to a sign that joins', () => {
    const regex = (expression: string, ...lines: TextLine[]) => {
      const rule = new Rule({ regex: expression, caseSensitive: false, wholeWord: false }, 'search[0]', 1)
      return matchRecognized(page(...lines), [rule]).flatMap(({ matches }) => matches).length
    }
    const gaps = (...words: [string, number][]) => regex('[a-z]+@[a-z]+|4711', line(words))
    expect([gaps(['47', 0], ['11', 13.9]), gaps(['47', 0], ['11', 14.1])]).toEqual([1, 0])
    expect([gaps(['ab@', 0], ['cd', 22.9]), gaps(['ab@', 0], ['cd', 23.1])]).toEqual([1, 0])
    expect([gaps(['ab', 0], ['@cd', 16.9]), gaps(['ab', 0], ['@cd', 17.1])]).toEqual([1, 0])
    expect(gaps(['47', 0], ['11', 10.1])).toBe(1)
    expect(gaps(['47', 0], ['11', 9.9])).toBe(0)
  })
})

describe('the box of recognized words', () => {
  const words = line(
    [
      ['Mr', 0],
      ['Jane', 18],
      ['Doe', 48],
      ['and', 72],
    ],
    50,
  )

  it('covers them and their blur', () => {
    expect(placeWords(page(), words, 1, 2)).toEqual([{ x: 17, y: 239, width: 50, height: 12 }])
    const [small] = placeWords({ ...page(), toSeen: [0.5, 0, 0, -0.5, 0, 300] }, words, 1, 2)
    expect(small).toEqual({ x: 8.25, y: 269.25, width: 25.5, height: 6.5 })
    expect(placeWords(page(), words, 3, 2)).toEqual([])
  })

  it('is a row of boxes on a sloping line, none of them much higher than the line', () => {
    const [cos, sin] = [Math.cos(0.2), Math.sin(0.2)]
    const boxes = placeWords({ ...page(), toSeen: [cos, sin, sin, -cos, 0, 200] }, words, 1, 2)
    expect(boxes).toHaveLength(4)
    for (const { height } of boxes) expect(height).toBeLessThan(10 * cos + 2.5 + 2 * 1.3)
    expect(boxes.map(({ x }) => Math.round(x))).toEqual([...boxes.map(({ x }) => Math.round(x))].sort((a, b) => a - b))
    const [first, last] = [boxes[0], boxes.at(-1)]
    expect((last?.x ?? 0) + (last?.width ?? 0) - (first?.x ?? 0)).toBeCloseTo(48 * cos + 10 * sin + 2 * 1.18, 0)
    expect(placeWords({ ...page(), toSeen: [0, 1, 1, 0, 0, 0] }, words, 1, 2)).toHaveLength(1)
  })

  it('of a line has its height above and below it', () => {
    expect(placeLine(page(), words)).toEqual({ x: -10, y: 230, width: 110, height: 30 })
  })
})
