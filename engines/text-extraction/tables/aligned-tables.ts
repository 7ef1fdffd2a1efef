import { areaOf, gapsBetween, intersectGaps, isBlock, makeBands } from '../bands'
import type { Band, Item } from '../bands'
import { areaAround, medianOf } from '../model'
import type { Block, Rule, TableCell, TextLine, Word } from '../model'
import { findSideBlocks } from './side-blocks'
import { countFromRight } from './table-direction'
import { makeLine } from '../text-lines'

/** A table without borders has at least this many rows. */
const LEAST_ROWS = 3

/** Bands farther apart than this many ems, or than this many times the usual distance, aren't in the same table. */
const FAR = 2.2
const TIMES_USUAL = 2.5

/** A strip between columns may be crossed by this share of the rows. */
const CROSSED = 0.12

/** Columns are at least this far apart, in ems. */
const LEAST_GAP = 0.45

/** A gap that may be between cells, in ems. */
const PIECE_GAP = 0.5

/** Lines are beside each other if their baselines differ by less than this share of an em. */
const SAME_LINE = 0.35

/** Lines of the same cell have at most this space between them, in ems. */
const LINE_SPACE = 0.55

/** A gap of this many ems divides cells. */
const CLASH_GAP = 0.9

/** Runs of more bands than this aren't divided, because the time grows with the square. */
const MOST_DIVIDED = 120

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
    const [before, ...others] = end - first >= 2 ? makeTables(bands.slice(at, end), setting) : []
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

function isMonospaced({ items }: Band): boolean {
  return items.every(item => !isBlock(item) && item.words.every(word => word.isMonospaced))
}

/** Returns whether a single line is the first one of a cell in the row below, whose other cells are shorter. */
function isHead(bands: readonly Band[], at: number): boolean {
  const [band, below] = [bands[at], bands[at + 1]]
  if (!band || !below || isRow(band) || !isRow(below) || band.items.some(isBlock)) return false
  return (
    below.top - band.bottom <= 0.35 * sizeOf(band) &&
    band.left > below.left + sizeOf(band) &&
    band.right < below.right + 2
  )
}

/** The end of the bands from here on that may be one table. */
function endOfRun(bands: readonly Band[], start: number, rules: readonly Rule[]): number {
  if (!isRow(bands[start])) return start
  let end = start + 1
  const distances: number[] = []
  for (; end < Math.min(bands.length, start + MAX_BANDS); end++) {
    const [above, band] = [bands[end - 1] as Band, bands[end] as Band] // both are in the array
    if (band.items.some(isBlock)) break
    const distance = band.top - above.bottom
    const size = sizeOf(band)
    const usual = medianOf(distances, distance)
    if (
      distance > FAR * size &&
      distance > TIMES_USUAL * Math.max(usual, 0.2 * size) &&
      !isRuledOff(above, band, rules)
    )
      break
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
    .filter(({ left, right }) => Number.isFinite(left) && Number.isFinite(right) && right - left > 2)
  const crossed = strips.filter(({ left, right }) =>
    band.items.some(item => areaOf(item).left < left - 1 && areaOf(item).right > right + 1),
  )
  return strips.length > 0 && crossed.length > 0.6 * strips.length
}

function isRow(band: Band | undefined): boolean {
  return (
    band !== undefined && band.items.length >= 2 && !band.items.some(isBlock) && gapsBetween(band.items).length >= 3
  )
}

/** Returns whether a single line may belong to a cell: a row follows soon, or it is a part of a column above. */
function isContinuation(bands: readonly Band[], at: number): boolean {
  const band = bands[at] as Band // at is in the array
  const rowsAfter = bands.slice(at + 1, at + 5)
  const next = rowsAfter.findIndex(isRow)
  if (next >= 0) {
    const between = [band, ...rowsAfter.slice(0, next)]
    const row = rowsAfter[next] as Band // was found
    const width = Math.max(row.right, bands[at - 1]?.right ?? 0) - Math.min(row.left, bands[at - 1]?.left ?? Infinity)
    return between.every(one => one.right - one.left < 0.75 * width || one.items.length > 1)
  }
  return isTail(bands, 0, at)
}

/** Returns whether a single line continues the last cell of the row above, in a column that isn't the first one. */
function isTail(bands: readonly Band[], start: number, at: number): boolean {
  const band = bands[at] as Band // at is in the array
  const above = bands.slice(Math.max(start, at - 4), at).findLast(isRow)
  if (!above || band.items.length !== 1 || band.top - (bands[at - 1] as Band).bottom > 0.6 * sizeOf(band)) return false
  return above.items.slice(1).some(item => Math.abs(areaOf(item).left - band.left) < 2)
}

function isRuledOff(above: Band, below: Band, rules: readonly Rule[]): boolean {
  return rules.some(
    ({ isHorizontal, left, right, top }) =>
      isHorizontal &&
      top >= above.bottom - 3 &&
      top <= below.top + 3 &&
      right - left >= 0.8 * (above.right - above.left),
  )
}

function sizeOf({ items }: Band): number {
  return medianOf(
    items.flatMap(item => (isBlock(item) ? [] : [item.size])),
    10,
  )
}

/** Divides the lines of a band at every gap that may be between cells. Pieces of one cell come together again later. */
function divideBand(band: Band): Band {
  const items = band.items.flatMap(item => {
    if (isBlock(item)) return []
    const pieces: Word[][] = []
    for (const word of item.words.toSorted((one, other) => one.left - other.left)) {
      const before = pieces.at(-1)?.at(-1)
      if (before && word.left - before.right <= PIECE_GAP * Math.max(word.size, before.size)) pieces.at(-1)?.push(word)
      else pieces.push([word])
    }
    return pieces.length === 1 ? [item] : pieces.map(words => makeLine(words))
  })
  return { ...band, items }
}

/** The extent of a column. */
export interface Column {
  left: number
  right: number
}

/**
 * Makes the tables of bands that are close to each other, with the lines between them. Blocks beside each other are
 * lists of their own. Returns no list if there are neither tables nor such blocks.
 */
function makeTables(bands: readonly Band[], setting: Setting): Item[][] {
  const pieces = bands.map(divideBand)
  const lists: Item[][] = [[]]
  let isFound = false
  for (const { start, end, columns } of divideRun(pieces)) {
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

function makeTable(
  pieces: readonly Band[],
  columns: readonly Column[],
  { rules, isTypewritten }: Setting,
): Block | undefined {
  if (!isTypewritten && pieces.filter(isRow).every(isMonospaced)) return undefined
  const lines = pieces.flatMap(({ items }) => items as TextLine[]) // divided bands have lines only
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined
  const rows = mergeRows(pieces, columns, rules)
  const full = rows.filter(row => new Set(row.map(line => columnsOf(line, columns)[0])).size >= 2)
  const isRuled = rulesOf(pieces, rules).length >= 2
  const least = isRuled || columns.length >= 3 ? 2 : LEAST_ROWS
  if (full.length < least || full.length < 0.5 * rows.length) return undefined
  const cells = makeCells(rows, columns)
  if (!isTabular(cells, columns, lines)) return undefined
  return countFromRight({
    role: 'table',
    area: areaAround(lines),
    lines: [],
    table: { rowCount: rows.length, columnCount: columns.length, cells },
  })
}

/** Bands from `start` to `end` with common columns. */
interface Part {
  start: number
  end: number
  columns: Column[]
}

/** Divides a run of divided bands where the columns change, such as between the items of an invoice and its totals. */
function divideRun(bands: readonly Band[]): Part[] {
  const measure = (start: number, end: number): Part & { clashes: number } => {
    const columns = findColumns(bands.slice(start, end))
    return { start, end, columns, clashes: countClashes(bands.slice(start, end), columns) }
  }
  const whole = measure(0, bands.length)
  if (whole.clashes === 0 || bands.length > MOST_DIVIDED) return [whole]
  const parts: Part[] = []
  let part = measure(0, 1)
  let firstClash = 0
  for (let end = 2; end <= bands.length; end++) {
    const next = measure(part.start, end)
    if (next.clashes > 0 && part.clashes === 0) firstClash = end - 1
    // A single clash may be an image in a line.
    if (next.clashes < 2) {
      part = next
      continue
    }
    const [before, after] = [firstClash, end - 1]
      .map(at => [measure(part.start, at), measure(at, end)] as const)
      .reduce((best, other) => (sumClashes(other) < sumClashes(best) ? other : best))
    parts.push(before)
    part = after
    firstClash = after.start
  }
  return joinSpanning([...parts, part], bands)
}

function sumClashes(parts: readonly { clashes: number }[]): number {
  return parts.reduce((sum, { clashes }) => sum + clashes, 0)
}

/** Counts the bands in which a wide gap is inside a column: another column is missing there. */
function countClashes(bands: readonly Band[], columns: readonly Column[]): number {
  return bands.filter(({ items }) => {
    const lines = items as TextLine[] // divided bands have lines only
    return lines.some((line, at) => {
      const next = lines[at + 1]
      return (
        next !== undefined &&
        next.left - line.right > CLASH_GAP * line.size &&
        columnsOf(line, columns).at(-1) === columnsOf(next, columns)[0]
      )
    })
  }).length
}

/** Joins parts whose cells are in the columns of the table next to them, such as headers that span columns. */
function joinSpanning(parts: readonly Part[], bands: readonly Band[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && fits(last, part, bands)) {
      last.end = part.end
      if (part.columns.length > last.columns.length) last.columns = part.columns
    } else joined.push({ ...part })
  }
  return joined
}

/**
 * Returns whether the rows of the part with fewer columns belong to the other part. A single row may have cells that
 * span columns. Several rows must have the same columns, because they are another table otherwise.
 */
function fits(above: Part, below: Part, bands: readonly Band[]): boolean {
  const [first, next] = [bands[below.start - 1] as Band, bands[below.start] as Band] // both are in the array
  if (next.top - first.bottom > FAR * sizeOf(next)) return false
  const [narrow, wide] = above.columns.length <= below.columns.length ? [above, below] : [below, above]
  if (wide.columns.length < 2) return false
  const isSingle = narrow.end - narrow.start === 1
  return bands.slice(narrow.start, narrow.end).every(band => {
    if (!isRow(band)) return !isSingle
    const spans = (band.items as TextLine[]).map(line => columnsOf(line, wide.columns)) // divided bands have lines only
    return spans.every(
      (span, at) =>
        (isSingle || span.length === 1) && (at === 0 || (span[0] as number) > (spans[at - 1]?.at(-1) as number)), // never empty
    )
  })
}

/** The columns of bands: the extents between strips that almost no line crosses. */
function findColumns(bands: readonly Band[]): Column[] {
  const rows = bands.filter(isRow)
  const lines = rows.flatMap(({ items }) => items as TextLine[]) // rows have no blocks
  const size = medianOf(
    lines.map(line => line.size),
    10,
  )
  const edges = lines
    .flatMap(line => [
      { x: line.left, by: 1 },
      { x: line.right, by: -1 },
    ])
    .sort((one, other) => one.x - other.x || other.by - one.by)
  const most = Math.floor(CROSSED * rows.length)
  const columns: Column[] = []
  let count = 0
  for (const { x, by } of edges) {
    const isOpen = count > most
    count += by
    if (!isOpen && count > most) columns.push({ left: x, right: x })
    else if (isOpen && count <= most) (columns.at(-1) as Column).right = x // a column was opened before
  }
  const joined: Column[] = []
  for (const column of columns) {
    const last = joined.at(-1)
    if (last && column.left - last.right < LEAST_GAP * size) last.right = column.right
    else joined.push(column)
  }
  return joined
}

/** The columns that a line is in. At least the nearest one. */
export function columnsOf(line: TextLine, columns: readonly Column[]): number[] {
  const touched = columns.flatMap(({ left, right }, at) => {
    const common = Math.min(line.right, right) - Math.max(line.left, left)
    return common > 0.3 * Math.min(right - left, line.right - line.left) || common > 2 * line.size ? [at] : []
  })
  if (touched.length > 0) return touched
  const middle = (line.left + line.right) / 2
  let best = 0
  for (const [at, { left, right }] of columns.entries()) {
    const nearest = columns[best] as Column // best is an index
    if (Math.abs((left + right) / 2 - middle) < Math.abs((nearest.left + nearest.right) / 2 - middle)) best = at
  }
  return [best]
}

/** Positions of the rules across the table. */
function rulesOf(bands: readonly Band[], rules: readonly Rule[]): number[] {
  const area = areaAround(bands)
  const found = rules
    .filter(
      ({ isHorizontal, left, right, top }) =>
        isHorizontal &&
        top >= area.top - 12 &&
        top <= area.bottom + 12 &&
        Math.min(right, area.right) - Math.max(left, area.left) >= 0.6 * (area.right - area.left),
    )
    .map(({ top }) => top)
    .sort((one, other) => one - other)
  return found.filter((top, at) => at === 0 || top - (found[at - 1] as number) > 3)
}

/** Joins bands that are lines of the same row. */
function mergeRows(bands: readonly Band[], columns: readonly Column[], rules: readonly Rule[]): TextLine[][] {
  const linesOf = (band: Band): TextLine[] => band.items as TextLine[] // rows of a table have no blocks
  const across = rulesOf(bands, rules)
  const inner = across.filter(
    top => bands.some(band => band.bottom < top + 2) && bands.some(band => band.top > top - 2),
  )
  // Rules between most rows say where rows begin.
  if (inner.length >= 2 && inner.length >= bands.filter(isRow).length * 0.45) {
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
    // The lines of a cell are closer than an em.
    if (next === undefined || distance > 0.9 * size || next - distance < 0.1 * size) continue
    const middle = distance + (next - distance) / 2
    const right = inner.filter(one => one <= middle).length + outer.filter(one => one > middle).length
    if (right > best) [best, threshold] = [right, middle]
  }
  if (threshold < 0 || outer.filter(one => one > threshold).length < 0.8 * outer.length) return undefined
  return inner.some(distance => distance <= threshold) ? threshold : undefined
}

function makeCells(rows: readonly TextLine[][], columns: readonly Column[]): TableCell[] {
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
  if (spanning > 0.4 * cells.length) return false
  const prose = columns.filter((column, at) => {
    const own = cells.filter(cell => cell.column === at && cell.columnSpan === 1).flatMap(cell => cell.lines)
    const filling = own.filter(line => line.right - line.left >= 0.75 * (column.right - column.left))
    const count = own.reduce((sum, line) => sum + line.words.length, 0)
    return own.length >= 4 && filling.length >= 0.6 * own.length && count >= 4 * own.length
  })
  return prose.length <= columns.length / 2
}
