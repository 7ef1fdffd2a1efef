import { areaAround } from '../lines/model'
import type { Area, Table, TableCell, TextLine } from '../lines/model'
import { makeLine } from '../lines/text-lines'
import { addTo } from '../../../map-entries'

/** Lines of a cell with at least this space between them are rows of their own, in ems. */
const ROW_SPACE = 0.7

/** A gap of at least this many ems divides the cells of a row. */
const CELL_GAP = 0.9

/** A cell is divided into at least this many rows. */
const LEAST_ROWS = 3

/** This share of the new rows must have text in a second column. */
const SHARED = 0.6

/** Maximum number of cells to compare, and of rows and places after the division. */
const MAX_CELLS = 4000
const MAX_ROWS = 400
const MAX_PLACES = 20_000

/** A cell with its place between the borders. */
interface BorderedCell extends TableCell {
  area: Area
}

interface BorderedTable extends Table {
  cells: BorderedCell[]
}

/** Positions of the borders of a table. */
interface Borders {
  xs: readonly number[]
  ys: readonly number[]
}

/** Divides cells whose text shows that borders between them aren't painted. */
export function divideMerged(table: BorderedTable, { xs, ys }: Borders): BorderedTable {
  const cells = table.cells.flatMap(cell => (cell.columnSpan > 1 ? divideAcross(cell, xs) : [cell]))
  return divideDown({ ...table, cells }, ys)
}

/** Divides a cell over several columns, if its text has wide gaps where the borders of the columns would be. */
function divideAcross(cell: BorderedCell, xs: readonly number[]): BorderedCell[] {
  const pieces = cell.lines.flatMap(line => splitAtGaps(line))
  const last = cell.column + cell.columnSpan
  const isFree = (x: number): boolean =>
    pieces.every(({ left, right }) => right <= x + 1 || left >= x - 1) &&
    pieces.some(({ right }) => right <= x + 1) &&
    pieces.some(({ left }) => left >= x - 1)
  const places = [cell.column]
  for (let at = cell.column + 1; at < last; at++) if (isFree(xs[at] ?? 0)) places.push(at)
  if (places.length === 1) return [cell]
  return places.map((column, at) => {
    const end = places[at + 1] ?? last
    const area = { ...cell.area, left: xs[column] ?? cell.area.left, right: xs[end] ?? cell.area.right }
    const isIn = (piece: TextLine): boolean => {
      const middle = (piece.left + piece.right) / 2
      return (at === 0 || middle >= area.left) && (end === last || middle < area.right)
    }
    return { ...cell, column, columnSpan: end - column, area, lines: pieces.filter(isIn) }
  })
}

function splitAtGaps(line: TextLine): TextLine[] {
  const runs: TextLine['words'][] = []
  for (const word of line.words.toSorted((one, other) => one.left - other.left)) {
    const before = runs.at(-1)?.at(-1)
    if (before && word.left - before.right < CELL_GAP * line.size) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs.length === 1 ? [line] : runs.map(words => makeLine(words))
}

/** Divides cells where a column has lines that are far apart, beside lines of other columns. */
function divideDown(table: BorderedTable, ys: readonly number[]): BorderedTable {
  if (table.cells.length > MAX_CELLS) return table
  const inner = table.cells.flatMap(cell => findRows(cell, table.cells))
  if (inner.length === 0) return table
  const edges = [...ys, ...inner].sort((one, other) => one - other)
  if (edges.length > MAX_ROWS || edges.length * table.columnCount > MAX_PLACES) return table
  const rowOf = (y: number): number =>
    Math.max(
      0,
      edges.findLastIndex(edge => edge <= y + 0.01),
    )
  const cells = table.cells.flatMap((cell): BorderedCell[] => {
    const [start, end] = [rowOf(cell.area.top), rowOf(cell.area.bottom)]
    const rows = new Map<number, TextLine[]>()
    for (const line of cell.lines) {
      const row = Math.min(end - 1, Math.max(start, rowOf((line.top + line.bottom) / 2)))
      addTo(rows, row, line)
    }
    if (rows.size < 2) return [{ ...cell, row: start, rowSpan: Math.max(1, end - start) }]
    return Array.from({ length: end - start }, (_, at) => {
      const row = start + at
      const area = { ...cell.area, top: edges[row] ?? cell.area.top, bottom: edges[row + 1] ?? cell.area.bottom }
      return { ...cell, row, rowSpan: 1, area, lines: rows.get(row) ?? [] }
    })
  })
  return { ...table, rowCount: edges.length - 1, cells }
}

/** The borders that are missing between the lines of a cell. */
function findRows(cell: BorderedCell, cells: readonly BorderedCell[]): number[] {
  const lines = cell.lines.toSorted((one, other) => one.baseline - other.baseline)
  if (lines.length < LEAST_ROWS) return []
  const beside = cells.filter(
    other => other.column !== cell.column && other.area.top < cell.area.bottom && other.area.bottom > cell.area.top,
  )
  const areNumbers = lines.every(line => line.words.every(({ text }) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text)))
  const places: number[] = []
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1]
    if (!next) break
    const space = next.top - line.bottom
    if (space < (areNumbers ? 0 : ROW_SPACE) * line.size) return []
    places.push((line.bottom + next.top) / 2)
  }
  const others = beside.flatMap(other => other.lines)
  if (others.length === 0) return []
  // Lines of other columns that a new border would cross aren't in these rows.
  const free = places.filter(y => others.every(({ top, bottom }) => bottom - 1 <= y || top + 1 >= y))
  if (free.length < LEAST_ROWS - 1) return []
  const edges = [-Infinity, ...free, Infinity]
  const shared = edges
    .slice(1)
    .filter((end, at) => others.some(line => middleOf(line) > (edges[at] as number) && middleOf(line) < end)) // in the array
  return shared.length >= SHARED * (edges.length - 1) ? free : []
}

function middleOf(line: TextLine): number {
  const { top, bottom } = areaAround([line])
  return (top + bottom) / 2
}
