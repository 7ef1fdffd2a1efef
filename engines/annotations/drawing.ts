import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { readBox } from '../pdf-core/geometry/box'
import type { Box } from '../pdf-core/geometry/box'
import type { PdfDocument } from '../pdf-core/document/document'
import * as Name from '../pdf-core/syntax/names'

/** A place in the user space of a page. */
export type Point = readonly [x: number, y: number]

/** What an annotation looks like, in the user space of its page. */
export interface AppearanceDrawing {
  operators: string
  /** Where the operators paint; they are clipped there. */
  extent: Box
  /** Whether the extent is the annotation's rectangle from now on, even if that was larger. */
  replacesRect?: boolean
  /** How the colors mix with what is below, if not as usual. */
  blendMode?: 'Multiply'
  /** The fonts of its text, with their names in the operators. */
  fonts?: ReadonlyMap<PDFRef, string>
}

/** An annotation that has to be drawn. */
export interface Subject {
  document: PdfDocument
  annotation: PDFDict
  /** Its /Rect; undefined if that has no area or can't be read. */
  rect: Box | undefined
}

/** No page reaches further, in units of its user space (ISO 32000-2, Annex C, has 14,400 for its sides). */
const FARTHEST = 1_000_000

/** An annotation with its rectangle. */
export function readSubject(document: PdfDocument, annotation: PDFDict): Subject {
  const box = readBox(document, annotation.get(Name.Rect))
  const corners = box ? [box.x, box.y, box.x + box.width, box.y + box.height] : []
  return { document, annotation, rect: corners.every(isNear) ? box : undefined }
}

/** The points that an array of coordinates names; a pair that can't be read is left out. */
export function readPoints(document: PdfDocument, value: PDFObject | undefined): Point[] {
  return pointsFrom(document, document.peekArray(value)?.asArray() ?? [])
}

/** The same of numbers that stand one after the other. */
export function pointsFrom(document: PdfDocument, items: readonly PDFObject[]): Point[] {
  const points: Point[] = []
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [x, y] = [document.peekNumber(items[at]), document.peekNumber(items[at + 1])]
    if (x !== undefined && y !== undefined && isNear(x) && isNear(y)) points.push([x, y])
  }
  return points
}

/** A rectangle without what /RD takes of its sides (ISO 32000-2, table 180), at least `least`; never nothing. */
export function insetRect({ document, annotation }: Subject, rect: Box, least = 0): Box {
  const stated =
    document
      .peekArray(annotation.get(Name.RD))
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0) ?? []
  const sideAt = (at: number): number => Math.max(least, stated[at] ?? 0)
  const [left, bottom, right, top] = [sideAt(0), sideAt(1), sideAt(2), sideAt(3)]
  const [across, up] = [shareOf(left + right, rect.width), shareOf(bottom + top, rect.height)]
  return {
    x: rect.x + left * across,
    y: rect.y + bottom * up,
    width: rect.width - (left + right) * across,
    height: rect.height - (bottom + top) * up,
  }
}

/** By how much an inset has to be made smaller so that something is left. */
function shareOf(inset: number, length: number): number {
  return inset < length ? 1 : (length * 0.999) / inset
}

/** The box around points, `margin` wider on each side; undefined if there are no points. */
export function boxAround(points: Iterable<Point>, margin = 0): Box | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[bottom, top] = [Math.min(bottom, y), Math.max(top, y)]
  }
  if (left > right) return undefined
  return { x: left - margin, y: bottom - margin, width: right - left + 2 * margin, height: top - bottom + 2 * margin }
}

/** The smallest box around two boxes. */
export function joinBoxes(one: Box, other: Box | undefined): Box {
  if (!other) return one
  return boxAround([...cornersOf(one), ...cornersOf(other)]) ?? one
}

/** The corners of a box, counterclockwise from the lower left one. */
export function cornersOf({ x, y, width, height }: Box): [Point, Point, Point, Point] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

/** The direction from one point to another as a vector of length 1; undefined if they are the same point. */
export function directionOf([x1, y1]: Point, [x2, y2]: Point): Point | undefined {
  const length = Math.hypot(x2 - x1, y2 - y1)
  return length > 0 ? [(x2 - x1) / length, (y2 - y1) / length] : undefined
}

/** A point by its distance from another: along a direction, and to the left of it. */
export function offset([x, y]: Point, [dx, dy]: Point, along: number, left: number): Point {
  return [x + dx * along - dy * left, y + dy * along + dx * left]
}

function isNear(value: number): boolean {
  return Math.abs(value) <= FARTHEST
}
