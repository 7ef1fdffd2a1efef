import { matchSequences } from './match-sequences'
import { isSameWord } from './page-words'
import type { Word } from './page-words'

/** Two running texts and the words that they have in common, in order. */
export interface MatchedText {
  before: Word[]
  after: Word[]
  /** The position in `after` of each word of `before`, or −1. */
  matches: Int32Array
}

/** Maximum number of matched words in a row that are dropped if far more words around them differ. */
const MAX_ISLAND = 3

/** Matches the words of two running texts, across lines and pages. */
export function matchWords(before: Word[], after: Word[]): MatchedText {
  const numbers = new Map<string, number>()
  const numberOf = ({ looseKey }: Word): number => {
    const number = numbers.get(looseKey) ?? numbers.size
    numbers.set(looseKey, number)
    return number
  }
  const matches = matchSequences(Int32Array.from(before, numberOf), Int32Array.from(after, numberOf))
  for (const [position, match] of matches.entries()) {
    const [one, other] = [before[position], after[match]]
    if (match >= 0 && one && other && !isSameWord(one, other)) matches[position] = -1
  }
  dropIslands(matches, after.length)
  return { before, after, matches }
}

/** A run of matched words, and the numbers of words without a match before it. */
interface Island {
  start: number
  length: number
  removed: number
  inserted: number
}

/**
 * Drops matches of few words between long different passages, such as "the" in a rewritten sentence. The passage then
 * is one change. Words between passages that were only removed, or only inserted, keep their match.
 */
function dropIslands(matches: Int32Array, afterCount: number): void {
  const islands = listIslands(matches, afterCount)
  let [removed, inserted] = [0, 0]
  for (const [index, island] of islands.slice(0, -1).entries()) {
    const next = islands[index + 1] as Island // the list ends with an empty island
    removed += island.removed
    inserted += island.inserted
    const least = 2 * island.length
    const isLost =
      island.length <= MAX_ISLAND &&
      Math.max(removed, inserted) >= least &&
      Math.max(next.removed, next.inserted) >= least &&
      removed + next.removed >= least &&
      inserted + next.inserted >= least
    if (isLost) matches.fill(-1, island.start, island.start + island.length)
    removed = isLost ? removed + island.length : 0
    inserted = isLost ? inserted + island.length : 0
  }
}

/** The runs of matched words in order, and an empty one at the end. */
function listIslands(matches: Int32Array, afterCount: number): Island[] {
  const islands: Island[] = []
  let [beforeEnd, afterEnd] = [0, 0]
  for (let at = 0; at < matches.length; at++) {
    const match = matches[at] as number // inside the array
    if (match < 0) continue
    const last = islands.at(-1)
    if (last && at === beforeEnd && match === afterEnd) last.length++
    else islands.push({ start: at, length: 1, removed: at - beforeEnd, inserted: match - afterEnd })
    beforeEnd = at + 1
    afterEnd = match + 1
  }
  islands.push({
    start: matches.length,
    length: 0,
    removed: matches.length - beforeEnd,
    inserted: afterCount - afterEnd,
  })
  return islands
}

/** Words between two matches. */
export interface Difference {
  removed: Word[]
  inserted: Word[]
}

/** The words between the matches, in order. */
export function listDifferences({ before, after, matches }: MatchedText): Difference[] {
  const differences: Difference[] = []
  let [beforeStart, afterStart] = [0, 0]
  const add = (beforeEnd: number, afterEnd: number): void => {
    if (beforeEnd > beforeStart || afterEnd > afterStart)
      differences.push({ removed: before.slice(beforeStart, beforeEnd), inserted: after.slice(afterStart, afterEnd) })
  }
  for (const [position, match] of matches.entries()) {
    if (match < 0) continue
    add(position, match)
    beforeStart = position + 1
    afterStart = match + 1
  }
  add(before.length, after.length)
  return differences
}
