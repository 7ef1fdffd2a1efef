import type { Box } from './box'
import type { Matrix } from './matrix'

/** A rectangle by its edges. It is empty unless left is below right and bottom is below top. */
export interface Bounds {
  left: number
  bottom: number
  right: number
  top: number
}

/** Four corners in order: x and y of each. */
export type Quad = readonly [number, number, number, number, number, number, number, number]

/** Larger than any page, but safe for calculations. */
const FAR = 1e9

/** Bounds that contain everything. */
export const EVERYWHERE: Bounds = { left: -FAR, bottom: -FAR, right: FAR, top: FAR }

/** Maps the corners of a rectangle by a matrix. */
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

/** The intersection of two rectangles. May be empty. */
export function intersect(one: Bounds, other: Bounds): Bounds {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

/** Returns whether two rectangles share more than an edge. A line or a point inside the other rectangle counts. */
export function overlap(one: Bounds, other: Bounds): boolean {
  return one.left < other.right && one.right > other.left && one.bottom < other.top && one.top > other.bottom
}

/** The corners of a rectangle, in order. */
export function cornersOf({ left, bottom, right, top }: Bounds): Quad {
  return [left, bottom, right, bottom, right, top, left, top]
}

/**
 * Returns whether a parallelogram and an upright rectangle share a point, apart from edges (separating axis theorem).
 */
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

/** The range of the corners along a direction. */
function spanAlong(quad: Quad, x: number, y: number): [number, number] {
  const at = [0, 2, 4, 6].map(index => (quad[index] as number) * x + (quad[index + 1] as number) * y)
  return [Math.min(...at), Math.max(...at)]
}

/** Returns whether `inner` lies completely inside `outer`. */
export function contains(outer: Bounds, inner: Bounds): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.bottom >= outer.bottom && inner.top <= outer.top
  )
}

/** The rectangle with its edges moved outward. */
export function grow({ left, bottom, right, top }: Bounds, by: number): Bounds {
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by }
}

/** Converts a box with a corner and a size to bounds. */
export function boundsOfBox({ x, y, width, height }: Box): Bounds {
  return { left: x, bottom: y, right: x + width, top: y + height }
}

/** The larger scale factor of a matrix, along its x or y axis. */
export function largestScaleOf([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}
