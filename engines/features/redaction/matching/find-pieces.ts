import { composeText } from './search-text'
import type { SearchText } from './search-text'
import { skeletonOf } from './skeleton'

/** The number of parts of a text. If the text is broken into two pieces, at least one part is intact. */
const PARTS = 3

/** Minimum number of letters in a part. Shorter parts occur in every text. */
const LEAST_LETTERS = 3

/** Returns whether a text may contain pieces of a rule's text in addition to `foundCount` complete matches. */
export type PieceFinder = (searched: SearchText, foundCount: number) => boolean

/**
 * Returns a function that checks whether parts of a text occur more often than the whole text. For short texts the
 * result is always `true` if they have more than one letter.
 */
export function openPieces(ruleText: string, isExact: boolean): PieceFinder {
  const { letters } = skeletonOf(composeText(Array.from(ruleText.trim())), isExact)
  const size = Math.floor(letters.length / PARTS)
  if (size < LEAST_LETTERS) return () => letters.length > 1
  const parts = [letters.slice(0, size), letters.slice(size, 2 * size), letters.slice(2 * size)]
  return (searched, foundCount) => {
    const letters = skeletonOf(searched, isExact).letters
    return parts.some(part => countUpTo(letters, part, foundCount + 1) > foundCount)
  }
}

function countUpTo(text: string, part: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count < most; at = text.indexOf(part, at + part.length)) count++
  return count
}
