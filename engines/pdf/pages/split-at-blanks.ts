import type { Cut } from './split-document'

/**
 * Splits a sequence of pages at the pages in `blank`. Drops blank pages, or with `keeps` leaves them at the end of the
 * part before. Leading blank pages stay in the first part. No part is empty: several blank pages in a row split once.
 */
export function splitAtBlanks(indexes: number[], blank: ReadonlySet<number>, keeps: boolean): Cut[] {
  const cuts: Cut[] = []
  const leading: number[] = []
  let isAfterBlank = true
  for (const index of indexes) {
    if (!blank.has(index)) {
      if (isAfterBlank) cuts.push({ indexes: [] })
      cuts.at(-1)?.indexes.push(index)
    } else if (keeps) {
      ;(cuts.at(-1)?.indexes ?? leading).push(index)
    }
    isAfterBlank = blank.has(index)
  }
  if (leading.length && cuts.length === 0) return [{ indexes: leading }]
  cuts[0]?.indexes.unshift(...leading)
  return cuts
}
