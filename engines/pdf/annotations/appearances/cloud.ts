import type { Box } from '../../geometry/box'
import { directionOf } from './drawing'
import type { Point, Subject } from './drawing'
import { numbers } from '../annotation-style'
import * as Name from '../../syntax/names'

/** Maximum intensity that is drawn. ISO 32000-2, table 169, suggests 0 to 2. */
const MAX_INTENSITY = 10

/** Maximum number of arcs of a border. A longer border is drawn without a cloud. */
const MAX_ARCS = 5000

/** Angle in radians by which an arc continues into the shape, behind the next arc. */
const CURL = Math.PI / 8

/** A larger turn between two arcs means that the arcs pass each other, for example in a narrow inward corner. */
const WIDEST_TURN = 5.3

/** The cloudy border of an annotation. */
export interface Cloud {
  radius: number
  /** Maximum distance between the centers of two arcs on a straight side. */
  spacing: number
}

/** Reads the cloud from /BE (ISO 32000-2, table 169), in the size that Acrobat uses. Undefined for a plain border. */
export function readCloud({ document, annotation }: Subject, width: number): Cloud | undefined {
  const effect = document.peekDict(annotation.get(Name.BE))
  if (document.peek(effect?.get(Name.S)) !== Name.C) return undefined
  const intensity = Math.min(document.peekNumber(effect?.get(Name.I)) ?? 0, MAX_INTENSITY)
  if (intensity <= 0) return undefined
  return { radius: 4 * intensity + width / 2, spacing: (20 * intensity) / 3 + (5 * width) / 6 }
}

/** Returns the cloud, reduced to a size that fits into a box. */
export function fitCloud({ radius, spacing }: Cloud, { width, height }: Box): Cloud {
  const share = Math.min(1, Math.min(width, height) / (4 * radius))
  return { radius: radius * share, spacing: spacing * share }
}

/** Returns a closed path of outward arcs along the sides of a polygon. Undefined if it would have too many arcs. */
export function drawCloud(corners: readonly Point[], { radius, spacing }: Cloud): string | undefined {
  const centers = placeCenters(areaOf(corners) < 0 ? corners.toReversed() : corners, spacing)
  if (!centers || centers.length < 3) return undefined
  const parts: string[] = []
  for (const [index, center] of centers.entries()) {
    const previous = centers.at(index - 1) ?? center
    const following = centers[(index + 1) % centers.length] ?? center
    const start = angleOf(center, intersect(previous, center, radius))
    const turn = normalizeAngle(angleOf(center, intersect(center, following, radius)) - start)
    const end = turn > WIDEST_TURN ? start : start + turn
    parts.push(`${numbers(...pointAt(center, radius, start))} ${index === 0 ? 'm' : 'l'}`)
    const curl = [drawArc(center, radius, end, end + CURL), drawArc(center, radius, end + CURL, end)]
    parts.push(drawArc(center, radius, start, end), ...curl)
  }
  return parts.filter(part => part !== '').join(' ')
}

/** Returns points of a closed curve at the spacing of the cloud. The curve is a polygon with many corners. */
export function placeEvenly(curve: readonly Point[], { spacing }: Cloud): Point[] {
  const lengths = curve.map((point, index) => distance(point, curve[(index + 1) % curve.length] ?? point))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const count = Math.min(Math.max(3, Math.ceil(total / spacing)), curve.length)
  const points: Point[] = []
  let traveled = 0
  for (const [index, point] of curve.entries()) {
    if (traveled >= (points.length * total) / count && points.length < count) points.push(point)
    traveled += lengths[index] ?? 0
  }
  return points
}

/** Returns points along the sides of a polygon. Includes each corner unless it is close to the previous point. */
function placeCenters(corners: readonly Point[], spacing: number): Point[] | undefined {
  const centers: Point[] = []
  for (const [index, corner] of corners.entries()) {
    const next = corners[(index + 1) % corners.length] ?? corner
    const length = Math.hypot(next[0] - corner[0], next[1] - corner[1])
    const count = Math.max(1, Math.ceil(length / spacing))
    if (centers.length + count > MAX_ARCS) return undefined
    for (let step = 0; step < count; step++) {
      const share = step / count
      const center: Point = [corner[0] + (next[0] - corner[0]) * share, corner[1] + (next[1] - corner[1]) * share]
      const previous = centers.at(-1)
      if (!previous || distance(previous, center) > spacing / 2) centers.push(center)
    }
  }
  const [first, last] = [centers[0], centers.at(-1)]
  if (first && last && centers.length > 3 && distance(first, last) <= spacing / 2) centers.pop()
  return centers
}

/** Returns the intersection of the circles around two points, on the right side of the path between them. */
function intersect(from: Point, to: Point, radius: number): Point {
  const direction = directionOf(from, to)
  if (!direction) return from
  const half = distance(from, to) / 2
  const height = Math.sqrt(Math.max(0, radius * radius - half * half))
  return [(from[0] + to[0]) / 2 + direction[1] * height, (from[1] + to[1]) / 2 - direction[0] * height]
}

/** Draws an arc between two angles as curves of at most a quarter circle. */
function drawArc([x, y]: Point, radius: number, from: number, to: number): string {
  const count = Math.ceil(Math.abs(to - from) / (Math.PI / 2) - 1e-9)
  const step = (to - from) / Math.max(count, 1)
  const handle = (4 / 3) * Math.tan(step / 4) * radius
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [from + index * step, from + (index + 1) * step]
    const [x1, y1] = pointAt([x, y], radius, start)
    const [x2, y2] = pointAt([x, y], radius, end)
    const [first, second]: [Point, Point] = [
      [x1 - handle * Math.sin(start), y1 + handle * Math.cos(start)],
      [x2 + handle * Math.sin(end), y2 - handle * Math.cos(end)],
    ]
    return `${numbers(...first, ...second, x2, y2)} c`
  }).join(' ')
}

/** Returns twice the area of a polygon. Negative if its corners run clockwise. */
function areaOf(corners: readonly Point[]): number {
  return corners.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y]
    return sum + x * nextY - nextX * y
  }, 0)
}

function angleOf([x, y]: Point, [toX, toY]: Point): number {
  return Math.atan2(toY - y, toX - x)
}

function pointAt([x, y]: Point, radius: number, angle: number): Point {
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
}

function normalizeAngle(angle: number): number {
  return ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)
}

function distance([x1, y1]: Point, [x2, y2]: Point): number {
  return Math.hypot(x2 - x1, y2 - y1)
}
