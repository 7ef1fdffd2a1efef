import { PDFDict, PDFName, PDFRef, PDFStream } from 'pdf-lib'
import { readBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { mapBox, readMatrix } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import * as Name from '../syntax/names'

/** Returns whether the annotation has a normal appearance in any of its states. */
export function hasAppearance(document: PdfDocument, annotation: PDFDict): boolean {
  const normal = document.peek(document.peekDict(annotation.get(Name.AP))?.get(Name.N))
  return (
    normal instanceof PDFStream ||
    (normal instanceof PDFDict && normal.values().some(value => document.peek(value) instanceof PDFStream))
  )
}

/** The stream that shows the annotation now. /AS names its state. Without /AS, the field's value names it. */
export function findAppearance(document: PdfDocument, annotation: PDFDict): PDFRef | undefined {
  const value = document.peekDict(annotation.get(Name.AP))?.get(Name.N)
  const normal = document.peek(value)
  if (normal instanceof PDFStream) return value instanceof PDFRef ? value : undefined
  if (!(normal instanceof PDFDict)) return undefined
  const parent = document.peekDict(annotation.get(Name.Parent))
  const state = [annotation.get(Name.AS), annotation.get(Name.V), parent?.get(Name.V)]
    .map(name => document.peek(name))
    .find(name => name instanceof PDFName)
  const shown = state instanceof PDFName ? normal.get(state) : undefined
  return shown instanceof PDFRef && document.peek(shown) instanceof PDFStream ? shown : undefined
}

/**
 * The matrix that maps an appearance onto the annotation's rectangle (ISO 32000-2, 12.5.5, algorithm for appearance
 * streams): it fits the appearance's box, transformed by the appearance's own matrix, to the rectangle. `uprightDeg`
 * rotates the result counter-clockwise around the upper left corner, for annotations that don't rotate with the page.
 * Undefined if the appearance has no visible area.
 */
export function fitAppearance(
  document: PdfDocument,
  annotation: PDFDict,
  form: PDFDict,
  uprightDeg: number,
): Matrix | undefined {
  const rect = readBox(document, annotation.get(Name.Rect))
  const box = readBox(document, form.get(Name.BBox))
  if (!rect || !box) return undefined
  const turned = mapBox(readMatrix(document, form.get(Name.Matrix)), box)
  if (turned.width <= 0 || turned.height <= 0) return undefined
  const [sx, sy] = [rect.width / turned.width, rect.height / turned.height]
  const [tx, ty] = [rect.x - turned.x * sx, rect.y - turned.y * sy]
  if (uprightDeg === 0) return [sx, 0, 0, sy, tx, ty]
  const [cos, sin] = [
    Math.round(Math.cos((uprightDeg * Math.PI) / 180)),
    Math.round(Math.sin((uprightDeg * Math.PI) / 180)),
  ]
  const top = rect.y + rect.height
  const [dx, dy] = [tx - rect.x, ty - top]
  return [sx * cos, sx * sin, -sy * sin, sy * cos, rect.x + dx * cos - dy * sin, top + dx * sin + dy * cos]
}
