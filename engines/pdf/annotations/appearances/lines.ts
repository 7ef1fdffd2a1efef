import type { PDFName } from 'pdf-lib'
import type { TextWriter } from './annotation-text'
import { drawCaption } from './line-caption'
import { boxAround, directionOf, joinBoxes, offset, readPoints } from './drawing'
import type { AppearanceDrawing, Point, Subject } from './drawing'
import { drawEndings, reachOf, readEndings } from './line-endings'
import { drawPath, readStrokeStyle, writeStrokeStyle } from './stroke-style'
import { readCurves } from './poly-path'
import * as Name from '../../syntax/names'

/** Maximum length of leader lines in points. A greater length is treated as a mistake. */
const LONGEST_LEADER = 10_000

/** Draws a Line with its endings, leader lines and caption (ISO 32000-2, 12.5.6.7). */
export async function drawLineAppearance(subject: Subject, texts: TextWriter): Promise<AppearanceDrawing | undefined> {
  const { document, annotation } = subject
  const [from, to] = readPoints(document, annotation.get(Name.L))
  const direction = from && to && directionOf(from, to)
  if (!direction) return undefined
  const pen = readStrokeStyle(subject)
  const { start, end, leaders } = placeLine(subject, [from, to], direction)
  const caption = await drawCaption(subject, texts, { start, end, direction, color: pen.color })
  const gap = caption?.gap
  const parts: Point[][] = gap
    ? [
        [start, gap[0]],
        [gap[1], end],
      ]
    : [[start, end]]
  const lines = [...leaders, ...parts].map(points => `${drawPath(points)} S`)
  const endings = drawEndings([start, end], readEndings(document, annotation.get(Name.LE)), pen)
  const extent = boxAround([from, to, start, end, ...leaders.flat()], reachOf(pen))
  if (!extent) return undefined
  return {
    operators: [writeStrokeStyle(pen), ...lines, endings, caption?.operators ?? ''].join('\n').trim(),
    extent: joinBoxes(extent, caption?.extent),
    fonts: caption?.fonts,
  }
}

/** Draws a PolyLine through its /Vertices or along its /Path, with its endings (ISO 32000-2, 12.5.6.9). */
export function drawPolyLine(subject: Subject): AppearanceDrawing | undefined {
  const { document, annotation } = subject
  const pen = readStrokeStyle(subject)
  const curves = readCurves(subject)
  const points = curves?.points ?? readPoints(document, annotation.get(Name.Vertices))
  const extent = boxAround(points, reachOf(pen))
  if (!extent || points.length < 2) return undefined
  const endings = drawEndings(points, readEndings(document, annotation.get(Name.LE)), pen)
  return { operators: `${writeStrokeStyle(pen)} ${curves?.path ?? drawPath(points)} S\n${endings}`.trim(), extent }
}

/** Draws an Ink: strokes of a pen with a round tip (ISO 32000-2, 12.5.6.13). A stroke with a single point is a dot. */
export function drawInk(subject: Subject): AppearanceDrawing | undefined {
  const { document, annotation } = subject
  const pen = readStrokeStyle(subject)
  const list = document.peekItems(annotation.get(Name.InkList))
  const strokes = list.map(stroke => readPoints(document, stroke)).filter(points => points.length > 0)
  const extent = boxAround(everyPoint(strokes), pen.width)
  if (!extent || pen.width === 0) return undefined
  const paths = strokes.map(points => drawPath(points.length === 1 ? [...points, ...points] : points))
  return { operators: `${writeStrokeStyle(pen)} 1 J 1 j\n${paths.join('\n')} S`, extent }
}

interface PlacedLine {
  start: Point
  end: Point
  leaders: Point[][]
}

/**
 * Returns the position of a line with leader lines. If their length is positive, the line moves to the left, seen from
 * its start.
 */
function placeLine({ document, annotation }: Subject, [from, to]: [Point, Point], direction: Point): PlacedLine {
  const lengthOf = (key: PDFName): number => {
    const length = document.peekNumber(annotation.get(key)) ?? 0
    return Math.abs(length) > LONGEST_LEADER ? 0 : length
  }
  const length = lengthOf(Name.LL)
  if (length === 0) return { start: from, end: to, leaders: [] }
  const side = Math.sign(length)
  const gap = side * Math.max(0, lengthOf(Name.LLO))
  const extension = side * Math.max(0, lengthOf(Name.LLE))
  const reach = gap + length + extension
  const leaderAt = (point: Point): Point[] => [gap, reach].map(left => offset(point, direction, 0, left))
  return {
    start: offset(from, direction, 0, gap + length),
    end: offset(to, direction, 0, gap + length),
    leaders: [leaderAt(from), leaderAt(to)],
  }
}

function* everyPoint(strokes: readonly Point[][]): Generator<Point> {
  for (const stroke of strokes) yield* stroke
}
