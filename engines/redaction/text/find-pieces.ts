import { composeText } from './search-text'
import type { SearchText } from './search-text'
import { skeletonOf } from './skeleton'

/** A text that is broken into so many pieces has one of its parts in one piece at least. */
const PARTS = 3

/** Letters of a part below which every text has it. */
const LEAST_LETTERS = 3

/** Whether a text may hold pieces of a rule's text besides of so many places where it stands as a whole. */
export type PieceFinder = (searched: SearchText, foundCount: number) => boolean

/**
 * Opens the search for parts of a text that stand more often in another than the whole does; of short ones they always
 * may.
 */
export function openPieces(asked: string, isExact: boolean): PieceFinder {
  const { letters } = skeletonOf(composeText(Array.from(asked.trim())), isExact)
  const size = Math.floor(letters.length / PARTS)
  if (size < LEAST_LETTERS) return () => letters.length > 1
  const parts = [letters.slice(0, size), letters.slice(size, 2 * size), letters.slice(2 * size)]
  return (searched, foundCount) => {
    const place = skeletonOf(searched, isExact).letters
    return parts.some(part => countUpTo(place, part, foundCount + 1) > foundCount)
  }
}

function countUpTo(text: string, part: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count < most; at = text.indexOf(part, at + part.length)) count++
  return count
}
