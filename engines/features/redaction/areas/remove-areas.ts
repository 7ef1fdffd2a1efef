import type { ContentFilter, Element, PixelCut, Verdict } from '../../../pdf/rewrite-content'
import { boundsOf, contains, cornersOf, invertMatrix, mapCorners, meets, overlap } from '../../../pdf/geometry'
import type { Bounds, Matrix, Quad } from '../../../pdf/geometry'

/**
 * How far an area may reach into a glyph from its side before the glyph is removed. The distance is `SIDE` units of
 * user space plus `OVERHANG` ems, because glyphs are narrower than their advance width. The distance is at most
 * `SIDE_SHARE` of the glyph's width.
 */
const SIDE = 0.55
const OVERHANG = 0.08
const SIDE_SHARE = 0.42

/**
 * How far an area may reach into a glyph from above and from below, as shares of the height of the font's glyph box.
 * Most glyphs don't fill that box.
 */
const TOP_SHARE = 0.3
const BOTTOM_SHARE = 0.12

/** Maximum depth and height of letters from the baseline, in ems. Some fonts declare far larger values. */
const DEPTH = 0.13
const HEIGHT = 0.62

/** The share of a pixel that may extend beyond an area that clears the pixel, because sizes are rounded. */
const PIXEL_SLACK = 0.05

/**
 * Maximum distance between a corner of a hole and an image, in image sizes. Floating-point numbers are too imprecise
 * for larger distances.
 */
const MOST_SIZES_AWAY = 1e6

/**
 * What is removed from images: `overlap` for the pixels under an area, `remove` for every image that an area touches.
 */
export type ImageMode = 'overlap' | 'remove'

/**
 * Removes visible and invisible content under areas, which are in the user space of a page. Keeps or removes each glyph
 * as a whole.
 */
export class RemoveAreas implements ContentFilter {
  readonly key: string
  readonly area: Bounds
  readonly holes: readonly Bounds[]
  /** Whether content that can't be split may remain under an area. */
  isInDoubt = false
  private readonly boundsOfHoles: Bounds

  constructor({ holes, visible, images }: { holes: readonly Bounds[]; visible: Bounds; images: ImageMode }) {
    this.holes = holes
    this.area = visible
    this.boundsOfHoles = uniteAll(holes)
    this.key = `without ${[images, ...[visible, ...holes].map(({ left, bottom, right, top }) => [left, bottom, right, top].join(' '))].join(', ')}`
    this.removesImages = images === 'remove'
  }

  private readonly removesImages: boolean

  decide({ kind, bounds, quad, em, baseline }: Element): Verdict {
    // A form XObject may draw outside its /BBox, so each element in it is decided separately.
    if (kind === 'form') return 'cut'
    if (!overlap(bounds, this.boundsOfHoles)) return 'keep'
    if (kind === 'glyph') return this.touches(coreOf(quad ?? cornersOf(bounds), { em, baseline })) ? 'remove' : 'keep'
    if (!this.holes.some(hole => overlap(bounds, hole))) return 'keep'
    if (kind === 'run') return 'cut'
    if (kind === 'image' && !this.touches(quad ?? cornersOf(bounds))) return 'keep'
    if (kind === 'image' && this.removesImages) return 'remove'
    return this.holes.some(hole => contains(hole, bounds)) ? 'remove' : 'cut'
  }

  cutImage({ matrix, width, height }: { matrix: Matrix; width: number; height: number }): PixelCut {
    const [a, b, c, d, e, f] = matrix
    const imageBounds = boundsOf(mapCorners(matrix, { left: 0, bottom: 0, right: 1, top: 1 }))
    // A pixel that extends beyond the area is visible next to it, so the pixel stays. In some images, one pixel colors
    // the whole page.
    const [halfX, halfY] = [
      (Math.abs(a) / width + Math.abs(c) / height) * (0.5 - PIXEL_SLACK),
      (Math.abs(b) / width + Math.abs(d) / height) * (0.5 - PIXEL_SLACK),
    ]
    const inverse = invertMatrix(matrix)
    const cleared = this.holes.flatMap(hole => {
      if (!overlap(hole, imageBounds)) return []
      const [left, right, bottom, top] = [hole.left + halfX, hole.right - halfX, hole.bottom + halfY, hole.top - halfY]
      const isCleared = (x: number, y: number): boolean => {
        const [across, up] = [(x + 0.5) / width, 1 - (y + 0.5) / height]
        const [userX, userY] = [a * across + c * up + e, b * across + d * up + f]
        return userX > left && userX < right && userY > bottom && userY < top
      }
      return [{ ...pixelsAround(inverse, hole, { width, height }), isCleared }]
    })
    return { left: 0, top: 0, width, height, cleared, slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }

  doubt(): void {
    this.isInDoubt = true
  }

  private touches(quad: Quad): boolean {
    const bounds = boundsOf(quad)
    return this.holes.some(hole => overlap(bounds, hole) && meets(quad, hole))
  }
}

/**
 * Returns the pixels of an image that may lie in a hole, with one more on each side because of rounding. Returns all
 * pixels if the image matrix has no inverse, or if the hole is too far away to be computed.
 */
function pixelsAround(
  inverse: Matrix | undefined,
  hole: Bounds,
  { width, height }: { width: number; height: number },
): Bounds {
  const { left, right, bottom, top } = inverse ? boundsOf(mapCorners(inverse, hole)) : hole
  if (!inverse || ![left, right, bottom, top].every(edge => Math.abs(edge) < MOST_SIZES_AWAY))
    return { left: 0, top: 0, right: width, bottom: height }
  return {
    left: Math.max(0, Math.floor(left * width) - 1),
    right: Math.min(width, Math.ceil(right * width) + 1),
    top: Math.max(0, Math.floor((1 - top) * height) - 1),
    bottom: Math.min(height, Math.ceil((1 - bottom) * height) + 1),
  }
}

/** Returns the part of a glyph's box that its shape usually fills. A box without an area is returned unchanged. */
function coreOf([x1, y1, x2, y2, , , x4, y4]: Quad, { em, baseline }: Pick<Element, 'em' | 'baseline'>): Quad {
  const [acrossX, acrossY, upX, upY] = [x2 - x1, y2 - y1, x4 - x1, y4 - y1]
  const width = Math.hypot(acrossX, acrossY)
  const side = width > 0 ? Math.min(SIDE_SHARE, (SIDE + OVERHANG * em) / width) : 0
  const at = (across: number, up: number): [number, number] => [
    x1 + acrossX * across + upX * up,
    y1 + acrossY * across + upY * up,
  ]
  const ems = em > 0 ? Math.hypot(upX, upY) / em : 0
  const isKnown = baseline !== undefined && ems > 0
  const low = isKnown ? Math.max(BOTTOM_SHARE, baseline - DEPTH / ems) : BOTTOM_SHARE
  const high = isKnown ? Math.min(1 - TOP_SHARE, baseline + HEIGHT / ems) : 1 - TOP_SHARE
  return [...at(side, low), ...at(1 - side, low), ...at(1 - side, high), ...at(side, high)]
}

function uniteAll(all: readonly Bounds[]): Bounds {
  const whole = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { left, bottom, right, top } of all) {
    whole.left = Math.min(whole.left, left)
    whole.bottom = Math.min(whole.bottom, bottom)
    whole.right = Math.max(whole.right, right)
    whole.top = Math.max(whole.top, top)
  }
  return whole
}
