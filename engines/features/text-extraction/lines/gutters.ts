import { freeStrips, makeBands } from './bands'
import type { Band, Gap } from './bands'
import { medianOf } from './model'
import type { TextLine, Word } from './model'
import { makeLine } from './text-lines'

/** A gutter between columns has at least this width, in ems, and this many lines on both sides. */
const LEAST_WIDTH = 0.55
const LEAST_ROWS = 5

/** Bands that are farther apart than this many ems have gutters of their own. */
const FAR = 4

/** Lines begin or end at a gutter if they are this near it, in ems. */
const AT_EDGE = 0.15

/** This share of the lines begins or ends at the gutter, and fills its side. */
const ALIGNED = 0.6
const FILLED = 0.7

/** Lines beside a gutter have this many words. */
const LEAST_WORDS = 2.5

/** Pages with more bands than this aren't searched, and no more comparisons than this are made. */
const MAX_BANDS = 500
const MAX_STEPS = 200_000

/** A gutter and the bands that it divides. */
interface Gutter extends Gap {
  start: number
  end: number
}

/**
 * Divides lines that cross the gutter between columns of text. Between two words, a gutter may be as narrow as the gaps
 * of justified text. It is a strip that stays free over several lines, with text that begins or ends at its edge.
 */
export function divideAtGutters(lines: readonly TextLine[]): TextLine[] {
  const bands = makeBands(lines)
  if (bands.length > MAX_BANDS) return [...lines]
  /** The smallest size of a word. A strip narrower than its least width isn't a gutter. */
  let smallest = Infinity
  for (const { words } of lines) for (const { size } of words) smallest = Math.min(smallest, size)
  const rows = bands.map(band => readRow(band, LEAST_WIDTH * smallest))
  const gutters: Gutter[] = []
  let steps = 0
  for (const [start, { strips }] of rows.entries())
    for (const { left, right } of strips) {
      if (!Number.isFinite(left) || !Number.isFinite(right)) continue
      if (gutters.some(gutter => start < gutter.end && left < gutter.right && right > gutter.left)) continue
      const gutter = extend(rows, { left, right, start, end: start + 1 })
      steps += gutter.end - start
      if (steps > MAX_STEPS) return [...lines]
      if (isGutter(rows, gutter)) gutters.push(gutter)
    }
  if (gutters.length === 0) return [...lines]
  return bands.flatMap(({ items }, at) => {
    const own = gutters.filter(({ start, end }) => at >= start && at < end)
    return (items as TextLine[]).flatMap(line => divide(line, own))
  })
}

/** What is needed of a band again and again. */
interface Row {
  top: number
  bottom: number
  /** Median of the sizes of its lines. */
  size: number
  words: Word[]
  /** The strips between its words that are wide enough. */
  strips: Gap[]
}

function readRow({ top, bottom, items }: Band, leastWidth: number): Row {
  const lines = items as TextLine[]
  const [only] = lines as [TextLine, ...TextLine[]] // a band has an item
  const words = lines.length === 1 ? only.words : lines.flatMap(line => line.words)
  const size = lines.length === 1 ? only.size : medianOf(lines.map(line => line.size))
  const strips = freeStrips(words).filter(({ left, right }) => right - left >= leastWidth)
  return { top, bottom, size, words, strips }
}

/** Follows a strip down the page as long as it is wide enough. */
function extend(rows: readonly Row[], gutter: Gutter): Gutter {
  let { left, right, end } = gutter
  for (; end < rows.length; end++) {
    const [above, row] = [rows[end - 1] as Row, rows[end] as Row] // both are in the array
    if (row.top - above.bottom > FAR * row.size) break
    let widest: Gap | undefined
    for (const strip of row.strips) {
      const width = Math.min(right, strip.right) - Math.max(left, strip.left)
      if (widest && width <= widest.right - widest.left) continue
      widest = { left: Math.max(left, strip.left), right: Math.min(right, strip.right) }
    }
    if (!widest || widest.right - widest.left < LEAST_WIDTH * row.size) break
    ;({ left, right } = widest)
  }
  return { left, right, start: gutter.start, end }
}

/** Returns whether text fills both sides of a strip, and begins or ends at its edge. */
function isGutter(all: readonly Row[], { left, right, start, end }: Gutter): boolean {
  if (end - start < LEAST_ROWS) return false
  const middle = (left + right) / 2
  const rows: [Word[], Word[]][] = []
  for (const { words } of all.slice(start, end)) {
    if (words.every(word => word.isMonospaced)) continue
    const sides: [Word[], Word[]] = [
      words.filter(word => word.right <= middle),
      words.filter(word => word.left > middle),
    ]
    if (sides.every(side => side.length > 0)) rows.push(sides)
  }
  if (rows.length < LEAST_ROWS) return false
  const size = medianOf(rows.flatMap(([some]) => some.map(word => word.size)))
  const isWide = right - left >= LEAST_WIDTH * size
  const [before, after] = ([0, 1] as const).map(at =>
    rows.map(sides => ({
      left: Math.min(...sides[at].map(word => word.left)),
      right: Math.max(...sides[at].map(word => word.right)),
      count: sides[at].length,
    })),
  ) as [Side[], Side[]] // two sides
  const begins = after.filter(side => side.left - right <= AT_EDGE * size).length
  const ends = before.filter(side => left - side.right <= AT_EDGE * size).length
  return isWide && Math.max(begins, ends) >= ALIGNED * rows.length && isFilled(before) && isFilled(after)
}

interface Side extends Gap {
  count: number
}

/** Returns whether most lines of a side are about as wide as the widest one, with several words. */
function isFilled(sides: readonly Side[]): boolean {
  const widths = sides.map(({ left, right }) => right - left)
  const widest = Math.max(...widths)
  const words = sides.reduce((sum, { count }) => sum + count, 0)
  return (
    words >= LEAST_WORDS * sides.length &&
    widths.filter(width => width >= FILLED * widest).length >= ALIGNED * sides.length
  )
}

function divide(line: TextLine, gutters: readonly Gutter[]): TextLine[] {
  const crossed = gutters.filter(({ left, right }) => line.left < left && line.right > right)
  if (crossed.length === 0) return [line]
  const middles = crossed.map(({ left, right }) => (left + right) / 2).sort((one, other) => one - other)
  const words = line.words.toSorted((one, other) => one.left - other.left)
  return [-Infinity, ...middles].flatMap((start, at) => {
    const own = words.filter(word => word.left >= start && word.left < (middles[at] ?? Infinity))
    return own.length > 0 ? [makeLine(own)] : []
  })
}
