import { NUMBERS } from './glyph'
import type { Glyph, GlyphLine, GlyphList, GlyphTable } from './glyph'
import { SAME_ANGLE } from './line-geometry'
import { IS_BLANK, IS_EMPTY, IS_LETTER, IS_UNSPACED } from './text-kinds'

/** A gap that separates words, in ems. Kerning and justified letters stay below. */
const WORD_GAP = 0.15

/** Glyphs of one line have baselines within this share of an em. */
const SAME_LINE = 0.3

/** A jump of this many ems begins another run. */
const JUMP = 3

/** The usual gap of a run is that of spaced letters if there are enough gaps, and if they differ by at most this. */
const LEAST_GAPS = 4
const MOST_UNEVEN = 0.12

/** Scripts without blanks between words are divided only by a gap of this many ems. */
const UNSPACED_GAP = 1

/**
 * Finds where words begin, and sets `isSpaced`: after a blank character, and after a gap. Spaced letters have gaps too,
 * so the usual gap of a run of glyphs doesn't count. Blank glyphs may have any width. `known` has the glyphs for which
 * /ActualText says it.
 */
export function markSpaces({ table, indexes }: GlyphList, known: ReadonlyMap<Glyph, boolean>): void {
  const { numbers, lineOf, lines } = table
  /** The distance of each glyph from the end of the one before it, in ems along the line. */
  const gaps = new Float64Array(indexes.length)
  let start = 0
  let [before, line] = [undefined as GlyphLine | undefined, undefined as GlyphLine | undefined]
  let [lineIndex, angle, cos, sin, size, spacing] = [-1, NaN, 1, 0, 0, 0]
  let isTurned = false
  for (let at = 0; at < indexes.length; at++) {
    const glyph = indexes[at] as number
    if (lineOf[glyph] !== lineIndex || line !== before) {
      before = line
      lineIndex = lineOf[glyph] as number
      line = lines[lineIndex] as GlyphLine
      const last = before ?? line
      if (last.angle !== angle) {
        angle = last.angle
        cos = Math.cos(angle)
        sin = Math.sin(angle)
      }
      size = Math.max(last.size, line.size)
      spacing = last.shown.spacing
      isTurned = !(Math.abs(angle - line.angle) < SAME_ANGLE)
    }
    if (at === 0) continue
    const [now, then] = [NUMBERS * glyph, NUMBERS * (indexes[at - 1] as number)]
    const x = (numbers[now] as number) - (numbers[then + 2] as number)
    const y = (numbers[now + 1] as number) - (numbers[then + 3] as number)
    const along = (x * cos + y * sin) / size - spacing
    const across = (y * cos - x * sin) / size
    gaps[at] = along
    if (Math.abs(across) < SAME_LINE && Math.abs(along) < JUMP && !isTurned) continue
    markRun(table, { indexes, gaps, start, end: at })
    start = at
  }
  markRun(table, { indexes, gaps, start, end: indexes.length })
  for (const [glyph, isSpaced] of known) glyph.isSpaced = isSpaced
}

interface Run {
  indexes: Int32Array
  gaps: Float64Array
  /** The glyphs of the run, as positions in `indexes`. `end` is exclusive. */
  start: number
  end: number
}

function markRun(table: GlyphTable, run: Run): void {
  const { indexes, gaps, start, end } = run
  const { kinds, spaced } = table
  /** Only a gap of more than a word's may be one between spaced letters. */
  let least: number | undefined
  let isSpaced = true
  let last = start > 0 ? (kinds[indexes[start - 1] as number] as number) : 0
  for (let at = start; at < end; at++) {
    const glyph = indexes[at] as number
    const kind = kinds[glyph] as number
    const both = last & kind
    last = kind
    if ((kind & IS_BLANK) !== 0) {
      isSpaced = true
      continue
    }
    if (!isSpaced) {
      const gap = gaps[at] as number
      if ((both & IS_UNSPACED) !== 0) isSpaced = gap > UNSPACED_GAP
      else isSpaced = gap > WORD_GAP && gap > (least ??= usualGap(kinds, run) + WORD_GAP)
    }
    spaced[glyph] = isSpaced ? 1 : 0
    // A glyph without a text isn't kept. It leaves a gap before the next one.
    isSpaced =
      (kind & IS_EMPTY) !== 0 && table.ownText(glyph) === '' && (isSpaced || advanceOf(table.at(glyph)) > WORD_GAP)
  }
}

/** The advance of a glyph in ems. */
function advanceOf({ x, y, endX, endY, size }: Glyph): number {
  return Math.hypot(endX - x, endY - y) / size
}

/** The gap of spaced letters. 0 if the gaps differ. */
function usualGap(kinds: Uint8Array, { indexes, gaps, start, end }: Run): number {
  const between = new Float64Array(end - start)
  let count = 0
  for (let at = start + 1; at < end; at++) {
    const both = (kinds[indexes[at - 1] as number] as number) & (kinds[indexes[at] as number] as number)
    if ((both & IS_LETTER) !== 0) between[count++] = gaps[at] as number
  }
  if (count < LEAST_GAPS) return 0
  const sorted = between.subarray(0, count).sort()
  const quartile = (share: number): number => sorted[Math.floor(share * (count - 1))] ?? 0
  return quartile(0.75) - quartile(0.25) <= MOST_UNEVEN ? Math.max(0, quartile(0.5)) : 0
}
