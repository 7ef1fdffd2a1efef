import { DISTANCE_MASK, LENGTH_BITS, LENGTH_MASK, SLOT_SHIFT } from './match-finder'
import type { MatchFinder } from './match-finder'
import type { SymbolCosts } from './symbol-costs'
import {
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  FIRST_LENGTH_SYMBOL,
  LEAST_LENGTH,
  LENGTH_SLOT,
  LITERAL_SYMBOLS,
} from './symbols'

/** Matches above this length are used whole or cut to at most this length. Other cuts save almost nothing. */
const MOST_CUT = 24

/** A part of the data, whose matches `finder` has. */
export interface Segment {
  data: Uint8Array
  finder: MatchFinder
  /** Where the segment starts in the data. */
  start: number
  end: number
}

/** How often a block uses each symbol. */
export interface SymbolCounts {
  literals: Uint32Array
  distances: Uint32Array
}

/** Finds the cheapest symbols for ranges of a segment. */
export class Parser {
  /**
   * For each position of the segment at which a symbol starts: 0 for a literal, or a match in the form of the finder.
   * Other positions have no meaning.
   */
  readonly choices: Uint32Array
  /** The cost from each position to the end of the range. */
  private readonly costs: Int32Array

  constructor(private readonly segment: Segment) {
    const length = segment.end - segment.start
    this.choices = new Uint32Array(length)
    this.costs = new Int32Array(length + 1)
  }

  /** Chooses the symbols from `from` to `end`, counted from the start of the segment. Goes from the end to the start. */
  parse(from: number, end: number, { literals, lengths, distances }: SymbolCosts): void {
    const { choices, costs } = this
    const { finder, start } = this.segment
    const { matches, firsts } = finder
    const data = this.segment.data.subarray(start)
    costs[end] = 0
    for (let position = end - 1; position >= from; position--) {
      let best = (costs[position + 1] as number) + (literals[data[position] as number] as number)
      let choice = 0
      const first = firsts[position] as number
      const room = end - position
      let cheapest = 0xffffffff
      let distance = 0
      // Each match can be cut short, so the cheapest distance of all longer matches counts, and not only the nearest one.
      for (let index = (firsts[position + 1] as number) - 1; index >= first; index--) {
        const match = matches[index] as number
        const cost = distances[match >>> SLOT_SHIFT] as number
        if (cost <= cheapest) {
          cheapest = cost
          distance = match & ~LENGTH_MASK
        }
        const least = index > first ? ((matches[index - 1] as number) & LENGTH_MASK) + 1 : LEAST_LENGTH
        const most = match & LENGTH_MASK
        const longest = most < room ? most : room
        for (let length = longest; length >= least; length--) {
          const sum = (cheapest + (lengths[length] as number) + (costs[position + length] as number)) | 0
          if (sum < best) {
            best = sum
            choice = distance | length
          }
          if (length === longest && length > MOST_CUT) length = MOST_CUT + 1
        }
      }
      costs[position] = best
      choices[position] = choice
    }
  }

  /** Counts the chosen symbols from `from` to `end`, and the end of a block. */
  count(from: number, end: number, choices = this.choices): SymbolCounts {
    const literals = new Uint32Array(LITERAL_SYMBOLS)
    const distances = new Uint32Array(DISTANCE_SYMBOLS)
    const { data, start } = this.segment
    for (let position = from; position < end;) {
      const choice = choices[position] as number
      if (choice === 0) {
        const literal = data[start + position] as number
        literals[literal] = (literals[literal] as number) + 1
        position++
      } else {
        const length = choice & LENGTH_MASK
        const symbol = FIRST_LENGTH_SYMBOL + (LENGTH_SLOT[length] as number)
        const slot = choice >>> SLOT_SHIFT
        literals[symbol] = (literals[symbol] as number) + 1
        distances[slot] = (distances[slot] as number) + 1
        position += length
      }
    }
    literals[END_OF_BLOCK] = 1
    return { literals, distances }
  }
}

/** Returns the distance of a chosen match, in bytes. */
export function distanceOf(choice: number): number {
  return ((choice >>> LENGTH_BITS) & DISTANCE_MASK) + 1
}
