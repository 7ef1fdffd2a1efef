import type { Glyph } from './glyph'
import { SAME_ANGLE, gapBetween } from './line-geometry'

/** Glyphs of one line have baselines within this share of an em, and gaps of at most this many ems. */
const SAME_LINE = 0.35
const MOST_GAP = 2.5

/** Baselines of glyphs that follow each other differ by less than this share of an em. */
const SAME_BASELINE = 0.01

/** A gap of this many ems separates words. */
const WORD_GAP = 0.15

/**
 * Returns the lines whose glyphs don't follow each other in the content, in the order that a person sees: from the start
 * of the line to its end. Pages may draw a template first, and then the values between its words.
 */
export function findReorderedLines(glyphs: readonly Glyph[]): Glyph[][] {
  return groupRuns(findRuns(glyphs))
    .filter(runs => runs.length > 1)
    .flatMap(runs => divideLine(sortLine(runs)).filter(line => isReordered(line)))
    .map(line =>
      line.map(({ glyph }, at) => glyph.withSpace(at === 0 || isSpaced((line[at - 1] as Placed).glyph, glyph))),
    )
}

/** A glyph, its position in the content, and its position along the line. */
interface Placed {
  glyph: Glyph
  index: number
  along: number
}

/** Glyphs that follow each other on a line, in the content too. */
interface Run {
  glyphs: Placed[]
  /** The angle in steps of `SAME_ANGLE`. Glyphs of a line may differ by rounding. */
  angle: number
  across: number
  size: number
}

/** Divides the glyphs into runs, in the order of the content. */
function findRuns(glyphs: readonly Glyph[]): Run[] {
  const runs: Run[] = []
  let turned = NaN
  let [cos, sin] = [1, 0]
  for (const [index, glyph] of glyphs.entries()) {
    if (glyph.angle !== turned) {
      turned = glyph.angle
      cos = Math.cos(turned)
      sin = Math.sin(turned)
    }
    const angle = Math.round(turned / SAME_ANGLE)
    const along = glyph.x * cos + glyph.y * sin
    const across = glyph.y * cos - glyph.x * sin
    const run = runs.at(-1)
    const isNext =
      run?.angle === angle &&
      Math.abs(across - run.across) < SAME_BASELINE * glyph.size &&
      along >= (run.glyphs.at(-1) as Placed).along
    if (isNext) {
      run.glyphs.push({ glyph, index, along })
      run.size = Math.min(run.size, glyph.size)
    } else runs.push({ glyphs: [{ glyph, index, along }], angle, across, size: glyph.size })
  }
  return runs
}

/** Groups runs by their baselines. */
function groupRuns(runs: Run[]): Run[][] {
  runs.sort((one, other) => one.angle - other.angle || one.across - other.across)
  const groups: Run[][] = []
  for (const next of runs) {
    const first = groups.at(-1)?.[0]
    const isSame =
      first?.angle === next.angle && next.across - first.across < SAME_LINE * Math.min(first.size, next.size)
    if (isSame) groups.at(-1)?.push(next)
    else groups.push([next])
  }
  return groups
}

function sortLine(runs: readonly Run[]): Placed[] {
  return runs.flatMap(({ glyphs }) => glyphs).sort((one, other) => one.along - other.along || one.index - other.index)
}

function isReordered(line: readonly Placed[]): boolean {
  return line.some(({ index }, at) => at > 0 && (line[at - 1] as Placed).index + 1 !== index)
}

/** Divides a line at wide gaps, which separate columns. */
function divideLine(line: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = []
  for (const [at, placed] of line.entries()) {
    const before = line[at - 1]
    if (before && gapOf(before.glyph, placed.glyph) <= MOST_GAP) parts.at(-1)?.push(placed)
    else parts.push([placed])
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
