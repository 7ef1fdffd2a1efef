import type { Matrix } from '../../../geometry/matrix'
import { writeNumber } from '../../../syntax/number-text'
import { boundsOfPoints } from './subpaths'
import type { Segment, Subpath } from './subpaths'

/** Adds the closing segment. A single line isn't drawn back to its start, because viewers would draw it thicker. */
export function closeWithLine({ x, y, segments }: Subpath, matrix: Matrix): Segment[] {
  const [endX = x, endY = y] = segments.at(-1)?.points.slice(-2) ?? []
  const isLine = segments.length === 1 && segments[0]?.points.length === 2
  return isLine || (endX === x && endY === y)
    ? segments
    : [...segments, { points: [x, y], bounds: boundsOfPoints(matrix, [endX, endY, x, y]) }]
}

/** The operators that construct an unchanged subpath. */
export function writeWhole({ x, y, segments, isClosed, isRectangle }: Subpath): string[] {
  if (isRectangle) return [writeRectangle([x, y, ...segments.flatMap(segment => segment.points)])]
  return [`${writeNumber(x)} ${writeNumber(y)} m`, ...segments.map(writeSegment), ...(isClosed ? ['h'] : [])]
}

/** The corners of a subpath without curves. */
export function cornersOf({ x, y, segments }: Subpath): number[] {
  return [x, y, ...segments.flatMap(({ points }) => points)]
}

/** The `re` operator for a rectangle, given by its corners in order. */
export function writeRectangle([x = 0, y = 0, , , farX = x, farY = y]: number[]): string {
  return `${[x, y, farX - x, farY - y].map(writeNumber).join(' ')} re`
}

/** The operator that appends a segment. */
export function writeSegment({ points }: Segment): string {
  return `${points.map(writeNumber).join(' ')} ${points.length === 2 ? 'l' : 'c'}`
}

/** Returns whether upright rectangles stay upright under the matrix. */
export function isUpright([a, b, c, d]: Matrix): boolean {
  return (b === 0 && c === 0) || (a === 0 && d === 0)
}
