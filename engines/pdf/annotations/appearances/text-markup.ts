import { boxAround, cornersOf, directionOf, offset, pointsFrom } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { colorOperator, numbers } from '../annotation-style'
import { colorOf, drawPath } from './stroke-style'
import * as Name from '../../syntax/names'

const BLACK: readonly number[] = [0]
const YELLOW: readonly number[] = [1, 1, 0]

/** Line width, position and wave height of Underline, StrikeOut and Squiggly in points, as in PDFium. */
const LINE_WIDTH = 1
const LINE_ABOVE = 1
const WAVE = 2

/** Maximum number of turns of a Squiggly. In a longer line, the turns are wider. */
const MAX_TURNS = 5000

/** Corners of marked text, in reading orientation. */
interface Quad {
  lowerLeft: Point
  lowerRight: Point
  upperLeft: Point
  upperRight: Point
}

/** Draws a Highlight (ISO 32000-2, 12.5.6.10): areas that darken the content below. */
export function drawHighlight(subject: Subject): AppearanceDrawing | undefined {
  const quads = readQuads(subject)
  const extent = boxAround(quads.flatMap(pointsOf))
  if (!extent || extent.width === 0 || extent.height === 0) return undefined
  const color = colorOf(subject.document, subject.annotation.get(Name.C), YELLOW)
  // All areas are one path, so that overlaps aren't darker.
  const paths = quads.map(quad => `${drawPath(pointsOf(quad))} h`)
  return { operators: `${colorOperator(color, 'fill')} ${paths.join('\n')} f`, extent, blendMode: 'Multiply' }
}

/** Draws an Underline: a line along the lower side of the text. */
export function drawUnderline(subject: Subject): AppearanceDrawing | undefined {
  return drawStrokes(subject, ({ lowerLeft, lowerRight }, direction) =>
    drawPath([lowerLeft, lowerRight].map(point => offset(point, direction, 0, LINE_ABOVE))),
  )
}

/** Draws a StrikeOut: a line through the middle of the text. */
export function drawStrikeOut(subject: Subject): AppearanceDrawing | undefined {
  return drawStrokes(subject, ({ lowerLeft, lowerRight, upperLeft, upperRight }) =>
    drawPath([middle(lowerLeft, upperLeft), middle(lowerRight, upperRight)]),
  )
}

/** Draws a Squiggly: a zigzag line along the lower side of the text. */
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

/** Returns the areas in /QuadPoints, or /Rect if there are none. */
function readQuads({ document, annotation, rect }: Subject): Quad[] {
  const items = document.peekItems(annotation.get(Name.QuadPoints))
  const quads: Quad[] = []
  for (let at = 0; at + 7 < items.length; at += 8) {
    const points = pointsFrom(document, items.slice(at, at + 8))
    const quad = points.length === 4 ? orient(points as Four) : undefined // The length was checked.
    if (quad) quads.push(quad)
  }
  if (quads.length > 0 || !rect) return quads
  const [lowerLeft, lowerRight, upperRight, upperLeft] = cornersOf(rect)
  return [{ lowerLeft, lowerRight, upperLeft, upperRight }]
}

/**
 * Determines the order of the corners. ISO 32000-2 (12.5.6.10) specifies counterclockwise order from the lower left.
 * Acrobat and most other programs write the two upper corners and then the two lower ones, each from the left. The
 * first two corners always form a side along the text. The position of the third corner tells on which side of it the
 * text is.
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

/** Returns the corners in counterclockwise reading orientation. */
function pointsOf({ lowerLeft, lowerRight, upperLeft, upperRight }: Quad): Point[] {
  return [lowerLeft, lowerRight, upperRight, upperLeft]
}

function middle([x1, y1]: Point, [x2, y2]: Point): Point {
  return [(x1 + x2) / 2, (y1 + y2) / 2]
}
