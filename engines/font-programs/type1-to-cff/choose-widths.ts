import { sizeOfOperand } from './type2-numbers'

/** The two widths of a Private DICT (Adobe Technical Note 5176, 15). */
export interface WidthTerms {
  /** The width of glyphs that state none. */
  standard: number
  /** What is subtracted from the widths that glyphs state. */
  nominal: number
}

/** Different widths that are tried as the nominal one. Fonts with more have so many that one is as good as another. */
const MOST_TRIED = 200

/** Distances to a width at which it takes one byte, or two. */
const SHIFTS = [-107, 0, 107]

/** Chooses the widths with which the charstrings of all glyphs take the fewest bytes. */
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

/** What a charstring states for a width; undefined for the standard width. */
export function stateWidth(width: number, { standard, nominal }: WidthTerms): number | undefined {
  return width === standard ? undefined : width - nominal
}
