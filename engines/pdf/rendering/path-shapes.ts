import type { Matrix } from '../geometry/matrix'
import { chainMatrices, mapPoint } from '../geometry/matrix'
import { memoryOf } from './pdfium/pdfium'
import type { Pdfium } from './pdfium/pdfium'

/** Types of path segments. */
const [LINE_TO, BEZIER_TO] = [0, 1]

/** Maximum number of segments of all paths of a page, and of shapes. */
const MAX_SEGMENTS = 200_000
const MAX_SHAPES = 20_000

/** Tolerance for horizontal and vertical lines, in user space units. */
const STRAIGHT = 0.6

/** Colors whose components are all at least this are paper. */
const PAPER = 250

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

type Exports = Record<string, (...values: number[]) => number>

/** Collects the straight lines, rectangles and small shapes of the paths of a page. */
export class PathReader {
  readonly shapes: PathShape[] = []
  private segmentsLeft = MAX_SEGMENTS
  private readonly raw: Exports

  /** `place` is the address of 64 free bytes. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly place: number,
  ) {
    this.raw = pdfium.pdfium.wasmExports as unknown as Exports // the functions that the module exports
  }

  /** Adds the shapes of a path object. `outer` maps the space of the object to user space. */
  read(object: number, outer: Matrix): void {
    const { raw, place } = this
    const count = raw.FPDFPath_CountSegments?.(object) ?? 0
    if (count <= 0 || count > this.segmentsLeft || this.shapes.length >= MAX_SHAPES) return
    this.segmentsLeft -= count
    if (!raw.FPDFPath_GetDrawMode?.(object, place, place + 4)) return
    const view = this.memory()
    const paint = {
      isFilled: view.getInt32(place, true) !== 0 && this.isInk(object, 'FPDFPageObj_GetFillColor'),
      isStroked: view.getInt32(place + 4, true) !== 0 && this.isInk(object, 'FPDFPageObj_GetStrokeColor'),
    }
    if (!paint.isFilled && !paint.isStroked) return
    if (!raw.FPDFPageObj_GetMatrix?.(object, place)) return
    const own = [0, 4, 8, 12, 16, 20].map(at => this.memory().getFloat32(place + at, true)) as Matrix // six numbers
    this.readSegments(object, count, chainMatrices(own, outer), paint)
  }

  private readSegments(
    object: number,
    count: number,
    matrix: Matrix,
    paint: Pick<PathShape, 'isFilled' | 'isStroked'>,
  ): void {
    const { raw, place } = this
    let points: [number, number][] = []
    let isCurved = false
    const finish = (): void => {
      this.add(points, isCurved, paint)
      points = []
      isCurved = false
    }
    for (let index = 0; index < count; index++) {
      const segment = raw.FPDFPath_GetPathSegment?.(object, index) ?? 0
      if (segment === 0 || !raw.FPDFPathSegment_GetPoint?.(segment, place, place + 4)) continue
      const view = this.memory()
      const point = mapPoint(matrix, view.getFloat32(place, true), view.getFloat32(place + 4, true))
      const type = raw.FPDFPathSegment_GetType?.(segment) ?? -1
      if (type !== LINE_TO && type !== BEZIER_TO) finish()
      if (type === BEZIER_TO) isCurved = true
      points.push(point)
      if (raw.FPDFPathSegment_GetClose?.(segment) && points[0]) points.push(points[0])
    }
    finish()
  }

  private add(points: [number, number][], isCurved: boolean, paint: Pick<PathShape, 'isFilled' | 'isStroked'>): void {
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
    const isSteps = points.every(([x, y], at) => {
      const [beforeX, beforeY] = points[Math.max(0, at - 1)] as [number, number] // at is in the array
      return Math.abs(x - beforeX) <= STRAIGHT || Math.abs(y - beforeY) <= STRAIGHT
    })
    if (!isCurved && isSteps && points.length <= 6 && points.length >= 4)
      return void this.shapes.push({ kind: 'box', ...bounds, ...paint })
    if (!isCurved && isSteps && paint.isStroked) return this.addSteps(points, paint)
    this.shapes.push({ kind: 'blob', ...bounds, ...paint })
  }

  /** Adds each part of a path of horizontal and vertical lines. */
  private addSteps(points: [number, number][], paint: Pick<PathShape, 'isFilled' | 'isStroked'>): void {
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

  /** Returns whether a color is visible on white paper. */
  private isInk(object: number, getColor: 'FPDFPageObj_GetFillColor' | 'FPDFPageObj_GetStrokeColor'): boolean {
    const { raw, place } = this
    if (!raw[getColor]?.(object, place + 16, place + 20, place + 24, place + 28)) return true
    const view = this.memory()
    const [red, green, blue, alpha] = [16, 20, 24, 28].map(at => view.getUint32(place + at, true))
    return (alpha ?? 255) > 5 && Math.min(red ?? 0, green ?? 0, blue ?? 0) < PAPER
  }

  private memory(): DataView {
    return new DataView(memoryOf(this.pdfium).buffer)
  }
}
