import { gapsBetween, isBlock } from '../lines/bands'
import type { Band } from '../lines/bands'
import { areaAround, medianOf } from '../lines/model'
import type { Rule, Word } from '../lines/model'
import { makeLine } from '../lines/text-lines'

/** A gap that may be between cells, in ems. */
const PIECE_GAP = 0.5

/** How far a rule between rows may extend into them, in points, and the least share of their width that it has. */
const RULE_OVERLAP = 3
const RULE_WIDTH = 0.8

/** How far the rules of a table may be from its text, in points, and the least share of its width that they cover. */
const NEAR_TABLE = 12
const COVERED = 0.6

/** Rules at most this far apart are one, in points. */
const SAME_RULE = 3

/** A rule inside a table may extend this far into its first and last line, in points. */
const INSIDE = 2

/**
 * Returns whether a band has lines beside each other and nothing else. The gaps left and right of all items count too, so
 * that three gaps mean two items beside each other.
 */
export function isRow(band: Band | undefined): boolean {
  return (
    band !== undefined && band.items.length >= 2 && !band.items.some(isBlock) && gapsBetween(band.items).length >= 3
  )
}

/** Returns whether a band has a font of equal widths. */
export function isMonospaced({ items }: Band): boolean {
  return items.every(item => !isBlock(item) && item.words.every(word => word.isMonospaced))
}

/** The usual size of an em in a band. */
export function sizeOf({ items }: Band): number {
  return medianOf(
    items.flatMap(item => (isBlock(item) ? [] : [item.size])),
    10,
  )
}

/** Divides the lines of a band at every gap that may be between cells. Pieces of one cell come together again later. */
export function divideBand(band: Band): Band {
  const items = band.items.flatMap(item => {
    if (isBlock(item)) return []
    const pieces: Word[][] = []
    for (const word of item.words.toSorted((one, other) => one.left - other.left)) {
      const before = pieces.at(-1)?.at(-1)
      if (before && word.left - before.right <= PIECE_GAP * Math.max(word.size, before.size)) pieces.at(-1)?.push(word)
      else pieces.push([word])
    }
    return pieces.length === 1 ? [item] : pieces.map(words => makeLine(words))
  })
  return { ...band, items }
}

/** Returns whether a rule across is between two bands. */
export function isRuledOff(above: Band, below: Band, rules: readonly Rule[]): boolean {
  return rules.some(
    ({ isHorizontal, left, right, top }) =>
      isHorizontal &&
      top >= above.bottom - RULE_OVERLAP &&
      top <= below.top + RULE_OVERLAP &&
      right - left >= RULE_WIDTH * (above.right - above.left),
  )
}

/** Positions of the rules across the table. */
export function rulesOf(bands: readonly Band[], rules: readonly Rule[]): number[] {
  const area = areaAround(bands)
  const found = rules
    .filter(
      ({ isHorizontal, left, right, top }) =>
        isHorizontal &&
        top >= area.top - NEAR_TABLE &&
        top <= area.bottom + NEAR_TABLE &&
        Math.min(right, area.right) - Math.max(left, area.left) >= COVERED * (area.right - area.left),
    )
    .map(({ top }) => top)
    .sort((one, other) => one - other)
  return found.filter((top, at) => at === 0 || top - (found[at - 1] as number) > SAME_RULE)
}

/** Positions of the rules across that are between bands. */
export function innerRules(bands: readonly Band[], rules: readonly Rule[]): number[] {
  return rulesOf(bands, rules).filter(
    top => bands.some(band => band.bottom < top + INSIDE) && bands.some(band => band.top > top - INSIDE),
  )
}
