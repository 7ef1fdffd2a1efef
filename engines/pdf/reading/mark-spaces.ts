import { isBlankText } from './blank-text'
import type { Glyph } from './glyph'
import { SAME_ANGLE } from './line-geometry'

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

/** Kinds of texts. They may be combined. */
const IS_LETTER = 1
const IS_UNSPACED = 2
const IS_BLANK = 4

/**
 * Finds where words begin, and sets `isSpaced`: after a blank character, and after a gap. Spaced letters have gaps too,
 * so the usual gap of a run of glyphs doesn't count. Blank glyphs may have any width. `known` has the glyphs for which
 * /ActualText says it.
 */
export function markSpaces(glyphs: readonly Glyph[], known: ReadonlyMap<Glyph, boolean>): void {
  const kinds = new Uint8Array(glyphs.length)
  /** The distance of each glyph from the end of the one before it, in ems along the line. */
  const gaps = new Float64Array(glyphs.length)
  let start = 0
  let angle = NaN
  let [cos, sin] = [1, 0]
  for (let at = 0; at < glyphs.length; at++) {
    const glyph = glyphs[at] as Glyph
    kinds[at] = kindOf(glyph)
    if (at === 0) continue
    const before = glyphs[at - 1] as Glyph
    if (before.angle !== angle) {
      angle = before.angle
      cos = Math.cos(angle)
      sin = Math.sin(angle)
    }
    const size = Math.max(before.size, glyph.size)
    const x = glyph.x - before.endX
    const y = glyph.y - before.endY
    const along = (x * cos + y * sin) / size - before.shown.spacing
    const across = (y * cos - x * sin) / size
    gaps[at] = along
    if (Math.abs(across) < SAME_LINE && Math.abs(along) < JUMP && Math.abs(angle - glyph.angle) < SAME_ANGLE) continue
    markRun(glyphs, { kinds, gaps, start, end: at })
    start = at
  }
  markRun(glyphs, { kinds, gaps, start, end: glyphs.length })
  for (const [glyph, isSpaced] of known) glyph.isSpaced = isSpaced
}

/** The kinds of a text. Most are one character of ASCII. */
function kindOf({ text }: Glyph): number {
  const code = text.length === 1 ? text.charCodeAt(0) : 0x80
  if (code > 0x20 && code < 0x80) return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? IS_LETTER : 0
  const isBlank = text !== '' && isBlankText(text)
  return (LETTER.test(text) ? IS_LETTER : 0) | (UNSPACED.test(text) ? IS_UNSPACED : 0) | (isBlank ? IS_BLANK : 0)
}

interface Run {
  kinds: Uint8Array
  gaps: Float64Array
  /** The glyphs of the run. `end` is exclusive. */
  start: number
  end: number
}

function markRun(glyphs: readonly Glyph[], { kinds, gaps, start, end }: Run): void {
  const between = new Float64Array(Math.max(0, end - start - 1))
  let count = 0
  for (let at = start + 1; at < end; at++)
    if (((kinds[at - 1] as number) & (kinds[at] as number) & IS_LETTER) !== 0) between[count++] = gaps[at] as number
  const least = usualGap(between.subarray(0, count)) + WORD_GAP
  let isSpaced = true
  for (let at = start; at < end; at++) {
    const kind = kinds[at] as number
    if ((kind & IS_BLANK) !== 0) {
      isSpaced = true
      continue
    }
    const isUnspaced = at > 0 && ((kinds[at - 1] as number) & kind & IS_UNSPACED) !== 0
    const glyph = glyphs[at] as Glyph
    glyph.isSpaced = isSpaced || (gaps[at] as number) > (isUnspaced ? UNSPACED_GAP : least)
    // A glyph without a text isn't kept. It leaves a gap before the next one.
    isSpaced = glyph.text === '' && glyph.ownText === '' && (glyph.isSpaced || advanceOf(glyph) > WORD_GAP)
  }
}

/** The advance of a glyph in ems. */
function advanceOf({ x, y, endX, endY, size }: Glyph): number {
  return Math.hypot(endX - x, endY - y) / size
}

/** The gap of spaced letters. 0 if the gaps differ. */
function usualGap(gaps: Float64Array): number {
  if (gaps.length < LEAST_GAPS) return 0
  gaps.sort()
  const quartile = (share: number): number => gaps[Math.floor(share * (gaps.length - 1))] ?? 0
  return quartile(0.75) - quartile(0.25) <= MOST_UNEVEN ? Math.max(0, quartile(0.5)) : 0
}
