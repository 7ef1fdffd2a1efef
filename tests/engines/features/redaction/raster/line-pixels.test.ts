import { describe, expect, it } from 'vitest'
import type { Bitmap } from '../../../../../engines/pdf/rendering/render'
import {
  backgroundOf,
  fillRows,
  findInk,
  pasteNarrower,
  rotateBitmap,
} from '../../../../../engines/features/redaction/raster/line-pixels'
import { addScannedWords } from '../../../../../engines/features/redaction/raster/scanned-words'
import type { LineRun } from '../../../../../engines/features/redaction/raster/line-runs'

/** An image with one letter per pixel. A letter is a level of gray. */
function draw(...rows: string[]): Bitmap {
  const width = rows[0]?.length ?? 0
  const levels = rows.flatMap(row => Array.from(row, letter => letter.charCodeAt(0)))
  return {
    width,
    height: rows.length,
    channels: 3,
    dpi: 72,
    pixels: Uint8Array.from(levels.flatMap(level => [level, level, level])),
  }
}

function read({ width, height, channels, pixels }: Bitmap): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => String.fromCharCode(pixels[(y * width + x) * channels] ?? 0)).join(''),
  )
}

const all = ({ width, height }: Bitmap) => ({ left: 0, right: width, top: 0, bottom: height })

it.each([
  [0, ['ab', 'cd', 'ef']],
  [90, ['eca', 'fdb']],
  [180, ['fe', 'dc', 'ba']],
  [270, ['bdf', 'ace']],
])('an image is rotated clockwise by %d degrees', (turn, rows) => {
  const image = rotateBitmap(draw('ab', 'cd', 'ef'), turn)
  expect([read(image), image.width, image.height]).toEqual([rows, rows[0]?.length, rows.length])
})

it('each row of a part is filled with its most frequent color', () => {
  const image = draw('xaabcy', 'xbbacy', 'xabaay')
  const part = { left: 1, right: 5, top: 0, bottom: 2 }
  const rows = backgroundOf(image, part)
  expect([...rows].filter((_, at) => at % 3 === 0).map(level => String.fromCharCode(level))).toEqual(['a', 'b'])
  fillRows(image, part, rows)
  expect(read(image)).toEqual(['xaaaay', 'xbbbby', 'xabaay'])
  const colors = Uint8Array.from([1, 2, 3, 9, 9, 9, 1, 2, 3])
  expect([
    ...backgroundOf(
      { width: 3, height: 1, channels: 3, dpi: 72, pixels: colors },
      { left: 0, right: 3, top: 0, bottom: 1 },
    ),
  ]).toEqual([1, 2, 3])
})

describe('ink', () => {
  const find = (image: Bitmap, part = all(image)) => findInk(image, part, backgroundOf(image, part))

  it('begins at the first column with more than two other pixels', () => {
    expect(find(draw('aaazaaz', 'aazzaaz', 'aazaaaz', 'aaaaaaa'))).toBe(6)
    expect(find(draw('aaaaaz', 'aaaaaz', 'aaaaaa', 'aaaaaa'))).toBe(6)
    const image = draw('zaaaaz', 'zaaaaz', 'zaaaaz')
    expect(find(image)).toBe(0)
    expect(find(image, { left: 1, right: 6, top: 0, bottom: 3 })).toBe(5)
    expect(find(image, { left: 1, right: 5, top: 0, bottom: 3 })).toBe(5)
  })

  it('differs from the paper by more than 24 levels', () => {
    const [near, far] = [String.fromCharCode(97 + 24), String.fromCharCode(97 + 25)]
    expect(find(draw(...Array.from({ length: 3 }, () => `aaa${near}${far}a`)))).toBe(4)
  })

  it('fills more than a tenth of the rows, because rules cross a line', () => {
    const rows = (count: number) => Array.from({ length: 40 }, (_, row) => (row < count ? 'aaaza' : 'aaaaa'))
    expect([find(draw(...rows(4))), find(draw(...rows(5)))]).toEqual([5, 3])
  })
})

describe('a pasted part', () => {
  const paste = (part: Partial<ReturnType<typeof all>>, more: { at?: number; rowOffset?: number; scale?: number }) => {
    const [target, source] = [draw('......', '......'), draw('aeimqu', 'bfjnrv')]
    pasteNarrower(target, source, { part: { ...all(source), ...part }, at: 0, rowOffset: 0, scale: 1, ...more })
    return read(target)
  }

  it('has its place, and is cut at the edges of the image', () => {
    expect(paste({ left: 1, right: 3 }, { at: 2 })).toEqual(['..ei..', '..fj..'])
    expect(paste({ top: 0, bottom: 1 }, { rowOffset: 1 })).toEqual(['......', 'aeimqu'])
    expect(paste({}, { rowOffset: -1 })).toEqual(['bfjnrv', '......'])
    expect(paste({ right: 3 }, { at: -1 })).toEqual(['ei....', 'fj....'])
    expect(paste({ right: 3 }, { at: 4 })).toEqual(['....ae', '....bf'])
  })

  it('becomes narrower by the mean of its pixels, weighted by their share', () => {
    expect(paste({}, { scale: 0.5 })).toEqual(['cks...', 'dlt...'])
    expect(paste({ right: 3 }, { scale: 0.75 })).toEqual(['bgi...', 'chj...'])
    expect(paste({ right: 3 }, { scale: 0.5 })).toEqual(['ci....', 'dj....'])
  })
})

describe('the words after a box in a scan', () => {
  const run = (more: Partial<LineRun> = {}) =>
    ({
      frame: { width: 200 },
      size: 10,
      bottom: 30,
      exact: { bottom: 31, top: 39 },
      pieces: [{ areas: [], left: 20, right: 50, widths: [30], words: [] }],
      ...more,
    }) as unknown as LineRun
  const rows = { left: 50, right: 190, top: 0, bottom: 10 }
  /** A line of ten rows. Ink fills the middle ones, and a rule fills all. */
  const add = (ink: [number, number][], { one = run(), isRule = false } = {}) => {
    const isInk = (x: number) => ink.some(([left, right]) => x >= left && x < right)
    const image = draw(
      ...Array.from({ length: 10 }, (_, y) =>
        Array.from({ length: 200 }, (__, x) => (isInk(x) && (isRule || (y > 2 && y < 8)) ? 'A' : 'z')).join(''),
      ),
    )
    const made = addScannedWords(one, image, rows, backgroundOf(image, rows))
    return made === one ? 'unchanged' : made.pieces.map(({ words }) => words)
  }
  const word = (left: number, right: number) => [[{ index: -1, left, right, baseline: 30, size: 10 }]]

  it('are the ink up to the next wide gap', () => {
    expect(
      add([
        [60, 66],
        [70, 81],
        [110, 120],
      ]),
    ).toEqual(word(60, 81))
    expect(
      add([
        [52, 66],
        [77, 81],
      ]),
    ).toEqual(word(52, 81))
    expect(
      add([
        [52, 66],
        [78, 81],
      ]),
    ).toEqual(word(52, 66))
  })

  it.each<[string, [number, number][], Parameters<typeof add>[1]]>([
    ['without ink near the box', [[63, 70]], {}],
    ['with ink that touches the box', [[51, 70]], {}],
    ['after which a rule follows', [[55, 56]], { isRule: true }],
    ['with ink up to the edge', [[52, 200]], {}],
    ['with text', [[60, 66]], { one: run({ exact: undefined }) }],
    ['without pieces', [[60, 66]], { one: run({ pieces: [] }) }],
  ])('are left alone on a line %s', (_, ink, more) => {
    expect(add(ink, more)).toBe('unchanged')
  })
})
