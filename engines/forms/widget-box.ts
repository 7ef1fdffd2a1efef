import { PDFName, PDFNumber } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { findAppearance } from '../pdf-core/appearance'
import { readBox } from '../pdf-core/box'
import type { PdfDocument } from '../pdf-core/document'
import type { Matrix } from '../pdf-core/matrix'
import { writeNumber } from '../text/show-text'
import { appearanceCharacteristicsOf } from './form-field'
import type { FormField } from './form-field'

const MATRIX = PDFName.of('Matrix')
const RECT = PDFName.of('Rect')
const R = PDFName.of('R')
const BC = PDFName.of('BC')
const BG = PDFName.of('BG')
const BS = PDFName.of('BS')
const BORDER = PDFName.of('Border')
const W = PDFName.of('W')
const S = PDFName.of('S')
const D = PDFName.of('D')

type BorderStyle = 'S' | 'D' | 'B' | 'I' | 'U'

/** The space that a widget's appearance is drawn in: upright, its lower-left corner at 0,0. */
export interface WidgetBox {
  width: number
  height: number
  /** What turns it on the page (/MK /R); undefined where it stands upright. */
  matrix: Matrix | undefined
  /** What the border takes of each side. */
  inset: number
  border: { width: number; style: BorderStyle; dash: number[]; colour: number[] | undefined }
  background: number[] | undefined
}

/** The widget's space; undefined when it has no area. */
export function measureWidget(document: PdfDocument, widget: PDFRef): WidgetBox | undefined {
  const dict = document.peekDict(widget)
  const rect = readBox(document, dict?.get(RECT))
  if (!dict || !rect) return undefined
  const looks = appearanceCharacteristicsOf(document, widget)
  const angleDeg = (((document.peekNumber(looks?.get(R)) ?? findTurn(document, dict)) % 360) + 360) % 360
  const { width: w, height: h } = rect
  const [width, height] = angleDeg === 90 || angleDeg === 270 ? [h, w] : [w, h]
  const border = { ...readBorder(document, dict), colour: readColour(document, looks?.get(BC)) }
  const isDouble = border.style === 'B' || border.style === 'I'
  const inset = Math.min(border.width * (isDouble ? 2 : 1), width / 4, height / 4)
  return { width, height, matrix: turnMatrix(angleDeg, w, h), inset, border, background: readColour(document, looks?.get(BG)) }
}

/** Whether a field takes values and has a place where they are seen. */
export function isFillable(document: PdfDocument, field: FormField): boolean {
  const takesValues = field.kind !== 'unknown' && field.kind !== 'signature' && field.kind !== 'button'
  return takesValues && field.widgets.some(widget => measureWidget(document, widget) !== undefined)
}

/** How far the appearance that a widget has is turned: pages that were turned and laid onto others have it there only. */
function findTurn(document: PdfDocument, dict: PDFDict): number {
  const appearance = findAppearance(document, dict)
  const [a = 1, b = 0] = document.peekArray(document.peekDict(appearance)?.get(MATRIX))?.asArray().map(item => document.peekNumber(item)) ?? []
  return Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90
}

/** Counter-clockwise around the corner that keeps everything in the first quadrant. */
function turnMatrix(angleDeg: number, width: number, height: number): Matrix | undefined {
  if (angleDeg === 90) return [0, 1, -1, 0, width, 0]
  if (angleDeg === 180) return [-1, 0, 0, -1, width, height]
  return angleDeg === 270 ? [0, -1, 1, 0, 0, height] : undefined
}

function readBorder(document: PdfDocument, dict: PDFDict): { width: number; style: BorderStyle; dash: number[] } {
  const style = document.peekDict(dict.get(BS))
  const old = document.peekArray(dict.get(BORDER))?.asArray().map(item => document.peekNumber(item))
  const width = document.peekNumber(style?.get(W)) ?? (style ? undefined : old?.[2]) ?? 1
  const name = document.peek(style?.get(S))
  const known = (['S', 'D', 'B', 'I', 'U'] as const).find(one => name === PDFName.of(one))
  const dash = document.peekArray(style?.get(D))?.asArray().flatMap(item => document.peekNumber(item) ?? []).filter(length => length >= 0) ?? []
  return { width: Math.min(Math.max(0, width), 100), style: known ?? 'S', dash: dash.some(length => length > 0) ? dash.slice(0, 10) : [3] }
}

function readColour(document: PdfDocument, value: PDFObject | undefined): number[] | undefined {
  const parts = document.peekArray(value)?.asArray().map(item => document.peek(item))
  if (!parts || ![1, 3, 4].includes(parts.length)) return undefined
  return parts.map(part => (part instanceof PDFNumber ? Math.min(Math.max(part.asNumber(), 0), 1) || 0 : 0))
}

const FILLS: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' }

/** The operator that sets a colour, for filling or for lines. */
export function colourOperator(parts: readonly number[], use: 'fill' | 'line'): string {
  const operator = FILLS[parts.length] ?? 'g'
  return `${numbers(...parts)} ${use === 'fill' ? operator : operator.toUpperCase()}`
}

/** Background and border of a widget; those of radio buttons with a round mark are round. */
export function drawFrame({ width, height, border, background }: WidgetBox, shape: 'box' | 'circle' = 'box'): string {
  const isRound = shape === 'circle'
  const outline = (inset: number): string =>
    isRound ? drawCircle(width / 2, height / 2, Math.min(width, height) / 2 - inset) : `${numbers(inset, inset, width - 2 * inset, height - 2 * inset)} re`
  const parts: string[] = []
  if (background) parts.push(`q ${colourOperator(background, 'fill')} ${outline(0)} f Q`)
  if (!border.colour || border.width === 0) return parts.join('\n')
  const { width: line, style } = border
  const pen = `${colourOperator(border.colour, 'line')} ${writeNumber(line)} w${style === 'D' ? ` [${numbers(...border.dash)}] 0 d` : ''}`
  if (!isRound && (style === 'B' || style === 'I')) parts.push(drawBevel(width, height, { line, isInset: style === 'I' }))
  if (style === 'U') parts.push(`q ${pen} ${numbers(0, line / 2)} m ${numbers(width, line / 2)} l S Q`)
  else parts.push(`q ${pen} ${outline(line / 2)} S Q`)
  return parts.join('\n')
}

/** Light and shadow inside of the border. */
function drawBevel(width: number, height: number, { line, isInset }: { line: number; isInset: boolean }): string {
  const [near, far] = [line, 2 * line]
  const [light, shadow] = isInset ? ['0.5 g', '0.75 g'] : ['1 g', '0.5 g']
  const upper = `${numbers(near, near)} m ${numbers(near, height - near)} l ${numbers(width - near, height - near)} l ${numbers(width - far, height - far)} l ${numbers(far, height - far)} l ${numbers(far, far)} l f`
  const lower = `${numbers(width - near, height - near)} m ${numbers(width - near, near)} l ${numbers(near, near)} l ${numbers(far, far)} l ${numbers(width - far, far)} l ${numbers(width - far, height - far)} l f`
  return `q ${light} ${upper} ${shadow} ${lower} Q`
}

/** How far the handles of a quarter circle reach, as a share of its radius. */
const QUARTER = 0.5523

/** A closed circle as a path. */
export function drawCircle(x: number, y: number, radius: number): string {
  const handle = radius * QUARTER
  return [
    `${numbers(x + radius, y)} m`,
    `${numbers(x + radius, y + handle, x + handle, y + radius, x, y + radius)} c`,
    `${numbers(x - handle, y + radius, x - radius, y + handle, x - radius, y)} c`,
    `${numbers(x - radius, y - handle, x - handle, y - radius, x, y - radius)} c`,
    `${numbers(x + handle, y - radius, x + radius, y - handle, x + radius, y)} c h`,
  ].join(' ')
}

/** Operands as content streams have them. */
export function numbers(...values: number[]): string {
  return values.map(writeNumber).join(' ')
}
