import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { readBox } from '../../geometry/box'
import type { Box } from '../../geometry/box'
import type { PdfDocument } from '../../document/document'
import * as Name from '../../syntax/names'

/** A point in the user space of a page. */
export type Point = readonly [x: number, y: number]

/** Appearance of an annotation in the user space of its page. */
export interface AppearanceDrawing {
  operators: string
  /** The painted area. The operators are clipped to it. */
  extent: Box
  /** Whether the extent replaces the rectangle of the annotation, even if the rectangle was larger. */
  replacesRect?: boolean
  /** Blend mode, if it isn't Normal. */
  blendMode?: 'Multiply'
  /** Fonts of the text, with their names in the operators. */
  fonts?: ReadonlyMap<PDFRef, string>
}

/** An annotation to draw. */
export interface Subject {
  document: PdfDocument
  annotation: PDFDict
  /** The /Rect. Undefined if it has no area or is invalid. */
  rect: Box | undefined
}

/** Largest coordinate that is accepted, in units of user space. ISO 32000-2, Annex C, limits page sides to 14,400. */
const MAX_COORDINATE = 1_000_000

/** Reads the rectangle of an annotation. */
export function readSubject(document: PdfDocument, annotation: PDFDict): Subject {
  const box = readBox(document, annotation.get(Name.Rect))
  const corners = box ? [box.x, box.y, box.x + box.width, box.y + box.height] : []
  return { document, annotation, rect: corners.every(isInRange) ? box : undefined }
}

/** Returns the points in an array of coordinates. Skips invalid pairs. */
export function readPoints(document: PdfDocument, value: PDFObject | undefined): Point[] {
  return pointsFrom(document, document.peekItems(value))
}

/** Returns the points in a list of coordinates. Skips invalid pairs. */
export function pointsFrom(document: PdfDocument, items: readonly PDFObject[]): Point[] {
  const points: Point[] = []
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [x, y] = [document.peekNumber(items[at]), document.peekNumber(items[at + 1])]
    if (x !== undefined && y !== undefined && isInRange(x) && isInRange(y)) points.push([x, y])
  }
  return points
}

/**
 * Returns a rectangle inset by /RD (ISO 32000-2, table 180), or by `minInset` if that is more. The result is never empty.
 */
export function insetRect({ document, annotation }: Subject, rect: Box, minInset = 0): Box {
  const insets =
    document
      .peekArray(annotation.get(Name.RD))
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0) ?? []
  const sideAt = (at: number): number => Math.max(minInset, insets[at] ?? 0)
  const [left, bottom, right, top] = [sideAt(0), sideAt(1), sideAt(2), sideAt(3)]
  const [across, up] = [shareOf(left + right, rect.width), shareOf(bottom + top, rect.height)]
  return {
    x: rect.x + left * across,
    y: rect.y + bottom * up,
    width: rect.width - (left + right) * across,
    height: rect.height - (bottom + top) * up,
  }
}

/** Insets take up less than this share of a length. */
const MOST_INSET = 0.999

/** Returns the factor that reduces an inset so that the result isn't empty. */
function shareOf(inset: number, length: number): number {
  return inset < length ? 1 : (length * MOST_INSET) / inset
}

/** Returns the bounding box of points, extended by `margin` on each side. Undefined without points. */
export function boxAround(points: Iterable<Point>, margin = 0): Box | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[bottom, top] = [Math.min(bottom, y), Math.max(top, y)]
  }
  if (left > right) return undefined
  return { x: left - margin, y: bottom - margin, width: right - left + 2 * margin, height: top - bottom + 2 * margin }
}

/** Returns the bounding box of two boxes. */
export function joinBoxes(one: Box, other: Box | undefined): Box {
  if (!other) return one
  return boxAround([...cornersOf(one), ...cornersOf(other)]) ?? one
}

/** Returns the corners of a box, counterclockwise from the lower-left one. */
export function cornersOf({ x, y, width, height }: Box): [Point, Point, Point, Point] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

/** Returns the direction between two points as a unit vector. Undefined if the points are equal. */
export function directionOf([x1, y1]: Point, [x2, y2]: Point): Point | undefined {
  const length = Math.hypot(x2 - x1, y2 - y1)
  return length > 0 ? [(x2 - x1) / length, (y2 - y1) / length] : undefined
}

/** Returns a point at a distance from another: along a direction, and to its left. */
export function offset([x, y]: Point, [dx, dy]: Point, along: number, left: number): Point {
  return [x + dx * along - dy * left, y + dy * along + dx * left]
}

function isInRange(value: number): boolean {
  return Math.abs(value) <= MAX_COORDINATE
}
