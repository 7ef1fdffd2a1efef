import { intersectBoxes } from '../../../pdf/geometry'
import type { Box } from '../../../pdf/geometry'
import { mergeTexts } from '../../ocr/page-text/join-texts'
import { linesOf } from '../../ocr/page-text/page-text'
import type { PageText, TextLine, TextWord } from '../../ocr/page-text/page-text'

/** Minimum overlap of the boxes of one word in two readings, as a share of the smaller box. */
const SAME_SHARE = 0.3

/** How far the middle of a word may be from the middle of its line, in heights of the line. */
const MOST_APART = 0.4

/** Merges several readings of a page: the lines of the first reading, plus words that only other readings have. */
export function joinReadings(readings: readonly PageText[]): PageText | undefined {
  const [first, ...others] = readings
  return first && others.reduce(addMissing, first)
}

function addMissing(text: PageText, other: PageText): PageText {
  const moved = mergeTexts({ ...text, blocks: [] }, other)
  const lines = linesOf(text).map(line => ({ ...line, words: [...line.words] }))
  const known = lines.flatMap(({ words }) => words.map(({ box }) => box))
  const addedLines: TextLine[] = []
  for (const line of linesOf(moved)) {
    const missing = line.words.filter(({ box }) => !isAmong(box, known, SAME_SHARE))
    const unplaced = missing.filter(word => !insert(lines, word))
    if (unplaced.length > 0) addedLines.push({ ...line, words: unplaced })
  }
  return { ...text, blocks: [...lines, ...addedLines].map(line => ({ paragraphs: [{ lines: [line] }] })) }
}

/** Returns whether a box shares this part of its area, or of the other area if that is smaller, with a known box. */
export function isAmong(box: Box, known: readonly Box[], share: number): boolean {
  return known.some(one => {
    const common = intersectBoxes(box, one)
    const least = share * Math.min(box.width * box.height, one.width * one.height)
    return common !== undefined && common.width * common.height >= least
  })
}

/** Inserts a word into its line. Returns `false` if there is no such line. */
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

/** Returns whether two words are close enough to belong to one line. */
function isNear(one: Box, other: Box): boolean {
  return (
    Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width) <=
    2 * Math.max(one.height, other.height)
  )
}
