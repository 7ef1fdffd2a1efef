import { PDFBool } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import type { Box } from '../../geometry/box'
import { readTextLine } from '../../syntax/text-string'
import { capHeightOf, widthOf } from './annotation-text'
import type { TextWriter } from './annotation-text'
import { boxAround, offset } from './drawing'
import type { Point, Subject } from './drawing'
import { colorOperator } from '../annotation-style'
import * as Name from '../../syntax/names'

/** Font size in points. The file specifies none. */
const SIZE_PT = 9

/** Distance between the caption and its line, in points. */
const MARGIN = 3

/** Maximum offset of a caption in points. A larger offset is treated as a mistake. */
const MAX_OFFSET = 10_000

/** The line of a caption. */
interface Captioned {
  start: Point
  end: Point
  direction: Point
  color: readonly number[]
}

/** A caption with the gap in its line: the end of the first part and the start of the second. */
interface Caption {
  operators: string
  extent: Box | undefined
  fonts: ReadonlyMap<PDFRef, string>
  gap: [Point, Point] | undefined
}

/**
 * Draws the caption of a Line (ISO 32000-2, table 178: /Cap, /CP, /CO), never upside down. A caption that is wider than
 * its line is placed above the line.
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
  const readingDirection: Point = isBackward ? [-direction[0], -direction[1]] : direction
  const [right, up] = readOffset(subject)
  const center = offset([(start[0] + end[0]) / 2, (start[1] + end[1]) / 2], readingDirection, right, up)
  const room = width + 2 * MARGIN
  const isInline = document.peek(annotation.get(Name.CP)) !== Name.Top && room + 2 * Math.abs(right) < length
  const at = offset(
    center,
    readingDirection,
    -width / 2,
    isInline ? -capHeightOf(text.typesetter, 400, SIZE_PT) / 2 : MARGIN,
  )
  const alongLine = isBackward ? -right : right
  const cutAt = (along: number): Point => offset(start, direction, length / 2 + alongLine + along, 0)
  return {
    operators: text.show({ shaped, at, direction: readingDirection, sizePt: SIZE_PT }, colorOperator(color, 'fill')),
    extent: boxAround([at, offset(at, readingDirection, width, 0)], SIZE_PT * 2),
    fonts: text.fonts,
    gap: isInline && Math.abs(up) < SIZE_PT ? [cutAt(-room / 2), cutAt(room / 2)] : undefined,
  }
}

/** Reads the offset of a caption: along its line, and perpendicular to it. */
function readOffset({ document, annotation }: Subject): [number, number] {
  const offsets =
    document
      .peekArray(annotation.get(Name.CO))
      ?.asArray()
      .map(item => document.peekNumber(item) ?? 0) ?? []
  const [right = 0, up = 0] = offsets.map(value => (Math.abs(value) > MAX_OFFSET ? 0 : value))
  return [right, up]
}
