import type { Glyph } from './glyph'
import { gapBetween, hasSameAngle } from './line-geometry'

/** A gap that separates words, in ems. Kerning and justified letters stay below. */
const WORD_GAP = 0.15

/** Glyphs of one line have baselines within this share of an em. */
const SAME_LINE = 0.3

/** A jump of this many ems begins another run. */
const JUMP = 3

/** The usual gap of a run is that of spaced letters if there are enough gaps, and if they differ by at most this. */
const LEAST_GAPS = 4
const MOST_UNEVEN = 0.12

/** Scripts that are written without blanks between words. Only a gap of this many ems divides them. */
const UNSPACED = /[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u
const UNSPACED_GAP = 1

const LETTER = /\p{L}/u

/**
 * Finds where words begin, and sets `isSpaced`: after a blank character, and after a gap. Spaced letters have gaps too,
 * so the usual gap of a run of glyphs doesn't count. Blank glyphs may have any width. `known` has the glyphs for which
 * /ActualText says it.
 */
export function markSpaces(glyphs: readonly Glyph[], known: ReadonlyMap<Glyph, boolean>): void {
  for (let start = 0; start < glyphs.length;) {
    let end = start + 1
    while (end < glyphs.length && continues(glyphs[end - 1] as Glyph, glyphs[end] as Glyph)) end++
    markRun(glyphs, start, end)
    start = end
  }
  for (const [glyph, isSpaced] of known) glyph.isSpaced = isSpaced
}

/** The distance of a glyph from the end of the one before it, along and across the line, in ems. */
function distance(before: Glyph, next: Glyph): { along: number; across: number } {
  const size = Math.max(before.size, next.size)
  const [along, across] = gapBetween(before, next)
  return { along: along / size - before.shown.spacing, across: across / size }
}

function continues(before: Glyph, next: Glyph): boolean {
  const { along, across } = distance(before, next)
  return Math.abs(across) < SAME_LINE && Math.abs(along) < JUMP && hasSameAngle(before, next)
}

function markRun(glyphs: readonly Glyph[], start: number, end: number): void {
  const gaps: number[] = []
  for (let at = start + 1; at < end; at++) {
    const [before, glyph] = [glyphs[at - 1] as Glyph, glyphs[at] as Glyph]
    if (LETTER.test(before.text) && LETTER.test(glyph.text)) gaps.push(distance(before, glyph).along)
  }
  const least = usualGap(gaps) + WORD_GAP
  let isSpaced = true
  for (let at = start; at < end; at++) {
    const glyph = glyphs[at] as Glyph
    if (isBlank(glyph)) {
      isSpaced = true
      continue
    }
    const before = glyphs[at - 1]
    glyph.isSpaced = isSpaced || (before !== undefined && isGap(before, glyph, least))
    isSpaced = false
  }
}

function isGap(before: Glyph, next: Glyph, least: number): boolean {
  const isUnspaced = UNSPACED.test(before.text) && UNSPACED.test(next.text)
  return distance(before, next).along > (isUnspaced ? UNSPACED_GAP : least)
}

/** The gap of spaced letters. 0 if the gaps differ. */
function usualGap(gaps: number[]): number {
  if (gaps.length < LEAST_GAPS) return 0
  gaps.sort((one, other) => one - other)
  const quartile = (share: number): number => gaps[Math.floor(share * (gaps.length - 1))] ?? 0
  return quartile(0.75) - quartile(0.25) <= MOST_UNEVEN ? Math.max(0, quartile(0.5)) : 0
}

function isBlank({ text }: Glyph): boolean {
  return text !== '' && text.trim() === ''
}
