import { findLines } from '../lines/text-lines'
import { divideMerged } from './missing-borders'
import { areaAround, hasCenterIn } from '../lines/model'
import { addJoints, JOINT } from './rule-joints'
import type { Group, Segment } from './rule-joints'
import { countFromRight } from './table-direction'
import type { Area, Block, Rule, Table, TableCell, Word } from '../lines/model'
import { findOrAdd } from '../../../map-entries'

/** Rules that are closer than this are one rule, in points. */
const SAME_RULE = 2.5

/** Rules that end this near each other meet, in points. */
const MEETS = 4

/** Maximum number of rules to look at, and of rows and columns of a table. */
const MAX_RULES = 4000
const MAX_GRID = 400
const MAX_CELLS = 20_000

/** Pages with more words than this have no tables. */
const MAX_WORDS = 20_000

/** Rules are compared with words only if that many comparisons suffice. */
const MAX_COMPARISONS = 5_000_000

/** An underline is this near below the baseline, in ems, and ends where its words end, in points. */
const UNDERLINE = 0.3
const SAME_END = 1

/** A shorter piece of a rule may be a dash, in points. */
const LEAST_PIECE = 6

/** A border exists if rules cover this share of it. */
const COVERED = 0.6

/** Minimum share of cells with text. */
const LEAST_FILLED = 0.25

/** An empty column has at least this width, in ems. */
const LEAST_WIDTH = 2

/** Cells with more words than this on average are boxes of a layout. */
const MOST_WORDS = 80

/** Finds tables whose cells have painted borders. Returns them with the words that are in none. */
export function findRuledTables(words: readonly Word[], rules: readonly Rule[]): { tables: Block[]; rest: Word[] } {
  if (rules.length < 4 || rules.length > MAX_RULES || words.length > MAX_WORDS) return { tables: [], rest: [...words] }
  const across = mergeRules(withoutUnderlines(rules, words), true)
  const down = mergeRules(rules, false)
  const tables: Block[] = []
  let rest = [...words]
  for (const group of connect(across, down)) {
    const grid = makeGrid(addJoints(group, rest))
    if (!grid) continue
    const area = {
      left: grid.xs[0] as number, // has at least three
      right: grid.xs.at(-1) as number,
      top: grid.ys[0] as number, // has at least three
      bottom: grid.ys.at(-1) as number,
    }
    const inside = rest.filter(word => hasCenterIn(word, area))
    const block = inside.length > 0 ? fillGrid(grid, inside, rules) : undefined
    if (!block) continue
    tables.push({ ...block, area })
    const taken = new Set(inside)
    rest = rest.filter(word => !taken.has(word))
  }
  return { tables, rest }
}

/** Leaves out rules across that underline words, which are as wide as the words above them. */
function withoutUnderlines(rules: readonly Rule[], words: readonly Word[]): Rule[] {
  const across = rules.filter(({ isHorizontal }) => isHorizontal)
  if (across.length * words.length > MAX_COMPARISONS) return across
  return across.filter(rule => !isUnderline(rule, words))
}

/** Returns whether the words right above a rule begin and end with it. */
function isUnderline({ left, right, top, bottom }: Rule, words: readonly Word[]): boolean {
  const y = (top + bottom) / 2
  let [begins, ends] = [false, false]
  for (const word of words) {
    if (!(y > word.baseline && y < word.baseline + UNDERLINE * word.size)) continue
    if (!(word.left > left - SAME_END && word.right < right + SAME_END)) continue
    begins ||= word.left < left + SAME_END
    ends ||= word.right > right - SAME_END
  }
  return begins && ends
}

type Piece = Omit<Segment, 'joints'>

/** Joins rules on the same line that touch. */
function mergeRules(rules: readonly Rule[], isHorizontal: boolean): Segment[] {
  const segments = rules
    .filter(rule => rule.isHorizontal === isHorizontal)
    .map(({ left, top, right, bottom }) =>
      isHorizontal
        ? { at: (top + bottom) / 2, start: left, end: right }
        : { at: (left + right) / 2, start: top, end: bottom },
    )
    .sort((one, other) => one.at - other.at || one.start - other.start)
  const lines: Piece[][] = []
  for (const segment of segments) {
    const line = lines.at(-1)
    if (line && segment.at - (line[0] as Piece).at <= SAME_RULE) line.push(segment)
    else lines.push([segment])
  }
  return lines.flatMap(line => {
    const at = line.reduce((sum, segment) => sum + segment.at, 0) / line.length
    const merged: Segment[] = []
    for (const segment of line.sort((one, other) => one.start - other.start)) {
      const last = merged.at(-1)
      if (last && segment.start <= last.end + SAME_RULE) {
        const isJoint = Math.abs(segment.start - last.end) <= JOINT && segment.end - segment.start >= LEAST_PIECE
        if (isJoint) last.joints.push((segment.start + last.end) / 2)
        last.end = Math.max(last.end, segment.end)
      } else merged.push({ ...segment, at, joints: [] })
    }
    return merged
  })
}

/** Groups rules that meet, directly or through others. */
function connect(across: Segment[], down: Segment[]): Group[] {
  const parents = Array.from({ length: across.length + down.length }, (_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] as number] as number // every index has a parent
      root = parents[root] as number // every index has a parent
    }
    return root
  }
  for (const [i, one] of across.entries())
    for (const [j, other] of down.entries()) {
      const meets =
        other.at >= one.start - MEETS &&
        other.at <= one.end + MEETS &&
        one.at >= other.start - MEETS &&
        one.at <= other.end + MEETS
      if (meets) parents[rootOf(across.length + j)] = rootOf(i)
    }
  const groups = new Map<number, Group>()
  const groupOf = (index: number): Group => {
    const root = rootOf(index)
    return findOrAdd(groups, root, () => ({ across: [], down: [] }))
  }
  for (const [i, segment] of across.entries()) groupOf(i).across.push(segment)
  for (const [j, segment] of down.entries()) groupOf(across.length + j).down.push(segment)
  return [...groups.values()].filter(group => group.across.length >= 2 && group.down.length > 0)
}

interface Grid extends Group {
  xs: number[]
  ys: number[]
}

function makeGrid({ across, down }: Group): Grid | undefined {
  const xs = distinct([
    ...down.map(({ at }) => at),
    Math.min(...across.map(({ start }) => start)),
    Math.max(...across.map(({ end }) => end)),
  ])
  const ys = distinct([
    ...across.map(({ at }) => at),
    Math.min(...down.map(({ start }) => start)),
    Math.max(...down.map(({ end }) => end)),
  ])
  const isUsable =
    xs.length >= 3 &&
    ys.length >= 3 &&
    xs.length <= MAX_GRID &&
    ys.length <= MAX_GRID &&
    xs.length * ys.length < MAX_CELLS
  return isUsable ? { across, down, xs, ys } : undefined
}

/** Sorts positions and joins those that are near each other. */
function distinct(values: number[]): number[] {
  const result: number[] = []
  for (const value of values.sort((one, other) => one - other)) {
    const last = result.at(-1)
    if (last === undefined || value - last > MEETS) result.push(value)
  }
  return result
}

/** Merges places of the grid without a border between them, and sorts the words into the cells. */
function fillGrid(grid: Grid, words: readonly Word[], rules: readonly Rule[]): Block | undefined {
  const { xs, ys } = grid
  const [columnCount, rowCount] = [xs.length - 1, ys.length - 1]
  const owner = Array.from({ length: rowCount * columnCount }, () => -1)
  const cells: (TableCell & { words: Word[]; area: Area })[] = []
  const hasBorder = (segments: Segment[], at: number, start: number, end: number): boolean => {
    let covered = 0
    for (const segment of segments) {
      if (Math.abs(segment.at - at) > MEETS) continue
      covered += Math.max(0, Math.min(end, segment.end) - Math.max(start, segment.start))
    }
    return covered >= COVERED * (end - start)
  }
  const x = (index: number): number => xs[index] as number // indexes stay in the grid
  const y = (index: number): number => ys[index] as number // indexes stay in the grid
  for (let row = 0; row < rowCount; row++) {
    for (let column = 0; column < columnCount; column++) {
      if (owner[row * columnCount + column] !== -1) continue
      let [columnSpan, rowSpan] = [1, 1]
      while (
        column + columnSpan < columnCount &&
        owner[row * columnCount + column + columnSpan] === -1 &&
        !hasBorder(grid.down, x(column + columnSpan), y(row), y(row + 1))
      )
        columnSpan++
      while (
        row + rowSpan < rowCount &&
        range(column, column + columnSpan).every(
          at =>
            owner[(row + rowSpan) * columnCount + at] === -1 &&
            !hasBorder(grid.across, y(row + rowSpan), x(at), x(at + 1)),
        )
      )
        rowSpan++
      for (const r of range(row, row + rowSpan))
        for (const c of range(column, column + columnSpan)) owner[r * columnCount + c] = cells.length
      const area = { left: x(column), right: x(column + columnSpan), top: y(row), bottom: y(row + rowSpan) }
      cells.push({ row, column, rowSpan, columnSpan, isHeader: false, lines: [], words: [], area })
    }
  }
  if (cells.length < 3) return undefined
  for (const word of words) {
    const [middleX, middleY] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2]
    const column = xs.findLastIndex(value => value <= middleX)
    const row = ys.findLastIndex(value => value <= middleY)
    const place = Math.min(row, rowCount - 1) * columnCount + Math.min(column, columnCount - 1)
    cells[owner[place] ?? 0]?.words.push(word)
  }
  const filled = cells.filter(cell => cell.words.length > 0)
  if (filled.length < Math.max(2, LEAST_FILLED * cells.length) || words.length / filled.length > MOST_WORDS)
    return undefined
  const withLines = cells.map(({ words: own, ...cell }) => ({
    ...cell,
    lines: own.length > 0 ? findLines(own, rules) : [],
  }))
  const table = dropEmpty(divideMerged({ rowCount, columnCount, cells: withLines }, grid))
  return table && countFromRight({ role: 'table', area: areaAround(words), lines: [], table })
}

/** Removes rows and columns in which no cell begins, such as those between double lines. Empty cells may keep a column. */
function dropEmpty(table: Table): Table | undefined {
  const withText = table.cells.filter(({ lines }) => lines.length > 0)
  // A grid of two columns is a table even if one of them is wide and empty.
  const isOneColumn = withText.every(({ column }) => column === withText[0]?.column)
  const filled = isOneColumn ? table.cells.filter(cell => cell.lines.length > 0 || isWide(cell, withText)) : withText
  const keptRows = range(0, table.rowCount).filter(row => filled.some(cell => cell.row === row))
  const keptColumns = range(0, table.columnCount).filter(column => filled.some(cell => cell.column === column))
  if (keptRows.length < 2 || keptColumns.length < 2) return undefined
  const cells = table.cells.flatMap(cell => {
    const rows = keptRows.filter(row => row >= cell.row && row < cell.row + cell.rowSpan)
    const columns = keptColumns.filter(column => column >= cell.column && column < cell.column + cell.columnSpan)
    if (rows.length === 0 || columns.length === 0) return []
    return [
      {
        ...cell,
        row: keptRows.indexOf(rows[0] as number), // there is at least one
        column: keptColumns.indexOf(columns[0] as number), // there is at least one
        rowSpan: rows.length,
        columnSpan: columns.length,
      },
    ]
  })
  return { rowCount: keptRows.length, columnCount: keptColumns.length, cells }
}

/** Returns whether an empty cell is wider than the space between double lines. */
function isWide({ area }: TableCell, others: readonly TableCell[]): boolean {
  const size = others[0]?.lines[0]?.size ?? 0
  return area !== undefined && area.right - area.left > LEAST_WIDTH * size
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}
