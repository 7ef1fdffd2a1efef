import { boxAround, linesOf } from './page-text'
import type { PageText, TextLine, TextWord } from './page-text'

/** The maximum number of columns of the grid. Words that don't fit into their column follow with one space. */
const MAX_COLUMNS = 400

/** The maximum number of consecutive empty lines. */
const MAX_EMPTY = 3

/** A row of words at the same height of the page, from any blocks. */
interface Row {
  words: TextWord[]
  top: number
  bottom: number
}

/**
 * Lays out the words of a page on a grid of characters. Columns stay side by side, and gaps stay visible. A column of
 * the grid has the median width of a character of the page.
 */
export function layOut(page: PageText): string {
  const lines = linesOf(page)
  const words = lines.flatMap(line => line.words)
  const around = boxAround(words.map(({ box }) => box))
  if (!around) return ''
  const columnWidth = Math.max(usualWidth(words), around.width / MAX_COLUMNS, Number.MIN_VALUE)
  const rows = gatherRows(lines)
  const pitch = middle(
    rows
      .slice(1)
      .map((row, index) => row.bottom - (rows[index]?.bottom ?? 0))
      .filter(step => step > 0),
  )
  return rows
    .map(
      (row, index) => `${'\n'.repeat(countEmpty(rows[index - 1], row, pitch))}${writeRow(row, around.x, columnWidth)}`,
    )
    .join('\n')
}

/**
 * Groups lines into rows. Lines share a row if their middles are at about the same height and their words don't
 * overlap.
 */
function gatherRows(lines: TextLine[]): Row[] {
  const rows: Row[] = []
  const boxed = lines.flatMap(({ words }) => {
    const box = boxAround(words.map(word => word.box))
    return box ? [{ words, box }] : []
  })
  boxed.sort((one, other) => one.box.y + one.box.height / 2 - (other.box.y + other.box.height / 2))
  for (const { words, box } of boxed) {
    const last = rows.at(-1)
    const center = box.y + box.height / 2
    if (
      last &&
      center < last.bottom &&
      (last.top + last.bottom) / 2 > box.y &&
      !words.some(word => last.words.some(other => overlaps(word, other)))
    ) {
      last.words.push(...words)
      last.top = Math.min(last.top, box.y)
      last.bottom = Math.max(last.bottom, box.y + box.height)
    } else {
      rows.push({ words: [...words], top: box.y, bottom: box.y + box.height })
    }
  }
  return rows
}

function overlaps({ box: one }: TextWord, { box: other }: TextWord): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width
}

function writeRow({ words }: Row, left: number, columnWidth: number): string {
  const sorted = [...words].sort((one, other) => one.box.x - other.box.x)
  let [text, length] = ['', 0]
  for (const { text: word, box } of sorted) {
    const column = Math.round((box.x - left) / columnWidth)
    const gap = Math.max(column - length, length === 0 ? 0 : 1)
    text += `${' '.repeat(gap)}${word}`
    length += gap + Array.from(word).length
  }
  return text
}

function countEmpty(before: Row | undefined, row: Row, pitch: number): number {
  if (!before || pitch === 0) return 0
  return Math.min(MAX_EMPTY, Math.max(0, Math.round((row.bottom - before.bottom) / pitch) - 1))
}

/** Returns the median width of characters, estimated from the widths of words. */
function usualWidth(words: TextWord[]): number {
  return middle(
    words.map(({ text, box }) => box.width / Math.max(1, Array.from(text).length)).filter(width => width > 0),
  )
}

/** Returns the lower median of the values, or 0 if there are none. */
function middle(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
