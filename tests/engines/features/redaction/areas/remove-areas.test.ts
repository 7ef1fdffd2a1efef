import { describe, expect, it } from 'vitest'
import type { Element } from '../../../../../engines/pdf/content/rewriting/content-filter'
import type { Bounds } from '../../../../../engines/pdf/geometry/geometry'
import { mapPoint } from '../../../../../engines/pdf/geometry/matrix'
import type { Matrix } from '../../../../../engines/pdf/geometry/matrix'
import { RemoveAreas } from '../../../../../engines/features/redaction/areas/remove-areas'
import type { ImageMode } from '../../../../../engines/features/redaction/areas/remove-areas'

const box = (left: number, bottom: number, right: number, top: number): Bounds => ({ left, bottom, right, top })
const PAGE = box(0, 0, 300, 300)
const open = (holes: Bounds[], images: ImageMode = 'overlap') => new RemoveAreas({ holes, visible: PAGE, images })

const element = (kind: Element['kind'], bounds: Bounds): Element => ({ kind, bounds, clip: PAGE, em: 0 })

describe('a glyph', () => {
  const glyph = (more: Partial<Element> = {}): Element => ({
    ...element('glyph', box(0, 0, 10, 10)),
    quad: [0, 0, 10, 0, 10, 10, 0, 10],
    em: 10,
    baseline: 0.2,
    ...more,
  })
  const narrow = glyph({ bounds: box(0, 0, 1, 10), quad: [0, 0, 1, 0, 1, 10, 0, 10] })
  const tall = glyph({ em: 5, baseline: 0.3 })
  const turned = glyph({ quad: [10, 0, 10, 10, 0, 10, 0, 0] })

  it.each<[string, Element, Bounds, Bounds]>([
    ['from the left', glyph(), box(-5, 0, 1.3, 10), box(-5, 0, 1.4, 10)],
    ['from the right', glyph(), box(8.7, 0, 15, 10), box(8.6, 0, 15, 10)],
    ['from above', glyph(), box(0, 7.05, 10, 15), box(0, 6.95, 10, 15)],
    ['from below', glyph(), box(0, -5, 10, 1.15), box(0, -5, 10, 1.25)],
    ['from the left into a narrow glyph', narrow, box(-5, 0, 0.41, 10), box(-5, 0, 0.43, 10)],
    ['from the left into a small glyph', tall, box(-5, 0, 0.9, 10), box(-5, 0, 1, 10)],
    ['from above into a glyph with a tall box', tall, box(0, 6.15, 10, 15), box(0, 6.05, 10, 15)],
    ['from below into a glyph with a tall box', tall, box(0, -5, 10, 2.3), box(0, -5, 10, 2.4)],
    ['into the top of a turned glyph', turned, box(-5, 0, 2.95, 10), box(-5, 0, 3.05, 10)],
    ['into the bottom of a turned glyph', turned, box(8.85, 0, 15, 10), box(8.75, 0, 15, 10)],
    ['into the side of a turned glyph', turned, box(0, -5, 10, 1.3), box(0, -5, 10, 1.4)],
  ])('stays if an area only reaches into its margin: %s', (_, one, margin, inside) => {
    expect([open([margin]).decide(one), open([inside]).decide(one)]).toEqual(['keep', 'remove'])
  })
})

it('other elements stay beside areas, are removed inside them, and are cut at their edges', () => {
  const holes = [box(0, 0, 10, 10), box(50, 50, 60, 60)]
  const decide = (kind: Element['kind'], bounds: Bounds, images?: ImageMode) =>
    open(holes, images).decide(element(kind, bounds))
  for (const kind of ['run', 'path', 'segment', 'image', 'shading'] as const) {
    expect(decide(kind, box(20, 20, 40, 40)), `${kind} between two areas`).toBe('keep')
    expect(decide(kind, box(70, 70, 80, 80)), `${kind} far away`).toBe('keep')
    expect(decide(kind, box(5, 5, 40, 40)), `${kind} on an edge`).toBe('cut')
    expect(decide(kind, box(52, 52, 58, 58)), `${kind} inside`).toBe(kind === 'run' ? 'cut' : 'remove')
  }
  expect(decide('form', box(70, 70, 80, 80))).toBe('cut')
  expect(decide('image', box(5, 5, 40, 40), 'remove')).toBe('remove')
  // A turned image whose bounding box has corners outside of it.
  const turned: Element = { ...element('image', box(0, 0, 40, 40)), quad: [20, 0, 40, 20, 20, 40, 0, 20] }
  expect(open([box(0, 0, 5, 5)]).decide(turned)).toBe('keep')
  expect(open([box(18, 18, 22, 22)]).decide(turned)).toBe('cut')
})

describe('an image', () => {
  const [width, height] = [10, 5]
  const MATRICES: Record<string, Matrix> = {
    upright: [100, 0, 0, 50, 10, 20],
    mirrored: [-100, 0, 0, 50, 110, 20],
    'turned by a quarter': [0, 100, -50, 0, 60, 20],
    slanted: [80, 20, -20, 50, 40, 12],
  }
  const hole = box(33, 26, 71, 62)

  it.each(Object.entries(MATRICES))('loses exactly the pixels that lie in an area: %s', (_, matrix) => {
    const far = box(200, 200, 210, 210)
    const cut = open([far, hole]).cutImage({ matrix, width, height })
    expect(cut).toMatchObject({ left: 0, top: 0, width, height, slackPixels: 0, bleedPixels: 0 })
    expect(cut.cleared).toHaveLength(1)
    const cleared = (x: number, y: number) =>
      cut.cleared.some(
        ({ left, top, right, bottom, isCleared }) =>
          x >= left && x < right && y >= top && y < bottom && isCleared(x, y),
      )
    // A pixel may extend beyond the area by a twentieth of its size.
    const inside = (x: number, y: number) =>
      [
        [0.05, 0.05],
        [0.95, 0.05],
        [0.05, 0.95],
        [0.95, 0.95],
      ].every(([right = 0, down = 0]) => {
        const [across, up] = mapPoint(matrix, (x + right) / width, 1 - (y + down) / height)
        return across > hole.left && across < hole.right && up > hole.bottom && up < hole.top
      })
    const list = (test: (x: number, y: number) => boolean) =>
      Array.from({ length: width * height }, (__, at) => [at % width, Math.floor(at / width)] as const)
        .filter(([x, y]) => test(x, y))
        .join(' ')
    expect(list(inside)).not.toBe('')
    expect(list(cleared)).toBe(list(inside))
  })

  it('loses a pixel that extends beyond an area by less than a twentieth', () => {
    const isCleared = (left: number) => {
      const [part] = open([box(left, 0, 300, 300)]).cutImage({
        matrix: [10, 0, 0, 10, 100, 100],
        width: 1,
        height: 1,
      }).cleared
      return part?.isCleared(0, 0)
    }
    expect([isCleared(100.4), isCleared(100.6)]).toEqual([true, false])
  })

  it('is only read near an area, but completely if its matrix has no inverse', () => {
    const sizes = (matrix: Matrix) =>
      open([box(50, 50, 60, 60)])
        .cutImage({ matrix, width: 1000, height: 1000 })
        .cleared.map(({ left, top, right, bottom }) => [left, top, right, bottom])
    expect(sizes([100, 0, 0, 100, 0, 0])).toEqual([[499, 399, 601, 501]])
    expect(sizes([100, 0, 100, 0, 0, 55])).toEqual([[0, 0, 1000, 1000]])
    expect(sizes([1e-6, 0, 0, 100, 55, 0])).toEqual([[0, 0, 1000, 1000]])
  })
})
