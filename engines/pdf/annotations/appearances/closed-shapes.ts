import type { Box } from '../../geometry/box'
import { drawCloud, fitCloud, placeEvenly, readCloud } from './cloud'
import type { Cloud } from './cloud'
import { boxAround, cornersOf, insetRect, readPoints } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { drawEllipse, numbers } from '../annotation-style'
import { closedOperator, drawPath, readStrokeStyle, writeStrokeStyle } from './stroke-style'
import type { StrokeStyle } from './stroke-style'
import { readCurves } from './poly-path'
import * as Name from '../../syntax/names'

/** Number of corners of the polygon that approximates an ellipse with a cloudy border. */
const ELLIPSE_CORNERS = 2000

/** Maximum reach of a miter join, in line widths. The initial miter limit is 10. */
const MITER = 5

/** Draws a Square: a rectangle inside of its /Rect (ISO 32000-2, 12.5.6.8). */
export function drawSquare(subject: Subject): AppearanceDrawing | undefined {
  return drawInRect(subject, box => ({
    plain: `${numbers(box.x, box.y, box.width, box.height)} re`,
    cornersFor: () => cornersOf(box),
  }))
}

/** Draws a Circle: an ellipse inside of its /Rect (ISO 32000-2, 12.5.6.8). */
export function drawCircleAppearance(subject: Subject): AppearanceDrawing | undefined {
  return drawInRect(subject, ({ x, y, width, height }) => {
    const [across, up] = [width / 2, height / 2]
    const pointAt = (index: number): Point => {
      const angle = (2 * Math.PI * index) / ELLIPSE_CORNERS
      return [x + across + across * Math.cos(angle), y + up + up * Math.sin(angle)]
    }
    return {
      plain: drawEllipse(x + across, y + up, across, up),
      cornersFor: cloud =>
        placeEvenly(
          Array.from({ length: ELLIPSE_CORNERS }, (_, index) => pointAt(index)),
          cloud,
        ),
    }
  })
}

/** Draws a Polygon through its /Vertices or along its /Path (ISO 32000-2, 12.5.6.9). */
export function drawPolygon(subject: Subject): AppearanceDrawing | undefined {
  const { document, annotation } = subject
  const pen = readStrokeStyle(subject)
  const curves = readCurves(subject)
  const vertices = curves?.points ?? readPoints(document, annotation.get(Name.Vertices))
  const cloud = curves ? undefined : readCloud(subject, pen.width)
  const extent = boxAround(vertices, Math.max(pen.width * MITER, (cloud?.radius ?? 0) + pen.width))
  if (!extent || vertices.length < 2) return undefined
  return paint(pen, outline({ plain: curves?.path ?? drawPath(vertices), cornersFor: () => vertices }, cloud), extent)
}

interface Outline {
  plain: string
  /** Returns the corners of an approximating polygon for a cloudy border. */
  cornersFor: (cloud: Cloud) => readonly Point[]
}

function drawInRect(subject: Subject, outlineOf: (box: Box) => Outline): AppearanceDrawing | undefined {
  const { rect } = subject
  if (!rect) return undefined
  const requestedPen = readStrokeStyle(subject)
  // A wider border would reach the opposite side of the shape.
  const pen = { ...requestedPen, width: Math.min(requestedPen.width, rect.width / 2, rect.height / 2) }
  const requestedCloud = readCloud(subject, pen.width)
  const cloud = requestedCloud && fitCloud(requestedCloud, rect)
  const box = insetRect(subject, rect, pen.width / 2 + (cloud?.radius ?? 0))
  return paint(pen, outline(outlineOf(box), cloud), rect)
}

function outline({ plain, cornersFor }: Outline, cloud: Cloud | undefined): string {
  return (cloud && drawCloud(cornersFor(cloud), cloud)) ?? plain
}

function paint(pen: StrokeStyle, path: string, extent: Box): AppearanceDrawing | undefined {
  const operator = closedOperator(pen)
  return operator ? { operators: `${writeStrokeStyle(pen)} ${path} ${operator}`, extent } : undefined
}
