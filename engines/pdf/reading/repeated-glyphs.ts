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
const CELL = 2

/** Larger glyphs, in cells that `SHIFT` covers, aren't compared. */
const MOST_CELLS = 4

/** Minimum size of an em, in user space units, for which glyphs are compared. */
const LEAST_SIZE = 0.5

/**
 * Leaves out glyphs that are drawn over the same glyph, as some programs do for bold text. The glyphs keep their order.
 */
export function dropRepeats(glyphs: readonly Glyph[]): Glyph[] {
  const known = new GlyphGrid(CELL)
  return glyphs.filter(glyph => {
    if (glyph.size < LEAST_SIZE) return true
    const reach = Math.ceil((SHIFT * glyph.size) / CELL)
    if (reach > MOST_CELLS) return true
    for (const other of known.near(glyph.x, glyph.y, reach)) if (repeats(other, glyph)) return false
    known.add(glyph, glyph.x, glyph.y)
    return true
  })
}

function repeats(one: Glyph, other: Glyph): boolean {
  const advance = Math.hypot(one.endX - one.x, one.endY - one.y)
  const most = (one.shown === other.shown ? SHARE_WITHIN : SHARE) * advance
  return (
    one.text === other.text &&
    Math.hypot(one.x - other.x, one.y - other.y) <= Math.min(SHIFT * one.size, most) &&
    Math.abs(one.size - other.size) < 0.05 * one.size &&
    hasSameAngle(one, other)
  )
}
