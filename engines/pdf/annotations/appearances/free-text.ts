import { drawParagraphs } from '../../forms/field-text'
import type { Box } from '../../geometry/box'
import type { TextWriter } from './annotation-text'
import { drawCloud, fitCloud, readCloud } from './cloud'
import type { Cloud } from './cloud'
import { boxAround, cornersOf, insetRect, joinBoxes, readPoints } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { readFreeText } from './free-text-style'
import type { FreeText } from './free-text-style'
import { drawEndings, reachOf, readEndings } from './line-endings'
import { numbers, readColor } from '../annotation-style'
import { closedOperator, drawPath, readStrokeStyle, writeStrokeStyle } from './stroke-style'
import type { StrokeStyle } from './stroke-style'
import * as Name from '../../syntax/names'
import { withinTurn } from '../../geometry/frame'

/** Draws a FreeText: text in a box, with a callout line (ISO 32000-2, 12.5.6.6). */
export async function drawFreeText(subject: Subject, texts: TextWriter): Promise<AppearanceDrawing | undefined> {
  const { document, annotation, rect } = subject
  if (!rect) return undefined
  const content = readFreeText(subject)
  const background = readColor(document, annotation.get(Name.C))
  const pen = { ...readStrokeStyle(subject), color: content.lineColor, interior: background }
  const requestedCloud = readCloud(subject, pen.width)
  const cloud = requestedCloud && fitCloud(requestedCloud, rect)
  const box = insetRect(subject, rect, cloud?.radius)
  const isPlain = document.peek(annotation.get(Name.IT)) === Name.FreeTextTypeWriter || pen.width === 0
  const callout = isPlain ? [] : readPoints(document, annotation.get(Name.CL)).slice(0, 3)
  const line = callout.length > 1 ? callout : []
  const text = await texts.begin()
  const inside = await drawInside(subject, { box, content, inset: pen.width, text })
  const parts = [drawBox(box, pen, cloud), drawCallout(subject, line, pen), inside]
  return {
    operators: parts.filter(part => part !== '').join('\n'),
    extent: joinBoxes(rect, boxAround(line, reachOf(pen))),
    fonts: text.fonts,
  }
}

/** Draws the background in the color of /C, and the border. */
function drawBox(box: Box, pen: StrokeStyle, cloud: Cloud | undefined): string {
  const operator = closedOperator(pen)
  if (!operator) return ''
  const inset = Math.min(pen.width / 2, box.width / 2, box.height / 2)
  const edge = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }
  const path = (cloud && drawCloud(cornersOf(edge), cloud)) ?? `${numbers(edge.x, edge.y, edge.width, edge.height)} re`
  return `q ${writeStrokeStyle(pen)} ${path} ${operator} Q`
}

function drawCallout({ document, annotation }: Subject, line: readonly Point[], pen: StrokeStyle): string {
  if (line.length === 0) return ''
  const [ending] = readEndings(document, annotation.get(Name.LE))
  return `q ${writeStrokeStyle(pen)} ${drawPath(line)} S\n${drawEndings(line, [ending, ''], pen)} Q`
}

interface Inside {
  box: Box
  content: FreeText
  inset: number
  text: Awaited<ReturnType<TextWriter['begin']>>
}

/** Draws the text in its box, rotated by /Rotate. Acrobat writes this entry for text on rotated pages. */
async function drawInside({ document, annotation }: Subject, inside: Inside): Promise<string> {
  const { box, content, inset: requestedInset, text } = inside
  const value = text.drawable(content.text)
  if (value.trim() === '') return ''
  const turn = withinTurn(document.peekNumber(annotation.get(Name.Rotate)) ?? 0)
  const [width, height] = turn % 180 === 90 ? [box.height, box.width] : [box.width, box.height]
  const place = turned(turn, box)
  const inset = Math.min(requestedInset, width / 4, height / 4)
  const { look, quadding } = content
  const lines = await drawParagraphs(value, text.space({ look, quadding, width, height, inset }))
  return lines === '' ? '' : `q ${place} cm\n${lines}\nQ`
}

/** Returns the matrix that places a space into a box, rotated counterclockwise by quarter turns. */
function turned(angleDeg: number, { x, y, width, height }: Box): string {
  if (angleDeg === 90) return numbers(0, 1, -1, 0, x + width, y)
  if (angleDeg === 180) return numbers(-1, 0, 0, -1, x + width, y + height)
  return angleDeg === 270 ? numbers(0, -1, 1, 0, x, y + height) : numbers(1, 0, 0, 1, x, y)
}
