import { compose } from './accents'
import type { Glyph, GlyphList } from './glyph'
import { GlyphGrid } from './glyph-grid'
import { hasSameAngle, turnToLine } from './line-geometry'
import { IS_ACCENT, markOf } from './text-kinds'

/** The middle of an accent is at most this far from the middle of its letter, as a share of the wider one's advance. */
const ASIDE = 0.35

/** Their baselines differ by at most this, in ems of the larger one. */
const UP = 0.6

/** A small accent belongs to a letter whose size is at most this many times its own. */
const SIZES = 2

/** Maximum number of accents on a page. Pages with more are left unchanged. */
const MOST_ACCENTS = 2000

/** The middle of a letter is at most this far from its accent, in ems of the accent. */
const REACH = 1.5

/** Side of the cells by which letters are found, and the largest accent that is composed, in user space units. */
const CELL = 12
const MOST_SIZE = 80

/**
 * Composes letters with the accents that are drawn over them, as separate glyphs before the letter, after it or after
 * other text. A letter keeps its place, and its bounds then include its accent. Returns the indexes without these accents.
 */
export function attachAccents({ table, indexes }: GlyphList): Int32Array {
  if ((table.allKinds & IS_ACCENT) === 0) return indexes
  const found = indexes.filter(at => ((table.kinds[at] as number) & IS_ACCENT) !== 0)
  if (found.length === 0 || found.length > MOST_ACCENTS) return indexes
  const accents = Array.from(found, at => table.at(at))
  const glyphs = Array.from(indexes, at => table.at(at))
  const letters = new GlyphGrid(CELL, glyphs.length)
  for (const glyph of glyphs) if (/^\p{L}$/u.test(glyph.text)) letters.add(glyph, ...middleOf(glyph))
  const dropped = new Set(accents.filter(accent => attach(accent, letters)))
  if (dropped.size === 0) return indexes
  // Blanks beside an accent lead to its letter. If a word ends there, the gap tells it.
  for (const list of [glyphs, glyphs.toReversed()]) {
    let isBeside = false
    for (const glyph of list) {
      isBeside = dropped.has(glyph) || (isBeside && glyph.text.trim() === '')
      if (isBeside) dropped.add(glyph)
    }
  }
  return indexes.filter(at => !dropped.has(table.at(at)))
}

function attach(accent: Glyph, letters: GlyphGrid): boolean {
  const mark = markOf(accent.text) as string // accents have one
  if (accent.size > MOST_SIZE) return false
  let [best, least] = [undefined as Glyph | undefined, Infinity]
  letters.find(...middleOf(accent), REACH * accent.size, accent, letter => {
    const distance = distanceOf(accent, letter)
    if (distance < least && compose(letter.text, mark) !== undefined) [best, least] = [letter, distance]
    return false
  })
  const composed = best && compose(best.text, mark)
  if (!best || composed === undefined) return false
  if (best.ownText === best.text) best.ownText = composed
  best.text = composed
  best.cover(accent)
  return true
}

function middleOf({ x, y, endX, endY }: Glyph): [x: number, y: number] {
  return [(x + endX) / 2, (y + endY) / 2]
}

/** The distance of an accent from a letter, in ems. Infinite if it isn't drawn over the letter. */
function distanceOf(accent: Glyph, letter: Glyph): number {
  if (!hasSameAngle(accent, letter) || accent.style.isUnseen !== letter.style.isUnseen) return Infinity
  const size = Math.max(accent.size, letter.size)
  if (letter.size > SIZES * accent.size) return Infinity
  const [[x, y], [letterX, letterY]] = [middleOf(accent), middleOf(letter)]
  const [aside, up] = turnToLine(letter, x - letterX, y - letterY).map(Math.abs) as [number, number] // two parts
  const isOver = aside <= ASIDE * Math.max(advanceOf(accent), advanceOf(letter)) && up <= UP * size
  return isOver ? (aside + up) / size : Infinity
}

function advanceOf({ x, y, endX, endY }: Glyph): number {
  return Math.hypot(endX - x, endY - y)
}
