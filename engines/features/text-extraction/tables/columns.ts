import type { Band } from '../lines/bands'
import { medianOf } from '../lines/model'
import type { TextLine } from '../lines/model'
import { isRow } from './rows'

/** A strip between columns may be crossed by this share of the rows. */
const CROSSED = 0.12

/** Columns are at least this far apart, in ems. */
const LEAST_GAP = 0.45

/** A line is in a column if they share this part of the narrower one, or this many ems. */
const SHARED = 0.3
const SHARED_EMS = 2

/** The extent of a column. */
export interface Column {
  left: number
  right: number
}

/** The columns of bands: the extents between strips that almost no line crosses. */
export function findColumns(bands: readonly Band[]): Column[] {
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
    const isIn = common > SHARED * Math.min(right - left, line.right - line.left) || common > SHARED_EMS * line.size
    return isIn ? [at] : []
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
