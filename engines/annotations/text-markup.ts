import { boxAround, cornersOf, directionOf, offset, pointsFrom } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { colorOperator, numbers } from '../pdf-core/annotations/annotation-style'
import { colorOf, drawPath } from './stroke-style'
import * as Name from '../pdf-core/syntax/names'

const BLACK: readonly number[] = [0]
const YELLOW: readonly number[] = [1, 1, 0]

/** The line of an Underline, a StrikeOut or a Squiggly, in points, as PDFium has it. */
const LINE_WIDTH = 1
const LINE_ABOVE = 1
const WAVE = 2

/** Turns of one Squiggly; in a longer one they are wider. */
const MAX_TURNS = 5000

/** A piece of marked text by its corners as someone sees them who reads it. */
interface Quad {
  lowerLeft: Point
  lowerRight: Point
  upperLeft: Point
  upperRight: Point
}

/** A Highlight (ISO 32000-2, 12.5.6.10): areas that darken what is below. */
export function drawHighlight(subject: Subject): AppearanceDrawing | undefined {
  const quads = readQuads(subject)
  const extent = boxAround(quads.flatMap(pointsOf))
  if (!extent || extent.width === 0 || extent.height === 0) return undefined
  const color = colorOf(subject.document, subject.annotation.get(Name.C), YELLOW)
  // One path for all, so that pieces that overlap aren't darker there.
  const paths = quads.map(quad => `${drawPath(pointsOf(quad))} h`)
  return { operators: `${colorOperator(color, 'fill')} ${paths.join('\n')} f`, extent, blendMode: 'Multiply' }
}

/** An Underline: a line along the lower side of the text. */
export function drawUnderline(subject: Subject): AppearanceDrawing | undefined {
  return drawStrokes(subject, ({ lowerLeft, lowerRight }, direction) =>
    drawPath([lowerLeft, lowerRight].map(point => offset(point, direction, 0, LINE_ABOVE))),
  )
}

/** A StrikeOut: a line through the middle of the text. */
export function drawStrikeOut(subject: Subject): AppearanceDrawing | undefined {
  return drawStrokes(subject, ({ lowerLeft, lowerRight, upperLeft, upperRight }) =>
    drawPath([middle(lowerLeft, upperLeft), middle(lowerRight, upperRight)]),
  )
}

/** A Squiggly: a jagged line along the lower side of the text. */
export function drawSquiggly(subject: Subject): AppearanceDrawing | undefined {
  return drawStrokes(subject, ({ lowerLeft, lowerRight }, direction) => {
    const length = Math.hypot(lowerRight[0] - lowerLeft[0], lowerRight[1] - lowerLeft[1])
    const step = Math.max(WAVE, length / MAX_TURNS)
    const turnAt = (index: number): Point => offset(lowerLeft, direction, index * step, index % 2 === 0 ? WAVE : 0)
    const turns = Array.from({ length: Math.ceil(length / step) }, (_, index) => turnAt(index))
    const rest = (length - (turns.length - 1) * step) / step
    const last = offset(lowerLeft, direction, length, WAVE * (turns.length % 2 === 0 ? rest : 1 - rest))
    return drawPath([...turns, last])
  })
}

function drawStrokes(subject: Subject, draw: (quad: Quad, direction: Point) => string): AppearanceDrawing | undefined {
  const quads = readQuads(subject)
  const extent = boxAround(quads.flatMap(pointsOf), WAVE + LINE_WIDTH)
  const paths = quads.flatMap(quad => {
    const direction = directionOf(quad.lowerLeft, quad.lowerRight)
    return direction ? [draw(quad, direction)] : []
  })
  if (!extent || paths.length === 0) return undefined
  const color = colorOf(subject.document, subject.annotation.get(Name.C), BLACK)
  return { operators: `${colorOperator(color, 'line')} ${numbers(LINE_WIDTH)} w\n${paths.join('\n')} S`, extent }
}

type Four = [Point, Point, Point, Point]

/** The pieces that /QuadPoints names; without any, /Rect. */
function readQuads({ document, annotation, rect }: Subject): Quad[] {
  const items = document.peekArray(annotation.get(Name.QuadPoints))?.asArray() ?? []
  const quads: Quad[] = []
  for (let at = 0; at + 7 < items.length; at += 8) {
    const points = pointsFrom(document, items.slice(at, at + 8))
    const quad = points.length === 4 ? orient(points as Four) : undefined // as was just seen
    if (quad) quads.push(quad)
  }
  if (quads.length > 0 || !rect) return quads
  const [lowerLeft, lowerRight, upperRight, upperLeft] = cornersOf(rect)
  return [{ lowerLeft, lowerRight, upperLeft, upperRight }]
}

/**
 * Which corner is which. ISO 32000-2 (12.5.6.10) goes around, counterclockwise from the lower left; Acrobat and most
 * others write the two upper corners and then the two lower ones, each from the left. The first two always are a side
 * along the text, and the third tells on which side of it the rest lies.
 */
function orient([first, second, third, fourth]: Four): Quad {
  const along: Point = [second[0] - first[0], second[1] - first[1]]
  const isRing = along[0] * (fourth[0] - third[0]) + along[1] * (fourth[1] - third[1]) < 0
  const [left, right] = isRing ? [fourth, third] : [third, fourth]
  const isLower = along[0] * (left[1] - first[1]) - along[1] * (left[0] - first[0]) > 0
  return isLower
    ? { lowerLeft: first, lowerRight: second, upperLeft: left, upperRight: right }
    : { lowerLeft: left, lowerRight: right, upperLeft: first, upperRight: second }
}

/** The corners, counterclockwise for the one who reads. */
function pointsOf({ lowerLeft, lowerRight, upperLeft, upperRight }: Quad): Point[] {
  return [lowerLeft, lowerRight, upperRight, upperLeft]
}

function middle([x1, y1]: Point, [x2, y2]: Point): Point {
  return [(x1 + x2) / 2, (y1 + y2) / 2]
}
