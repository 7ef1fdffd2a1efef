import type { Box } from '../../pdf-core/geometry/box'
import type { Matrix } from '../../pdf-core/geometry/matrix'

/** A rectangle by its edges; nothing is inside of one whose left is not below its right. */
export interface Bounds {
  left: number
  bottom: number
  right: number
  top: number
}

/** Four corners in turn: x and y of each. */
export type Quad = readonly [number, number, number, number, number, number, number, number]

/** More than any page, and still a number to calculate with. */
const FAR = 1e9

/** Bounds that everything is inside of. */
export const EVERYWHERE: Bounds = { left: -FAR, bottom: -FAR, right: FAR, top: FAR }

/** Where a matrix puts the corners of a rectangle. */
export function mapCorners([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Bounds): Quad {
  return [
    a * left + c * bottom + e,
    b * left + d * bottom + f,
    a * right + c * bottom + e,
    b * right + d * bottom + f,
    a * right + c * top + e,
    b * right + d * top + f,
    a * left + c * top + e,
    b * left + d * top + f,
  ]
}

/** The upright rectangle around four corners. */
export function boundsOf(quad: Quad): Bounds {
  const [x1, y1, x2, y2, x3, y3, x4, y4] = quad
  return {
    left: Math.min(x1, x2, x3, x4),
    bottom: Math.min(y1, y2, y3, y4),
    right: Math.max(x1, x2, x3, x4),
    top: Math.max(y1, y2, y3, y4),
  }
}

/** What two rectangles have in common; one without inside when that is nothing. */
export function intersect(one: Bounds, other: Bounds): Bounds {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

/** Whether two rectangles share more than an edge; a line or a point counts where it lies inside of the other. */
export function overlap(one: Bounds, other: Bounds): boolean {
  return one.left < other.right && one.right > other.left && one.bottom < other.top && one.top > other.bottom
}

/** The corners of a rectangle in turn. */
export function cornersOf({ left, bottom, right, top }: Bounds): Quad {
  return [left, bottom, right, bottom, right, top, left, top]
}

/** Whether a parallelogram and an upright rectangle have a point in common, edges apart: no line separates them. */
export function meets(quad: Quad, hole: Bounds): boolean {
  if (!overlap(boundsOf(quad), hole)) return false
  const [x1, y1, x2, y2, , , x4, y4] = quad
  const corners = cornersOf(hole)
  for (const [dx, dy] of [
    [x2 - x1, y2 - y1],
    [x4 - x1, y4 - y1],
  ] as const) {
    if (dx === 0 && dy === 0) continue
    const [one, other] = [spanAlong(quad, -dy, dx), spanAlong(corners, -dy, dx)]
    if (one[1] <= other[0] || other[1] <= one[0]) return false
  }
  return true
}

/** Where the corners lie along a direction, from the first to the last. */
function spanAlong(quad: Quad, x: number, y: number): [number, number] {
  const at = [0, 2, 4, 6].map(index => (quad[index] as number) * x + (quad[index + 1] as number) * y)
  return [Math.min(...at), Math.max(...at)]
}

/** Whether no part of `inner` lies outside of `outer`. */
export function contains(outer: Bounds, inner: Bounds): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.bottom >= outer.bottom && inner.top <= outer.top
  )
}

/** The rectangle with its edges moved outwards. */
export function grow({ left, bottom, right, top }: Bounds, by: number): Bounds {
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by }
}

/** A box, given by its corner and size, by its edges. */
export function boundsOfBox({ x, y, width, height }: Box): Bounds {
  return { left: x, bottom: y, right: x + width, top: y + height }
}

/** How much a matrix enlarges at most, sideways or upwards. */
export function largestScaleOf([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}
