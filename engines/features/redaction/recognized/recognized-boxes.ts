import { boxAround } from '../../ocr/page-text/page-text'
import type { PageText, TextLine } from '../../ocr/page-text/page-text'
import type { Box } from '../../../pdf/geometry'
import { mapBox } from '../../../pdf/geometry'

/**
 * How much boxes are enlarged, as a share of their smaller side, and the minimum in points. Recognized boxes end with
 * the ink, but its blur extends farther.
 */
const BLUR = 0.1
const LEAST_BLUR_PT = 0.75

/** How much taller than its line a box may become if the line slopes, as a share of the line's height. */
const SLOPE_SHARE = 0.25
const MOST_PIECES = 60

/**
 * Returns boxes over words of a line, on the page as displayed, in points. A sloping line gets several boxes in a row.
 */
export function placeWords({ toSeen }: PageText, { words }: TextLine, first: number, last: number): Box[] {
  const around = boxAround(words.slice(first, last + 1).map(({ box }) => box))
  if (!around) return []
  const [a, b] = toSeen
  const slope = Math.min(Math.abs(a), Math.abs(b)) / Math.max(Math.hypot(a, b), Number.MIN_VALUE)
  // Recognized lines run along the x axis of the sheet.
  const pieces = Math.max(
    1,
    Math.min(MOST_PIECES, Math.ceil((slope * around.width) / Math.max(Number.MIN_VALUE, SLOPE_SHARE * around.height))),
  )
  return Array.from({ length: pieces }, (_, index) => {
    const piece = { ...around, x: around.x + (around.width * index) / pieces, width: around.width / pieces }
    const box = mapBox(toSeen, piece)
    const blur = Math.max(LEAST_BLUR_PT, BLUR * Math.min(box.width, box.height))
    return growBox(box, blur)
  })
}

/** Returns the box of a line with the space above and below it, on the page as displayed, in points. */
export function placeLine({ toSeen }: PageText, line: TextLine): Box {
  const around = boxAround(line.words.map(({ box }) => box)) ?? { x: 0, y: 0, width: 0, height: 0 }
  return mapBox(toSeen, growBox(around, around.height))
}

function growBox({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}
