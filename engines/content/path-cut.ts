import type { Matrix } from '../pdf-core/frame'
import type { Decider } from './decider'
import { grow, writeNumber } from './geometry'
import type { Bounds } from './geometry'
import { ContentReader } from './tokens'

/** A line or a curve, by the coordinates that its operator takes; the last two are its end. */
interface Segment {
  points: number[]
  /** In the user space of the page. */
  bounds: Bounds
}

interface Subpath {
  x: number
  y: number
  segments: Segment[]
  isClosed: boolean
  isRectangle: boolean
  bounds: Bounds
}

interface Request {
  /** The operators that build the path. */
  span: Uint8Array
  /** To the user space of the page. */
  matrix: Matrix
  /** How far paint reaches beyond the path, in the user space of the page. */
  reach: number
  decider: Decider
  clip: Bounds
}

/**
 * Takes parts out of a path that have no effect on what stays. Each method gives the operators of the path that is left,
 * empty when nothing is, or undefined when nothing can be taken out.
 */
export class PathCutter {
  private readonly subpaths: Subpath[]
  private isCut = false

  constructor(private readonly request: Request) {
    this.subpaths = readSubpaths(request)
  }

  /** Without the subpaths that lie wholly outside, which changes neither fill rule inside. */
  dropSubpaths(): string | undefined {
    return this.result(this.staying().flatMap(subpath => writeWhole(subpath)))
  }

  /**
   * Also without the detours of its outlines: what runs beyond one side of what stays, and comes back, becomes a line. The
   * outline winds around each point inside as often as before.
   */
  cutFill(): string | undefined {
    return this.result(this.staying().flatMap(subpath => (subpath.isRectangle ? writeWhole(subpath) : this.straighten(subpath))))
  }

  /** Without the segments outside. `closes` says that the operator closes the last subpath. */
  cutStroke(closes: boolean, isDashed: boolean): string | undefined {
    const last = this.subpaths.at(-1)
    if (closes && last) last.isClosed = true
    return this.result(this.staying().flatMap(subpath => this.breakUp(subpath, isDashed)))
  }

  private result(operators: string[]): string | undefined {
    return this.isCut ? operators.join(' ') : undefined
  }

  private staying(): Subpath[] {
    const staying = this.subpaths.filter(subpath => this.stays(subpath.bounds))
    if (staying.length < this.subpaths.length) this.isCut = true
    return staying
  }

  private stays(bounds: Bounds): boolean {
    const { decider, clip, reach } = this.request
    return decider.decide({ kind: 'segment', bounds: grow(bounds, reach), clip, em: 0 }) !== 'remove'
  }

  private straighten({ x, y, segments, isClosed }: Subpath): string[] {
    const operators = [`${writeNumber(x)} ${writeNumber(y)} m`]
    const { decider, reach } = this.request
    for (let index = 0; index < segments.length; ) {
      const segment = segments[index] as Segment
      let sides = decider.sidesOf(grow(segment.bounds, reach))
      let last = index
      while (sides !== 0 && last + 1 < segments.length) {
        const further = sides & decider.sidesOf(grow((segments[last + 1] as Segment).bounds, reach))
        if (further === 0) break
        sides = further
        last++
      }
      const isDetour = sides !== 0 && (last > index || segment.points.length > 2)
      if (isDetour) this.isCut = true
      operators.push(isDetour ? `${(segments[last] as Segment).points.slice(-2).map(writeNumber).join(' ')} l` : writeSegment(segment))
      index = last + 1
    }
    return isClosed ? [...operators, 'h'] : operators
  }

  private breakUp(subpath: Subpath, isDashed: boolean): string[] {
    const segments = subpath.isClosed ? closeWithLine(subpath, this.request.matrix) : subpath.segments
    const stays = segments.map(segment => this.stays(segment.bounds))
    // Dashes are counted from the beginning: only the end can go without moving them.
    if (isDashed) stays.fill(true, 0, stays.lastIndexOf(true) + 1)
    if (!stays.includes(false)) return writeWhole(subpath)
    this.isCut = true
    // A closed path is gone round from behind a gap, so that the corner at its beginning stays one.
    const first = subpath.isClosed && !isDashed ? stays.indexOf(false) + 1 : 0
    const operators: string[] = []
    let isDrawing = false
    for (let step = 0; step < segments.length; step++) {
      const index = (first + step) % segments.length
      if (!stays[index]) {
        isDrawing = false
        continue
      }
      const [x, y] = index === 0 ? [subpath.x, subpath.y] : ((segments[index - 1] as Segment).points.slice(-2) as [number, number])
      if (!isDrawing) operators.push(`${writeNumber(x)} ${writeNumber(y)} m`)
      operators.push(writeSegment(segments[index] as Segment))
      isDrawing = true
    }
    return operators
  }
}

function closeWithLine({ x, y, segments }: Subpath, matrix: Matrix): Segment[] {
  const [endX = x, endY = y] = segments.at(-1)?.points.slice(-2) ?? []
  return endX === x && endY === y ? segments : [...segments, { points: [x, y], bounds: boundsOfPoints(matrix, [endX, endY, x, y]) }]
}

function writeWhole({ x, y, segments, isClosed, isRectangle }: Subpath): string[] {
  if (isRectangle) {
    const [, , farX = x, farY = y] = segments.flatMap(segment => segment.points)
    return [`${[x, y, farX - x, farY - y].map(writeNumber).join(' ')} re`]
  }
  return [`${writeNumber(x)} ${writeNumber(y)} m`, ...segments.map(writeSegment), ...(isClosed ? ['h'] : [])]
}

function writeSegment({ points }: Segment): string {
  return `${points.map(writeNumber).join(' ')} ${points.length === 2 ? 'l' : 'c'}`
}

function boundsOfPoints([a, b, c, d, e, f]: Matrix, points: readonly number[]): Bounds {
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
  return { left: Math.min(one.left, other.left), bottom: Math.min(one.bottom, other.bottom), right: Math.max(one.right, other.right), top: Math.max(one.top, other.top) }
}

/** The subpaths of a path; ones without a segment, which nothing is drawn of, are left out. */
function readSubpaths({ span, matrix }: Request): Subpath[] {
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
    // After a closed subpath the next one begins where that one did.
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
        for (const corner of [[left + width, bottom], [left + width, bottom + height], [left, bottom + height]]) add(corner)
        subpath.isClosed = subpath.isRectangle = true
        ;[x, y] = [left, bottom]
        break
      }
    }
  }
  return subpaths.filter(subpath => subpath.segments.length > 0 || subpath.isClosed)
}
