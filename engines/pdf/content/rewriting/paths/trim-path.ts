import { invertMatrix } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import { writeNumber } from '../../../syntax/number-text'
import { clipLine, clipPolygon, clipRectangle } from './clip-shapes'
import type { ContentFilter } from '../content-filter'
import { contains, grow } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { readSubpaths } from './subpaths'
import type { Segment, Subpath } from './subpaths'
import { closeWithLine, cornersOf, isUpright, writeRectangle, writeSegment, writeWhole } from './write-path'

interface Request {
  /** The operators that construct the path. */
  span: Uint8Array
  /** Maps to default user space of the page. */
  matrix: Matrix
  /** How far paint extends beyond the path, in default user space of the page. */
  reach: number
  filter: ContentFilter
  clip: Bounds
}

/** Margin around the remaining area in user space units. Several times larger than the effect of anti-aliasing. */
const MARGIN = 2

/**
 * Removes parts of a path that don't affect the remaining area. Each method returns the operators of the remaining
 * path. They are empty if nothing remains, and undefined if nothing can be removed.
 */
export class PathTrimmer {
  private readonly subpaths: Subpath[]
  private isCut = false
  /**
   * Paths are clipped to this area. It is larger than the remaining area, so that no edge made by clipping is visible.
   */
  private readonly area: Bounds | undefined
  private readonly inverse: Matrix | undefined

  constructor(private readonly request: Request) {
    const { filter, reach, matrix } = request
    this.area = filter.area && grow(filter.area, reach + MARGIN)
    this.inverse = invertMatrix(matrix)
    this.subpaths = readSubpaths(request.span, request.matrix)
  }

  /** Removes subpaths that lie completely outside. The result of both fill rules doesn't change inside. */
  dropSubpaths(): string | undefined {
    return this.result(this.remainingSubpaths().flatMap(subpath => writeWhole(subpath)))
  }

  /**
   * Removes subpaths like `dropSubpaths`, and clips the others. An outline that leaves the remaining area on one side
   * and comes back becomes a line there. The winding number of each point inside doesn't change.
   */
  cutFill(): string | undefined {
    return this.result(
      this.remainingSubpaths().flatMap(
        subpath => this.clip(subpath) ?? (subpath.isRectangle ? writeWhole(subpath) : this.straighten(subpath)),
      ),
    )
  }

  /** Clips a polygon. Undefined if the subpath has curves or if there is nothing to clip. */
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

  /** Removes segments outside. `closes` says whether the operator closes the last subpath. */
  cutStroke(closes: boolean, isDashed: boolean): string | undefined {
    const last = this.subpaths.at(-1)
    if (closes && last) last.isClosed = true
    return this.result(this.remainingSubpaths().flatMap(subpath => this.breakUp(subpath, isDashed)))
  }

  private result(operators: string[]): string | undefined {
    return this.isCut ? operators.join(' ') : undefined
  }

  private remainingSubpaths(): Subpath[] {
    const remaining = this.subpaths.filter(subpath => this.stays(subpath.bounds))
    if (remaining.length < this.subpaths.length) this.isCut = true
    return remaining
  }

  private stays(bounds: Bounds): boolean {
    const { filter, clip, reach } = this.request
    return filter.decide({ kind: 'segment', bounds: grow(bounds, reach), clip, em: 0 }) !== 'remove'
  }

  private straighten({ x, y, segments, isClosed }: Subpath): string[] {
    const operators = [`${writeNumber(x)} ${writeNumber(y)} m`]
    const { filter, reach } = this.request
    for (let index = 0; index < segments.length;) {
      const segment = segments[index] as Segment
      let sides = filter.sidesOf(grow(segment.bounds, reach))
      let last = index
      while (sides !== 0 && last + 1 < segments.length) {
        const commonSides = sides & filter.sidesOf(grow((segments[last + 1] as Segment).bounds, reach))
        if (commonSides === 0) break
        sides = commonSides
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
    // Dashes count from the start of the path, so only the end can be removed without moving the dashes.
    if (isDashed) stays.fill(true, 0, stays.lastIndexOf(true) + 1)
    const isWhole = !stays.includes(false) && (isDashed || !this.area || contains(this.area, subpath.bounds))
    if (isWhole) return writeWhole(subpath)
    this.isCut = true
    // Start a closed path after a gap, so that the join at its starting point stays a join.
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

  /** Clips a line. Curves and dashed lines don't change. */
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
