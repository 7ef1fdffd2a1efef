import type { Matrix } from '../../../geometry/matrix'
import { writeNumber } from '../../../syntax/number-text'
import { contains, overlap } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { boundsOfPoints, readSubpaths } from './subpaths'
import type { Segment, Subpath } from './subpaths'
import { closeWithLine, isUpright, writeSegment, writeWhole } from './write-path'

/** Maximum distance between a curve and the lines that replace it, in user space units. */
const FLATNESS = 0.01

/** Maximum number of lines that replace one curve. */
const MOST_LINES = 64

/** A point in default user space of the page (x, y) and in the space of the path (ownX, ownY). */
interface Point {
  x: number
  y: number
  ownX: number
  ownY: number
}

/** Connected lines and curves with their operators. */
interface Chain {
  from: [number, number]
  to: [number, number]
  operators: string[]
}

/**
 * Cuts rectangles ("holes") out of a path. Parts outside of the holes keep their numbers. Curves that pass through a
 * hole become lines. Both methods return the operators of the remaining path. They are empty if nothing remains, and
 * undefined if the path doesn't change.
 */
export class PathHoles {
  private readonly subpaths: Subpath[]

  /**
   * `span` has the operators that construct the path. `matrix` maps to default user space. The holes are in this space.
   */
  constructor(private readonly path: { span: Uint8Array; matrix: Matrix; holes: readonly Bounds[] }) {
    this.subpaths = readSubpaths(path.span, path.matrix)
  }

  /** The operators of the unchanged path. */
  whole(): string {
    return this.subpaths.flatMap(writeWhole).join(' ')
  }

  /**
   * Cuts a filled path, for both fill rules. The winding number of each point outside of the holes doesn't change. An
   * outline that crosses no hole stays, even if it surrounds one, because it reveals nothing about the hole's content.
   */
  fill(operator: string): string | undefined {
    const crossesHole = this.subpaths.map(subpath => this.closed(subpath).some(segment => this.isUnder(segment.bounds)))
    if (!crossesHole.includes(true)) return undefined
    const [only, second] = this.subpaths
    const parts = this.subpaths.flatMap((subpath, index) =>
      crossesHole[index] ? this.carve(subpath).map(writePolygon) : [writeWhole(subpath).join(' ')],
    )
    // Viewers snap the edges of a single rectangle to pixels, but not the edges of several rectangles in one path.
    const isSplit =
      only !== undefined && !second && only.isRectangle && isUpright(this.path.matrix) && parts.length === 2
    return parts.join(isSplit ? ` ${operator} ` : ' ')
  }

  /**
   * Cuts a stroked path where the center of the line passes through a hole. `closes` says whether the operator closes
   * the last subpath.
   */
  stroke(closes: boolean): string | undefined {
    const last = this.subpaths.at(-1)
    if (closes && last) last.isClosed = true
    let isCut = false
    const parts = this.subpaths.flatMap(subpath => {
      const segments = this.closed(subpath, subpath.isClosed)
      if (!segments.some(segment => this.isUnder(segment.bounds))) return writeWhole(subpath)
      isCut = true
      return this.breakUp(subpath, segments)
    })
    return isCut ? parts.join(' ') : undefined
  }

  private closed(subpath: Subpath, isClosed = true): Segment[] {
    return isClosed ? closeWithLine(subpath, this.path.matrix) : subpath.segments
  }

  /** Returns whether bounds overlap a hole. A line without width inside a hole counts. */
  private isUnder(bounds: Bounds): boolean {
    return this.path.holes.some(hole => overlap(bounds, hole))
  }

  /**
   * The polygons that remain of a filled subpath. For each hole: the parts on both sides in full height, and the parts
   * above and below.
   */
  private carve(subpath: Subpath): Point[][] {
    let polygons = [this.corners(subpath)]
    for (const hole of this.path.holes) {
      polygons = polygons.flatMap(polygon => {
        const bounds = boundsOfCorners(polygon)
        if (!overlap(bounds, hole)) return [polygon]
        if (contains(hole, bounds)) return []
        const middle = cutSide(cutSide(polygon, 'x', hole.left, 1), 'x', hole.right, -1)
        const pieces = [
          cutSide(polygon, 'x', hole.left, -1),
          cutSide(polygon, 'x', hole.right, 1),
          cutSide(middle, 'y', hole.bottom, -1),
          cutSide(middle, 'y', hole.top, 1),
        ]
        return pieces.filter(hasArea)
      })
    }
    return polygons
  }

  private corners(subpath: Subpath): Point[] {
    const points = [this.place(subpath.x, subpath.y)]
    let from: [number, number] = [subpath.x, subpath.y]
    for (const segment of subpath.segments) {
      for (const line of this.flatten(from, segment)) points.push(this.place(line[0], line[1]))
      from = endOf(segment)
    }
    return points
  }

  private place(ownX: number, ownY: number): Point {
    const [a, b, c, d, e, f] = this.path.matrix
    return { x: a * ownX + c * ownY + e, y: b * ownX + d * ownY + f, ownX, ownY }
  }

  /**
   * The end points of the lines that replace a segment, in the space of the path. `count` equal steps of a Bézier curve
   * differ from it by at most 3/4 of its largest second difference, divided by the square of `count`.
   */
  private flatten([x, y]: [number, number], { points }: Segment): [number, number][] {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points
    if (points.length === 2) return [[x1, y1]]
    const [a, b, c, d] = this.path.matrix
    const lengthOnPage = (ownX: number, ownY: number): number => Math.hypot(a * ownX + c * ownY, b * ownX + d * ownY)
    const bend = Math.max(
      lengthOnPage(x - 2 * x1 + x2, y - 2 * y1 + y2),
      lengthOnPage(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
    )
    const count = Math.min(MOST_LINES, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / FLATNESS))))
    return Array.from({ length: count }, (_, index) => {
      const share = (index + 1) / count
      const rest = 1 - share
      const at = (p0: number, p1: number, p2: number, p3: number): number =>
        rest * rest * rest * p0 +
        3 * rest * rest * share * p1 +
        3 * rest * share * share * p2 +
        share * share * share * p3
      return [at(x, x1, x2, x3), at(y, y1, y2, y3)]
    })
  }

  private breakUp({ x, y, isClosed }: Subpath, segments: Segment[]): string[] {
    const chains: Chain[] = []
    let from: [number, number] = [x, y]
    for (const segment of segments) {
      if (this.isUnder(segment.bounds)) {
        let start = from
        for (const end of this.flatten(from, segment)) {
          for (const [one, other] of this.uncovered(start, end))
            append(chains, { from: one, to: other, operators: [`${other.map(writeNumber).join(' ')} l`] })
          start = end
        }
      } else append(chains, { from, to: endOf(segment), operators: [writeSegment(segment)] })
      from = endOf(segment)
    }
    // If the subpath is closed, continue through its starting point, so that the join there stays a join.
    const [first] = chains
    const last = chains.at(-1)
    if (isClosed && first && last && first !== last && isSame(last.to, first.from)) {
      first.operators.unshift(...last.operators)
      first.from = last.from
      chains.pop()
    }
    return chains.flatMap(chain => [`${chain.from.map(writeNumber).join(' ')} m`, ...chain.operators])
  }

  /** The parts of a line outside of all holes. */
  private uncovered(from: [number, number], to: [number, number]): [[number, number], [number, number]][] {
    const bounds = boundsOfPoints(this.path.matrix, [...from, ...to])
    let parts: [number, number][] = [[0, 1]]
    for (const hole of this.path.holes) {
      if (!overlap(bounds, hole)) continue
      const [enter, leave] = crossing(this.place(...from), this.place(...to), hole)
      if (enter < leave)
        parts = parts
          .flatMap(([start, end]): [number, number][] => [
            [start, Math.min(end, enter)],
            [Math.max(start, leave), end],
          ])
          .filter(([start, end]) => end - start > 1e-6)
    }
    const at = (part: number): [number, number] =>
      part === 0 ? from : part === 1 ? to : [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]
    return parts.map(([start, end]) => [at(start), at(end)])
  }
}

function endOf({ points }: Segment): [number, number] {
  const [x = 0, y = 0] = points.slice(-2)
  return [x, y]
}

function isSame(one: [number, number], other: [number, number]): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

function append(chains: Chain[], next: Chain): void {
  const last = chains.at(-1)
  if (!last || !isSame(last.to, next.from)) {
    chains.push(next)
    return
  }
  last.operators.push(...next.operators)
  last.to = next.to
}

/**
 * Where a line enters and leaves a rectangle, as fractions of its length. If it leaves before it enters, it is outside.
 */
function crossing(from: Point, to: Point, { left, right, bottom, top }: Bounds): [number, number] {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  let [enter, leave] = [0, 1]
  for (const [step, room] of [
    [-dx, from.x - left],
    [dx, right - from.x],
    [-dy, from.y - bottom],
    [dy, top - from.y],
  ] as const) {
    if (step === 0 && room <= 0) return [1, 0]
    if (step < 0) enter = Math.max(enter, room / step)
    if (step > 0) leave = Math.min(leave, room / step)
  }
  return [enter, leave]
}

/** The part of a polygon on one side of a line across an axis. `sign` is 1 for the side with larger values. */
function cutSide(polygon: readonly Point[], axis: 'x' | 'y', limit: number, sign: 1 | -1): Point[] {
  const cut: Point[] = []
  let before = polygon.at(-1)
  for (const point of polygon) {
    if (!before) break
    const [previousSide, side] = [(before[axis] - limit) * sign, (point[axis] - limit) * sign]
    if (previousSide * side < 0) {
      const part = previousSide / (previousSide - side)
      const between = (one: number, other: number): number => one + (other - one) * part
      cut.push({
        x: between(before.x, point.x),
        y: between(before.y, point.y),
        ownX: between(before.ownX, point.ownX),
        ownY: between(before.ownY, point.ownY),
      })
    }
    if (side >= 0) cut.push(point)
    before = point
  }
  return cut
}

function hasArea(polygon: readonly Point[]): boolean {
  if (polygon.length < 3) return false
  const { left, right, bottom, top } = boundsOfCorners(polygon)
  return right - left > 1e-6 && top - bottom > 1e-6
}

function boundsOfCorners(polygon: readonly Point[]): Bounds {
  const bounds = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { x, y } of polygon) {
    bounds.left = Math.min(bounds.left, x)
    bounds.right = Math.max(bounds.right, x)
    bounds.bottom = Math.min(bounds.bottom, y)
    bounds.top = Math.max(bounds.top, y)
  }
  return bounds
}

function writePolygon(polygon: readonly Point[]): string {
  const [one, other, across, last] = polygon
  if (polygon.length === 4 && one && other && across && last && isUprightOwn(polygon)) {
    // `re` draws along x first. If the outline leaves its first corner along y, start at another corner to keep the
    // winding.
    const [from, to] = one.ownY === other.ownY ? [one, across] : [other, last]
    return `${[from.ownX, from.ownY, to.ownX - from.ownX, to.ownY - from.ownY].map(writeNumber).join(' ')} re`
  }
  return [
    ...polygon.map(({ ownX, ownY }, index) => `${writeNumber(ownX)} ${writeNumber(ownY)} ${index === 0 ? 'm' : 'l'}`),
    'h',
  ].join(' ')
}

/** Returns whether four corners form a rectangle along the axes of the path's own space. */
function isUprightOwn(polygon: readonly Point[]): boolean {
  return polygon.every((point, index) => {
    const next = polygon[(index + 1) % polygon.length] as Point
    const after = polygon[(index + 2) % polygon.length] as Point
    return (
      (point.ownX === next.ownX && next.ownY === after.ownY) || (point.ownY === next.ownY && next.ownX === after.ownX)
    )
  })
}
