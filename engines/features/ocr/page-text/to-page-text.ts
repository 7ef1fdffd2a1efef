import type { Box, Matrix } from '../../../pdf/geometry'
import { chainMatrices, mapBox, mapPoint } from '../../../pdf/geometry'
import { unturnMatrix } from '../scans/gray-image'
import type { Quarters } from '../scans/gray-image'
import { linesOf } from './page-text'
import type { PageText, RecognizedTextBlock, TextLine } from './page-text'
import type { RecognizedLine, Recognition } from '../recognizer/recognition'

/** The recognition of a page image, and the rotation that was applied to the image before. */
interface Reading {
  /** The size of the image in pixels before the rotation. */
  width: number
  height: number
  dpi: number
  quarters: Quarters
  recognition: Recognition
}

/** Words without visible characters. The recognition engine reads them from lines, dirt and edges. */
const BLANK = /^[\s\p{Cc}]*$/u

/** Converts the recognition of a page image to text with positions on the page. */
export function toPageText({ width, height, dpi, quarters, recognition }: Reading): PageText {
  const turned = quarters % 2 === 0 ? { width, height } : { width: height, height: width }
  const points = 72 / dpi
  const toImage = chainMatrices(levelMatrix(turned, -recognition.angle), unturnMatrix({ width, height }, quarters))
  const toSeen = chainMatrices(toImage, [points, 0, 0, -points, 0, height * points])
  return standUpright({ ...turned, toSeen, blocks: readBlocks(recognition) })
}

/** Returns the matrix of a rotation around the center, clockwise if y grows downwards. */
function levelMatrix({ width, height }: { width: number; height: number }, angle: number): Matrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [x, y] = [width / 2, height / 2]
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos]
}

function readBlocks({ blocks }: Recognition): RecognizedTextBlock[] {
  const read = blocks.map(block => ({
    paragraphs: block.paragraphs
      .map(({ lines }) => ({ lines: lines.map(readLine).filter(({ words }) => words.length > 0) }))
      .filter(({ lines }) => lines.length > 0),
  }))
  return read.filter(({ paragraphs }) => paragraphs.length > 0)
}

function readLine(line: RecognizedLine): TextLine {
  const words = line.words.filter(({ text }) => !BLANK.test(text))
  const { x0, y0, x1, y1 } = line.baseline
  return {
    words: words.map(({ text, confidence, bbox }) => ({
      text: text.trim().normalize('NFC'),
      confidence,
      box: { x: bbox.x0, y: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 },
    })),
    start: { x: x0, y: y0 },
    end: { x: x1, y: y1 },
    size: line.rowHeight,
  }
}

/** Rotates the sheet if most lines run downwards, so that they run to the right. */
function standUpright(page: PageText): PageText {
  let [level, downwards] = [0, 0]
  for (const { start, end, words } of linesOf(page)) {
    if (Math.abs(end.y - start.y) > Math.abs(end.x - start.x)) downwards += words.length
    else level += words.length
  }
  if (downwards <= level) return page
  // A counterclockwise quarter turn makes downward lines run to the right.
  const turn: Matrix = [0, -1, 1, 0, 0, page.width]
  const back: Matrix = [0, 1, -1, 0, page.width, 0]
  const turnPoint = ({ x, y }: { x: number; y: number }): { x: number; y: number } => {
    const [across, down] = mapPoint(turn, x, y)
    return { x: across, y: down }
  }
  const turnBox = (box: Box): Box => mapBox(turn, box)
  const blocks = page.blocks.map(({ paragraphs }) => ({
    paragraphs: paragraphs.map(({ lines }) => ({
      lines: lines.map(line => ({
        ...line,
        start: turnPoint(line.start),
        end: turnPoint(line.end),
        words: line.words.map(word => ({ ...word, box: turnBox(word.box) })),
      })),
    })),
  }))
  return { width: page.height, height: page.width, toSeen: chainMatrices(back, page.toSeen), blocks }
}
