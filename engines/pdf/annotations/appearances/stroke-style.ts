import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../document/document'
import type { Point, Subject } from './drawing'
import { colorOperator, numbers, readBorder, readColor, readDash } from '../annotation-style'
import * as Name from '../../syntax/names'

const BLACK: readonly number[] = [0]

/** Line and fill style of an annotation. */
export interface StrokeStyle {
  /** Line width in points. 0 for no line. */
  width: number
  color: readonly number[]
  /** Fill color. Undefined for no fill. */
  interior: readonly number[] | undefined
  /** Dash pattern. Undefined for a solid line. */
  dash: readonly number[] | undefined
}

/** Reads the style from /C, /IC, /BS and /Border. Beveled and inset borders count as solid. */
export function readStrokeStyle({ document, annotation }: Subject): StrokeStyle {
  const border = readBorder(document, annotation)
  const dash =
    border.style === 'D' ? border.dash : annotation.has(Name.BS) ? undefined : readBorderDash(document, annotation)
  return {
    width: border.width,
    color: colorOf(document, annotation.get(Name.C), BLACK),
    interior: readColor(document, annotation.get(Name.IC)),
    dash,
  }
}

type Color = readonly number[]

/** Returns the color of a value, or `defaultColor` without one. An array that is no valid color is black, as in PDFium. */
export function colorOf(document: PdfDocument, value: PDFObject | undefined, defaultColor: Color): Color {
  if (!document.peekArray(value)) return defaultColor
  return readColor(document, value) ?? BLACK
}

/** Returns the operators that set the style. */
export function writeStrokeStyle({ width, color, interior, dash }: StrokeStyle): string {
  const filling = interior ? `${colorOperator(interior, 'fill')} ` : ''
  return `${filling}${colorOperator(color, 'line')} ${numbers(width)} w${dash ? ` [${numbers(...dash)}] 0 d` : ''}`
}

/** Returns the operator that paints a closed path. Undefined if nothing is painted. */
export function closedOperator({ width, interior }: StrokeStyle): string | undefined {
  if (interior) return width > 0 ? 'b' : 'f'
  return width > 0 ? 's' : undefined
}

/** Returns a path of straight lines through points. */
export function drawPath(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${numbers(x, y)} ${index === 0 ? 'm' : 'l'}`).join(' ')
}

function readBorderDash(document: PdfDocument, annotation: PDFDict): number[] | undefined {
  return readDash(document, document.peekArray(annotation.get(Name.Border))?.asArray()[3])
}
