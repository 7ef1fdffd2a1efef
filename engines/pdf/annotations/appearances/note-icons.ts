import { PDFName } from 'pdf-lib'
import { insetRect, readPoints } from './drawing'
import type { AppearanceDrawing, Subject } from './drawing'
import { colorOperator, numbers } from '../annotation-style'
import { colorOf } from './stroke-style'
import * as Name from '../../syntax/names'

const BLACK: readonly number[] = [0]
const YELLOW: readonly number[] = [1, 1, 0]

/** Side length of an icon in points. As in PDFium, the size doesn't depend on the rectangle. */
const SIDE = 20

const FRAME = '0.5 0.5 19 19 re b'
const STEMS = '11 4 l 11 14.6 l 12.4 14.6 l 12.4 4 l 13.8 4 l 13.8 14.6 l 15.4 14.6 l 15.4 16 l h f'
const PILCROW = `8.6 16 m 4.2 16 4.2 9.6 8.6 9.6 c 9.6 9.6 l 9.6 4 l ${STEMS}`
const SHAFT = '10.6 11.2 m 4.6 5.2 l 6.8 7.4 m 8.6 5.6 l'
const LINES = '2.5 15.75 m 17.5 15.75 l 2.5 12 m 17.5 12 l 2.5 8.25 m 17.5 8.25 l'

/** The icons of Text annotations (ISO 32000-2, table 175) in a square of 20 by 20, for black or white ink. */
const ICONS: Readonly<Record<string, string>> = {
  Comment: `${FRAME} 4 16 m 16 16 l 16 8 l 10 8 l 6.5 4.5 l 6.5 8 l 4 8 l h f`,
  Help: `${FRAME} 2.2 w 6.6 12.6 m 6.6 17.6 13.4 17.6 13.4 13.2 c 13.4 10.8 10 10.8 10 7.6 c S 8.8 3.4 2.4 2.4 re f`,
  Insert: `${FRAME} 10 14.5 m 15.5 6 l 4.5 6 l h f`,
  Key: `${FRAME} 2 w 15 13 m 15 16.2 10 16.2 10 13 c 10 9.8 15 9.8 15 13 c h ${SHAFT} S`,
  NewParagraph: `${FRAME} q 0.7 0 0 0.7 3 5.6 cm ${PILCROW} Q 10 7.4 m 13.6 2.8 l 6.4 2.8 l h f`,
  Note: `0.5 4.5 m 0.5 19.5 l 19.5 19.5 l 19.5 4.5 l 8.5 4.5 l 6.5 0.5 l 4.5 4.5 l h ${LINES} B*`,
  Paragraph: `${FRAME} ${PILCROW}`,
}

/**
 * Draws the icon of a Text annotation by its /Name, at the lower-left corner of its rectangle. Unknown names get the
 * note icon.
 */
export function drawNoteIcon({ document, annotation }: Subject): AppearanceDrawing | undefined {
  // The rectangle may have no area, because only its corner is used.
  const [corner, opposite] = readPoints(document, annotation.get(Name.Rect))
  if (!corner || !opposite) return undefined
  const extent = { x: Math.min(corner[0], opposite[0]), y: Math.min(corner[1], opposite[1]), width: SIDE, height: SIDE }
  const name = document.peek(annotation.get(Name.Name))
  const key = name instanceof PDFName ? name.decodeText() : ''
  const icon = (Object.hasOwn(ICONS, key) ? ICONS[key] : undefined) ?? ICONS.Note ?? ''
  const color = colorOf(document, annotation.get(Name.C), YELLOW)
  const ink = isDark(color) ? '1 g 1 G' : '0 g 0 G'
  // The body is filled with the color of the annotation. Its details are drawn in the ink color.
  const body = icon.replace(/ (?:b|B\*)(?= |$)/, paint => `${paint} ${ink}`)
  const place = `1 0 0 1 ${numbers(extent.x, extent.y)} cm`
  const operators = `${place} ${ink} 1 w ${colorOperator(color, 'fill')} ${body}`
  return { operators, extent, replacesRect: true }
}

/** Draws a Caret in its rectangle (ISO 32000-2, 12.5.6.11). */
export function drawCaret(subject: Subject): AppearanceDrawing | undefined {
  const { document, annotation, rect } = subject
  if (!rect) return undefined
  const { x, y, width, height } = insetRect(subject, rect)
  const [center, middle, top] = [x + width / 2, y + height / 2, y + height]
  const color = colorOf(document, annotation.get(Name.C), BLACK)
  const sides = [numbers(center, y, center, middle, center, top), numbers(center, middle, center, y, x + width, y)]
  const path = `${numbers(x, y)} m ${sides.join(' c ')} c b`
  return { operators: `${colorOperator(color, 'fill')} ${colorOperator(color, 'line')} 1 w ${path}`, extent: rect }
}

/** Returns whether black would have too little contrast on a color of 1, 3 or 4 components. The weights are luma's. */
function isDark(color: readonly number[]): boolean {
  const [first = 0, second = first, third = first, black = 0] = color
  const luminance = 0.299 * first + 0.587 * second + 0.114 * third
  return (color.length === 4 ? 1 - Math.min(1, luminance + black) : luminance) < 0.5
}
