import { intersectBoxes, readBox } from './box'
import type { Box } from './box'
import type { PdfDocument } from '../document/document'
import { IDENTITY, invertMatrix, mapBox } from './matrix'
import type { Matrix } from './matrix'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/** US Letter: what readers take for a page whose boxes are missing or can't be used. */
const DEFAULT_BOX: Box = { x: 0, y: 0, width: 612, height: 792 }

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

/**
 * Degrees clockwise by which viewers turn the page: 0, 90, 180 or 270, inherited values too. What is no multiple of 90
 * counts as 0, as readers do (ISO 32000-2, table 31).
 */
export function rotationOf(document: PdfDocument, page: Page): number {
  const stated = document.peekNumber(page.attribute(Name.Rotate)) ?? 0
  return stated % 90 === 0 ? ((stated % 360) + 360) % 360 : 0
}

/**
 * The page as seen. Boxes may be inherited, inverted or broken: one without an area counts as missing, a CropBox is cut
 * to the MediaBox, and one that lies outside of it counts as missing too (ISO 32000-2, 14.11.2; the rest as readers
 * do).
 */
export function measureFrame(document: PdfDocument, page: Page): Frame {
  const media = readBox(document, page.attribute(Name.MediaBox)) ?? DEFAULT_BOX
  const crop = readBox(document, page.attribute(Name.CropBox))
  const visible = (crop && intersectBoxes(crop, media)) ?? media
  const rotation = rotationOf(document, page)
  const stated = document.peekNumber(page.dict.get(Name.UserUnit)) ?? 1
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
  return invertMatrix(frameMatrix(frame)) ?? IDENTITY // a unit is larger than 0
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
