import type { Box, Matrix } from '../../../pdf/geometry'

/** A word of a page. */
export interface TextWord {
  text: string
  /** The box on the sheet (see PageText). */
  box: Box
  /** The confidence, 0 to 100. Undefined for words of the page's existing text. */
  confidence: number | undefined
}

/** A line of text. */
export interface TextLine {
  /** The words in reading order. */
  words: TextWord[]
  /** The ends of the baseline on the sheet. `start` is the end where left-to-right writing begins. */
  start: { x: number; y: number }
  end: { x: number; y: number }
  /** The height from the lowest descender to the highest ascender. */
  size: number
}

/** Paragraphs of one area of the page. */
export interface RecognizedTextBlock {
  paragraphs: { lines: TextLine[] }[]
}

/**
 * The text of a page in reading order. Positions are on a sheet, which is the page rotated to its reading orientation.
 * The origin of the sheet is its upper-left corner, and y grows downwards.
 */
export interface PageText {
  /** The size of the sheet in its own unit. */
  width: number
  height: number
  /** The matrix from the sheet to the page as displayed, in points from its lower-left corner. */
  toSeen: Matrix
  blocks: RecognizedTextBlock[]
}

/** Returns all lines of a page in reading order. */
export function linesOf({ blocks }: PageText): TextLine[] {
  return blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
}

/** Returns all words of a page in reading order. */
export function wordsOf(page: PageText): TextWord[] {
  return linesOf(page).flatMap(({ words }) => words)
}

/** Returns the bounding box of boxes, or undefined if there are none. */
export function boxAround(boxes: Box[]): Box | undefined {
  const [first] = boxes
  if (!first) return undefined
  let [left, top, right, bottom] = [first.x, first.y, first.x + first.width, first.y + first.height]
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** Returns the mean confidence of words, weighted by length, 0 to 100. Undefined if none of them was recognized. */
export function meanConfidence(words: TextWord[]): number | undefined {
  let [sum, weight] = [0, 0]
  for (const { text, confidence } of words) {
    if (confidence === undefined) continue
    sum += confidence * text.length
    weight += text.length
  }
  return weight === 0 ? undefined : sum / weight
}
