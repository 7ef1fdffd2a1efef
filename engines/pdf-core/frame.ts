import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFArray, PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import type { Page } from './page-tree'

const ROTATE = PDFName.of('Rotate')
const MEDIA_BOX = PDFName.of('MediaBox')
const CROP_BOX = PDFName.of('CropBox')
const USER_UNIT = PDFName.of('UserUnit')

/** US Letter: what readers take for a page whose boxes are missing or can't be used. */
const DEFAULT_BOX: Box = { x: 0, y: 0, width: 612, height: 792 }

/** A rectangle by its lower-left corner and its size. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where a page's coordinates begin: at a corner of the page as seen, or in PDF's own space, rotation ignored. */
export type Origin = 'bottom-left' | 'top-left' | 'user-space'

/** How a page is seen: turned by /Rotate, cut to its CropBox, and in points whatever its /UserUnit. */
export interface Frame {
  /** Degrees clockwise: 0, 90, 180 or 270. */
  rotation: number
  /** Points in one unit of user space. */
  userUnit: number
  /** What is visible, in user space. */
  visible: Box
  /** Points, as seen. */
  width: number
  /** Points, as seen. */
  height: number
}

/** `[a b c d e f]` as PDF has it: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = [number, number, number, number, number, number]

/**
 * Degrees clockwise by which viewers turn the page: 0, 90, 180 or 270, inherited values too. What is no multiple of 90
 * counts as 0, as readers do (ISO 32000-2, table 31).
 */
export function rotationOf(document: PdfDocument, page: Page): number {
  const stated = document.peekNumber(page.attribute(ROTATE)) ?? 0
  return stated % 90 === 0 ? ((stated % 360) + 360) % 360 : 0
}

/**
 * The page as seen. Boxes may be inherited, inverted or broken: one without an area counts as missing, a CropBox is cut
 * to the MediaBox, and one that lies outside of it counts as missing too (ISO 32000-2, 14.11.2; the rest as readers do).
 */
export function measureFrame(document: PdfDocument, page: Page): Frame {
  const media = readBox(document, page.attribute(MEDIA_BOX)) ?? DEFAULT_BOX
  const crop = readBox(document, page.attribute(CROP_BOX))
  const visible = (crop && intersectBoxes(crop, media)) ?? media
  const rotation = rotationOf(document, page)
  const stated = document.peekNumber(page.dict.get(USER_UNIT)) ?? 1
  const userUnit = stated > 0 ? stated : 1
  const [across, up] = [visible.width * userUnit, visible.height * userUnit]
  const [width, height] = rotation % 180 === 0 ? [across, up] : [up, across]
  return { rotation, userUnit, visible, width, height }
}

/** The matrix from the page as seen (points from its lower-left corner) to user space. */
export function frameMatrix({ rotation, userUnit, visible }: Frame): Matrix {
  const unit = 1 / userUnit
  const { x, y } = visible
  const [right, top] = [x + visible.width, y + visible.height]
  if (rotation === 90) return [0, unit, -unit, 0, right, y]
  if (rotation === 180) return [-unit, 0, 0, -unit, right, top]
  if (rotation === 270) return [0, -unit, unit, 0, x, top]
  return [unit, 0, 0, unit, x, y]
}

/** A box of the page as seen (points from its lower-left corner) in user space. */
export function toUserSpace(frame: Frame, box: Box): Box {
  return mapBox(frameMatrix(frame), box)
}

/** The matrix from user space to the page as seen, in points from its lower-left corner. */
export function seenMatrix(frame: Frame): Matrix {
  const [a, b, c, d, e, f] = frameMatrix(frame)
  const determinant = a * d - b * c
  return [d / determinant, -b / determinant, -c / determinant, a / determinant, (c * f - d * e) / determinant, (b * e - a * f) / determinant]
}

/** A box of user space on the page as seen, in points from its lower-left corner. */
export function toSeen(frame: Frame, box: Box): Box {
  return mapBox(seenMatrix(frame), box)
}

/** A box that was given from `origin`, in points from the lower-left corner of the page as seen. */
export function resolveBox(frame: Frame, box: Box, origin: Origin): Box {
  if (origin === 'user-space') return toSeen(frame, box)
  return origin === 'top-left' ? { ...box, y: frame.height - box.y - box.height } : box
}

/** The box that an array of four numbers means, whatever corners it names; undefined when it has no area. */
export function readBox(document: PdfDocument, value: PDFObject | undefined): Box | undefined {
  const array = document.peekArray(value)
  if (!array || array.size() < 4) return undefined
  const numbers = array.asArray().slice(0, 4).map(item => document.peekNumber(item))
  const [x1, y1, x2, y2] = numbers
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined
  const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  return box.width > 0 && box.height > 0 ? box : undefined
}

/** A box as PDF writes it, to a ten-thousandth of a unit. */
export function writeBox(document: PdfDocument, { x, y, width, height }: Box): PDFArray {
  return document.context.obj([x, y, x + width, y + height].map(number => PDFNumber.of(Math.round(number * 10_000) / 10_000)))
}

/** What two boxes have in common; undefined when that has no area. */
export function intersectBoxes(one: Box, other: Box): Box | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)]
  const width = Math.min(one.x + one.width, other.x + other.width) - x
  const height = Math.min(one.y + one.height, other.y + other.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** A box by a matrix that turns by quarters: the corners stay corners. */
export function mapBox([a, b, c, d, e, f]: Matrix, { x, y, width, height }: Box): Box {
  const [x1, y1] = [a * x + c * y + e, b * x + d * y + f]
  const [w, h] = [a * width + c * height, b * width + d * height]
  return { x: Math.min(x1, x1 + w), y: Math.min(y1, y1 + h), width: Math.abs(w), height: Math.abs(h) }
}
