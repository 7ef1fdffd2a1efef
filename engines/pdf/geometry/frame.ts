import { intersectBoxes, readBox } from './box'
import type { Box } from './box'
import type { PdfDocument } from '../document/document'
import { IDENTITY, invertMatrix, mapBox } from './matrix'
import type { Matrix } from './matrix'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'

/** US Letter. Readers use it if a page's boxes are missing or unusable. */
const DEFAULT_BOX: Box = { x: 0, y: 0, width: 612, height: 792 }

/** The origin of coordinates: a corner of the displayed page, or the origin of default user space without rotation. */
export type Origin = 'bottom-left' | 'top-left' | 'user-space'

/** The page as displayed: rotated by /Rotate, cropped to its CropBox, and in points regardless of /UserUnit. */
export interface Frame {
  /** Degrees clockwise: 0, 90, 180 or 270. */
  rotation: number
  /** Points per unit of user space. */
  userUnit: number
  /** The visible area, in user space. */
  visible: Box
  /** Width as displayed, in points. */
  width: number
  /** Height as displayed, in points. */
  height: number
}

/**
 * The page's rotation in degrees clockwise: 0, 90, 180 or 270. May be inherited. Like readers, treats values that
 * aren't multiples of 90 as 0 (ISO 32000-2, table 31).
 */
export function rotationOf(document: PdfDocument, page: Page): number {
  const stated = document.peekNumber(page.attribute(Name.Rotate)) ?? 0
  return stated % 90 === 0 ? withinTurn(stated) : 0
}

/** The same angle from 0 up to 360 degrees, without 360. */
export function withinTurn(degrees: number): number {
  return ((degrees % 360) + 360) % 360
}

/**
 * Measures the page as displayed. Boxes may be inherited, inverted or broken. Like readers, treats a box without area
 * as missing. The CropBox is clipped to the MediaBox, and ignored if it lies outside (ISO 32000-2, 14.11.2).
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

/** The matrix from displayed coordinates (points from the lower-left corner) to user space. */
export function frameMatrix({ rotation, userUnit, visible }: Frame): Matrix {
  const unit = 1 / userUnit
  const { x, y } = visible
  const [right, top] = [x + visible.width, y + visible.height]
  if (rotation === 90) return [0, unit, -unit, 0, right, y]
  if (rotation === 180) return [-unit, 0, 0, -unit, right, top]
  if (rotation === 270) return [0, -unit, unit, 0, x, top]
  return [unit, 0, 0, unit, x, y]
}

/** Converts a box from displayed coordinates (points from the lower-left corner) to user space. */
export function toUserSpace(frame: Frame, box: Box): Box {
  return mapBox(frameMatrix(frame), box)
}

/** The matrix from user space to displayed coordinates, in points from the lower-left corner. */
export function seenMatrix(frame: Frame): Matrix {
  return invertMatrix(frameMatrix(frame)) ?? IDENTITY // always invertible, because the unit is greater than 0
}

/** Converts a box from user space to displayed coordinates, in points from the lower-left corner. */
export function toSeen(frame: Frame, box: Box): Box {
  return mapBox(seenMatrix(frame), box)
}

/** Converts a box relative to `origin` to displayed coordinates, in points from the lower-left corner. */
export function resolveBox(frame: Frame, box: Box, origin: Origin): Box {
  if (origin === 'user-space') return toSeen(frame, box)
  return origin === 'top-left' ? { ...box, y: frame.height - box.y - box.height } : box
}
