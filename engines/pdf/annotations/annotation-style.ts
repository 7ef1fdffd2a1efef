import { writeRounded } from '../syntax/number-text'
import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import * as Name from '../syntax/names'

type BorderStyle = 'S' | 'D' | 'B' | 'I' | 'U'

/** The border of an annotation (ISO 32000-2, tables 166 and 168). */
export interface Border {
  /** In points; 0 for none. */
  width: number
  style: BorderStyle
  /** Lengths of dashes and gaps; used by style `D`. */
  dash: number[]
}

/** The border that /BS or else /Border states: one point wide and solid unless they say otherwise. */
export function readBorder(document: PdfDocument, dict: PDFDict): Border {
  const style = document.peekDict(dict.get(Name.BS))
  const old = document
    .peekArray(dict.get(Name.Border))
    ?.asArray()
    .map(item => document.peekNumber(item))
  const width = document.peekNumber(style?.get(Name.W)) ?? (style ? undefined : old?.[2]) ?? 1
  const name = document.peek(style?.get(Name.S))
  const known = (['S', 'D', 'B', 'I', 'U'] as const).find(one => name === PDFName.of(one))
  const dash = readDash(document, style?.get(Name.D)) ?? [3]
  return { width: Math.min(Math.max(0, width), 100), style: known ?? 'S', dash }
}

/** The dash array of at most ten lengths that a value states; undefined if it states none that can be drawn. */
export function readDash(document: PdfDocument, value: PDFObject | undefined): number[] | undefined {
  const items = document
    .peekArray(value)
    ?.asArray()
    .flatMap(item => document.peekNumber(item) ?? [])
  const dash = items?.filter(length => length >= 0) ?? []
  return dash.some(length => length > 0) ? dash.slice(0, 10) : undefined
}

/** The color that an array of 1, 3 or 4 numbers names (gray, RGB, CMYK); undefined for anything else. */
export function readColor(document: PdfDocument, value: PDFObject | undefined): number[] | undefined {
  const parts = document
    .peekArray(value)
    ?.asArray()
    .map(item => document.peek(item))
  if (!parts || ![1, 3, 4].includes(parts.length)) return undefined
  return parts.map(part => (part instanceof PDFNumber ? Math.min(Math.max(part.asNumber(), 0), 1) || 0 : 0))
}

const FILLS: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' }

/** The operator that sets a color, for filling or for lines. */
export function colorOperator(parts: readonly number[], use: 'fill' | 'line'): string {
  const operator = FILLS[parts.length] ?? 'g'
  return `${numbers(...parts)} ${use === 'fill' ? operator : operator.toUpperCase()}`
}

/** How far the handles of a quarter circle reach, as a share of its radius. */
const QUARTER = 0.5523

/** A closed circle as a path. */
export function drawCircle(x: number, y: number, radius: number): string {
  return drawEllipse(x, y, radius, radius)
}

/** A closed ellipse as a path, by its center and its radii along the axes. */
export function drawEllipse(x: number, y: number, across: number, up: number): string {
  const [dx, dy] = [across * QUARTER, up * QUARTER]
  return [
    `${numbers(x + across, y)} m`,
    `${numbers(x + across, y + dy, x + dx, y + up, x, y + up)} c`,
    `${numbers(x - dx, y + up, x - across, y + dy, x - across, y)} c`,
    `${numbers(x - across, y - dy, x - dx, y - up, x, y - up)} c`,
    `${numbers(x + dx, y - up, x + across, y - dy, x + across, y)} c h`,
  ].join(' ')
}

/** Operands as content streams have them. */
export function numbers(...values: number[]): string {
  return values.map(writeRounded).join(' ')
}
