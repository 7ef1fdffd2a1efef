import type { Box } from '../../geometry/box'
import { invertMatrix } from '../../geometry/matrix'
import type { Matrix } from '../../geometry/matrix'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'
import { boundsOf, boundsOfBox, contains, grow, intersect, mapCorners, overlap } from '../../geometry/geometry'
import type { Bounds } from '../../geometry/geometry'

/** How far glyph shapes may extend beyond their boxes, in ems. */
const OVERHANG = 0.02

/** How far anti-aliasing of a path's edge may show, in user space units. */
const SMOOTHING = 0.5

/** How far the blocks of JPEG images may extend beyond the box, in user space units: 2 mm. */
const SLACK = 5.7

/**
 * Distance in which the borders of images are repeated: one screen pixel in user space units, and the maximum in
 * pixels.
 */
const BLEED = 1
const MOST_BLEED = 32

/** Distance from the center of a pixel to its corners, rounded up, in pixels. */
const HALF_DIAGONAL = 1.5

/** Smaller numbers come from rounding. */
const ROUNDING = 1e-9

/**
 * Keeps the visible content in a box. The box is in default user space of the page. For a clipped element, only its
 * visible part counts. An invisible element counts with its full bounds. Glyphs stay if they touch the box.
 */
export class KeepBox implements ContentFilter {
  readonly key: string
  readonly area: Bounds

  constructor(box: Box) {
    this.area = boundsOfBox(box)
    this.key = [box.x, box.y, box.width, box.height].join(' ')
  }

  decide({ kind, bounds, clip, em }: Element): Verdict {
    const reach = grow(bounds, em * OVERHANG)
    const visible = intersect(reach, clip)
    const relevant = visible.left <= visible.right && visible.bottom <= visible.top ? visible : reach
    if (!overlap(grow(relevant, flatness(relevant)), this.area)) return 'remove'
    if (kind === 'glyph') return 'keep'
    return contains(this.area, relevant) ? 'keep' : 'cut'
  }

  cutImage({ matrix, width, height }: { matrix: Matrix; width: number; height: number }): PixelCut {
    const inverse = invertMatrix(matrix)
    if (!inverse) return { left: 0, top: 0, width: 0, height: 0, cleared: [], slackPixels: 0, bleedPixels: 0 }
    const { left, bottom, right, top } = boundsOf(mapCorners(inverse, this.area))
    // Keep one more pixel on each side, because viewers blend neighboring pixels.
    const [firstX, lastX] = [Math.floor(left * width) - 1, Math.ceil(right * width) + 1]
    const [firstY, lastY] = [Math.floor((1 - top) * height) - 1, Math.ceil((1 - bottom) * height) + 1]
    const [a, b, c, d, e, f] = matrix
    const pixelSize = Math.max(Math.hypot(a, b) / width, Math.hypot(c, d) / height)
    const cut = {
      left: firstX,
      top: firstY,
      width: lastX - firstX,
      height: lastY - firstY,
      cleared: [],
      slackPixels: Math.floor(SLACK / pixelSize),
      bleedPixels: pixelSize < BLEED ? Math.min(MOST_BLEED, Math.ceil(BLEED / pixelSize)) : 0,
    }
    const areZero = (one: number, other: number): boolean => Math.abs(one) < ROUNDING && Math.abs(other) < ROUNDING
    if (areZero(b, c) || areZero(a, d)) return cut
    // A rotated image has no straight border to repeat.
    const area = grow(this.area, pixelSize * HALF_DIAGONAL)
    const isCleared = (x: number, y: number): boolean => {
      const [across, up] = [(x + 0.5) / width, 1 - (y + 0.5) / height]
      const [userX, userY] = [a * across + c * up + e, b * across + d * up + f]
      return userX < area.left || userX > area.right || userY < area.bottom || userY > area.top
    }
    return {
      ...cut,
      bleedPixels: 0,
      cleared: [{ left: firstX, top: firstY, right: lastX, bottom: lastY, isCleared }],
    }
  }

  sidesOf(bounds: Bounds): number {
    const { left, bottom, right, top } = grow(this.area, SMOOTHING)
    return (
      (bounds.right < left ? 1 : 0) |
      (bounds.left > right ? 2 : 0) |
      (bounds.top < bottom ? 4 : 0) |
      (bounds.bottom > top ? 8 : 0)
    )
  }
}

/** Gives a rectangle without area a minimal size, so that it can overlap other rectangles. */
function flatness({ left, bottom, right, top }: Bounds): number {
  return left === right || bottom === top ? 1e-6 : 0
}
