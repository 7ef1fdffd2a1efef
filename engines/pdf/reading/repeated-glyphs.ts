import { NUMBERS, indexesWhere } from './glyph'
import type { Glyph, GlyphLine, GlyphTable } from './glyph'
import { GlyphGrid } from './glyph-grid'
import { hasSameAngle } from './line-geometry'

/** A glyph is drawn again to look bold at most this far from its first drawing, in ems. */
const SHIFT = 0.15

/**
 * The distance is also at most this share of the advance, so that two narrow letters stay. Letters of one operation
 * follow each other more often.
 */
const SHARE = 0.75
const SHARE_WITHIN = 0.5

/** Side of the cells by which glyphs are found, in user space units. */
const CELL = 6

/** Glyphs whose em is smaller or larger, in user space units, aren't compared. */
const LEAST_SIZE = 0.5
const MOST_SIZE = 50

/** Sizes differ by at most this share. */
const SAME_SIZE = 0.05

/** A glyph is repeated only if it begins within this many ems of another one. */
const REACH = SHIFT / (1 - SAME_SIZE)

/** Pages with more runs than this are compared glyph by glyph if runs have fewer glyphs on average. */
const MOST_RUNS = 100
const LEAST_IN_RUN = 4

/** Runs of glyphs are compared only if this many comparisons for each suffice. */
const MOST_COMPARISONS = 50

/**
 * Leaves out glyphs that are drawn over the same glyph, as some programs do for bold text. Returns the indexes of the
 * others, in their order.
 */
export function dropRepeats(table: GlyphTable): Int32Array {
  const all = new Int32Array(table.count)
  for (let at = 0; at < all.length; at++) all[at] = at
  if (!mayRepeat(table)) return all
  const known = new GlyphGrid(CELL, table.count, ({ text }) => text.charCodeAt(0))
  return indexesWhere(all, at => {
    const glyph = table.at(at)
    const { size, x, y } = glyph
    if (!isCompared(size)) return true
    if (known.find(x, y, REACH * size, glyph, repeats)) return false
    known.add(glyph, x, y)
    return true
  })
}

function isCompared(size: number): boolean {
  return size >= LEAST_SIZE && size <= MOST_SIZE
}

/** Glyphs whose origins follow each other to the right, farther apart than repeated glyphs. */
interface Run {
  left: number
  right: number
  y: number
  size: number
}

/**
 * Returns whether any two glyphs are so near that one may repeat the other. Most pages have runs of glyphs that are far
 * from each other, so that comparing runs is enough.
 */
function mayRepeat(table: GlyphTable): boolean {
  const runs = findRuns(table)
  if (!runs) return true
  const reach = REACH * runs.reduce((most, { size }) => Math.max(most, size), 0)
  runs.sort((one, other) => one.y - other.y)
  let comparisonsLeft = MOST_COMPARISONS * runs.length
  for (const [at, { left, right, y }] of runs.entries())
    for (let next = at + 1; next < runs.length; next++) {
      const other = runs[next] as Run // next is in the list
      if (other.y - y > reach) break
      if (--comparisonsLeft < 0 || (other.left - reach <= right && other.right + reach >= left)) return true
    }
  return false
}

/** Divides the glyphs into runs. Undefined if most runs have few glyphs, as in slanted lines. */
function findRuns({ count, lineOf, lines, numbers }: GlyphTable): Run[] | undefined {
  const runs: Run[] = []
  let run: Run = { left: 0, right: Infinity, y: NaN, size: 0 }
  let [lineIndex, size, isUsed] = [-1, 0, false]
  for (let at = 0; at < count; at++) {
    if (lineOf[at] !== lineIndex) {
      lineIndex = lineOf[at] as number
      ;({ size } = lines[lineIndex] as GlyphLine)
      isUsed = isCompared(size)
    }
    if (!isUsed) continue
    const [x, y] = [numbers[NUMBERS * at] as number, numbers[NUMBERS * at + 1] as number]
    if (y === run.y && size === run.size && x - run.right > REACH * size) {
      run.right = x
      continue
    }
    run = { left: x, right: x, y, size }
    runs.push(run)
    if (runs.length > MOST_RUNS && runs.length * LEAST_IN_RUN > count) return undefined
  }
  return runs
}

function repeats(one: Glyph, other: Glyph): boolean {
  if (one.text !== other.text) return false
  const advance = Math.hypot(one.endX - one.x, one.endY - one.y)
  const most = (one.shown === other.shown ? SHARE_WITHIN : SHARE) * advance
  return (
    Math.hypot(one.x - other.x, one.y - other.y) <= Math.min(SHIFT * one.size, most) &&
    Math.abs(one.size - other.size) < SAME_SIZE * one.size &&
    hasSameAngle(one, other)
  )
}
