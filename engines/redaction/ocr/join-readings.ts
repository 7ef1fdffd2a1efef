import { intersectBoxes } from '../../pdf-core/geometry/box'
import type { Box } from '../../pdf-core/geometry/box'
import { mergeTexts } from '../../ocr/text/join-texts'
import { linesOf } from '../../ocr/text/page-text'
import type { PageText, TextLine, TextWord } from '../../ocr/text/page-text'

/** How much of a word lies under a word of another reading that is the same one. */
const SAME_SHARE = 0.3

/** How far the middle of a word may be from that of a line that it stands on, in heights of the line. */
const MOST_APART = 0.4

/** Several readings of a page as one: the lines of the first, with words that only the others have where they stand. */
export function joinReadings(readings: readonly PageText[]): PageText | undefined {
  const [first, ...others] = readings
  return first && others.reduce(addMissing, first)
}

function addMissing(text: PageText, other: PageText): PageText {
  const moved = mergeTexts({ ...text, blocks: [] }, other)
  const lines = linesOf(text).map(line => ({ ...line, words: [...line.words] }))
  const known = lines.flatMap(({ words }) => words.map(({ box }) => box))
  const alone: TextLine[] = []
  for (const line of linesOf(moved)) {
    const missing = line.words.filter(({ box }) => !isAmong(box, known))
    const left = missing.filter(word => !insert(lines, word))
    if (left.length > 0) alone.push({ ...line, words: left })
  }
  return { ...text, blocks: [...lines, ...alone].map(line => ({ paragraphs: [{ lines: [line] }] })) }
}

function isAmong(box: Box, known: readonly Box[]): boolean {
  return known.some(one => {
    const common = intersectBoxes(box, one)
    return (
      common !== undefined &&
      common.width * common.height >= SAME_SHARE * Math.min(box.width * box.height, one.width * one.height)
    )
  })
}

/** Puts a word into the line that it stands on; false where there is none. */
function insert(lines: TextLine[], word: TextWord): boolean {
  const middle = word.box.y + word.box.height / 2
  const line = lines.find(({ words }) =>
    words.some(
      ({ box }) =>
        isNear(box, word.box) &&
        Math.abs(box.y + box.height / 2 - middle) <= MOST_APART * Math.max(box.height, word.box.height),
    ),
  )
  if (!line) return false
  const next = line.words.findIndex(({ box }) => box.x > word.box.x)
  line.words.splice(next < 0 ? line.words.length : next, 0, word)
  return true
}

/** Whether two words stand no farther apart than words of a line do. */
function isNear(one: Box, other: Box): boolean {
  return (
    Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width) <=
    2 * Math.max(one.height, other.height)
  )
}
