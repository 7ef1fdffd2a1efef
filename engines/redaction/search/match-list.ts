import type { Match } from '../rules/presets'
import { isOther } from '../text/readings'
import type { TextReading } from '../text/readings'
import type { Rule } from './search'
import { spanOf } from '../text/search-text'

/** The places of one rule on a page, each counted once however many readings of the page find it. */
export class MatchList {
  /** Positions of the characters of each place, rising. */
  readonly places: number[][] = []
  /** The place that a character belongs to. */
  private readonly owners = new Map<number, number>()

  constructor(readonly rule: Rule) {}

  /** Adds what the rule matches in a reading. Throws EngineError `too-large` as `Rule.count` does. */
  addAll(reading: TextReading): void {
    for (const match of this.rule.find(reading.searched)) this.add(reading, match)
  }

  /** Adds a match; what it has in common with an earlier one makes that larger. */
  add(reading: TextReading, match: Match): void {
    if (!isOther(reading, spanOf(reading.searched, match))) return
    const positions = matchedPositions(reading, match)
    const owner = this.ownerOf(positions)
    // What a reading leaves out may stand between the parts of another place.
    const fresh = positions.filter(position => !this.owners.has(position))
    if (owner === undefined) {
      for (const position of fresh) this.owners.set(position, this.places.length)
      this.places.push(fresh)
    } else if (fresh.length > 0) {
      for (const position of fresh) this.owners.set(position, owner)
      this.places[owner] = positionsOf([...(this.places[owner] ?? []), ...fresh])
    }
    const text = reading.searched.text.slice(match.start, match.end)
    if (owner === undefined) this.rule.count(text)
    else if (fresh.length > 0) this.rule.remember(text)
  }

  private ownerOf(positions: readonly number[]): number | undefined {
    for (const position of positions) {
      const owner = this.owners.get(position)
      if (owner !== undefined) return owner
    }
    return undefined
  }
}

/** The positions in the source of the characters from the first to the last one of a match, rising. */
function matchedPositions({ searched, order }: TextReading, match: Match): number[] {
  const { first, last } = spanOf(searched, match)
  const positions: number[] = []
  for (let at = first; at <= last; at++) {
    const position = order ? (order[at] ?? -1) : at
    if (position >= 0) positions.push(position)
  }
  return order ? positionsOf(positions) : positions
}

/** Rising, each once. */
export function positionsOf(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((one, other) => one - other)
}
