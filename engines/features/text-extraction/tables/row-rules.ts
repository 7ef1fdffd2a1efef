import { areaAround, medianOf } from '../lines/model'
import type { Area, Block, Rule, TableCell, Word } from '../lines/model'
import { findLines } from '../lines/text-lines'
import { countFromRight } from './table-direction'

/** Rules that end this near each other meet, in points. */
const MEETS = 1.5

/** Ends of rules and of text that differ by less than this are aligned, in points. */
const ALIGNED = 1

/** Rules across that are at most this far apart, in points, are one, such as both edges of a thick rule. */
const SAME_RULE = 3

/** Words whose baselines differ by at most this share of an em are on one line. */
const SAME_LINE = 0.3

/** A rule may be this share of an em above the bottom of the text that it is below. */
const RULE_OVERLAP = 0.3

/** A last column without rules begins at most this far from the first one, in ems. */
const MOST_TO_LAST = 2

/** A table has at least this many rules across with the same ends, and this many rows. */
const LEAST_RULES = 3
const LEAST_ROWS = 2

/** A row is at most this tall, in ems. */
const MOST_HEIGHT = 25

/** The first row is at most this much taller than others. */
const FIRST_HEIGHT = 1.3

/** The text of two columns has at least this space between it, in ems. */
const LEAST_GAP = 0.35

/** This share of the rows has text in two columns. */
const SHARED = 0.5

/** If two columns of a row have this many lines on average, there are rows without a rule between them. */
const MOST_LINES = 1.8

/** Maximum number of rules and words to look at, of words in a row, and of columns. */
const MAX_RULES = 1000
const MAX_WORDS = 20_000
const MAX_IN_ROW = 500
const MAX_COLUMNS = 40

/**
 * Finds tables with rules below each cell and without vertical borders. The ends of the rules tell the columns. Returns
 * the tables with the words that are in none.
 */
export function findRowRuledTables(words: readonly Word[], rules: readonly Rule[]): { tables: Block[]; rest: Word[] } {
  const across = rules.filter(rule => rule.isHorizontal && !rule.isEdge)
  if (across.length < LEAST_RULES || across.length > MAX_RULES || words.length > MAX_WORDS)
    return { tables: [], rest: [...words] }
  const tables: Block[] = []
  let rest = [...words]
  for (const same of groupByEnds(across)) {
    const borders = addLastColumn(findBorders(same, across), same, rest)
    if (borders.length < 3 || borders.length > MAX_COLUMNS) continue
    const [left, right] = [borders[0] as number, borders.at(-1) as number] // has at least three
    const inside = rest.filter(word => (word.left + word.right) / 2 > left && (word.left + word.right) / 2 < right)
    const ys = distinct(same.map(({ top }) => top))
    for (const rows of findRows(ys, inside, borders)) {
      const table = makeTable(rows, borders)
      if (!table) continue
      tables.push(table)
      const taken = new Set(rows.flat())
      rest = rest.filter(word => !taken.has(word))
    }
  }
  return { tables, rest }
}

/** Groups rules with the same left and right end. */
function groupByEnds(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = []
  for (const rule of rules) {
    const group = groups.find(
      ([first]) => first && Math.abs(first.left - rule.left) < ALIGNED && Math.abs(first.right - rule.right) < ALIGNED,
    )
    if (group) group.push(rule)
    else groups.push([rule])
  }
  return groups.filter(group => distinct(group.map(({ top }) => top)).length >= LEAST_RULES)
}

/** The ends of rules that meet those of a group, from left to right. */
function findBorders(same: readonly Rule[], rules: readonly Rule[]): number[] {
  const [{ left, right }] = same as [Rule, ...Rule[]] // groups have rules
  const level = rules.filter(rule => same.some(({ top }) => Math.abs(top - rule.top) < MEETS))
  const borders = [left, right]
  while (borders.length <= MAX_COLUMNS) {
    const after = level.find(rule => Math.abs(rule.left - (borders.at(-1) as number)) < MEETS) // has two
    if (!after || after.right <= after.left + MEETS) break
    borders.push(after.right)
  }
  while (borders.length <= MAX_COLUMNS) {
    const before = level.find(rule => Math.abs(rule.right - (borders[0] as number)) < MEETS) // has two
    if (!before || before.right <= before.left + MEETS) break
    borders.unshift(before.left)
  }
  return borders
}

/** Adds a column without rules, whose text begins at the same place beside each rule of the first column. */
function addLastColumn(borders: number[], same: readonly Rule[], words: readonly Word[]): number[] {
  const [left, right] = borders as [number, number] // has at least two
  if (borders.length > 2) return borders
  const firsts: Word[] = []
  let end = right
  for (const { top } of same) {
    const row = words.filter(word => word.bottom < top + RULE_OVERLAP * word.size && top - word.bottom < word.size)
    const beside = row.filter(word => word.left > right)
    const [first] = beside.toSorted((one, other) => one.left - other.left)
    const own = row.filter(word => word.left >= left && word.right <= right)
    // The rule below a word of the same width underlines it.
    const isUnderline = own.some(word => Math.abs(word.left - left) < ALIGNED)
    if (!first || own.length === 0 || isUnderline) continue
    firsts.push(first)
    end = Math.max(end, ...beside.map(word => word.right))
  }
  const isAligned = firsts.every(
    word => Math.abs(word.left - (firsts[0]?.left ?? 0)) < ALIGNED && word.left - right < MOST_TO_LAST * word.size,
  )
  return firsts.length >= LEAST_RULES && firsts.length >= SHARED * same.length && isAligned
    ? [left, right, end]
    : borders
}

/** Sorts positions of rules. The pieces of one rule have one position. */
function distinct(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted.filter((value, at) => at === 0 || value - (sorted[at - 1] as number) > SAME_RULE)
}

/** The words of rows between rules. Each list has rows that follow each other. */
function findRows(ys: readonly number[], words: readonly Word[], borders: readonly number[]): Word[][][] {
  const runs: Word[][][] = [[]]
  const heights = ys.slice(1).map((y, at) => y - (ys[at] as number)) // at is in the array
  for (const [at, bottom] of ys.entries()) {
    // The first row may have a rule below it only.
    const top = ys[at - 1] ?? bottom - FIRST_HEIGHT * medianOf(heights)
    const own = words.filter(word => (word.top + word.bottom) / 2 > top && (word.top + word.bottom) / 2 < bottom)
    if (isTableRow(own, borders, bottom - top) && (at > 0 || isShared(own, borders))) runs.at(-1)?.push(own)
    else runs.push([])
  }
  return runs.filter(run => run.length >= LEAST_ROWS)
}

/** Returns whether words are in at least two columns. */
function isShared(words: readonly Word[], borders: readonly number[]): boolean {
  return new Set(words.map(word => borders.findLastIndex(x => x <= (word.left + word.right) / 2))).size >= 2
}

/**
 * Returns whether words between two rules are a row of the table: not too many of them, a row that isn't too tall, and no
 * text across the borders between columns.
 */
function isTableRow(words: readonly Word[], borders: readonly number[], height: number): boolean {
  const size = medianOf(words.map(word => word.size))
  if (words.length === 0 || words.length > MAX_IN_ROW || height > MOST_HEIGHT * size) return false
  const follows = (word: Word, other: Word): boolean =>
    Math.abs(other.baseline - word.baseline) <= SAME_LINE * size && other.left - word.right < LEAST_GAP * size
  return borders.slice(1, -1).every(x => {
    const [before, after] = [
      words.filter(({ right }) => right <= x + ALIGNED),
      words.filter(({ left }) => left >= x - ALIGNED),
    ]
    const isCrossed = words.some(({ left, right }) => left < x - ALIGNED && right > x + ALIGNED)
    // A word after the border that follows a word before it without a wide gap belongs to the same text.
    return !isCrossed && !before.some(word => after.some(other => follows(word, other)))
  })
}

function makeTable(rows: readonly Word[][], borders: readonly number[]): Block | undefined {
  const columnCount = borders.length - 1
  const cells: TableCell[] = []
  let [shared, lineCount] = [0, 0]
  for (const [row, words] of rows.entries()) {
    const byColumn = Array.from({ length: columnCount }, () => [] as Word[])
    for (const word of words) {
      const column = borders.findLastIndex(x => x <= (word.left + word.right) / 2)
      byColumn[Math.min(column, columnCount - 1)]?.push(word)
    }
    if (byColumn.filter(own => own.length > 0).length >= 2) shared++
    const lines = byColumn.map(own => (own.length > 0 ? findLines(own, []) : []))
    lineCount += lines.map(own => own.length).sort((one, other) => other - one)[1] ?? 0
    for (const [column, own] of lines.entries())
      if (own.length > 0) cells.push({ row, column, rowSpan: 1, columnSpan: 1, isHeader: false, lines: own })
  }
  if (shared < SHARED * rows.length || lineCount > MOST_LINES * rows.length) return undefined
  const area: Area = areaAround(rows.flat())
  const table = { rowCount: rows.length, columnCount, cells }
  return countFromRight({ role: 'table', area, lines: [], table })
}
