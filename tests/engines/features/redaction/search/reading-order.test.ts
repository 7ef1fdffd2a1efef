import { describe, expect, it } from 'vitest'
import type { Bounds } from '../../../../../engines/pdf/geometry/geometry'
import type { CharacterGeometry, PageText } from '../../../../../engines/pdf/rendering/page-text'
import type { Frame } from '../../../../../engines/pdf/geometry/frame'
import { readColumns } from '../../../../../engines/features/redaction/search/column-order'
import { joinLigatures } from '../../../../../engines/features/redaction/search/join-ligatures'
import { joinBoxes } from '../../../../../engines/features/redaction/search/line-boxes'

/** Characters of a page with their places. A character without a place is a space that PDFium adds. */
function makeCharacters(list: readonly [text: string, place?: Bounds][]): PageText {
  const geometryOf = (index: number) => list[index]?.[1]
  return {
    texts: list.map(([text]) => text),
    roomOf: geometryOf,
    shapeOf: geometryOf,
  } as unknown as PageText
}

const bounds = (left: number, bottom: number, width = 6, height = 10): Bounds => ({
  left,
  bottom,
  right: left + width,
  top: bottom + height,
})

/** The characters of a text from a place on, each 6 points wide. */
const write = (text: string, x: number, y: number, height = 10): [string, Bounds?][] => [
  ...Array.from(text, (sign, at): [string, Bounds?] => [
    sign,
    sign === ' ' ? undefined : bounds(x + 6 * at, y, 6, height),
  ]),
  [' '],
]

describe('columns', () => {
  const read = (...lines: Parameters<typeof write>[]) => {
    const characters = makeCharacters(lines.flatMap(line => write(...line)))
    const columns = readColumns(characters, characters.texts, { toSeen: box => box, fail: () => undefined })
    return columns?.characters.join('').split('\n').filter(Boolean)
  }

  it('are read one after the other if their lines are drawn in turn', () => {
    const lines: Parameters<typeof write>[] = [
      ['left one', 0, 100],
      ['right one', 100, 100],
      ['left two', 0, 88],
      ['right two', 100, 88],
    ]
    expect(read(...lines)).toEqual(['left one', 'left two', 'right one', 'right two'])
    const characters = makeCharacters(lines.flatMap(line => write(...line)))
    const { order } = readColumns(characters, characters.texts, { toSeen: box => box, fail: () => undefined }) ?? {}
    expect([...(order ?? [])].slice(6, 11)).toEqual([6, 7, -1, 19, 20])
  })

  it.each<[string, Parameters<typeof write>[]]>([
    ['if there is one line', [['left right', 0, 100]]],
    [
      'if they are in that order already',
      [
        ['left', 0, 100],
        ['below', 0, 88],
        ['right', 100, 100],
      ],
    ],
    [
      'without a wide gap',
      [
        ['left', 0, 100],
        ['near', 34, 100],
        ['left', 0, 88],
        ['near', 34, 88],
      ],
    ],
  ])('stay as they are %s', (_, lines) => {
    expect(read(...lines)).toBeUndefined()
  })

  it('begin after a gap that is higher than a line', () => {
    const lines = (gap: number): Parameters<typeof write>[] => [
      ['left', 0, 100],
      ['right', 24 + gap, 100],
      ['next', 0, 88],
      ['there', 24 + gap, 88],
    ]
    expect(read(...lines(10))).toBeUndefined()
    expect(read(...lines(10.1))).toEqual(['left', 'next', 'right', 'there'])
  })

  it('end before a gap between lines, and continue after lines as wide as the page', () => {
    const near: Parameters<typeof write>[] = [
      ['aaaa', 0, 100],
      ['cccc', 100, 100],
      ['bbbb', 0, 76],
      ['dddd', 100, 74],
    ]
    expect(read(...near)).toEqual(['aaaa', 'bbbb', 'cccc', 'dddd'])
    expect(read(['aaaa', 0, 100], ['cccc', 100, 100], ['a title over all columns', 0, 150], ['bbbb', 0, 88])).toEqual([
      'a title over all columns',
      'aaaa',
      'bbbb',
      'cccc',
    ])
  })
})

it('the letters of a lam-alef ligature are one text if they share their place', () => {
  const [place, other] = [bounds(0, 0), bounds(6, 0)]
  const join = (...list: [string, Bounds?][]) => joinLigatures(makeCharacters(list))
  expect(join(['ل', place], ['أ', place], ['م', other])).toEqual(['لأ', '', 'م'])
  expect(join(['ل', place], ['أ', other])).toEqual(['ل', 'أ'])
  expect(join(['ل', place], ['أ', bounds(0, 0, 7)])).toEqual(['ل', 'أ'])
  expect(join(['ل', place], ['م', place])).toEqual(['ل', 'م'])
  expect(join(['م', place], ['أ', place])).toEqual(['م', 'أ'])
  expect(join(['ل', place], ['', place])).toEqual(['ل', ''])
  expect(join(['ل'], ['أ'])).toEqual(['ل', 'أ'])
})

describe('the boxes of a match', () => {
  const FRAME: Frame = {
    rotation: 0,
    userUnit: 1,
    visible: { x: 0, y: 0, width: 300, height: 300 },
    width: 300,
    height: 300,
  }
  const place = (x: number, y: number, angleDeg = 0, size = 10): CharacterGeometry => {
    const room = angleDeg % 180 === 90 ? bounds(x - 8, y, 11, 6) : bounds(x, y - 3, 6, 11)
    const shape = angleDeg % 180 === 90 ? bounds(x - 5, y, 5, 6) : bounds(x, y, 6, 5)
    return { room, shape, origin: { x, y }, size, angleDeg }
  }
  const join = (places: (CharacterGeometry | undefined)[], frame = FRAME) =>
    joinBoxes(
      frame,
      {
        texts: places.map(one => (one ? 'x' : ' ')),
        geometryOf: (index: number) => places[index],
      },
      [...places.keys()],
    ).map(({ x, y, width, height }) => [x, y, width, height].map(value => Math.round(value * 100) / 100))

  it('are one for each line, as high as letters usually are', () => {
    expect(join([place(0, 100), undefined, place(12, 100), place(0, 85)])).toEqual([
      [0, 98.8, 18, 8.6],
      [0, 83.8, 6, 8.6],
    ])
    expect(join([{ ...place(0, 100), shape: bounds(0, 95, 6, 16) }])).toEqual([[0, 95, 6, 16]])
    expect(join([place(0, 100, 0, 0)])).toEqual([[0, 97, 6, 11]])
  })

  it('are two if a gap is wider than three heights, or if less than half of the height is shared', () => {
    expect([join([place(0, 100), place(31.7, 100)]).length, join([place(0, 100), place(31.9, 100)]).length]).toEqual([
      1, 2,
    ])
    expect([join([place(0, 100), place(6, 104.2)]).length, join([place(0, 100), place(6, 104.4)]).length]).toEqual([
      1, 2,
    ])
  })

  it('follow lines that run up or down, and are one for each letter of a sloping line', () => {
    expect(join([place(100, 0, 90), place(100, 6, 90), place(85, 0, 90)])).toEqual([
      [92.6, 0, 8.6, 12],
      [77.6, 0, 8.6, 6],
    ])
    expect([
      join([place(100, 0, 90), place(100, 31.7, 90)]).length,
      join([place(100, 0, 90), place(100, 31.9, 90)]).length,
    ]).toEqual([1, 2])
    expect(join([place(0, 100, 180)])).toEqual([[0, 92.6, 6, 12.4]])
    expect(join([place(0, 100, 20), place(6, 102, 20)])).toHaveLength(2)
    expect(join([place(0, 100), place(6, 100, 90)])).toHaveLength(2)
  })
})
