import { areaOf, gapsBetween, intersectGaps, isBlock, makeBands } from '../lines/bands'
import type { Band, Item } from '../lines/bands'
import { areaAround, medianOf } from '../lines/model'
import type { Block, Rule, TableCell, TextLine } from '../lines/model'
import { makeCells, mergeRows } from './cells'
import { divideRun } from './column-changes'
import type { Part } from './column-changes'
import { findColumns, columnsOf } from './columns'
import type { Column } from './columns'
import { divideBand, isMonospaced, isRow, innerRules, isRuledOff, rulesOf, sizeOf } from './rows'
import { findSideBlocks } from './side-blocks'
import { countFromRight } from './table-direction'

/** A table without borders has at least this many rows. */
const LEAST_ROWS = 3

/** Bands farther apart than this many ems, or than this many times the usual distance, aren't in the same table. */
const FAR = 2.2
const TIMES_USUAL = 2.5

/** Rows with a rule between them may be this many times as far apart. */
const RULED_OFF = 2

/** Usual distance of bands that are very close, in ems, so that any gap between them isn't many times as large. */
const LEAST_USUAL = 0.2

/** Edges that differ by less than this are aligned, in points, or by this share of an em in a justified paragraph. */
const ALIGNED = 2
const JUSTIFIED = 0.1

/** A strip between columns is wider than this, in points. */
const LEAST_STRIP = 2

/** A line crosses a strip if it extends beyond both of its edges by more than this, in points. */
const CROSSES = 1

/** Text that crosses more than this share of the strips isn't in the columns. */
const MOST_CROSSED = 0.6

/** A line of a cell is narrower than this share of the rows around it. */
const CELL_LINE = 0.75

/** The row to which a single line belongs is at most this many bands away. */
const NEAR_ROWS = 4

/** The first line of a cell is at most this far above the row of its other lines, in ems. */
const HEAD_SPACE = 0.35

/** At least this share of the rows has text in two columns. */
const FULL_ROWS = 0.5

/** At most this share of the cells spans columns. */
const MOST_SPANNING = 0.4

/** A column is prose if it has this many lines, this share of them fills the column, and they have this many words. */
const PROSE = { leastLines: 4, filled: 0.75, fullLines: 0.6, leastWords: 4 }

/** At most this many lines of a paragraph in a row have gaps as wide as those of a table. */
const MOST_STRETCHED = 4

/** The lines of a paragraph or of a cell have at most this space between them, in ems. */
const LINE_SPACE = 0.6

/** Most words of a cell on average. */
const MOST_WORDS = 12

/** A cell that is only the mark of a list item. */
const LIST_MARK = /^([•◦▪●○■–—*·-]|\(?[\p{L}\d]{1,3}[.)])$/u

/** Maximum number of lines of text from top to bottom, and of columns. */
const MAX_BANDS = 300
const MAX_COLUMNS = 60

/** What is known about the sheet of a flow. */
export interface Setting {
  rules: readonly Rule[]
  /** Whether the text goes from right to left. */
  isRightToLeft: boolean
  /** Whether most text of the document has a font of equal widths. Otherwise such text is code. */
  isTypewritten: boolean
}

/** Finds tables whose cells are aligned without borders. Returns the parts of the flow, with tables in their place. */
export function findAlignedTables(flow: readonly Item[], setting: Setting): Item[][] {
  const bands = makeBands(flow)
  const parts: Item[][] = [[]]
  for (let at = 0; at < bands.length;) {
    const first = isHead(bands, at) ? at + 1 : at
    const end = endOfRun(bands, first, setting.rules)
    const [before, ...others] =
      end - first >= 2 && !isStretched(bands, first, end) ? makeTables(bands.slice(at, end), setting) : []
    if (before) {
      parts.at(-1)?.push(...before)
      parts.push(...others)
      at = end
    } else {
      parts.at(-1)?.push(...(bands[at] as Band).items) // at is in the array
      at++
    }
  }
  return parts
}

/** Returns whether bands are lines of a justified paragraph, whose words are far apart. */
function isStretched(bands: readonly Band[], start: number, end: number): boolean {
  if (end - start > MOST_STRETCHED) return false
  return [start - 1, end].some(at => {
    const near = bands[at]
    const beside = bands[at < start ? start : end - 1]
    if (!near || !beside || near.items.length > 1 || near.items.some(isBlock)) return false
    const size = sizeOf(near)
    const distance = Math.max(near.top, beside.top) - Math.min(near.bottom, beside.bottom)
    return (
      distance < LINE_SPACE * size &&
      bands
        .slice(start, end)
        .every(
          ({ left, right }) =>
            Math.abs(left - near.left) < JUSTIFIED * size && Math.abs(right - near.right) < JUSTIFIED * size,
        )
    )
  })
}

/** Returns whether a single line is the first one of a cell in the row below, whose other cells are shorter. */
function isHead(bands: readonly Band[], at: number): boolean {
  const [band, below] = [bands[at], bands[at + 1]]
  if (!band || !below || isRow(band) || !isRow(below) || band.items.some(isBlock)) return false
  return (
    below.top - band.bottom <= HEAD_SPACE * sizeOf(band) &&
    band.left > below.left + sizeOf(band) &&
    band.right < below.right + ALIGNED
  )
}

/** Returns the index after the last of the bands from `start` on that may be one table. */
function endOfRun(bands: readonly Band[], start: number, rules: readonly Rule[]): number {
  if (!isRow(bands[start])) return start
  let end = start + 1
  const distances: number[] = []
  for (; end < Math.min(bands.length, start + MAX_BANDS); end++) {
    const [above, band] = [bands[end - 1] as Band, bands[end] as Band] // both are in the array
    if (band.items.some(isBlock)) break
    const distance = band.top - above.bottom
    const size = sizeOf(band)
    const usualDistance = Math.max(medianOf(distances, distance), LEAST_USUAL * size)
    const isFar = distance > FAR * size && distance > TIMES_USUAL * usualDistance
    const isTooFarForRules = distance > RULED_OFF * FAR * size
    if (isFar && (isTooFarForRules || !isRuledOff(above, band, rules))) break
    if (isRow(band) && crossesColumns(bands.slice(start, end), band)) break
    // A line that is alone may continue a cell. Several such lines are text.
    if (!isRow(band) && !isContinuation(bands, end)) break
    distances.push(distance)
  }
  while (end > start + 1 && !isRow(bands[end - 1]) && !isTail(bands, start, end - 1)) end--
  return end
}

/** Returns whether the lines of a band cross most of the strips between the columns above. */
function crossesColumns(above: readonly Band[], band: Band): boolean {
  const rows = above.filter(isRow)
  if (rows.length < 2) return false
  const strips = rows
    .map(({ items }) => gapsBetween(items))
    .reduce(intersectGaps)
    .filter(({ left, right }) => Number.isFinite(left) && Number.isFinite(right) && right - left > LEAST_STRIP)
  const crossed = strips.filter(({ left, right }) =>
    band.items.some(item => areaOf(item).left < left - CROSSES && areaOf(item).right > right + CROSSES),
  )
  return strips.length > 0 && crossed.length > MOST_CROSSED * strips.length
}

/** Returns whether a single line may belong to a cell: a row follows soon, or it is a part of a column above. */
function isContinuation(bands: readonly Band[], at: number): boolean {
  const band = bands[at] as Band // at is in the array
  const rowsAfter = bands.slice(at + 1, at + 1 + NEAR_ROWS)
  const next = rowsAfter.findIndex(isRow)
  if (next >= 0) {
    const between = [band, ...rowsAfter.slice(0, next)]
    const row = rowsAfter[next] as Band // was found
    const width = Math.max(row.right, bands[at - 1]?.right ?? 0) - Math.min(row.left, bands[at - 1]?.left ?? Infinity)
    return between.every(one => one.right - one.left < CELL_LINE * width || one.items.length > 1)
  }
  return isTail(bands, 0, at)
}

/** Returns whether a single line continues the last cell of the row above, in a column that isn't the first one. */
function isTail(bands: readonly Band[], start: number, at: number): boolean {
  const band = bands[at] as Band // at is in the array
  const above = bands.slice(Math.max(start, at - NEAR_ROWS), at).findLast(isRow)
  if (!above || band.items.length !== 1 || band.top - (bands[at - 1] as Band).bottom > LINE_SPACE * sizeOf(band))
    return false
  return above.items.slice(1).some(item => Math.abs(areaOf(item).left - band.left) < ALIGNED)
}

/**
 * Makes the tables of bands that are close to each other, with the lines between them. Blocks beside each other are
 * lists of their own. Returns no list if there are neither tables nor such blocks.
 */
function makeTables(bands: readonly Band[], setting: Setting): Item[][] {
  const pieces = bands.map(divideBand)
  const lists: Item[][] = [[]]
  let isFound = false
  for (const { start, end, columns } of divideRuns(pieces, setting.rules)) {
    const own = pieces.slice(start, end)
    const blocks = findSideBlocks(own, columns)
    if (blocks) {
      if (setting.isRightToLeft) blocks.reverse()
      for (const block of blocks) {
        const inner = makeBands(block)
        const table = makeTable(inner, findColumns(inner), setting)
        lists.push(table ? [table] : block)
      }
      lists.push([])
      isFound = true
      continue
    }
    const table = makeTable(own, columns, setting)
    if (table) isFound = true
    lists.at(-1)?.push(...(table ? [table] : bands.slice(start, end).flatMap(band => band.items)))
  }
  return isFound ? lists : []
}

/** Divides a run where its rows with rules between them end, and then where its columns change. */
function divideRuns(bands: readonly Band[], rules: readonly Rule[]): Part[] {
  const across = innerRules(bands, rules)
  const last = across.at(-1)
  if (last === undefined || across.length < 2) return divideRun(bands)
  const counts = across.map((top, at) => bands.filter(band => isBetween(band, across[at - 1] ?? -Infinity, top)).length)
  const below = bands.filter(band => isBetween(band, last, Infinity)).length
  // The last row has as many lines as others. More lines are below the table.
  if (below < LEAST_ROWS || below <= Math.max(...counts)) return divideRun(bands)
  const middle = bands.length - below
  return [
    ...divideRun(bands.slice(0, middle)),
    ...divideRun(bands.slice(middle)).map(part => ({
      ...part,
      start: part.start + middle,
      end: part.end + middle,
    })),
  ]
}

function isBetween({ top, bottom }: Band, above: number, below: number): boolean {
  const middle = (top + bottom) / 2
  return middle > above && middle <= below
}

function makeTable(
  pieces: readonly Band[],
  columns: readonly Column[],
  { rules, isTypewritten }: Setting,
): Block | undefined {
  if (!isTypewritten && isCode(pieces)) return undefined
  const lines = pieces.flatMap(({ items }) => items as TextLine[]) // divided bands have lines only
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined
  const rows = mergeRows(pieces, columns, rules)
  const full = rows.filter(row => new Set(row.map(line => columnsOf(line, columns)[0])).size >= 2)
  const isRuled = rulesOf(pieces, rules).length >= 2
  const least = isRuled || columns.length >= 3 ? 2 : LEAST_ROWS
  if (full.length < least || full.length < FULL_ROWS * rows.length) return undefined
  const cells = makeCells(rows, columns)
  if (!isTabular(cells, columns, lines)) return undefined
  return countFromRight({
    role: 'table',
    area: areaAround(lines),
    lines: [],
    table: { rowCount: rows.length, columnCount: columns.length, cells },
  })
}

/** Returns whether rows are code with gaps in its lines, which may have a paragraph below it. */
function isCode(bands: readonly Band[]): boolean {
  const rows = bands.filter(isRow)
  const [first] = rows
  return first !== undefined && isMonospaced(first) && rows.filter(isMonospaced).length * 2 >= rows.length
}

/** Returns whether cells look like a table and not like columns of text. */
function isTabular(cells: readonly TableCell[], columns: readonly Column[], lines: readonly TextLine[]): boolean {
  const words = lines.reduce((sum, line) => sum + line.words.length, 0)
  if (words > MOST_WORDS * cells.length) return false
  // Lists have a column of marks only.
  const marks = cells
    .filter(cell => cell.column === 0)
    .map(cell => cell.lines.map(line => line.words.map(({ text }) => text).join('')).join(''))
  const isMarked = columns.length === 2 && marks.every(text => LIST_MARK.test(text))
  const isSame = marks.length > 1 && marks.every(text => text === marks[0] && !/[\p{L}\d]/u.test(text))
  const isList = marks.length > 0 && (isMarked || isSame)
  if (isList) return false
  const spanning = cells.filter(cell => cell.columnSpan > 1).length
  if (spanning > MOST_SPANNING * cells.length) return false
  const prose = columns.filter((column, at) => {
    const own = cells.filter(cell => cell.column === at && cell.columnSpan === 1).flatMap(cell => cell.lines)
    const filling = own.filter(line => line.right - line.left >= PROSE.filled * (column.right - column.left))
    const count = own.reduce((sum, line) => sum + line.words.length, 0)
    const isFull = filling.length >= PROSE.fullLines * own.length && count >= PROSE.leastWords * own.length
    return own.length >= PROSE.leastLines && isFull
  })
  return prose.length <= columns.length / 2
}
