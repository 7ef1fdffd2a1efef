import type { Box } from '../../../pdf/geometry'
import { mapBox } from '../../../pdf/geometry'
import { boxAround, meanConfidence, wordsOf } from './page-text'
import type { PageText } from './page-text'

/** A page with its text. */
export interface ReadPage {
  /** The number of the page in the document, from 1. */
  pageNumber: number
  /** The size of the page as displayed, in points. */
  width: number
  height: number
  /** `ocr`: the text was recognized in an image of the page. `text`: the existing text was kept. */
  source: 'ocr' | 'text'
  text: PageText
  /** The resolution of the image of the page. */
  dpi: number
}

/** Returns the mean confidence of all recognized words, 0 to 100, or undefined if there are none. */
export function confidenceOf(pages: ReadPage[]): number | undefined {
  return meanConfidence(pages.flatMap(({ text }) => wordsOf(text)))
}

/** Returns the bounding box of sheet boxes on the page as displayed, in points from its lower-left corner. */
export function seenBox({ text }: ReadPage, boxes: Box[]): Box | undefined {
  const around = boxAround(boxes)
  return around && mapBox(text.toSeen, around)
}

/** Returns the bounding box in pixels from the upper-left corner of the page image: left, top, right, bottom. */
export function pixelBox(page: ReadPage, boxes: Box[]): [number, number, number, number] {
  const { x, y, width, height } = seenBox(page, boxes) ?? { x: 0, y: page.height, width: 0, height: 0 }
  const scale = page.dpi / 72
  const top = page.height - y - height
  return [x * scale, top * scale, (x + width) * scale, (top + height) * scale].map(Math.round) as [
    number,
    number,
    number,
    number,
  ] // map returns as many values as it receives
}

/** Returns the width and height of the page image in pixels. */
export function pixelSize({ width, height, dpi }: ReadPage): [number, number] {
  return [Math.round((width * dpi) / 72), Math.round((height * dpi) / 72)]
}
