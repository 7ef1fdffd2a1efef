import type { StreamWalk } from '../content/walk/stream-walk'
import { mapPoint } from '../geometry/matrix'
import { isPaper } from './paper-color'

/** Maximum number of segments of all paths of a page, and of shapes. */
const MAX_SEGMENTS = 200_000
const MAX_SHAPES = 20_000

/** Tolerance for horizontal and vertical lines, in user space units. */
const STRAIGHT = 0.6

const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const CLOSES = new Set(['s', 'b', 'b*'])

/** A part of a path that is painted, with its bounds in default user space. */
export interface PathShape {
  /** `line`: a straight horizontal or vertical line. `box`: an upright rectangle. `blob`: any other closed shape. */
  kind: 'line' | 'box' | 'blob'
  left: number
  bottom: number
  right: number
  top: number
  isFilled: boolean
  isStroked: boolean
}

type Paint = Pick<PathShape, 'isFilled' | 'isStroked'>

interface Subpath {
  points: [number, number][]
  isCurved: boolean
}

/** Collects the straight lines, rectangles and small shapes of the paths of a page. */
export class PaintedPaths {
  readonly shapes: PathShape[] = []
  private segmentCount = 0
  private subpaths: Subpath[] = []

  /**
   * Handles an operator that builds or paints a path, and ignores others. Paths on hidden layers leave no shape. Returns
   * whether it paints.
   */
  handle(walk: StreamWalk, isHidden: boolean): boolean {
    const { operator } = walk.reader
    switch (operator) {
      case 'm':
        this.start()
        this.to(walk, 1)
        return false
      case 'l':
        this.to(walk, 1)
        return false
      case 'c':
        this.curve(walk, 3)
        return false
      case 'v':
      case 'y':
        this.curve(walk, 2)
        return false
      case 'h':
        this.close()
        return false
      case 're':
        this.rectangle(walk)
        return false
      case 'n':
        this.subpaths = []
        return false
      default:
        return this.paint(walk, operator, isHidden)
    }
  }

  private paint(walk: StreamWalk, operator: string, isHidden: boolean): boolean {
    const [fills, strokes] = [FILLS.has(operator), STROKES.has(operator)]
    if (!fills && !strokes) return false
    if (CLOSES.has(operator)) this.close()
    const { document, state } = walk
    const paint = {
      isFilled: fills && !isPaper(document, state.fill),
      isStroked: strokes && !isPaper(document, state.stroke),
    }
    const { subpaths } = this
    this.subpaths = []
    if (isHidden) return false
    if (paint.isFilled || paint.isStroked) for (const subpath of subpaths) this.add(subpath, paint)
    return true
  }

  private start(): void {
    if (++this.segmentCount > MAX_SEGMENTS) return
    this.subpaths.push({ points: [], isCurved: false })
  }

  /** Adds a line to the point that ends `fromEnd` pairs before the last operand. */
  private to(walk: StreamWalk, pairs: number): void {
    const { reader, state } = walk
    for (let pair = pairs - 1; pair >= 0; pair--) {
      if (++this.segmentCount > MAX_SEGMENTS) return
      this.subpaths.at(-1)?.points.push(mapPoint(state.matrix, reader.number(2 * pair + 1), reader.number(2 * pair)))
    }
  }

  private curve(walk: StreamWalk, pairs: number): void {
    const subpath = this.subpaths.at(-1)
    if (subpath) subpath.isCurved = true
    this.to(walk, pairs)
  }

  private close(): void {
    if (++this.segmentCount > MAX_SEGMENTS) return
    const points = this.subpaths.at(-1)?.points
    if (points?.[0]) points.push(points[0])
  }

  private rectangle({ reader, state }: StreamWalk): void {
    this.segmentCount += 5
    if (this.segmentCount > MAX_SEGMENTS) return
    const [x, y, width, height] = [reader.number(3), reader.number(2), reader.number(1), reader.number(0)]
    const corners = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
      [x, y],
    ] as const
    this.subpaths.push({ points: corners.map(([left, up]) => mapPoint(state.matrix, left, up)), isCurved: false })
  }

  private add({ points, isCurved }: Subpath, paint: Paint): void {
    if (points.length < 2 || this.shapes.length >= MAX_SHAPES) return
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, y] of points) {
      left = Math.min(left, x)
      right = Math.max(right, x)
      bottom = Math.min(bottom, y)
      top = Math.max(top, y)
    }
    if (![left, bottom, right, top].every(Number.isFinite)) return
    const bounds = { left, bottom, right, top }
    const isFlat = right - left <= STRAIGHT || top - bottom <= STRAIGHT
    if (!isCurved && isFlat) return void this.shapes.push({ kind: 'line', ...bounds, ...paint })
    const isStepped = points.every(([x, y], at) => {
      const [beforeX, beforeY] = points[Math.max(0, at - 1)] as [number, number] // at is in the array
      return Math.abs(x - beforeX) <= STRAIGHT || Math.abs(y - beforeY) <= STRAIGHT
    })
    if (!isCurved && isStepped && points.length <= 6 && points.length >= 4)
      return void this.shapes.push({ kind: 'box', ...bounds, ...paint })
    if (!isCurved && isStepped && paint.isStroked) return this.addSteps(points, paint)
    this.shapes.push({ kind: 'blob', ...bounds, ...paint })
  }

  /** Adds each part of a path of horizontal and vertical lines. */
  private addSteps(points: [number, number][], paint: Paint): void {
    for (let at = 1; at < points.length && this.shapes.length < MAX_SHAPES; at++) {
      const [x1, y1] = points[at - 1] as [number, number] // at is in the array
      const [x2, y2] = points[at] as [number, number] // at is in the array
      this.shapes.push({
        kind: 'line',
        left: Math.min(x1, x2),
        right: Math.max(x1, x2),
        bottom: Math.min(y1, y2),
        top: Math.max(y1, y2),
        ...paint,
      })
    }
  }
}
