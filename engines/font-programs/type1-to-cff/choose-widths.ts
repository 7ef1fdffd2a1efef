import { sizeOfOperand } from '../cff/type2-numbers'

/** The two widths of a Private DICT (Adobe Technical Note 5176, 15). */
export interface WidthTerms {
  /** The default width, for glyphs that don't state one. */
  standard: number
  /** The nominal width, which is subtracted from the widths that glyphs state. */
  nominal: number
}

/**
 * Maximum number of different widths to try as the nominal one. In fonts with more, the choice makes little difference.
 */
const MOST_TRIED = 200

/** Distances from a width to the nominal widths to try. A difference of up to 107 takes one byte. */
const SHIFTS = [-107, 0, 107]

/** Chooses the default and the nominal width with which all charstrings together take the fewest bytes. */
export function chooseWidths(widths: readonly number[]): WidthTerms {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  const tried = [...counts.keys()].sort((one, other) => one - other).slice(0, MOST_TRIED)
  const candidates = tried.flatMap(width => SHIFTS.map(shift => Math.round(width) + shift))
  let best = { standard: 0, nominal: 0, size: Number.POSITIVE_INFINITY }
  for (const nominal of new Set([0, ...candidates])) {
    let [total, saved, standard] = [0, 0, 0]
    for (const [width, count] of counts) {
      const size = count * sizeOfOperand(width - nominal)
      total += size
      if (size > saved) [saved, standard] = [size, width]
    }
    const size = total - saved + (nominal === 0 ? 0 : 1 + sizeOfOperand(nominal))
    if (size < best.size) best = { standard, nominal, size }
  }
  return { standard: best.standard, nominal: best.nominal }
}

/** Returns the width operand of a charstring. Undefined for the default width. */
export function stateWidth(width: number, { standard, nominal }: WidthTerms): number | undefined {
  return width === standard ? undefined : width - nominal
}
