import type { Band } from '../lines/bands'
import { medianOf } from '../lines/model'
import type { Rule, TableCell, TextLine } from '../lines/model'
import { columnsOf } from './columns'
import type { Column } from './columns'
import { innerRules, isRow, sizeOf } from './rows'

/** Lines are beside each other if their baselines differ by less than this share of an em. */
const SAME_LINE = 0.35

/** Lines of the same cell have at most this space between them, in ems. */
const LINE_SPACE = 0.55

/** Rules tell where rows begin if there are this many, relative to the bands. */
const RULED = 0.45

/** Lines of a cell are less than this far apart, in ems, and rows are farther apart by at least this. */
const MOST_INNER = 0.9
const LEAST_DIFFERENCE = 0.1

/** At least this share of the distances between full bands is larger than those inside rows. */
const LARGER_OUTSIDE = 0.8

/** Joins bands that are lines of the same row. */
export function mergeRows(bands: readonly Band[], columns: readonly Column[], rules: readonly Rule[]): TextLine[][] {
  const linesOf = (band: Band): TextLine[] => band.items as TextLine[] // rows of a table have no blocks
  const inner = innerRules(bands, rules)
  // Rules between most rows say where rows begin.
  if (inner.length >= 2 && inner.length >= bands.filter(isRow).length * RULED) {
    const rows: TextLine[][] = []
    let last = -1
    for (const [at, band] of bands.entries()) {
      const interval = inner.filter(top => top <= (band.top + band.bottom) / 2).length
      const above = bands[at - 1]
      const isNext = above && hasSameColumns(linesOf(above), linesOf(band), columns)
      const isFar = above && band.top - above.bottom > LINE_SPACE * sizeOf(band)
      if (interval === last && !(isNext && isFar)) rows.at(-1)?.push(...linesOf(band))
      else rows.push([...linesOf(band)])
      last = interval
    }
    return rows
  }
  const distances = bands.slice(1).map((band, at) => band.top - (bands[at] as Band).bottom) // at is in the array
  const own = bands.map(band => new Set(linesOf(band).map(line => columnsOf(line, columns)[0] ?? 0)))
  const size = medianOf(bands.map(sizeOf), 10)
  const most = closeDistance(distances, own, size)
  const rows: TextLine[][] = []
  let filled = new Set<number>()
  for (const [at, band] of bands.entries()) {
    const mine = own[at] ?? new Set<number>()
    const distance = at === 0 ? Infinity : (distances[at - 1] as number) // has an item for each band but the first
    const isClose =
      most === undefined ? isContinued(mine, filled, columns.length) && distance <= LINE_SPACE * size : distance <= most
    if (at > 0 && isClose) {
      rows.at(-1)?.push(...linesOf(band))
      for (const column of mine) filled.add(column)
    } else {
      rows.push([...linesOf(band)])
      filled = new Set(mine)
    }
  }
  return rows
}

function hasSameColumns(some: readonly TextLine[], others: readonly TextLine[], columns: readonly Column[]): boolean {
  const [one, other] = [some, others].map(lines => new Set(lines.map(line => columnsOf(line, columns)[0])))
  return one !== undefined && other !== undefined && one.size === other.size && [...one].every(at => other.has(at))
}

/** Returns whether a band without a first cell may continue the cells of the row above. */
function isContinued(own: ReadonlySet<number>, filled: ReadonlySet<number>, columnCount: number): boolean {
  return !own.has(0) && own.size < Math.max(2, columnCount) && [...own].every(column => filled.has(column))
}

/**
 * The largest distance between lines of the same row, if rows are farther apart than the lines in their cells. Undefined
 * if distances don't tell.
 */
function closeDistance(distances: readonly number[], own: readonly Set<number>[], size: number): number | undefined {
  const most = Math.max(...own.map(columns => columns.size))
  const isSparse = (at: number): boolean => (own[at]?.size ?? 0) < most
  const inner = distances.filter((_, at) => isSparse(at) || isSparse(at + 1))
  if (inner.length === 0) return undefined
  const sorted = distances.toSorted((one, other) => one - other)
  const outer = distances.filter((_, at) => !isSparse(at) && !isSparse(at + 1))
  let [best, threshold] = [0, -1]
  for (const [at, distance] of sorted.entries()) {
    const next = sorted[at + 1]
    if (next === undefined || distance > MOST_INNER * size || next - distance < LEAST_DIFFERENCE * size) continue
    const middle = distance + (next - distance) / 2
    const right = inner.filter(one => one <= middle).length + outer.filter(one => one > middle).length
    if (right > best) [best, threshold] = [right, middle]
  }
  if (threshold < 0 || outer.filter(one => one > threshold).length < LARGER_OUTSIDE * outer.length) return undefined
  return inner.some(distance => distance <= threshold) ? threshold : undefined
}

/** Sorts the lines of rows into cells. Rows and columns count from 0. */
export function makeCells(rows: readonly TextLine[][], columns: readonly Column[]): TableCell[] {
  const cells: TableCell[] = []
  for (const [row, lines] of rows.entries()) {
    const byColumn = new Map<number, TableCell>()
    for (const line of lines.toSorted((one, other) => one.left - other.left)) {
      const touched = columnsOf(line, columns)
      const first = touched[0] ?? 0
      const span = (touched.at(-1) ?? first) - first + 1
      const cell = [...byColumn.values()].find(
        ({ column, columnSpan }) => column < first + span && first < column + columnSpan,
      )
      if (cell) {
        cell.lines.push(line)
        const end = Math.max(cell.column + cell.columnSpan, first + span)
        cell.column = Math.min(cell.column, first)
        cell.columnSpan = end - cell.column
      } else byColumn.set(first, { row, column: first, rowSpan: 1, columnSpan: span, isHeader: false, lines: [line] })
    }
    const own = [...byColumn.values()].sort((one, other) => one.column - other.column)
    for (const [at, cell] of own.entries()) {
      const next = own[at + 1]
      if (next) cell.columnSpan = Math.max(1, Math.min(cell.columnSpan, next.column - cell.column))
      cell.lines = inReadingOrder(cell.lines)
    }
    cells.push(...own)
  }
  return cells
}

/** Sorts lines from top to bottom. Lines with almost the same baseline, such as words in a smaller font, go across. */
function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const rows: TextLine[][] = []
  for (const line of lines.toSorted((one, other) => one.baseline - other.baseline)) {
    const first = rows.at(-1)?.[0]
    if (first && line.baseline - first.baseline < SAME_LINE * Math.min(first.size, line.size)) rows.at(-1)?.push(line)
    else rows.push([line])
  }
  return rows.flatMap(row => row.sort((one, other) => one.left - other.left))
}
