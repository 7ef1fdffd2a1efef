import type { PDFArray, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { roundedNumber } from '../syntax/number-text'

/** A rectangle by its lower-left corner and its size. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Reads a rectangle from an array of four numbers, in any order of corners. Undefined if it has no area. */
export function readBox(document: PdfDocument, value: PDFObject | undefined): Box | undefined {
  const array = document.peekArray(value)
  if (!array || array.size() < 4) return undefined
  const numbers = array
    .asArray()
    .slice(0, 4)
    .map(item => document.peekNumber(item))
  const [x1, y1, x2, y2] = numbers
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined
  const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  return box.width > 0 && box.height > 0 ? box : undefined
}

/** Writes a box as a PDF rectangle, rounded to a ten-thousandth of a unit. */
export function writeBox(document: PdfDocument, { x, y, width, height }: Box): PDFArray {
  return document.context.obj([x, y, x + width, y + height].map(number => roundedNumber(number)))
}

/** The intersection of two boxes. Undefined if it has no area. */
export function intersectBoxes(one: Box, other: Box): Box | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)]
  const width = Math.min(one.x + one.width, other.x + other.width) - x
  const height = Math.min(one.y + one.height, other.y + other.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}
