import { readPoints } from './drawing'
import type { Point, Subject } from './drawing'
import { numbers } from '../annotation-style'
import * as Name from '../../syntax/names'

/** A path of lines and curves, with all of its points, including control points. */
interface Curves {
  path: string
  points: Point[]
}

/**
 * Reads the /Path of a Polygon or PolyLine (ISO 32000-2, table 181): arrays of two numbers (the start point first, then
 * the ends of lines) or of six numbers for Bézier curves. Undefined if nothing can be drawn.
 */
export function readCurves({ document, annotation }: Subject): Curves | undefined {
  const parts = document.peekItems(annotation.get(Name.Path))
  const allPoints: Point[] = []
  const operators: string[] = []
  for (const part of parts) {
    const points = readPoints(document, part)
    const isFirst = operators.length === 0
    if (points.length !== 1 && (points.length !== 3 || isFirst)) continue
    const operator = isFirst ? 'm' : points.length === 1 ? 'l' : 'c'
    operators.push(`${points.map(([x, y]) => numbers(x, y)).join(' ')} ${operator}`)
    allPoints.push(...points)
  }
  return operators.length > 1 ? { path: operators.join(' '), points: allPoints } : undefined
}
