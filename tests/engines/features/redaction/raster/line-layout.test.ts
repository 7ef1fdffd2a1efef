import { describe, expect, it } from 'vitest'
import { layOutLine } from '../../../../../engines/features/redaction/raster/line-layout'
import { measureBand } from '../../../../../engines/features/redaction/raster/line-band'
import type { LinePiece, LineRun, LineWord } from '../../../../../engines/features/redaction/raster/line-runs'

const word = (left: number, right: number, size = 10, baseline = 100): LineWord => ({
  index: 0,
  left,
  right,
  baseline,
  size,
})
const piece = (left: number, widths: number[], words: LineWord[], right = left + 9.5): LinePiece => ({
  areas: [],
  left,
  right,
  widths,
  words,
})

interface Asked {
  size?: number
  columnEnd?: number
  mostEnd?: number
  pixelsPt?: number
}

function layOut(pieces: LinePiece[], { size = 10, columnEnd = 1000, mostEnd = 1000, pixelsPt = 1 }: Asked = {}) {
  const { scale, pieces: placed, end } = layOutLine({ pieces, size } as LineRun, { columnEnd, mostEnd, pixelsPt })
  return {
    scale: Math.round(scale * 100) / 100,
    end,
    edges: placed.map(({ left, right, wordsLeft, wordsRight }) => [left, right, wordsLeft, wordsRight]),
  }
}

describe('boxes on a line', () => {
  it.each<[string, LinePiece[], Asked, number[][]]>([
    ['one step wide', [piece(100.5, [9.5], [word(113, 150)])], {}, [[100, 172, 175, 212]]],
    [
      'one step wide for any shorter text',
      [piece(100.5, [72], [word(175.5, 212.5)], 172.5)],
      {},
      [[100, 172, 175, 212]],
    ],
    ['two steps wide for longer text', [piece(100.5, [72.1], [word(113, 150)])], {}, [[100, 244, 247, 284]]],
    ['one step wide per area', [piece(100.5, [9.5, 80], [word(113, 150)])], {}, [[100, 316, 319, 356]]],
    ['twice as wide in large type', [piece(100.5, [9.5], [word(113, 150)])], { size: 13 }, [[100, 244, 247, 284]]],
    ['as usual in type of 12 points', [piece(100.5, [9.5], [word(113, 150)])], { size: 12.5 }, [[100, 172, 175, 212]]],
    ['in pixels', [piece(100.6, [9.5], [word(113.1, 150)])], { pixelsPt: 2 }, [[201, 345, 351, 425]]],
    ['without words after them', [piece(100.5, [9.5], [])], {}, [[100, 172, 172, 172]]],
    ['touched by no letter', [piece(100.5, [9.5], [word(108, 150)])], {}, [[100, 172, 173, 215]]],
    [
      'followed by the next at its distance',
      [piece(100.5, [9.5], [word(113, 130), word(132, 150)]), piece(155.2, [9.5], [])],
      {},
      [
        [100, 172, 175, 212],
        [217, 289, 289, 289],
      ],
    ],
  ])('are %s', (_, pieces, asked, edges) => {
    expect(layOut(pieces, asked)).toEqual({ scale: 1, edges, end: edges.at(-1)?.[3] })
  })

  it.each<[string, Asked, number, number[]]>([
    ['no narrower than the column needs', { columnEnd: 211, mostEnd: 220 }, 0.95, [100, 172, 175, 211]],
    ['as narrow as three quarters', { columnEnd: 200, mostEnd: 200 }, 0.7, [100, 172, 174, 200]],
    ['across the end of the column at that width', { columnEnd: 180, mostEnd: 220 }, 0.7, [100, 172, 174, 200]],
    ['half as wide, before other content', { columnEnd: 195, mostEnd: 195 }, 0.55, [100, 172, 174, 195]],
    ['half as wide, after a narrower box', { columnEnd: 150, mostEnd: 150 }, 0.5, [100, 128, 130, 149]],
    ['half as wide, after a box of one pixel', { columnEnd: 90, mostEnd: 90 }, 0.5, [100, 101, 103, 122]],
  ])('make the words after them %s', (_, room, scale, edges) => {
    expect(layOut([piece(100.5, [9.5], [word(113, 150)])], room)).toEqual({ scale, edges: [edges], end: edges[3] })
  })

  it('cover the removed text if there is no room for a step', () => {
    expect(layOut([piece(100.5, [9.5], [])], { columnEnd: 105, mostEnd: 105 }).edges).toEqual([[100, 110, 110, 110]])
  })
})

describe('the height of the boxes of a line', () => {
  const box = (y: number, height: number) => ({ x: 0, y, width: 20, height })
  const measure = (...asked: Parameters<typeof measureBand>) => {
    const { exact, ...band } = measureBand(...asked)
    const round = (value: number) => Math.round(value * 100) / 100
    return { bottom: round(band.bottom), top: round(band.top), size: round(band.size), ...(exact && { exact }) }
  }

  it('comes from the words beside them, the largest and the lowest ones', () => {
    const beside = [word(30, 60), word(70, 90, 8, 98)]
    expect(measure([box(98, 8)], beside, [])).toEqual({ bottom: 95.4, top: 108.5, size: 10 })
  })

  it.each([
    ['just reaches', box(95.45, 15), 97.4],
    ['reaches too far below', box(95.35, 10), 94.75],
    ['reaches too far above', box(100, 10.6), 100],
  ])('comes from words beside them only if the area %s', (_, area, bottom) => {
    expect(measure([area], [word(30, 60)], [word(30, 60)]).bottom).toBe(bottom)
  })

  it('comes from the nearest word of a similar size, if no word is beside them', () => {
    const words = [word(0, 10, 10, 300), word(0, 10, 10.5, 260), word(0, 10, 30, 230), word(0, 10, 5, 201)]
    expect(measure([box(200, 8)], [], words)).toEqual({ bottom: 196.87, top: 208.63, size: 10.5 })
  })

  it('is rounded without such a word', () => {
    expect(measure([box(201, 8), box(202, 10)], [], [])).toEqual({
      bottom: 198,
      top: 216,
      size: 16.22,
      exact: { bottom: 201, top: 212 },
    })
  })
})
