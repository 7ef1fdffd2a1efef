import { describe, expect, it } from 'vitest'
import type { PlacedWord } from '../../../../../engines/pdf/content/text-layer'
import type { Box } from '../../../../../engines/pdf/geometry/box'
import type { Frame } from '../../../../../engines/pdf/geometry/frame'
import type { RedactionArea } from '../../../../../engines/features/redaction/areas/areas'
import { findLineRuns } from '../../../../../engines/features/redaction/raster/line-runs'
import { roundSlanted } from '../../../../../engines/features/redaction/raster/round-slanted'

const FRAME: Frame = {
  rotation: 0,
  userUnit: 1,
  visible: { x: 0, y: 0, width: 400, height: 300 },
  width: 400,
  height: 300,
}
const word = (x: number, length: number, y = 100, more: Partial<PlacedWord> = {}): PlacedWord => ({
  text: 'word',
  x,
  y,
  length,
  size: 10,
  angleDeg: 0,
  isSpaced: true,
  ...more,
})
const bounds = { left: 0, bottom: 0, right: 0, top: 0 }
const area = (box: Box | undefined, replacementText?: string): RedactionArea => ({
  box,
  core: bounds,
  hole: bounds,
  replacementText,
  param: '',
})
/** An area over text on the line at 100. */
const over = (x: number, width: number, y = 98, height = 10) => area({ x, y, width, height })

const find = (areas: RedactionArea[], words: PlacedWord[], frame = FRAME) =>
  findLineRuns(frame, areas, words).map(({ turn, columnEnd, pieces }) => ({
    turn,
    ...(columnEnd !== undefined && { columnEnd }),
    pieces: pieces.map(({ left, right, widths, words: after }) => [
      left,
      right,
      widths.join(' '),
      after.map(({ index }) => index).join(' '),
    ]),
  }))

describe('a line with areas', () => {
  it.each<[string, RedactionArea[], PlacedWord[], unknown[]]>([
    [
      'has the words after each area',
      [over(40, 20), over(90, 10)],
      [word(10, 25), word(63, 10), word(75, 12), word(105, 9)],
      [
        [40, 60, '20', '1 2'],
        [90, 100, '10', '3'],
      ],
    ],
    [
      'joins areas with no word between them',
      [over(40, 20), over(63, 10)],
      [word(10, 25), word(76, 12)],
      [[40, 73, '20 10', '1']],
    ],
    ['counts overlapping areas as one', [over(40, 20), over(50, 15)], [word(10, 25)], [[40, 65, '25', '']]],
    ['counts an area inside another one once', [over(40, 20), over(45, 5)], [word(10, 25)], [[40, 60, '20', '']]],
    ['ends at a wide gap', [over(40, 20)], [word(10, 25), word(72, 10), word(95, 10)], [[40, 60, '20', '1']]],
    ['begins after a wide gap', [over(40, 20)], [word(10, 15), word(60, 10)], [[40, 60, '20', '1']]],
    [
      'has no words of other lines',
      [over(40, 20)],
      [word(10, 25), word(62, 10, 107), word(62, 10, 93)],
      [[40, 60, '20', '']],
    ],
    ['may have an area alone', [over(40, 20)], [], [[40, 60, '20', '']]],
  ])('%s', (_, areas, words, pieces) => {
    expect(find(areas, words)).toEqual([{ turn: 0, pieces }])
  })

  it('is two lines if a wide gap is between the areas, or if they are at different heights', () => {
    expect(find([over(40, 20), over(90, 10)], [word(10, 25), word(104, 10)])).toEqual([
      { turn: 0, pieces: [[40, 60, '20', '']] },
      { turn: 0, pieces: [[90, 100, '10', '1']] },
    ])
    expect(find([over(40, 20), over(62, 10, 104)], [])).toHaveLength(2)
    expect(find([over(40, 20), over(62, 10, 102)], [])).toHaveLength(1)
  })

  it('is none over several lines, nor beside sloping text', () => {
    expect(find([over(40, 20, 95, 21)], [word(10, 25)])).toEqual([])
    expect(find([over(40, 20, 95, 20)], [word(10, 25)])).toHaveLength(1)
    expect(find([over(40, 20, 80, 41)], [])).toEqual([])
    expect(find([over(40, 20)], [word(25, 12, 100, { angleDeg: 5 })])).toEqual([])
    expect(find([over(40, 20)], [word(25, 12, 100, { angleDeg: 0.5 })])).toHaveLength(1)
    expect(find([area(undefined)], [word(10, 25)])).toEqual([])
  })

  it('is as high as its words, or else as the words of the same row', () => {
    const heightOf = (words: PlacedWord[]) => {
      const [run] = findLineRuns(FRAME, [over(40, 20)], words)
      return run && [run.bottom, run.top, run.size]
    }
    const big = word(100, 25, 100, { size: 12 })
    expect(heightOf([word(10, 25), big])).toEqual([97.4, 108.5, 10])
    expect(heightOf([word(100, 25)])).toEqual([97.4, 108.5, 10])
    expect(heightOf([word(10, 25, 130)])).toEqual([97.4, 108.6, 10]) // The next line, whose words are as high.
  })

  it('ends with the longest line without areas in its column', () => {
    const others = [word(10, 100, 120), word(115, 60, 120), word(10, 190, 140), word(220, 100, 140), word(300, 50, 80)]
    expect(find([over(40, 20)], [word(10, 25), ...others])[0]?.columnEnd).toBe(200)
    expect(find([over(40, 20)], [word(10, 25), ...others.slice(0, 2)])[0]?.columnEnd).toBe(175)
    expect(find([over(40, 20)], [word(10, 25), ...others.slice(4)])[0]?.columnEnd).toBeUndefined()
  })

  it.each([
    [90, word(100, 25, 63, { angleDeg: 90 }), { x: 92, y: 40, width: 10, height: 20 }],
    [270, word(100, 25, 237, { angleDeg: 270 }), { x: 98, y: 240, width: 10, height: 20 }],
    [180, word(337, 25, 100, { angleDeg: 180 }), { x: 340, y: 92, width: 20, height: 10 }],
  ])('runs at an angle of %d degrees too', (turn, one, box) => {
    expect(find([area(box)], [one])).toEqual([{ turn, pieces: [[40, 60, '20', '0']] }])
  })

  it('has its measures in points on a page with a unit of its own', () => {
    const frame = { ...FRAME, userUnit: 2, width: 800, height: 600 }
    expect(find([over(40, 20, 196, 20)], [word(5, 12), word(32, 10)], frame)).toEqual([
      { turn: 0, pieces: [[40, 60, '20', '1']] },
    ])
  })
})

describe('areas on sloping lines', () => {
  const SLOPING = [word(95, 60, 95, { angleDeg: 20 })]
  const round = (areas: RedactionArea[], words = SLOPING, set = new Set<RedactionArea>()) => {
    roundSlanted({ index: 0, frame: FRAME, areas }, words, set)
    return areas.map(({ box }) => box)
  }
  const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })

  it('get boxes of whole steps around their middle, within the page', () => {
    expect(round([area(box(100, 100, 20, 10))])).toEqual([box(74, 69, 72, 72)])
    expect(round([area(box(100, 100, 80, 10))])).toEqual([box(68, 69, 144, 72)])
    expect(round([area(box(2, 100, 20, 10))], [word(0, 60, 95, { angleDeg: 20 })])).toEqual([box(0, 69, 48, 72)])
  })

  it('get one box if they are near each other', () => {
    expect(round([area(box(80, 100, 20, 10)), area(box(104, 104, 20, 10))])).toEqual([undefined, box(66, 71, 72, 72)])
    expect(round([area(box(80, 100, 20, 10)), area(box(106, 104, 20, 10))]).every(Boolean)).toBe(true)
    // The area between joins the other two. The box belongs to the one with a text.
    const three = [area(box(80, 100, 20, 10)), area(box(124, 108, 20, 10), 'X'), area(box(102, 104, 20, 10))]
    expect(round(three, [...SLOPING, word(125, 20, 105, { angleDeg: 20 })])).toEqual([
      undefined,
      box(76, 73, 72, 72),
      undefined,
    ])
  })

  it('stay as they are on straight lines, far from sloping ones, or if they were moved before', () => {
    const one = area(box(100, 100, 20, 10))
    const same = [box(100, 100, 20, 10)]
    expect(round([one], [word(95, 60, 95)])).toEqual(same)
    expect(round([one], [word(95, 60, 95, { angleDeg: 90 }), word(95, 60, 95, { angleDeg: 179.5 })])).toEqual(same)
    expect(round([one], [word(95, 60, 75, { angleDeg: 20 })])).toEqual(same)
    expect(round([one], SLOPING, new Set([one]))).toEqual(same)
  })
})
