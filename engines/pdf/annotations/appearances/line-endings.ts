import { PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import { offset } from './drawing'
import type { Point } from './drawing'
import { drawEllipse } from '../annotation-style'
import { closedOperator, drawPath, writeStrokeStyle } from './stroke-style'
import type { StrokeStyle } from './stroke-style'

/** An end of a line: its point, and the direction from there into the line. */
interface LineEnd {
  tip: Point
  inward: Point
}

/** Maximum reach of an ending beyond the end of its line, in line widths. */
const REACH = 10

/** Sizes of endings in line widths: half a side or the radius, the length of an arrow's barbs, half a slash. */
const RADIUS = 3
const BARB = 9
const SLASH = 6

/** Minimum line width for the size of endings, in points. */
const LEAST_WIDTH = 1
/** A width above 0, which stands for an outline. */
const ANY_WIDTH = 0.001

const BARB_ANGLE = Math.PI / 6

/** Returns the names of both line endings (ISO 32000-2, table 179). A single name applies to the first end. */
export function readEndings(document: PdfDocument, value: PDFObject | undefined): [string, string] {
  const endings = document.peek(value)
  const list = endings instanceof PDFName ? [endings] : document.peekItems(endings)
  const names = list.slice(0, 2).map(item => document.peek(item))
  const [first, last] = names.map(name => (name instanceof PDFName ? name.decodeText() : ''))
  return [first ?? '', last ?? '']
}

/** Returns the maximum reach of endings beyond the end of a line, in points. */
export function reachOf(pen: StrokeStyle): number {
  return REACH * Math.max(pen.width, LEAST_WIDTH)
}

/**
 * Draws an ending (ISO 32000-2, table 179). Closed endings have the interior color. Empty for `None` and unknown names.
 */
function drawEnding(name: string, { tip, inward }: LineEnd, pen: StrokeStyle): string {
  const unit = Math.max(pen.width, LEAST_WIDTH)
  const at = (along: number, left: number): Point => offset(tip, inward, along * unit, left * unit)
  const solid = writeStrokeStyle({ ...pen, dash: undefined })
  const open = (points: readonly Point[]): string => `q ${solid} [] 0 d ${drawPath(points)} S Q`
  const closed = (path: string): string => {
    // Endings have an outline even if the line has no width.
    const operator = closedOperator({ ...pen, width: Math.max(pen.width, ANY_WIDTH) })
    return `q ${solid} [] 0 d ${path} ${operator} Q`
  }
  const barbs = (sign: number): Point[] => {
    const [along, left] = [sign * BARB * Math.cos(BARB_ANGLE), BARB * Math.sin(BARB_ANGLE)]
    return [at(along, left), tip, at(along, -left)]
  }
  switch (name) {
    case 'Square':
      return closed(drawPath([at(-RADIUS, -RADIUS), at(RADIUS, -RADIUS), at(RADIUS, RADIUS), at(-RADIUS, RADIUS)]))
    case 'Circle':
      return closed(drawEllipse(...tip, RADIUS * unit, RADIUS * unit))
    case 'Diamond':
      return closed(drawPath([at(-RADIUS, 0), at(0, -RADIUS), at(RADIUS, 0), at(0, RADIUS)]))
    case 'OpenArrow':
      return open(barbs(1))
    case 'ClosedArrow':
      return closed(drawPath(barbs(1)))
    case 'ROpenArrow':
      return open(barbs(-1))
    case 'RClosedArrow':
      return closed(drawPath(barbs(-1)))
    case 'Butt':
      return open([at(0, -RADIUS), at(0, RADIUS)])
    case 'Slash': {
      // The slash is rotated by 30 degrees clockwise from the perpendicular.
      const [along, left] = [SLASH * Math.sin(Math.PI / 6), SLASH * Math.cos(Math.PI / 6)]
      return open([at(along, left), at(-along, -left)])
    }
    default:
      return ''
  }
}

/** Returns the operators for the endings of a line through these points. */
export function drawEndings(points: readonly Point[], names: readonly [string, string], pen: StrokeStyle): string {
  const [first, last] = [endOf(points), endOf(points.toReversed())]
  const drawn = [first ? drawEnding(names[0], first, pen) : '', last ? drawEnding(names[1], last, pen) : '']
  return drawn.filter(operators => operators !== '').join('\n')
}

/** Returns the first point, and the direction to the next different point. */
function endOf(points: readonly Point[]): LineEnd | undefined {
  const [tip] = points
  const next = tip && points.find(([x, y]) => x !== tip[0] || y !== tip[1])
  if (!tip || !next) return undefined
  const length = Math.hypot(next[0] - tip[0], next[1] - tip[1])
  return { tip, inward: [(next[0] - tip[0]) / length, (next[1] - tip[1]) / length] }
}
