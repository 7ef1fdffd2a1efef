import type { Quarters } from '../scans/gray-image'

/**
 * The result of the recognition of an image. Positions are in pixels from the upper-left corner of the image rotated by
 * `angle`.
 */
export interface Recognition {
  blocks: RecognizedBlock[]
  /** The clockwise angle in radians by which the image was rotated around its center to deskew it. */
  angle: number
  /**
   * The clockwise quarter turns that correct the orientation of the image. Undefined if not requested or not certain.
   */
  quarters?: Quarters | undefined
  /** The processor time that the recognition took, in milliseconds. */
  workMs: number
}

/** Paragraphs of one area of the image. */
export interface RecognizedBlock {
  paragraphs: { lines: RecognizedLine[] }[]
}

/** A line of text. */
export interface RecognizedLine {
  words: RecognizedWord[]
  baseline: PixelBox
  /** The height from the lowest descender to the highest ascender. */
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
