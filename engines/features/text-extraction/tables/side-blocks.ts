import type { Band } from '../lines/bands'
import { medianOf } from '../lines/model'
import type { TextLine } from '../lines/model'
import { columnsOf } from './columns'
import type { Column } from './columns'

/** Blocks beside each other are at most this tall, in lines. */
const MOST_BANDS = 16

/** The baselines of two columns are the same if they differ by less than this share of an em. */
const SAME_LINE = 0.05

/** Lines of a row may have baselines that differ by this share of an em, because of their sizes. */
const SAME_ROW = 0.25

/** Columns with more common baselines than this are a table. */
const COMMON = 0.5

/** The lines of a block are this close, in ems. One gap may be larger. */
const CLOSE = 1

/**
 * Finds blocks of lines beside each other, such as two addresses and the dates of a letter. Columns without common
 * baselines aren't rows of a table. Returns the lines of each block, from left to right. Undefined if there are none.
 */
export function findSideBlocks(bands: readonly Band[], columns: readonly Column[]): TextLine[][] | undefined {
  if (bands.length > MOST_BANDS || columns.length < 2) return undefined
  const lines = bands.flatMap(({ items }) => items as TextLine[]) // divided bands have lines only
  const byColumn = columns.map(() => [] as TextLine[])
  for (const line of lines) {
    const touched = columnsOf(line, columns)
    if (touched.length > 1) return undefined
    byColumn[touched[0] ?? 0]?.push(line)
  }
  const groups: TextLine[][][] = []
  for (const [at, column] of byColumn.entries()) {
    const before = byColumn[at - 1]
    if (before && shareBaselines(before, column)) groups.at(-1)?.push(column)
    else groups.push([column])
  }
  if (groups.length < 2 || !groups.every(group => group.every(isClose) || isTaller(group, groups))) return undefined
  return groups.flatMap(group => (group.length > 1 && group.every(isText) && !arePairs(group) ? group : [group.flat()]))
}

function shareBaselines(one: readonly TextLine[], other: readonly TextLine[]): boolean {
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one]
  const common = fewer.filter(line =>
    more.some(({ baseline }) => Math.abs(baseline - line.baseline) < SAME_LINE * line.size),
  )
  return common.length > COMMON * fewer.length
}

/** Returns whether each line has one in all other columns, as in a list of names and values. */
function arePairs([first, ...others]: readonly TextLine[][]): boolean {
  return others.every(
    column =>
      column.length === first?.length &&
      first.every(line => column.some(({ baseline }) => Math.abs(baseline - line.baseline) < SAME_ROW * line.size)),
  )
}

function isClose(lines: readonly TextLine[]): boolean {
  const sorted = lines.toSorted((one, other) => one.baseline - other.baseline)
  const size = medianOf(sorted.map(line => line.size))
  const wide = sorted.slice(1).filter((line, at) => line.top - (sorted[at] as TextLine).bottom > CLOSE * size) // at is in the array
  return sorted.length >= 2 && wide.length <= (sorted.length > 2 ? 1 : 0)
}

/** Returns whether columns are a table that goes on below the lines beside it. */
function isTaller(group: readonly TextLine[][], groups: readonly TextLine[][][]): boolean {
  const lines = group.flat()
  const middle = (Math.min(...lines.map(({ top }) => top)) + Math.max(...lines.map(({ bottom }) => bottom))) / 2
  const others = groups.filter(other => other !== group).flat(2)
  return group.length > 1 && group.every(column => column.length >= 4) && others.every(({ bottom }) => bottom < middle)
}

/** Returns whether most lines have words. */
function isText(lines: readonly TextLine[]): boolean {
  return lines.filter(line => line.words.some(({ text }) => /\p{L}{2}/u.test(text))).length > 0.6 * lines.length
}
