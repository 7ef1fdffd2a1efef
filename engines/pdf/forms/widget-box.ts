import { writeRounded } from '../syntax/number-text'
import type { PDFDict, PDFRef } from 'pdf-lib'
import { colorOperator, drawCircle, numbers, readBorder, readColor } from '../annotations/annotation-style'
import type { Border } from '../annotations/annotation-style'
import { findAppearance } from '../annotations/appearance'
import { readBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import type { Matrix } from '../geometry/matrix'
import { appearanceCharacteristicsOf } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../syntax/names'
import { withinTurn } from '../geometry/frame'

/** Coordinate space of a widget's appearance: upright, with its lower-left corner at 0,0. */
export interface WidgetBox {
  width: number
  height: number
  /** The rotation on the page (/MK /R). Undefined for an upright widget. */
  matrix: Matrix | undefined
  /** Width of the border on each side. */
  inset: number
  border: Border & { color: number[] | undefined }
  background: number[] | undefined
}

/** Returns the coordinate space of a widget. Undefined if it has no area. */
export function measureWidget(document: PdfDocument, widget: PDFRef): WidgetBox | undefined {
  const dict = document.peekDict(widget)
  const rect = readBox(document, dict?.get(Name.Rect))
  if (!dict || !rect) return undefined
  const characteristics = appearanceCharacteristicsOf(document, widget)
  const angleDeg = withinTurn(document.peekNumber(characteristics?.get(Name.R)) ?? findTurn(document, dict))
  const { width: w, height: h } = rect
  const [width, height] = angleDeg === 90 || angleDeg === 270 ? [h, w] : [w, h]
  const border = { ...readBorder(document, dict), color: readColor(document, characteristics?.get(Name.BC)) }
  const isDouble = border.style === 'B' || border.style === 'I'
  const inset = Math.min(border.width * (isDouble ? 2 : 1), width / 4, height / 4)
  return {
    width,
    height,
    matrix: turnMatrix(angleDeg, w, h),
    inset,
    border,
    background: readColor(document, characteristics?.get(Name.BG)),
  }
}

/** Returns whether a field can have a value and a visible widget. */
export function isFillable(document: PdfDocument, field: FormField): boolean {
  const takesValues = field.kind !== 'unknown' && field.kind !== 'signature' && field.kind !== 'button'
  return takesValues && field.widgets.some(widget => measureWidget(document, widget) !== undefined)
}

/**
 * Returns the rotation of a widget's existing appearance. On pages that were rotated and merged, only the appearance
 * contains the rotation.
 */
function findTurn(document: PdfDocument, dict: PDFDict): number {
  const appearance = findAppearance(document, dict)
  const [a = 1, b = 0] =
    document
      .peekArray(document.peekDict(appearance)?.get(Name.Matrix))
      ?.asArray()
      .map(item => document.peekNumber(item)) ?? []
  return Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90
}

/** Returns the counterclockwise rotation that keeps the content in the first quadrant. */
function turnMatrix(angleDeg: number, width: number, height: number): Matrix | undefined {
  if (angleDeg === 90) return [0, 1, -1, 0, width, 0]
  if (angleDeg === 180) return [-1, 0, 0, -1, width, height]
  return angleDeg === 270 ? [0, -1, 1, 0, 0, height] : undefined
}

/** Draws the background and border of a widget. Radio buttons with a round mark have a round border. */
export function drawFrame({ width, height, border, background }: WidgetBox, shape: 'box' | 'circle' = 'box'): string {
  const isRound = shape === 'circle'
  const outline = (inset: number): string =>
    isRound
      ? drawCircle(width / 2, height / 2, Math.min(width, height) / 2 - inset)
      : `${numbers(inset, inset, width - 2 * inset, height - 2 * inset)} re`
  const parts: string[] = []
  if (background) parts.push(`q ${colorOperator(background, 'fill')} ${outline(0)} f Q`)
  if (!border.color || border.width === 0) return parts.join('\n')
  const { width: line, style } = border
  const pen =
    `${colorOperator(border.color, 'line')} ${writeRounded(line)} ` +
    `w${style === 'D' ? ` [${numbers(...border.dash)}] 0 d` : ''}`
  if (!isRound && (style === 'B' || style === 'I'))
    parts.push(drawBevel(width, height, { line, isInset: style === 'I' }))
  if (style === 'U') parts.push(`q ${pen} ${numbers(0, line / 2)} m ${numbers(width, line / 2)} l S Q`)
  else parts.push(`q ${pen} ${outline(line / 2)} S Q`)
  return parts.join('\n')
}

/** Draws the bevel inside of the border. */
function drawBevel(width: number, height: number, { line, isInset }: { line: number; isInset: boolean }): string {
  const [near, far] = [line, 2 * line]
  const [light, shadow] = isInset ? ['0.5 g', '0.75 g'] : ['1 g', '0.5 g']
  const upper =
    `${numbers(near, near)} m ${numbers(near, height - near)} l ${numbers(width - near, height - near)} l ` +
    `${numbers(width - far, height - far)} l ${numbers(far, height - far)} l ${numbers(far, far)} l f`
  const lower =
    `${numbers(width - near, height - near)} m ${numbers(width - near, near)} l ${numbers(near, near)} l ` +
    `${numbers(far, far)} l ${numbers(width - far, far)} l ${numbers(width - far, height - far)} l f`
  return `q ${light} ${upper} ${shadow} ${lower} Q`
}
