import { areaOf, gapsBetween, intersectGaps, isBlock, makeBands } from './bands'
import type { Band, Gap, Item } from './bands'
import { findAlignedTables } from './aligned-tables'
import { medianOf } from './model'
import type { Rule, TextLine } from './model'

/** Columns have at least this distance, in ems. */
const LEAST_GUTTER = 0.9

/** Columns have at least this many lines. */
const LEAST_LINES = 3

/** Nested columns are divided this often at most. */
const MAX_DEPTH = 12

/** Lines fill this share of a column of prose, and have this many words. */
const FILLED = 0.7
const LEAST_WORDS = 3

/** Lines of two columns that are on the same height more often than this may be a table. */
const ALIGNED = 0.55

/** Items in reading order. Each list is a column or a part of one. */
export type Flow = Item[]

/** Divides items into columns, finds tables, and returns them in reading order. */
export function arrange(items: readonly Item[], rules: readonly Rule[], isRightToLeft: boolean, depth = 0): Flow[] {
  if (items.length === 0) return []
  const bands = makeBands(items)
  if (depth >= MAX_DEPTH) return [bands.flatMap(band => band.items)]
  const flows: Flow[] = []
  let rest: Band[] = []
  const finish = (): void => {
    const flow = rest.flatMap(band => band.items)
    if (flow.length > 0) flows.push(...findAlignedTables(flow, rules))
    rest = []
  }
  for (let at = 0; at < bands.length; ) {
    const found = findColumns(bands, at)
    if (!found) {
      rest.push(bands[at] as Band) // at is in the array
      at++
      continue
    }
    finish()
    const { gutter, end } = found
    const section = bands.slice(at, end).flatMap(band => band.items)
    const middle = (gutter.left + gutter.right) / 2
    const sides = [
      section.filter(item => areaOf(item).right <= middle + 0.01),
      section.filter(item => areaOf(item).right > middle + 0.01),
    ]
    if (isRightToLeft) sides.reverse()
    for (const side of sides) flows.push(...arrange(side, rules, isRightToLeft, depth + 1))
    at = end
  }
  finish()
  return flows
}

/** Finds columns that begin at a band, and the band after them. */
function findColumns(bands: readonly Band[], start: number): { gutter: Gap; end: number } | undefined {
  let free: Gap[] = [{ left: -Infinity, right: Infinity }]
  let end = start
  const section: Item[] = []
  // The first band must have two sides. Otherwise a line above the columns would count as part of one.
  const first = bands[start]
  if (!first || innerGaps(first.items).length === 0) return undefined
  for (; end < bands.length; end++) {
    const { items } = bands[end] as Band // end is in the array
    const next = intersectGaps(free, gapsBetween(items)).filter(gap => isWide(gap, [...section, ...items]))
    if (!next.some(gap => hasBothSides(gap, section.length > 0 ? section : items))) break
    free = next
    section.push(...items)
  }
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

function hasBothSides({ left, right }: Gap, items: readonly Item[]): boolean {
  return items.some(item => areaOf(item).right <= left + 0.01) && items.some(item => areaOf(item).left >= right - 0.01)
}

/** Leaves out bands at the end that are far below and only on one side. */
function trimEnd(bands: readonly Band[], start: number, end: number, { left, right }: Gap): number {
  const hasTwo = (band: Band): boolean =>
    band.items.some(item => areaOf(item).right <= left + 0.01) && band.items.some(item => areaOf(item).left >= right - 0.01)
  let last = end
  while (last > start + 1 && !hasTwo(bands[last - 1] as Band)) last--
  // The longer column may go on below the other one, line after line.
  while (last < end) {
    const [above, below] = [bands[last - 1] as Band, bands[last] as Band] // both are in the array
    if (below.top - above.bottom > 1.2 * sizeOf(below.items)) break
    last++
  }
  return last
}

/** Returns whether a strip divides columns of text, and not the columns of a table. */
function isBetweenColumns({ left, right }: Gap, items: readonly Item[]): boolean {
  const sides = [
    items.filter(item => areaOf(item).right <= left + 0.01),
    items.filter(item => areaOf(item).left >= right - 0.01),
  ] as const
  const isFound = (item: Item): boolean => isBlock(item)
  const lines = sides.map(side => side.filter((item): item is TextLine => !isBlock(item)))
  const [one, other] = [lines[0] ?? [], lines[1] ?? []]
  if (sides.some(side => side.some(isFound))) return true
  const counts = [countRows(one), countRows(other)]
  if (Math.min(...counts) < LEAST_LINES) return false
  if (isProse(one) && isProse(other)) return true
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one]
  const baselines = more.map(line => line.baseline)
  const aligned = fewer.filter(line => baselines.some(baseline => Math.abs(baseline - line.baseline) < 0.3 * line.size))
  return aligned.length < ALIGNED * fewer.length && (isProse(one) || isProse(other))
}

function countRows(lines: readonly TextLine[]): number {
  return makeBands(lines).length
}

/** Returns whether lines fill their column with several words each. */
function isProse(lines: readonly TextLine[]): boolean {
  if (lines.length < LEAST_LINES) return false
  const left = Math.min(...lines.map(line => line.left))
  const right = Math.max(...lines.map(line => line.right))
  const filling = lines.filter(line => line.right - line.left >= FILLED * (right - left))
  const words = lines.reduce((sum, line) => sum + line.words.length, 0)
  return filling.length >= 0.5 * lines.length && words >= LEAST_WORDS * lines.length
}
