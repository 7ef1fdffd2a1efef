import { PDFBool } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { Box } from '../pdf-core/geometry/box'
import { readTextLine } from '../pdf-core/syntax/text-string'
import { capHeightOf, widthOf } from './annotation-text'
import type { TextWriter } from './annotation-text'
import { boxAround, offset } from './drawing'
import type { Point, Subject } from './drawing'
import { colorOperator } from '../pdf-core/annotations/annotation-style'
import * as Name from '../pdf-core/syntax/names'

/** In points; the file states none. */
const SIZE_PT = 9

/** Between the caption and its line, in points. */
const MARGIN = 3

/** A caption further away than this is taken for a slip, in points. */
const FARTHEST = 10_000

/** The line that a caption belongs to. */
interface Captioned {
  start: Point
  end: Point
  direction: Point
  color: readonly number[]
}

/** A caption, and what it leaves out of its line: the end of the first part and the beginning of the second. */
interface Caption {
  operators: string
  extent: Box | undefined
  fonts: ReadonlyMap<PDFRef, string>
  gap: [Point, Point] | undefined
}

/**
 * The caption of a Line (ISO 32000-2, table 178: /Cap, /CP, /CO), never upside down. One that is wider than its line
 * stands on top of it.
 */
export async function drawCaption(subject: Subject, texts: TextWriter, line: Captioned): Promise<Caption | undefined> {
  const { document, annotation } = subject
  const caption = readTextLine(document.peek(annotation.get(Name.Contents)))
  if (caption === undefined || document.peek(annotation.get(Name.Cap)) !== PDFBool.True) return undefined
  const { start, end, direction, color } = line
  const text = await texts.begin()
  const shaped = text.typesetter.shape(text.drawable(caption))
  const [width, length] = [widthOf(shaped, SIZE_PT), Math.hypot(end[0] - start[0], end[1] - start[1])]
  const isBackward = direction[0] < -1e-6 || (Math.abs(direction[0]) <= 1e-6 && direction[1] < 0)
  const reading: Point = isBackward ? [-direction[0], -direction[1]] : direction
  const [right, up] = readOffset(subject)
  const center = offset([(start[0] + end[0]) / 2, (start[1] + end[1]) / 2], reading, right, up)
  const room = width + 2 * MARGIN
  const isInline = document.peek(annotation.get(Name.CP)) !== Name.Top && room + 2 * Math.abs(right) < length
  const at = offset(center, reading, -width / 2, isInline ? -capHeightOf(text.typesetter, 400, SIZE_PT) / 2 : MARGIN)
  const ahead = isBackward ? -right : right
  const cutAt = (along: number): Point => offset(start, direction, length / 2 + ahead + along, 0)
  return {
    operators: text.show({ shaped, at, direction: reading, sizePt: SIZE_PT }, colorOperator(color, 'fill')),
    extent: boxAround([at, offset(at, reading, width, 0)], SIZE_PT * 2),
    fonts: text.fonts,
    gap: isInline && Math.abs(up) < SIZE_PT ? [cutAt(-room / 2), cutAt(room / 2)] : undefined,
  }
}

/** How far the caption is moved from its place: along the line, and up from it. */
function readOffset({ document, annotation }: Subject): [number, number] {
  const stated =
    document
      .peekArray(annotation.get(Name.CO))
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0) ?? []
  const [right = 0, up = 0] = stated.map(value => (Math.abs(value) > FARTHEST ? 0 : value))
  return [right, up]
}
