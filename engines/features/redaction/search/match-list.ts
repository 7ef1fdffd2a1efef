import type { Match } from '../matching/match'
import { isOwnMatch } from '../matching/readings'
import type { TextReading } from '../matching/readings'
import type { Rule } from '../search-rules/rule'
import { spanOf } from '../matching/search-text'

/** The matches of one rule on a page. A match that several readings of the page find is counted once. */
export class MatchList {
  /** The positions of the characters of each match, in ascending order. */
  readonly places: number[][] = []
  /** The index of the match that a character belongs to. */
  private readonly owners = new Map<number, number>()

  constructor(readonly rule: Rule) {}

  /** Adds all matches in a reading. Throws EngineError `too_large` like `Rule.count`. */
  addAll(reading: TextReading): void {
    for (const match of this.rule.find(reading.searched)) this.add(reading, match)
  }

  /** Adds a match. A match that overlaps an earlier one extends the earlier one. */
  add(reading: TextReading, match: Match): void {
    if (!isOwnMatch(reading, spanOf(reading.searched, match))) return
    const positions = matchedPositions(reading, match)
    const owner = this.ownerOf(positions)
    // Characters that are missing in one reading may lie between the parts of another match.
    const newPositions = positions.filter(position => !this.owners.has(position))
    if (owner === undefined) {
      for (const position of newPositions) this.owners.set(position, this.places.length)
      this.places.push(newPositions)
    } else if (newPositions.length > 0) {
      for (const position of newPositions) this.owners.set(position, owner)
      this.places[owner] = positionsOf([...(this.places[owner] ?? []), ...newPositions])
    }
    const text = reading.searched.text.slice(match.start, match.end)
    if (owner === undefined) this.rule.count(text)
    else if (newPositions.length > 0) this.rule.remember(text)
  }

  private ownerOf(positions: readonly number[]): number | undefined {
    for (const position of positions) {
      const owner = this.owners.get(position)
      if (owner !== undefined) return owner
    }
    return undefined
  }
}

/** Returns the source positions of all characters of a match, in ascending order. */
export function matchedPositions({ searched, order }: TextReading, match: Match): number[] {
  const { first, last } = spanOf(searched, match)
  const positions: number[] = []
  for (let at = first; at <= last; at++) {
    const position = order ? (order[at] ?? -1) : at
    if (position >= 0) positions.push(position)
  }
  return order ? positionsOf(positions) : positions
}

/** Sorts positions and removes duplicates. */
export function positionsOf(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((one, other) => one - other)
}
