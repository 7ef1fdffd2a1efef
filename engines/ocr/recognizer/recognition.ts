import type { Quarters } from '../image/gray-image'

/**
 * What the recognizer has to say of a picture; places are pixels from the upper-left corner of the picture turned by
 * `angle`.
 */
export interface Recognition {
  blocks: RecognizedBlock[]
  /** Radians clockwise by which the picture was turned around its center to make its lines level. */
  angle: number
  /** Quarter turns clockwise that make the picture upright; undefined where that was not asked for, or is not sure. */
  quarters?: Quarters | undefined
  /** Milliseconds that it took, without those in which other processes had the processor. */
  workMs: number
}

/** Paragraphs of one area of the picture. */
export interface RecognizedBlock {
  paragraphs: { lines: RecognizedLine[] }[]
}

/** A line of text. */
export interface RecognizedLine {
  words: RecognizedWord[]
  baseline: PixelBox
  /** From the lowest descender to the highest ascender. */
  rowHeight: number
}

interface RecognizedWord {
  text: string
  /** 0 to 100. */
  confidence: number
  bbox: PixelBox
}

interface PixelBox {
  x0: number
  y0: number
  x1: number
  y1: number
}
