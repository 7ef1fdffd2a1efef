import type { Glyph } from './glyph'
import { SAME_ANGLE, gapBetween, turnToLine } from './line-geometry'

/** Glyphs of one line have baselines within this share of an em, and gaps of at most this many ems. */
const SAME_LINE = 0.35
const MOST_GAP = 2.5

/** A gap of this many ems separates words. */
const WORD_GAP = 0.15

/**
 * Returns the lines whose glyphs don't follow each other in the content, in the order that a person sees: from the start
 * of the line to its end. Pages may draw a template first, and then the values between its words.
 */
export function findReorderedLines(glyphs: readonly Glyph[]): Glyph[][] {
  const order = new Map(glyphs.map((glyph, index) => [glyph, index]))
  const lines = groupLines(glyphs).flatMap(divideLine)
  return lines
    .filter(line => line.some((glyph, at) => at > 0 && indexOf(line[at - 1]) + 1 !== indexOf(glyph)))
    .map(line => line.map((glyph, at) => glyph.withSpace(at === 0 || isSpaced(line[at - 1] as Glyph, glyph))))

  function indexOf(glyph: Glyph | undefined): number {
    return glyph ? (order.get(glyph) ?? 0) : -1
  }
}

interface Placed {
  glyph: Glyph
  /** The angle in steps of `SAME_ANGLE`. Glyphs of a line may differ by rounding. */
  angle: number
  along: number
  across: number
}

/** Groups glyphs by their baselines, each group in the order of the line. */
function groupLines(glyphs: readonly Glyph[]): Glyph[][] {
  const placed = glyphs.map((glyph): Placed => {
    const [along, across] = turnToLine(glyph, glyph.x, glyph.y)
    return { glyph, angle: Math.round(glyph.angle / SAME_ANGLE), along, across }
  })
  placed.sort((one, other) => one.angle - other.angle || one.across - other.across)
  const groups: Placed[][] = []
  for (const next of placed) {
    const first = groups.at(-1)?.[0]
    const isSame =
      first !== undefined &&
      first.angle === next.angle &&
      next.across - first.across < SAME_LINE * Math.min(first.glyph.size, next.glyph.size)
    if (isSame) groups.at(-1)?.push(next)
    else groups.push([next])
  }
  return groups.map(group => group.sort((one, other) => one.along - other.along).map(({ glyph }) => glyph))
}

/** Divides a line at wide gaps, which separate columns. */
function divideLine(line: Glyph[]): Glyph[][] {
  const parts: Glyph[][] = []
  for (const [at, glyph] of line.entries()) {
    const before = line[at - 1]
    if (before && gapOf(before, glyph) <= MOST_GAP) parts.at(-1)?.push(glyph)
    else parts.push([glyph])
  }
  return parts
}

function isSpaced(before: Glyph, next: Glyph): boolean {
  return gapOf(before, next) > WORD_GAP
}

/** The distance between the end of a glyph and the next one, in ems. */
function gapOf(before: Glyph, next: Glyph): number {
  return gapBetween(before, next)[0] / Math.max(before.size, next.size)
}
