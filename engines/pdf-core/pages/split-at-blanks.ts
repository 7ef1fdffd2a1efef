import type { Cut } from './split-document'

/**
 * Cuts a sequence of pages at those in `blank`. Blank pages are dropped, or with `keeps` left at the end of the part
 * before them; those in front of everything stay in front of the first part. No part is empty: several blank pages in a
 * row cut once.
 */
export function splitAtBlanks(indexes: number[], blank: ReadonlySet<number>, keeps: boolean): Cut[] {
  const cuts: Cut[] = []
  const leading: number[] = []
  let isBehindBlank = true
  for (const index of indexes) {
    if (!blank.has(index)) {
      if (isBehindBlank) cuts.push({ indexes: [] })
      cuts.at(-1)?.indexes.push(index)
    } else if (keeps) {
      ;(cuts.at(-1)?.indexes ?? leading).push(index)
    }
    isBehindBlank = blank.has(index)
  }
  if (leading.length && cuts.length === 0) return [{ indexes: leading }]
  cuts[0]?.indexes.unshift(...leading)
  return cuts
}
