import type { Box, Matrix } from '../pdf-core/frame'

/** A rectangle by its edges; nothing is inside of one whose left is not below its right. */
export interface Bounds {
  left: number
  bottom: number
  right: number
  top: number
}

/** Four corners in turn: x and y of each. */
export type Quad = readonly [number, number, number, number, number, number, number, number]

/** The matrix that changes nothing. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** More than any page, and still a number to calculate with. */
const FAR = 1e9

/** Bounds that everything is inside of. */
export const EVERYWHERE: Bounds = { left: -FAR, bottom: -FAR, right: FAR, top: FAR }

/** First `inner`, then `outer`: what `cm` with `inner` makes of the matrix `outer`. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** The matrix that undoes another; undefined when that one leaves no area. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const determinant = a * d - b * c
  if (Math.abs(determinant) < 1e-12) return undefined
  return [d / determinant, -b / determinant, -c / determinant, a / determinant, (c * f - d * e) / determinant, (b * e - a * f) / determinant]
}

/** Where a matrix puts the corners of a rectangle. */
export function mapCorners([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Bounds): Quad {
  return [
    a * left + c * bottom + e, b * left + d * bottom + f,
    a * right + c * bottom + e, b * right + d * bottom + f,
    a * right + c * top + e, b * right + d * top + f,
    a * left + c * top + e, b * left + d * top + f,
  ]
}

/** The upright rectangle around four corners. */
export function boundsOf(quad: Quad): Bounds {
  const [x1, y1, x2, y2, x3, y3, x4, y4] = quad
  return { left: Math.min(x1, x2, x3, x4), bottom: Math.min(y1, y2, y3, y4), right: Math.max(x1, x2, x3, x4), top: Math.max(y1, y2, y3, y4) }
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

/** Whether no part of `inner` lies outside of `outer`. */
export function contains(outer: Bounds, inner: Bounds): boolean {
  return inner.left >= outer.left && inner.right <= outer.right && inner.bottom >= outer.bottom && inner.top <= outer.top
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
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}

/** A number as content streams take it: no exponent, at most six decimals. */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) < 5e-7) return '0'
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const text = String(value)
  const isShort = !text.includes('e') && text.length - text.indexOf('.') <= 7
  return isShort ? text : value.toFixed(6).replace(/\.?0+$/, '')
}
