import type { Matrix } from '../../../geometry/matrix'
import { ContentReader } from '../../../syntax/content-reader'
import type { Bounds } from '../../../geometry/geometry'

/** A line or a curve with the operands of its operator. The last two are its end point. */
export interface Segment {
  points: number[]
  /** In default user space of the page. */
  bounds: Bounds
}

export interface Subpath {
  x: number
  y: number
  segments: Segment[]
  isClosed: boolean
  isRectangle: boolean
  bounds: Bounds
}

/**
 * Reads the subpaths that operators construct. `matrix` maps to default user space of the page. Leaves out subpaths
 * without segments, because they draw nothing.
 */
export function readSubpaths(span: Uint8Array, matrix: Matrix): Subpath[] {
  const reader = new ContentReader(span)
  const subpaths: Subpath[] = []
  let current: Subpath | undefined
  let [x, y] = [0, 0]
  const begin = (atX: number, atY: number): Subpath => {
    ;[x, y] = [atX, atY]
    const subpath = { x, y, segments: [], isClosed: false, isRectangle: false, bounds: boundsOfPoints(matrix, [x, y]) }
    subpaths.push(subpath)
    return (current = subpath)
  }
  const add = (points: number[]): void => {
    // After a closed subpath, the next subpath begins at the same point.
    const subpath = !current || current.isClosed ? begin(current?.x ?? x, current?.y ?? y) : current
    const bounds = boundsOfPoints(matrix, [x, y, ...points])
    subpath.segments.push({ points, bounds })
    subpath.bounds = unite(subpath.bounds, bounds)
    ;[x, y] = points.slice(-2) as [number, number]
  }
  while (reader.next()) {
    const n = (fromEnd: number): number => reader.number(fromEnd)
    switch (reader.operator) {
      case 'm':
        begin(n(1), n(0))
        break
      case 'l':
        add([n(1), n(0)])
        break
      case 'c':
        add([n(5), n(4), n(3), n(2), n(1), n(0)])
        break
      case 'v':
        add([x, y, n(3), n(2), n(1), n(0)])
        break
      case 'y':
        add([n(3), n(2), n(1), n(0), n(1), n(0)])
        break
      case 'h':
        if (current) {
          current.isClosed = true
          ;[x, y] = [current.x, current.y]
        }
        break
      case 're': {
        const [left, bottom, width, height] = [n(3), n(2), n(1), n(0)]
        const subpath = begin(left, bottom)
        for (const corner of [
          [left + width, bottom],
          [left + width, bottom + height],
          [left, bottom + height],
        ])
          add(corner)
        subpath.isClosed = subpath.isRectangle = true
        ;[x, y] = [left, bottom]
        break
      }
    }
  }
  return subpaths.filter(subpath => subpath.segments.length > 0 || subpath.isClosed)
}

/** The bounds of points after mapping. */
export function boundsOfPoints([a, b, c, d, e, f]: Matrix, points: readonly number[]): Bounds {
  const bounds = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (let index = 0; index + 1 < points.length; index += 2) {
    const [x, y] = [points[index] as number, points[index + 1] as number]
    const [userX, userY] = [a * x + c * y + e, b * x + d * y + f]
    bounds.left = Math.min(bounds.left, userX)
    bounds.right = Math.max(bounds.right, userX)
    bounds.bottom = Math.min(bounds.bottom, userY)
    bounds.top = Math.max(bounds.top, userY)
  }
  return bounds
}

function unite(one: Bounds, other: Bounds): Bounds {
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  }
}
