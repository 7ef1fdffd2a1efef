import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import type { Point, Subject } from './drawing'
import { colorOperator, numbers, readBorder, readColor, readDash } from '../pdf-core/annotations/annotation-style'
import * as Name from '../pdf-core/syntax/names'

const BLACK: readonly number[] = [0]

/** What lines and areas of an annotation are drawn with. */
export interface StrokeStyle {
  /** In points; 0 for no line. */
  width: number
  color: readonly number[]
  /** Undefined for no filling. */
  interior: readonly number[] | undefined
  /** Undefined for a solid line. */
  dash: readonly number[] | undefined
}

/** The pen that /C, /IC, /BS and /Border state; beveled and inset borders count as solid ones. */
export function readStrokeStyle({ document, annotation }: Subject): StrokeStyle {
  const border = readBorder(document, annotation)
  const dash =
    border.style === 'D' ? border.dash : annotation.has(Name.BS) ? undefined : readOldDash(document, annotation)
  return {
    width: border.width,
    color: colorOf(document, annotation.get(Name.C), BLACK),
    interior: readColor(document, annotation.get(Name.IC)),
    dash,
  }
}

type Color = readonly number[]

/** The color that a value states, or `otherwise`; black for an array that names no color, as PDFium has it. */
export function colorOf(document: PdfDocument, value: PDFObject | undefined, otherwise: Color): Color {
  if (!document.peekArray(value)) return otherwise
  return readColor(document, value) ?? BLACK
}

/** The operators that set a pen. */
export function writeStrokeStyle({ width, color, interior, dash }: StrokeStyle): string {
  const filling = interior ? `${colorOperator(interior, 'fill')} ` : ''
  return `${filling}${colorOperator(color, 'line')} ${numbers(width)} w${dash ? ` [${numbers(...dash)}] 0 d` : ''}`
}

/** The operator that paints a closed path; undefined if there is nothing to paint. */
export function closedOperator({ width, interior }: StrokeStyle): string | undefined {
  if (interior) return width > 0 ? 'b' : 'f'
  return width > 0 ? 's' : undefined
}

/** Points as a path of straight lines. */
export function drawPath(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${numbers(x, y)} ${index === 0 ? 'm' : 'l'}`).join(' ')
}

function readOldDash(document: PdfDocument, annotation: PDFDict): number[] | undefined {
  return readDash(document, document.peekArray(annotation.get(Name.Border))?.asArray()[3])
}
