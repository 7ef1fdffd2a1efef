import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { Bounds } from './geometry'

/** The numbers of an array. Other items become 0. Undefined if there is no array. */
export function readNumbers(document: PdfDocument, value: PDFObject | undefined): number[] | undefined {
  return document
    .peekArray(value)
    ?.asArray()
    .slice(0, 64)
    .map(item => document.peekNumber(item) ?? 0)
}

/** Reads a rectangle from four numbers, in any order of corners. */
export function readBounds(document: PdfDocument, value: PDFObject | undefined): Bounds | undefined {
  const numbers = readNumbers(document, value)
  if (!numbers || numbers.length < 4) return undefined
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}
