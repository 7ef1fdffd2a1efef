import { inVisualOrder, toLogicalLine } from './direction'
import { areaAround, medianOf } from './model'
import type { Rule, TextLine, Word } from './model'

/** A gap of this many ems always divides a row of words. */
const WIDE_GAP = 1.5

/** A gap of this many ems divides a row if the other gaps of the row are much smaller. */
const CLEAR_GAP = 0.9
const TIMES_OTHERS = 2.5

/** Words on one line have baselines within this share of an em. */
const SAME_LINE = 0.35

/** Rules are compared with words, and the words of rows with each other, only if that many comparisons suffice. */
const MAX_COMPARISONS = 5_000_000
const MAX_IN_ROW = 1000

/** Makes a line of words, and keeps their list. They must be at least one, and come in visual order. */
export function makeLine(words: Word[], { isOrdered = false } = {}): TextLine {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  let boldCount = 0
  let count = 0
  let rightToLeftCount = 0
  let isOneSize = true
  const [first] = words as [Word, ...Word[]] // at least one
  for (const word of words) {
    left = Math.min(left, word.left)
    top = Math.min(top, word.top)
    right = Math.max(right, word.right)
    bottom = Math.max(bottom, word.bottom)
    count += word.text.length
    if (word.isBold) boldCount += word.text.length
    if (word.isRightToLeft) rightToLeftCount++
    if (word.size !== first.size) isOneSize = false
  }
  const size = isOneSize ? first.size : usualSize(words)
  const main = isOneSize ? first : words.find(word => word.size === size)
  const ordered =
    isOrdered || rightToLeftCount === 0
      ? { words, isRightToLeft: rightToLeftCount * 2 > words.length }
      : toLogicalLine(joinTouching(words))
  return {
    left,
    top,
    right,
    bottom,
    words: ordered.words,
    baseline: main?.baseline ?? 0,
    size,
    isBold: boldCount * 2 > count,
    isRightToLeft: ordered.isRightToLeft,
  }
}

/** The size of most of the text. */
function usualSize(words: readonly Word[]): number {
  const sizes = new Map<number, number>()
  for (const { text, size } of words) sizes.set(size, (sizes.get(size) ?? 0) + text.length)
  return [...sizes].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

/** Parts of a word are at most this share of an em apart. */
const TOUCHING = 0.1

/**
 * Joins words without a gap between them. Programs draw the runs of a right-to-left line from the right, so that a word
 * with several runs comes in parts. The words must come in visual order.
 */
export function joinTouching(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const before = joined.at(-1)
    const reach = TOUCHING * Math.max(before?.size ?? 0, word.size)
    if (!before || before.isRecognized || word.isRecognized || Math.abs(word.left - before.right) > reach) {
      joined.push(word)
      continue
    }
    joined[joined.length - 1] = {
      ...before,
      ...areaAround([before, word]),
      text: before.text + word.text,
      visual: [...inVisualOrder(before), ...inVisualOrder(word)],
      ...joinCode(before, word),
      isRightToLeft: before.isRightToLeft || word.isRightToLeft,
    }
  }
  return joined
}

function joinCode(before: Word, word: Word): Pick<Word, 'codeStart' | 'codeEnd'> {
  const shift = before.text.length
  const [codeStart, codeEnd] = [
    before.codeStart ?? (word.codeStart === undefined ? undefined : word.codeStart + shift),
    word.codeEnd === undefined ? before.codeEnd : word.codeEnd + shift,
  ]
  return codeStart === undefined || codeEnd === undefined ? {} : { codeStart, codeEnd }
}

/**
 * Finds the lines of words: words with the same baseline and small gaps. Vertical rules divide lines. Sorted from top to
 * bottom.
 */
export function findLines(words: readonly Word[], rules: readonly Rule[]): TextLine[] {
  const all = rules.filter(({ isHorizontal, isEdge }) => !isHorizontal && !isEdge)
  const dividers = all.length * words.length <= MAX_COMPARISONS ? all : []
  return groupRows(words)
    .flatMap(row => divideRow(row, dividers))
    .sort((one, other) => one.baseline - other.baseline || one.left - other.left)
}

/** Groups words by their baseline. The words of each row are in visual order. */
function groupRows(words: readonly Word[]): Word[][] {
  const sorted = words.toSorted((one, other) => one.baseline - other.baseline)
  const rows: { baseline: number; size: number; words: Word[] }[] = []
  for (const word of sorted) {
    const row = rows.at(-1)
    const isNear = row && word.baseline - row.baseline <= SAME_LINE * Math.min(row.size, word.size)
    if (row && isNear) {
      row.words.push(word)
      if (word.size > row.size) Object.assign(row, { size: word.size, baseline: word.baseline })
    } else rows.push({ baseline: word.baseline, size: word.size, words: [word] })
  }
  joinNotes(rows)
  return rows
    .filter(row => row.words.length > 0)
    .map(row => row.words.sort((one, other) => one.left - other.left || one.right - other.right))
}

/**
 * A note mark is shifted from its row by at most this many ems. It is smaller than the row by this factor. The word next
 * to it is larger by this factor, and at most this many ems away.
 */
const NOTE = { shift: 0.6, size: 0.85, larger: 1.15, gap: 0.35 }

/** The middle of small letters above their baseline, in ems. */
const MIDDLE = 0.3

/** Moves raised and lowered marks, such as note numbers, into the row of the larger words beside them. */
function joinNotes(rows: { baseline: number; size: number; words: Word[] }[]): void {
  for (const [at, row] of rows.entries()) {
    for (const neighbor of [rows[at - 1], rows[at + 1]]) {
      if (
        !neighbor ||
        neighbor.words.length === 0 ||
        row.words.length > MAX_IN_ROW ||
        neighbor.words.length > MAX_IN_ROW
      )
        continue
      const distance = Math.abs(neighbor.baseline - row.baseline)
      if (distance > NOTE.shift * neighbor.size) continue
      const moved = row.words.filter(
        word =>
          word.size < NOTE.size * neighbor.size &&
          neighbor.words.some(
            other =>
              other.size > NOTE.larger * word.size &&
              Math.min(Math.abs(word.left - other.right), Math.abs(other.left - word.right)) < NOTE.gap * other.size,
          ),
      )
      if (moved.length === 0) continue
      neighbor.words.push(...moved)
      row.words = row.words.filter(word => !moved.includes(word))
    }
  }
}

function divideRow(row: Word[], dividers: readonly Rule[]): TextLine[] {
  const lines: TextLine[] = []
  let start = 0
  /** The median of the gaps of the row. Most rows don't need it. */
  let median: number | undefined
  for (let at = 1; at < row.length; at++) {
    const [before, word] = [row[at - 1] as Word, row[at] as Word] // both are in the row
    const gap = word.left - before.right
    const size = Math.max(before.size, word.size)
    const isDivided =
      gap > WIDE_GAP * size ||
      (gap > CLEAR_GAP * size && gap > TIMES_OTHERS * (median ??= medianGap(row))) ||
      (gap > 0 && hasDivider(before, word, dividers))
    if (!isDivided) continue
    lines.push(makeLine(row.slice(start, at)))
    start = at
  }
  lines.push(makeLine(start === 0 ? row : row.slice(start)))
  return lines
}

/** The median of the gaps between the words of a row. 0 if there are none. */
function medianGap(row: readonly Word[]): number {
  const gaps: number[] = []
  for (let at = 1; at < row.length; at++) {
    const gap = (row[at] as Word).left - (row[at - 1] as Word).right // both are in the row
    if (gap > 0) gaps.push(gap)
  }
  return medianOf(gaps)
}

/** Returns whether a vertical rule divides two words. */
function hasDivider(before: Word, word: Word, dividers: readonly Rule[]): boolean {
  const middle = word.baseline - MIDDLE * word.size
  return dividers.some(
    ({ left, right, top, bottom }) =>
      left >= before.right - 1 && right <= word.left + 1 && top <= middle && bottom >= middle,
  )
}
