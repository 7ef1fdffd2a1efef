import { invertMatrix } from '../../pdf-core/geometry/matrix'
import type { Matrix } from '../../pdf-core/geometry/matrix'
import { writeNumber } from '../../pdf-core/syntax/number-text'
import { clipLine, clipPolygon, clipRectangle } from './clip-shapes'
import type { ContentFilter } from '../content-filter'
import { contains, grow } from '../geometry/geometry'
import type { Bounds } from '../geometry/geometry'
import { readSubpaths } from './subpaths'
import type { Segment, Subpath } from './subpaths'
import { closeWithLine, cornersOf, isUpright, writeRectangle, writeSegment, writeWhole } from './write-path'

interface Request {
  /** The operators that build the path. */
  span: Uint8Array
  /** To the user space of the page. */
  matrix: Matrix
  /** How far paint reaches beyond the path, in the user space of the page. */
  reach: number
  decider: ContentFilter
  clip: Bounds
}

/** Units of user space around what stays; a multiple of what smoothing may show. */
const MARGIN = 2

/**
 * Takes parts out of a path that have no effect on what stays. Each method gives the operators of the path that is
 * left, empty when nothing is, or undefined when nothing can be taken out.
 */
export class PathCutter {
  private readonly subpaths: Subpath[]
  private isCut = false
  /** What paths are cut to: what stays, and so far around it that no edge or corner made by cutting can be seen. */
  private readonly area: Bounds | undefined
  private readonly inverse: Matrix | undefined

  constructor(private readonly request: Request) {
    const { decider, reach, matrix } = request
    this.area = decider.area && grow(decider.area, reach + MARGIN)
    this.inverse = invertMatrix(matrix)
    this.subpaths = readSubpaths(request.span, request.matrix)
  }

  /** Without the subpaths that lie wholly outside, which changes neither fill rule inside. */
  dropSubpaths(): string | undefined {
    return this.result(this.staying().flatMap(subpath => writeWhole(subpath)))
  }

  /**
   * Also without the detours of its outlines: what runs beyond one side of what stays, and comes back, becomes a line.
   * The outline winds around each point inside as often as before.
   */
  cutFill(): string | undefined {
    return this.result(
      this.staying().flatMap(
        subpath => this.clip(subpath) ?? (subpath.isRectangle ? writeWhole(subpath) : this.straighten(subpath)),
      ),
    )
  }

  /** A polygon cut to what stays; undefined where there are curves, or nothing to cut. */
  private clip(subpath: Subpath): string[] | undefined {
    const { matrix } = this.request
    const { area, inverse } = this
    if (!area || !inverse || contains(area, subpath.bounds) || subpath.segments.some(({ points }) => points.length > 2))
      return undefined
    this.isCut = true
    if (subpath.isRectangle && isUpright(matrix))
      return [writeRectangle(clipRectangle(cornersOf(subpath), { matrix, inverse, area }))]
    const corners = clipPolygon(cornersOf(subpath), { matrix, inverse, area })
    if (corners.length < 6) return []
    const operators: string[] = []
    for (let at = 0; at < corners.length; at += 2)
      operators.push(
        `${writeNumber(corners[at] as number)} ${writeNumber(corners[at + 1] as number)} ${at === 0 ? 'm' : 'l'}`,
      )
    return [...operators, 'h']
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
    for (let index = 0; index < segments.length;) {
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
      operators.push(
        isDetour
          ? `${(segments[last] as Segment).points.slice(-2).map(writeNumber).join(' ')} l`
          : writeSegment(segment),
      )
      index = last + 1
    }
    return isClosed ? [...operators, 'h'] : operators
  }

  private breakUp(subpath: Subpath, isDashed: boolean): string[] {
    const segments = subpath.isClosed ? closeWithLine(subpath, this.request.matrix) : subpath.segments
    const stays = segments.map(segment => this.stays(segment.bounds))
    // Dashes are counted from the beginning: only the end can go without moving them.
    if (isDashed) stays.fill(true, 0, stays.lastIndexOf(true) + 1)
    const isWhole = !stays.includes(false) && (isDashed || !this.area || contains(this.area, subpath.bounds))
    if (isWhole) return writeWhole(subpath)
    this.isCut = true
    // A closed path is gone round from behind a gap, so that the corner at its beginning stays one.
    const first = subpath.isClosed && !isDashed ? stays.indexOf(false) + 1 : 0
    const operators: string[] = []
    let pen: number[] | undefined
    for (let step = 0; step < segments.length; step++) {
      const index = (first + step) % segments.length
      const segment = segments[index] as Segment
      const from = index === 0 ? [subpath.x, subpath.y] : (segments[index - 1] as Segment).points.slice(-2)
      const drawn = stays[index] ? this.shorten(from, segment, isDashed) : undefined
      if (drawn && !(pen && pen[0] === drawn.from[0] && pen[1] === drawn.from[1]))
        operators.push(`${drawn.from.map(writeNumber).join(' ')} m`)
      if (drawn) operators.push(writeSegment(drawn.segment))
      pen = drawn?.segment.points.slice(-2)
    }
    return operators
  }

  /** A line cut to what stays; curves, and lines with dashes, stay as they are. */
  private shorten(
    from: number[],
    segment: Segment,
    isDashed: boolean,
  ): { from: number[]; segment: Segment } | undefined {
    const { area, inverse, request } = this
    const isCuttable = area && inverse && !isDashed && segment.points.length === 2 && !contains(area, segment.bounds)
    if (!isCuttable) return { from, segment }
    const line = clipLine([...from, ...segment.points], { matrix: request.matrix, area })
    return line && { from: line.slice(0, 2), segment: { ...segment, points: line.slice(2) } }
  }
}
