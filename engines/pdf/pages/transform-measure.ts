import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFArray, PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { mapPoint, quarterTurnsOf, scaleOf } from '../geometry/matrix'
import type { Matrix } from '../geometry/matrix'
import * as Name from '../syntax/names'
import { roundedNumber } from '../syntax/number-text'
import { copyDict } from '../document/object-copies'

/** Entries with points in a unit square. They correspond to geographic points (ISO 32000-2, table 269). */
const UNIT_POINTS = ['Bounds', 'LPTS'].map(name => PDFName.of(name))

/** Matrices that rotate the unit square counter-clockwise, by number of quarter turns. */
const UNIT_TURNS: readonly Matrix[] = [
  [1, 0, 0, 1, 0, 0],
  [0, 1, -1, 0, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [0, -1, 1, 0, 0, 1],
]

/**
 * Copies a measure dictionary (ISO 32000-2, 12.9) and adapts it to transformed content, so that it yields the same
 * lengths and places. Plans have a scale for each axis. Maps have points in the unit square.
 */
export function transformMeasure(document: PdfDocument, measure: PDFDict, matrix: Matrix): PDFDict {
  const copy = copyDict(document, measure)
  if (document.peek(measure.get(Name.Subtype)) === Name.GEO) {
    const turn = UNIT_TURNS[quarterTurnsOf(matrix)] as Matrix // turns are 0 to 3
    for (const key of UNIT_POINTS) if (measure.has(key)) copy.set(key, mapAll(document, measure.get(key), turn))
    return copy
  }
  if (measure.has(Name.O)) copy.set(Name.O, mapAll(document, measure.get(Name.O), matrix))
  const isSideways = quarterTurnsOf(matrix) % 2 === 1 && measure.has(Name.Y)
  const [sourceOfX, sourceOfY] = isSideways ? [Name.Y, Name.X] : [Name.X, Name.Y]
  const formatsOfX = scaleFormats(document, measure.get(sourceOfX), scaleOf(matrix))
  const formatsOfY = scaleFormats(document, measure.get(sourceOfY), scaleOf(matrix))
  if (formatsOfX) copy.set(Name.X, formatsOfX)
  if (formatsOfY) copy.set(Name.Y, formatsOfY)
  const ratio = document.peekNumber(measure.get(Name.CYX))
  if (isSideways && ratio) copy.set(Name.CYX, PDFNumber.of(1 / ratio))
  return copy
}

function mapAll(document: PdfDocument, value: PDFObject | undefined, matrix: Matrix): PDFArray {
  const numbers =
    document
      .peekArray(value)
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0) ?? []
  const mapped: number[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2)
    mapped.push(...mapPoint(matrix, numbers[at] as number, numbers[at + 1] as number)) // both indexes are in the list
  return document.context.obj(mapped.map(number => roundedNumber(number, 6)))
}

/**
 * Scales the first format of an axis, which is the value of one user space unit. Further formats subdivide that value.
 */
function scaleFormats(document: PdfDocument, value: PDFObject | undefined, scale: number): PDFArray | undefined {
  const [first, ...rest] = document.peekItems(value)
  const format = document.peekDict(first)
  const factor = document.peekNumber(format?.get(Name.C))
  if (!format || factor === undefined || scale === 0) return undefined
  const scaled = copyDict(document, format)
  scaled.set(Name.C, PDFNumber.of(factor / scale))
  return document.context.obj([scaled, ...rest])
}
