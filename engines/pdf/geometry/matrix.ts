import type { PDFArray, PDFObject } from 'pdf-lib'
import type { Box } from './box'
import type { PdfDocument } from '../document/document'
import { roundedNumber } from '../syntax/number-text'

/** `[a b c d e f]` as in PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = [number, number, number, number, number, number]

/** The identity matrix. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** Reads a matrix from an array of six numbers. Returns `otherwise` for any other value. */
export function readMatrix(document: PdfDocument, value: PDFObject | undefined, otherwise = IDENTITY): Matrix {
  const numbers = document.peekArray(value)?.asArray()
  if (numbers?.length !== 6) return otherwise
  return numbers.map(item => document.peekNumber(item) ?? 0) as Matrix // has six items, as checked above
}

/** Writes a matrix as a PDF array, rounded to a millionth. */
export function writeMatrix(document: PdfDocument, matrix: Matrix): PDFArray {
  return document.context.obj(matrix.map(number => roundedNumber(number, 6)))
}

/** The matrix that applies `first`, then `second`. */
export function chainMatrices([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** The inverse matrix. Undefined if the matrix can't be inverted. */
export function invertMatrix([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const determinant = a * d - b * c
  if (Math.abs(determinant) < 1e-12) return undefined
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ]
}

/** Applies the matrix to a point. */
export function mapPoint([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** The smallest upright box around the transformed box. */
export function mapBox(matrix: Matrix, { x, y, width, height }: Box): Box {
  const [x1, y1] = mapPoint(matrix, x, y)
  const [x2, y2] = mapPoint(matrix, x + width, y)
  const [x3, y3] = mapPoint(matrix, x, y + height)
  const [x4, y4] = mapPoint(matrix, x + width, y + height)
  const [left, bottom] = [Math.min(x1, x2, x3, x4), Math.min(y1, y2, y3, y4)]
  return {
    x: left,
    y: bottom,
    width: Math.max(x1, x2, x3, x4) - left,
    height: Math.max(y1, y2, y3, y4) - bottom,
  }
}

/** The factor by which the matrix scales lengths, averaged over all directions. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c))
}

/** The rotation of the matrix in quarter turns counter-clockwise, 0 to 3, rounded to the nearest. */
export function quarterTurnsOf([a, b]: Matrix): number {
  return (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
}
