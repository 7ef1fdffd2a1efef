import { areaAround } from './lines/model'
import type { Area, Word } from './lines/model'
import type { TaggedCell } from './structure'

/** Cells beside each other begin at least this far apart, in points. */
const LEAST_STEP = 1

/** This share of the rows of a table must agree on their direction. */
const MOSTLY = 0.6

/** A cell of the tags with its words. */
export interface FilledCell {
  cell: TaggedCell
  words: Word[]
}

/**
 * Orders the cells of tagged rows by their places if the tags have another order: tags that go by column, and rows whose
 * cells don't have the order of the other rows. Tables with cells that span places keep the order of their tags.
 */
export function orderCells(rows: readonly FilledCell[][]): FilledCell[][] {
  if (rows.some(row => row.some(({ cell }) => cell.rowSpan > 1))) return [...rows]
  const turned = goByColumn(rows) ? transpose(rows) : [...rows]
  const simple = turned.filter(row => row.every(({ cell }) => cell.columnSpan === 1))
  const countAll = (sign: number): number => simple.reduce((sum, row) => sum + countSteps(row, sign), 0)
  const isNeat = (sign: number): boolean =>
    simple.some(row => countSteps(row, sign) > 0 && countSteps(row, -sign) === 0)
  const [right, left] = [countAll(1), countAll(-1)]
  const sign = right >= left ? 1 : -1
  // Most steps must agree, and a row must show the order.
  if (Math.max(right, left) < MOSTLY * (right + left) || !isNeat(sign)) return turned
  return turned.map(row =>
    row.every(({ cell }) => cell.columnSpan === 1) && countSteps(row, -sign) > 0 ? sortFilled(row, sign) : row,
  )
}

/** How many cells begin to the right (1) or to the left (-1) of the filled cell before them. */
function countSteps(row: readonly FilledCell[], sign: number): number {
  const lefts = row.flatMap(({ words }) => (words.length > 0 ? [areaAround(words).left] : []))
  return lefts.filter((left, at) => at > 0 && sign * (left - (lefts[at - 1] as number)) > LEAST_STEP).length // at > 0
}

/** Sorts the filled cells of a row. Empty cells keep their places. */
function sortFilled(row: readonly FilledCell[], sign: number): FilledCell[] {
  const sorted = row
    .filter(({ words }) => words.length > 0)
    .map(filled => ({ filled, left: areaAround(filled.words).left }))
    .sort((one, other) => sign * (one.left - other.left))
  return row.map(item => (item.words.length > 0 ? (sorted.shift()?.filled ?? item) : item))
}

/** Returns whether the rows of the tags are the columns of the page. */
function goByColumn(rows: readonly FilledCell[][]): boolean {
  const filled = rows
    .map(row => row.flatMap(({ words }) => (words.length > 0 ? [areaAround(words)] : [])))
    .filter(row => row.length > 1)
  if (filled.length < 2 || rows.some(row => row.some(({ cell }) => cell.columnSpan > 1))) return false
  const isStacked = filled.every(row => row.every((area, at) => at === 0 || isBelow(row[at - 1] as Area, area))) // at > 0
  const firsts = filled.map(([first]) => first as Area) // filled rows have cells
  return isStacked && firsts.every((area, at) => at === 0 || isBeside(firsts[at - 1] as Area, area)) // at > 0
}

function isBelow(above: Area, area: Area): boolean {
  return (
    area.top >= (above.top + above.bottom) / 2 &&
    Math.min(area.right, above.right) > Math.max(area.left, above.left) - LEAST_STEP
  )
}

function isBeside(before: Area, area: Area): boolean {
  const overlap = Math.min(before.bottom, area.bottom) - Math.max(before.top, area.top)
  return overlap > 0 && (area.left >= before.right - LEAST_STEP || area.right <= before.left + LEAST_STEP)
}

function transpose(rows: readonly FilledCell[][]): FilledCell[][] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return Array.from({ length: count }, (_, at) =>
    rows.map(row => row[at] ?? { cell: { isHeader: false, rowSpan: 1, columnSpan: 1, items: [] }, words: [] }),
  )
}
