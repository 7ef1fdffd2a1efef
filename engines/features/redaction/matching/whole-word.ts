import { isUnspaced } from './character-classes'
import type { Match } from './match'
import type { SearchText } from './search-text'

const IN_WORD = /[\p{L}\p{N}\p{M}_]/u

/** Number of units on each side of an offset that the word segmenter reads. */
const AROUND = 40

let segmenter: Intl.Segmenter | undefined

/**
 * Returns whether a match begins and ends at word boundaries: no letter, digit, mark or underscore is next to it. A
 * possible edge of a word counts too. For scripts that don't separate words with spaces, Unicode rules and dictionaries find the boundaries (Unicode Standard
 * Annex #29).
 */
export function isWhole({ text, edges }: SearchText, { start, end }: Match): boolean {
  return [start, end].every(at => edges.has(at) || isEdge(text, at))
}

function isEdge(text: string, at: number): boolean {
  const before = lastCharacter(text.slice(Math.max(0, at - 2), at))
  const behind = Array.from(text.slice(at, at + 2))[0] ?? ''
  if (!IN_WORD.test(before) || !IN_WORD.test(behind)) return true
  if (isUnspaced(before) !== isUnspaced(behind)) return !/\p{M}/u.test(behind)
  return isUnspaced(before) && isSegmentEdge(text, at)
}

function isSegmentEdge(text: string, at: number): boolean {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  const from = Math.max(0, at - AROUND)
  const segment = segmenter.segment(text.slice(from, at + AROUND)).containing(at - from)
  return segment === undefined || segment.index === at - from
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? ''
}
