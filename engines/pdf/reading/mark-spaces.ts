import type { Glyph } from './glyph'

/** A gap that separates words, in ems: in lines whose content has blanks, and in lines without any. */
const GAP_BESIDE_BLANKS = 0.3
const GAP_ALONE = 0.17

/** Glyphs of one line have baselines within this share of an em, and angles within this many radians. */
const SAME_LINE = 0.3
const SAME_ANGLE = 0.02

/** A jump of this many ems begins another run. */
const JUMP = 3

/**
 * Finds where words begin, and sets `isSpaced`: after a blank character, and after a gap. Spaced letters have gaps too,
 * so the usual gap of a run of glyphs doesn't count. Blank glyphs may have any width.
 */
export function markSpaces(glyphs: readonly Glyph[]): void {
  for (let start = 0; start < glyphs.length;) {
    let end = start + 1
    while (end < glyphs.length && continues(glyphs[end - 1] as Glyph, glyphs[end] as Glyph)) end++
    markRun(glyphs, start, end)
    start = end
  }
}

/** The distance of a glyph from the end of the one before it, along and across the line, in ems. */
function distance(before: Glyph, next: Glyph): { along: number; across: number } {
  const [cos, sin] = [Math.cos(before.angle), Math.sin(before.angle)]
  const size = Math.max(before.size, next.size)
  const [x, y] = [next.x - before.endX, next.y - before.endY]
  return { along: (x * cos + y * sin) / size, across: (y * cos - x * sin) / size }
}

function continues(before: Glyph, next: Glyph): boolean {
  const { along, across } = distance(before, next)
  return (
    Math.abs(across) < SAME_LINE &&
    Math.abs(along) < JUMP &&
    Math.abs(before.angle - next.angle) < SAME_ANGLE
  )
}

function markRun(glyphs: readonly Glyph[], start: number, end: number): void {
  const gaps: number[] = []
  let hasBlank = false
  for (let at = start; at < end; at++) {
    const glyph = glyphs[at] as Glyph
    if (isBlank(glyph)) hasBlank = true
    else if (at > start && !isBlank(glyphs[at - 1] as Glyph))
      gaps.push(distance(glyphs[at - 1] as Glyph, glyph).along)
  }
  const usual = Math.max(0, medianOf(gaps))
  const least = usual + (hasBlank ? GAP_BESIDE_BLANKS : GAP_ALONE)
  let isSpaced = true
  for (let at = start; at < end; at++) {
    const glyph = glyphs[at] as Glyph
    if (isBlank(glyph)) {
      isSpaced = true
      continue
    }
    const before = glyphs[at - 1]
    glyph.isSpaced = isSpaced || (before !== undefined && !isBlank(before) && distance(before, glyph).along > least)
    isSpaced = false
  }
}

function isBlank({ text, ownText }: Glyph): boolean {
  return text.trim() === '' && ownText.trim() === '' && ownText !== ''
}

function medianOf(numbers: number[]): number {
  numbers.sort((one, other) => one - other)
  return numbers[Math.floor(numbers.length / 2)] ?? 0
}
