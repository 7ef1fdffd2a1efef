import type { Box } from '../../pdf-core/geometry/box'
import { mapBox } from '../../pdf-core/geometry/matrix'
import { boxAround, meanConfidence, wordsOf } from './page-text'
import type { PageText } from './page-text'

/** A page with what can be read on it. */
export interface ReadPage {
  /** From 1, in the document. */
  pageNumber: number
  /** Points, as seen. */
  width: number
  height: number
  /** `ocr`: recognized in the picture of the page. `text`: the text that the page has, which was kept. */
  source: 'ocr' | 'text'
  text: PageText
  /** Pixels an inch of the picture. */
  dpi: number
}

/** Mean confidence of all recognized words, 0 to 100; undefined when there are none. */
export function confidenceOf(pages: ReadPage[]): number | undefined {
  return meanConfidence(pages.flatMap(({ text }) => wordsOf(text)))
}

/** Boxes of the sheet as one box on the page as seen, in points from its lower-left corner; undefined without any. */
export function seenBox({ text }: ReadPage, boxes: Box[]): Box | undefined {
  const around = boxAround(boxes)
  return around && mapBox(text.toSeen, around)
}

/** The same in pixels of the picture of the page as seen, from its upper-left corner: left, top, right, bottom. */
export function pixelBox(page: ReadPage, boxes: Box[]): [number, number, number, number] {
  const { x, y, width, height } = seenBox(page, boxes) ?? { x: 0, y: page.height, width: 0, height: 0 }
  const scale = page.dpi / 72
  const top = page.height - y - height
  return [x * scale, top * scale, (x + width) * scale, (top + height) * scale].map(Math.round) as [
    number,
    number,
    number,
    number,
  ] // four for four
}

/** Width and height of that picture. */
export function pixelSize({ width, height, dpi }: ReadPage): [number, number] {
  return [Math.round((width * dpi) / 72), Math.round((height * dpi) / 72)]
}
