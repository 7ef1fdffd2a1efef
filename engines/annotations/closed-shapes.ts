import type { Box } from '../pdf-core/geometry/box'
import { drawCloud, fitCloud, placeEvenly, readCloud } from './cloud'
import type { Cloud } from './cloud'
import { boxAround, cornersOf, insetRect, readPoints } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { drawEllipse, numbers } from '../pdf-core/annotations/annotation-style'
import { closedOperator, drawPath, readStrokeStyle, writeStrokeStyle } from './stroke-style'
import type { StrokeStyle } from './stroke-style'
import { readCurves } from './poly-path'
import * as Name from '../pdf-core/syntax/names'

/** Corners of the polygon that stands for an ellipse when its border is cloudy. */
const ELLIPSE_CORNERS = 2000

/** A miter reaches out of a corner by ten half line widths at most, the limit that content streams begin with. */
const MITER = 5

/** A Square: a rectangle inside of its /Rect (ISO 32000-2, 12.5.6.8). */
export function drawSquare(subject: Subject): AppearanceDrawing | undefined {
  return drawInRect(subject, box => ({
    plain: `${numbers(box.x, box.y, box.width, box.height)} re`,
    cornersFor: () => cornersOf(box),
  }))
}

/** A Circle: an ellipse inside of its /Rect (ISO 32000-2, 12.5.6.8). */
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

/** A Polygon through its /Vertices or along its /Path (ISO 32000-2, 12.5.6.9). */
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
  /** Of a polygon that is nearly the same, for a cloudy border. */
  cornersFor: (cloud: Cloud) => readonly Point[]
}

function drawInRect(subject: Subject, outlineOf: (box: Box) => Outline): AppearanceDrawing | undefined {
  const { rect } = subject
  if (!rect) return undefined
  const stated = readStrokeStyle(subject)
  // A wider border would reach over the other side of the shape.
  const pen = { ...stated, width: Math.min(stated.width, rect.width / 2, rect.height / 2) }
  const wanted = readCloud(subject, pen.width)
  const cloud = wanted && fitCloud(wanted, rect)
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
