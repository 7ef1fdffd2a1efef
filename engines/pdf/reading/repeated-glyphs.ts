import type { Glyph } from './glyph'
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

/**
 * Leaves out glyphs that are drawn over the same glyph, as some programs do for bold text. The glyphs keep their order.
 */
export function dropRepeats(glyphs: readonly Glyph[]): Glyph[] {
  const known = new GlyphGrid(CELL, glyphs.length, ({ text }) => text.charCodeAt(0))
  return glyphs.filter(glyph => {
    const { size, x, y } = glyph
    if (size < LEAST_SIZE || size > MOST_SIZE) return true
    if (known.find(x, y, (SHIFT * size) / (1 - SAME_SIZE), glyph, repeats)) return false
    known.add(glyph, x, y)
    return true
  })
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
