import { PDFDict, PDFName, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'

const AP = PDFName.of('AP')
const N = PDFName.of('N')
const AS = PDFName.of('AS')
const V = PDFName.of('V')
const PARENT = PDFName.of('Parent')
const BBOX = PDFName.of('BBox')
const MATRIX = PDFName.of('Matrix')
const RECT = PDFName.of('Rect')

/** A transformation as the operator `cm` takes it. */
export type Matrix = [number, number, number, number, number, number]

/** Left, bottom, right, top. */
type Box = [number, number, number, number]

/** Whether the annotation has a normal appearance, in whatever state. */
export function hasAppearance(document: PdfDocument, annotation: PDFDict): boolean {
  const normal = document.peek(document.peekDict(annotation.get(AP))?.get(N))
  return normal instanceof PDFStream || (normal instanceof PDFDict && normal.values().some(value => document.peek(value) instanceof PDFStream))
}

/** The stream that shows the annotation now, in the state that /AS or else the field's value names. */
export function findAppearance(document: PdfDocument, annotation: PDFDict): PDFRef | undefined {
  const value = document.peekDict(annotation.get(AP))?.get(N)
  const normal = document.peek(value)
  if (normal instanceof PDFStream) return value instanceof PDFRef ? value : undefined
  if (!(normal instanceof PDFDict)) return undefined
  const parent = document.peekDict(annotation.get(PARENT))
  const state = [annotation.get(AS), annotation.get(V), parent?.get(V)].map(name => document.peek(name)).find(name => name instanceof PDFName)
  const shown = state instanceof PDFName ? normal.get(state) : undefined
  return shown instanceof PDFRef && document.peek(shown) instanceof PDFStream ? shown : undefined
}

/**
 * The transformation that puts an appearance into the annotation's rectangle (ISO 32000-2, 12.5.5, algorithm for
 * appearance streams): its box, turned by its own matrix, is fitted to the rectangle. `uprightDeg` turns it further,
 * counter-clockwise around the upper left corner, for annotations that do not turn with the page. Undefined when there is
 * nothing to see.
 */
export function fitAppearance(document: PdfDocument, annotation: PDFDict, form: PDFDict, uprightDeg: number): Matrix | undefined {
  const rect = boxOf(document, annotation.get(RECT))
  const box = boxOf(document, form.get(BBOX))
  const [a, b, c, d, e, f] = matrixOf(document, form.get(MATRIX))
  if (!rect || !box) return undefined
  const corners = [[box[0], box[1]], [box[0], box[3]], [box[2], box[1]], [box[2], box[3]]] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom]
  if (width <= 0 || height <= 0 || rect[2] <= rect[0] || rect[3] <= rect[1]) return undefined
  const [sx, sy] = [(rect[2] - rect[0]) / width, (rect[3] - rect[1]) / height]
  const [tx, ty] = [rect[0] - left * sx, rect[1] - bottom * sy]
  if (uprightDeg === 0) return [sx, 0, 0, sy, tx, ty]
  const [cos, sin] = [Math.round(Math.cos((uprightDeg * Math.PI) / 180)), Math.round(Math.sin((uprightDeg * Math.PI) / 180))]
  const [dx, dy] = [tx - rect[0], ty - rect[3]]
  return [sx * cos, sx * sin, -sy * sin, sy * cos, rect[0] + dx * cos - dy * sin, rect[3] + dx * sin + dy * cos]
}

function numbersOf(document: PdfDocument, value: PDFObject | undefined, count: number): number[] | undefined {
  const numbers = document.peekArray(value)?.asArray().map(item => document.peekNumber(item) ?? 0)
  return numbers?.length === count ? numbers : undefined
}

function boxOf(document: PdfDocument, value: PDFObject | undefined): Box | undefined {
  const numbers = numbersOf(document, value, 4)
  if (!numbers) return undefined
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function matrixOf(document: PdfDocument, value: PDFObject | undefined): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(document, value, 6) ?? []
  return [a, b, c, d, e, f]
}
