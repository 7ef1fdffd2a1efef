import { areaOf, gapsBetween, intersectGaps, isBlock, makeBands } from './lines/bands'
import type { Band, Gap, Item } from './lines/bands'
import { findAlignedTables } from './tables/aligned-tables'
import type { Setting } from './tables/aligned-tables'
import { medianOf } from './lines/model'
import type { TextLine } from './lines/model'

/** Columns have at least this distance, in ems. */
const LEAST_GUTTER = 0.55

/** Positions that differ by less than this are the same, in points. Calculations round them. */
const ROUNDING = 0.01

/** A strip across the page that is at least this high separates what may be other columns, in ems. */
const FAR_BELOW = 0.6

/** The longer of two columns goes on below the other one with at most this space between its lines, in ems. */
const GOES_ON = 1.2

/** A row of a table has at least this many cells, and a cell at most this many lines and words. */
const LEAST_CELLS = 3
const MOST_CELL_LINES = 3
const MOST_CELL_WORDS = 4

/** Further rows of a table are among this many bands below the first one. */
const NEXT_ROWS = 3

/** Rows of three cells have at least this space between them, in ems. The lines of narrow columns have less. */
const LEAST_ROW_SPACE = 0.55

/** Columns have at least this many lines. */
const LEAST_LINES = 3

/** Nested columns are divided this often at most. */
const MAX_DEPTH = 12

/** Columns without prose have at least this many lines. */
const LONG = 8

/** This many ends of columns are tried. */
const MOST_PARTS = 12

/** Pages with more lines than this are read from top to bottom, because the time grows with the square. */
const MAX_ITEMS = 3000

/** A line is full if it fills this share of its column. */
const FILLED = 0.7

/** Lines of prose have this many words on average, and this share of them is full. */
const LEAST_WORDS = 2.5
const FULL_LINES = 0.5

/** Long columns of prose may have fewer words in a line, if more lines are full. */
const NARROW = { leastRows: 6, leastWords: 1.8, fullLines: 0.65 }

/** Baselines are at the same height if they differ by less than this share of an em. */
const SAME_LINE = 0.3

/** The lines of a paragraph are at most this much farther apart than usual, in ems. */
const EXTRA_SPACE = 0.12

/** Extents that share more than this are beside each other, in points. */
const LEAST_OVERLAP = 1

/** Lines of two columns that are on the same height more often than this may be a table. */
const ALIGNED = 0.55
const MOSTLY_ALIGNED = 0.8

/** If a smaller share of the paragraphs of two sides has a partner at the same height, the sides are columns. */
const APART = 0.5

/** Items in reading order. Each list is a column or a part of one. */
type Flow = Item[]

/** Divides items into columns, finds tables, and returns them in reading order. */
export function arrange(items: readonly Item[], setting: Setting, depth = 0): Flow[] {
  const { isRightToLeft } = setting
  if (items.length === 0) return []
  const bands = makeBands(items)
  if (depth >= MAX_DEPTH || items.length > MAX_ITEMS) return [bands.flatMap(band => band.items)]
  const flows: Flow[] = []
  let rest: Band[] = []
  const finish = (): void => {
    const flow = rest.flatMap(band => band.items)
    if (flow.length > 0) flows.push(...findAlignedTables(flow, setting))
    rest = []
  }
  for (let at = 0; at < bands.length;) {
    const found = findColumns(bands, at)
    if (!found) {
      rest.push(bands[at] as Band) // at is in the array
      at++
      continue
    }
    const { gutter, end } = found
    // A line above the others of its column, beside nothing, belongs to the column if it isn't the first one.
    const above = rest.length - rest.findLastIndex(band => !isAfter(band, gutter, isRightToLeft)) - 1
    const section = [...rest.splice(rest.length - above), ...bands.slice(at, end)].flatMap(band => band.items)
    finish()
    const middle = (gutter.left + gutter.right) / 2
    const sides = [section.filter(item => endsBefore(item, middle)), section.filter(item => !endsBefore(item, middle))]
    if (isRightToLeft) sides.reverse()
    for (const side of sides) flows.push(...arrange(side, setting, depth + 1))
    at = end
  }
  finish()
  return flows
}

/** Returns whether a band is only in the column that is read last. */
function isAfter({ left, right }: Band, gutter: Gap, isRightToLeft: boolean): boolean {
  return isRightToLeft ? right <= gutter.left + ROUNDING : left >= gutter.right - ROUNDING
}

/** Returns whether an item is left of a position. */
function endsBefore(item: Item, x: number): boolean {
  return areaOf(item).right <= x + ROUNDING
}

/** Returns whether an item is right of a position. */
function beginsAfter(item: Item, x: number): boolean {
  return areaOf(item).left >= x - ROUNDING
}

/** Finds columns that begin at a band, and the band after them. */
function findColumns(bands: readonly Band[], start: number): { gutter: Gap; end: number } | undefined {
  let free: Gap[] = [{ left: -Infinity, right: Infinity }]
  let end = start
  const section: Item[] = []
  const parts: { free: readonly Gap[]; end: number }[] = []
  let aboveTable: { gutter: Gap; end: number } | undefined
  let tableAt = bands.length
  // The first band must have two sides. Otherwise a line above the columns would count as part of one.
  const first = bands[start]
  if (!first || innerGaps(first.items).length === 0) return undefined
  if (beginsTable(bands, start)) return undefined
  for (; end < bands.length; end++) {
    const { items } = bands[end] as Band // end is in the array
    if (end > start && end < tableAt && !aboveTable && beginsTable(bands, end)) {
      aboveTable = chooseGutter(bands, start, { free, end })
      if (!aboveTable) break
      tableAt = end
    }
    const next = intersectGaps(free, gapsBetween(items)).filter(gap => isWide(gap, [...section, ...items]))
    if (!next.some(gap => hasBothSides(gap, section.length > 0 ? section : items))) break
    if (isFarBelow(bands, end)) parts.push({ free, end })
    free = next
    section.push(...items)
  }
  parts.push({ free, end })
  // What is below a strip across the page may be something else.
  for (const part of parts.slice(-MOST_PARTS).reverse()) {
    const found = chooseGutter(bands, start, part)
    if (found && (found.end <= tableAt || goesOnBeside(bands, start, tableAt, found))) return found
  }
  return aboveTable
}

/** Returns whether columns go on beside and below what looks like a table, such as figures beside each other. */
function goesOnBeside(
  bands: readonly Band[],
  start: number,
  tableAt: number,
  { gutter, end }: { gutter: Gap; end: number },
): boolean {
  return [bands.slice(start, tableAt), bands.slice(tableAt, end)].every(part =>
    isBetweenColumns(
      gutter,
      part.flatMap(band => band.items.filter(item => !isBlock(item))),
    ),
  )
}

/** Returns whether there is a free strip above a band. */
function isFarBelow(bands: readonly Band[], at: number): boolean {
  const [above, band] = [bands[at - 1], bands[at]]
  return above !== undefined && band !== undefined && band.top - above.bottom > FAR_BELOW * sizeOf(band.items)
}

/** Chooses the strip that divides columns, among those that are free from `start` to the end of the part. */
function chooseGutter(
  bands: readonly Band[],
  start: number,
  { free, end }: { free: readonly Gap[]; end: number },
): { gutter: Gap; end: number } | undefined {
  if (end <= start) return undefined
  const section = bands.slice(start, end).flatMap(band => band.items)
  const candidates = free
    .filter(gap => Number.isFinite(gap.left) && Number.isFinite(gap.right) && hasBothSides(gap, section))
    .sort((one, other) => other.right - other.left - (one.right - one.left))
  for (const gutter of candidates) {
    const sectionEnd = trimEnd(bands, start, end, gutter)
    const part = bands.slice(start, sectionEnd).flatMap(band => band.items)
    if (isBetweenColumns(gutter, part)) return { gutter, end: sectionEnd }
  }
  return undefined
}

/** Returns whether two rows of short cells begin at a band, one below the other. */
function beginsTable(bands: readonly Band[], at: number): boolean {
  const [first, second] = [bands[at], bands[at + 1]]
  if (!first || !second) return false
  if (countCells(first) < LEAST_CELLS) return false
  const others = bands.slice(at + 1, at + 1 + NEXT_ROWS).filter(band => countCells(band) >= LEAST_CELLS)
  if (others.length === 0) return false
  // The gaps of justified text aren't below each other.
  const common = [first, ...others]
    .map(({ items }) => gapsBetween(items))
    .reduce(intersectGaps)
    .filter(gap => Number.isFinite(gap.left) && Number.isFinite(gap.right) && isWide(gap, first.items))
  const count = common.length + 1
  // Rows of three cells may also be lines of three narrow columns, which are closer.
  if (count === LEAST_CELLS) return second.top - first.bottom > LEAST_ROW_SPACE * sizeOf(first.items)
  return count > LEAST_CELLS
}

/** The number of cells of a band, if it may be a row of a table. Otherwise 0. */
function countCells({ items }: Band): number {
  if (items.some(isBlock)) return 0
  const gaps = innerGaps(items)
  const cells = [-Infinity, ...gaps.map(({ right }) => right)].map((start, at) =>
    items.filter(item => beginsAfter(item, start) && !beginsAfter(item, gaps[at]?.right ?? Infinity)),
  )
  const isShort = cells.every(
    cell =>
      cell.length <= MOST_CELL_LINES &&
      cell.reduce((sum, item) => sum + (isBlock(item) ? 0 : item.words.length), 0) <= MOST_CELL_WORDS,
  )
  return isShort ? cells.length : 0
}

function innerGaps(items: readonly Item[]): Gap[] {
  return gapsBetween(items).filter(gap => Number.isFinite(gap.left) && Number.isFinite(gap.right))
}

function isWide({ left, right }: Gap, items: readonly Item[]): boolean {
  return right - left >= LEAST_GUTTER * sizeOf(items)
}

function sizeOf(items: readonly Item[]): number {
  return medianOf(
    items.flatMap(item => (isBlock(item) ? [] : [item.size])),
    10,
  )
}

/** Returns whether there are items left and right of a strip. */
function hasBothSides({ left, right }: Gap, items: readonly Item[]): boolean {
  return items.some(item => endsBefore(item, left)) && items.some(item => beginsAfter(item, right))
}

/** Leaves out bands at the end that are far below and only on one side. */
function trimEnd(bands: readonly Band[], start: number, end: number, gutter: Gap): number {
  let last = end
  while (last > start + 1 && !hasBothSides(gutter, (bands[last - 1] as Band).items)) last-- // is in the array
  // The longer column may go on below the other one, line after line.
  while (last < end) {
    const [above, below] = [bands[last - 1] as Band, bands[last] as Band] // both are in the array
    if (below.top - above.bottom > GOES_ON * sizeOf(below.items)) break
    last++
  }
  return last + countFullLines(bands.slice(start, last), bands.slice(last, end), gutter)
}

/** The number of bands that go on in the column that is read first, however far below. Its lines end at the gutter. */
function countFullLines(bands: readonly Band[], below: readonly Band[], gutter: Gap): number {
  const isFirst = (item: Item): item is TextLine => !isBlock(item) && endsBefore(item, gutter.left)
  const column = bands.flatMap(({ items }) => items.filter(isFirst))
  const [left, right] = [Math.min(...column.map(line => line.left)), Math.max(...column.map(line => line.right))]
  let count = 0
  for (const { items } of below) {
    if (!items.every(isFirst)) break
    count++
  }
  const lines = below.slice(0, count).flatMap(({ items }) => items.filter(isFirst))
  const full = lines.filter(line => line.right - line.left >= FILLED * (right - left))
  return lines.length >= LEAST_LINES && full.length >= FULL_LINES * lines.length ? count : 0
}

/** Returns whether a strip divides columns of text, and not the columns of a table. */
function isBetweenColumns({ left, right }: Gap, items: readonly Item[]): boolean {
  const sides = [items.filter(item => endsBefore(item, left)), items.filter(item => beginsAfter(item, right))] as const
  const lines = sides.map(side => side.filter((item): item is TextLine => !isBlock(item)))
  const [one, other] = [lines[0] ?? [], lines[1] ?? []]
  // A block was found already, such as a table with borders, so it isn't a cell of another table.
  if (sides.some(side => side.some(isBlock))) return true
  const counts = [countRows(one), countRows(other)]
  if (Math.min(...counts) < LEAST_LINES) return false
  if (isProse(one) && isProse(other)) return true
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one]
  const baselines = more.map(line => line.baseline)
  const aligned = fewer.filter(line =>
    baselines.some(baseline => Math.abs(baseline - line.baseline) < SAME_LINE * line.size),
  )
  const hasProse = isProse(one) || isProse(other)
  const isLong = Math.min(...counts) >= LONG
  if ((hasProse || isLong) && aligned.length < MOSTLY_ALIGNED * fewer.length && areApart(one, other)) return true
  return aligned.length < ALIGNED * fewer.length && hasProse
}

/** Returns whether the paragraphs of two sides have different heights. The cells of a row have a common one. */
function areApart(one: readonly TextLine[], other: readonly TextLine[]): boolean {
  const usual = Math.min(usualDistance(one), usualDistance(other))
  const [some, others] = [findChunks(one, usual), findChunks(other, usual)]
  if (Math.max(some.length, others.length) < LEAST_LINES) return false
  let [matched, total] = [0, 0]
  for (const [own, beside] of [
    [some, others],
    [others, some],
  ] as const)
    for (const chunk of own) {
      const near = beside.filter(item => overlaps(chunk, item))
      if (near.length === 0) continue
      total++
      const [only] = near
      if (only && near.length === 1 && own.filter(item => overlaps(only, item)).length === 1) matched++
    }
  return matched < APART * total
}

interface Extent {
  top: number
  bottom: number
}

function overlaps(one: Extent, other: Extent): boolean {
  return Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > LEAST_OVERLAP
}

/** The distance between the lines of paragraphs, if there are some. */
function usualDistance(lines: readonly TextLine[]): number {
  const bands = makeBands(lines)
  const distances = bands.slice(1).map((band, at) => band.top - (bands[at] as Band).bottom) // at is in the array
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 4)] ?? 0
}

/** Joins lines that are as close as the lines of a paragraph. */
function findChunks(lines: readonly TextLine[], usual: number): Extent[] {
  const bands = makeBands(lines)
  const distances = bands.slice(1).map((band, at) => band.top - (bands[at] as Band).bottom) // at is in the array
  const size = sizeOf(lines)
  const chunks: Extent[] = []
  for (const [at, { top, bottom }] of bands.entries()) {
    const last = chunks.at(-1)
    if (last && (distances[at - 1] ?? 0) <= usual + EXTRA_SPACE * size) last.bottom = bottom
    else chunks.push({ top, bottom })
  }
  return chunks
}

function countRows(lines: readonly TextLine[]): number {
  return makeBands(lines).length
}

/** Returns whether lines fill their columns with several words each. */
function isProse(lines: readonly TextLine[]): boolean {
  const gaps = innerGaps(lines).filter(gap => isWide(gap, lines))
  return [-Infinity, ...gaps.map(({ right }) => right)].every((start, at) => {
    const end = gaps[at]?.right ?? Infinity
    return fillsColumn(lines.filter(line => beginsAfter(line, start) && !beginsAfter(line, end)))
  })
}

function fillsColumn(lines: readonly TextLine[]): boolean {
  const rows = joinRows(lines)
  if (rows.length < LEAST_LINES) return false
  const left = Math.min(...rows.map(row => row.left))
  const right = Math.max(...rows.map(row => row.right))
  const fullCount = rows.filter(row => row.right - row.left >= FILLED * (right - left)).length
  const wordCount = rows.reduce((sum, row) => sum + row.wordCount, 0)
  const has = (fullLines: number, leastWords: number): boolean =>
    fullCount >= fullLines * rows.length && wordCount >= leastWords * rows.length
  const isNarrow = rows.length >= NARROW.leastRows && has(NARROW.fullLines, NARROW.leastWords)
  return isNarrow || has(FULL_LINES, LEAST_WORDS)
}

interface Row {
  left: number
  right: number
  baseline: number
  wordCount: number
}

/** Joins lines with the same baseline. In justified text, wide gaps divide lines. */
function joinRows(lines: readonly TextLine[]): Row[] {
  const rows: Row[] = []
  for (const { left, right, baseline, size, words } of lines.toSorted((one, other) => one.baseline - other.baseline)) {
    const last = rows.at(-1)
    if (last && Math.abs(last.baseline - baseline) < SAME_LINE * size) {
      last.left = Math.min(last.left, left)
      last.right = Math.max(last.right, right)
      last.wordCount += words.length
    } else rows.push({ left, right, baseline, wordCount: words.length })
  }
  return rows
}
