import type { Box } from '../../pdf-core/geometry/box'
import type { Matrix } from '../../pdf-core/geometry/matrix'

/** A word of a page. */
export interface TextWord {
  text: string
  /** On the sheet (see PageText). */
  box: Box
  /** 0 to 100; undefined for a word that the page itself has as text. */
  confidence: number | undefined
}

/** A line of text. */
export interface TextLine {
  /** In the order in which they are read. */
  words: TextWord[]
  /** The ends of its baseline on the sheet, from the side where writing from left to right begins. */
  start: { x: number; y: number }
  end: { x: number; y: number }
  /** From the lowest descender to the highest ascender. */
  size: number
}

/** Paragraphs of one area of the page. */
export interface RecognizedTextBlock {
  paragraphs: { lines: TextLine[] }[]
}

/**
 * What can be read on a page, in reading order. Places are on a sheet that has been turned upright for reading: its
 * origin is the upper-left corner, y grows downwards.
 */
export interface PageText {
  /** Of the sheet, in its own unit. */
  width: number
  height: number
  /** From the sheet to the page as seen, in points from its lower-left corner. */
  toSeen: Matrix
  blocks: RecognizedTextBlock[]
}

/** All lines of a page, in reading order. */
export function linesOf({ blocks }: PageText): TextLine[] {
  return blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
}

/** All words of a page, in reading order. */
export function wordsOf(page: PageText): TextWord[] {
  return linesOf(page).flatMap(({ words }) => words)
}

/** The smallest upright box around boxes; undefined without any. */
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

/** Mean confidence of words, 0 to 100, longer ones counting for more; undefined when none of them was recognized. */
export function meanConfidence(words: TextWord[]): number | undefined {
  let [sum, weight] = [0, 0]
  for (const { text, confidence } of words) {
    if (confidence === undefined) continue
    sum += confidence * text.length
    weight += text.length
  }
  return weight === 0 ? undefined : sum / weight
}
