import type { Page, PdfDocument } from '../../pdf/document'
import { chainMatrices, frameMatrix, mapPoint, measureFrame } from '../../pdf/geometry'
import type { Matrix } from '../../pdf/geometry'
import { PageContent } from '../../pdf/rewrite-content'
import type { PlacedWord, TextLayer } from '../../pdf/rewrite-content'
import * as Name from '../../pdf/names'
import { linesOf } from './page-text/page-text'
import type { PageText, TextLine, TextWord } from './page-text/page-text'
import { isSpaced } from './page-text/plain-text'

/** The largest ratio of two font sizes that count as one size. */
const ALIKE = 1.35

/** The angle in degrees below which a line counts as skewed by the scan. */
const LEVELLED_DEG = 8

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

/**
 * Adds recognized words as invisible text, each word at its printed position. The content of the page stays unchanged.
 */
export function addInvisibleText(
  document: PdfDocument,
  page: Page,
  { text, layer }: { text: PageText; layer: TextLayer },
): void {
  const toUser = chainMatrices(text.toSeen, frameMatrix(measureFrame(document, page)))
  const words = evenSizes(linesOf(text)).flatMap(line => placeLine(line, toUser))
  if (words.length === 0) return
  const content = new PageContent(document, page)
  const drawn = layer.draw(words, content.name(Name.Font, 'Ocr', layer.fontRef))
  if (drawn === '') return
  content.drawOver(drawn.trimEnd())
  content.write()
}

/**
 * Sets lines of similar size to the same size. The measured size depends on the letters of a line, and Poppler treats
 * different sizes as different text styles.
 */
function evenSizes(lines: TextLine[]): TextLine[] {
  const sizes = lines.map(({ size }) => size).sort((one, other) => one - other)
  const groups: number[][] = []
  for (const size of sizes) {
    const group = groups.at(-1)
    if (group && size <= ALIKE * (group[0] as number)) group.push(size)
    else groups.push([size])
  }
  return lines.map(line => {
    const group = groups.findLast(([least]) => (least as number) <= line.size) ?? [line.size]
    return { ...line, size: group[Math.floor(group.length / 2)] as number }
  })
}

function placeLine(line: TextLine, toUser: Matrix): PlacedWord[] {
  const isReversed = line.words.some(({ text }) => RIGHT_TO_LEFT.test(text))
  const along = directionOf(line)
  const placed = line.words.map(word => ({ word, ...spanOf(word, line, along) }))
  if (isReversed) placed.sort((one, other) => one.begin - other.begin)
  for (const [index, span] of placed.entries()) {
    // In scripts without spaces, readers would insert a space into the gap between two recognized words.
    const next = placed[index + 1]
    if (next && !isSpaced(span.word.text, next.word.text) && next.begin > span.end && next.begin < span.end + line.size)
      span.end = next.begin
  }
  return placed.map((span, index) => placeWord({ span, line, along, next: placed[index + 1]?.word }, toUser))
}

/** A word, and the distances of its begin and end from the start of the baseline. */
interface Span {
  word: TextWord
  begin: number
  end: number
}

interface Placing {
  span: Span
  line: TextLine
  along: { x: number; y: number }
  next: TextWord | undefined
}

function placeWord({ span: { word, begin, end }, line, along, next }: Placing, toUser: Matrix): PlacedWord {
  const [fromX, fromY] = mapPoint(toUser, line.start.x + along.x * begin, line.start.y + along.y * begin)
  const [toX, toY] = mapPoint(toUser, line.start.x + along.x * end, line.start.y + along.y * end)
  const length = Math.hypot(toX - fromX, toY - fromY)
  const angleDeg = levelOff((Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI)
  const angle = (angleDeg * Math.PI) / 180
  return {
    text: RIGHT_TO_LEFT.test(word.text) ? Array.from(word.text).reverse().join('') : word.text,
    // Leveling a word keeps its middle in place.
    x: (fromX + toX - length * Math.cos(angle)) / 2,
    y: (fromY + toY - length * Math.sin(angle)) / 2,
    length,
    size: line.size * (length / (end - begin)),
    angleDeg,
    isSpaced: next !== undefined && isSpaced(word.text, next.text),
  }
}

/** Levels slightly skewed words, each at its own height, because Poppler splits skewed words. */
function levelOff(angleDeg: number): number {
  const level = 90 * Math.round(angleDeg / 90)
  return Math.abs(angleDeg - level) < LEVELLED_DEG ? level : angleDeg
}

/** Returns the direction of a line's baseline as a unit vector. A baseline without length points to the right. */
function directionOf({ start, end }: TextLine): { x: number; y: number } {
  const length = Math.hypot(end.x - start.x, end.y - start.y)
  return length > 0 ? { x: (end.x - start.x) / length, y: (end.y - start.y) / length } : { x: 1, y: 0 }
}

function spanOf(
  { box }: TextWord,
  { start }: TextLine,
  along: { x: number; y: number },
): { begin: number; end: number } {
  const isLevel = Math.abs(along.x) >= Math.abs(along.y)
  const ends = isLevel
    ? [(box.x - start.x) / along.x, (box.x + box.width - start.x) / along.x]
    : [(box.y - start.y) / along.y, (box.y + box.height - start.y) / along.y]
  const [begin, end] = [Math.min(...ends), Math.max(...ends)]
  return { begin, end: Math.max(end, begin + 1) } // dots may have no width
}
