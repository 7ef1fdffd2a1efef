import { codeLengths } from './code-lengths'
import { DISTANCE_SYMBOLS, FIRST_LENGTH_SYMBOL, LITERAL_SYMBOLS } from './symbols'

/** The order in which the lengths of the codes for lengths are written (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** Maximum number of bits of the codes for lengths. */
const MOST_BITS = 7

/** The symbols that repeat the previous length, and that repeat 0. */
const COPY = 16
const ZEROS = 17
const MANY_ZEROS = 18

/** How often each of these symbols repeats a length, and the number of extra bits for that. */
const REPEATS = [
  { symbol: COPY, least: 3, most: 6, extra: 2 },
  { symbol: ZEROS, least: 3, most: 10, extra: 3 },
  { symbol: MANY_ZEROS, least: 11, most: 138, extra: 7 },
] as const

/** The shortest repetition. */
const LEAST_RUN = 3

/** Maximum number of lengths. */
const MOST_LENGTHS = LITERAL_SYMBOLS + DISTANCE_SYMBOLS

/** How much shorter than possible a repetition may be, so that the next one gets longer. */
const SHORTER = 3

/** Number of times the runs are chosen anew with the codes that they lead to. */
const ROUNDS = 2

/** The description of the codes of a block. */
export interface LengthRuns {
  /** Number of lengths for literals and lengths, and for distances. */
  literalCount: number
  distanceCount: number
  /** The lengths of the codes of `symbols`, in the order of RFC 1951, without zeros at the end. */
  codes: Uint8Array
  lengths: Uint8Array
  /** The lengths and repetitions. The higher byte of each has the value of its extra bits. */
  symbols: Uint16Array
  /** The size in bits. */
  bits: number
}

/** Finds a short description of the lengths of the codes of a block. */
export function runsOfLengths(literals: Uint8Array, distances: Uint8Array): LengthRuns {
  const literalCount = countUntilZeros(literals, FIRST_LENGTH_SYMBOL)
  const distanceCount = countUntilZeros(distances, 1)
  const all = new Uint8Array(literalCount + distanceCount)
  all.set(literals.subarray(0, literalCount))
  all.set(distances.subarray(0, distanceCount), literalCount)
  let costs = new Uint8Array(19).fill(4).fill(3, 16)
  let best: LengthRuns | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const symbols = chooseRuns(all, costs)
    const counts = new Uint32Array(19)
    for (const symbol of symbols) counts[symbol & 255] = (counts[symbol & 255] as number) + 1
    const lengths = codeLengths(counts, MOST_BITS)
    const ordered = Uint8Array.from(ORDER, symbol => lengths[symbol] as number)
    const codes = ordered.subarray(0, countUntilZeros(ordered, 4))
    let bits = 14 + codes.length * 3
    for (let symbol = 0; symbol < counts.length; symbol++)
      bits += (counts[symbol] as number) * ((lengths[symbol] as number) + extraBitsOf(symbol))
    if (best && bits >= best.bits) break
    best = { literalCount, distanceCount, codes, lengths, symbols, bits }
    costs = lengths.map(length => length || MOST_BITS)
  }
  return best as LengthRuns
}

function countUntilZeros(lengths: Uint8Array, least: number): number {
  let count = lengths.length
  while (count > least && lengths[count - 1] === 0) count--
  return count
}

/**
 * For each position: the cost to the end, the symbol, and the number of lengths that the symbol stands for. Kept
 * between blocks.
 */
const SUMS = new Uint32Array(MOST_LENGTHS + 1)
const CHOSEN = new Uint8Array(MOST_LENGTHS)
const COUNTS = new Uint8Array(MOST_LENGTHS)

/** Chooses the cheapest lengths and repetitions. Goes from the end to the start. */
function chooseRuns(all: Uint8Array, costs: Uint8Array): Uint16Array {
  // Number of equal lengths from a position on.
  let run = 0
  SUMS[all.length] = 0
  for (let at = all.length - 1; at >= 0; at--) {
    const length = all[at] as number
    run = all[at + 1] === length ? run + 1 : 1
    let best = (costs[length] as number) + (SUMS[at + 1] as number)
    CHOSEN[at] = length
    COUNTS[at] = 1
    if (run >= LEAST_RUN)
      for (const { symbol, least, most, extra } of REPEATS) {
        if (symbol === COPY ? at === 0 || all[at - 1] !== length : length !== 0) continue
        const top = run < most ? run : most
        for (let count = Math.max(least, top - SHORTER); count <= top; count++) {
          const sum = (costs[symbol] as number) + extra + (SUMS[at + count] as number)
          if (sum >= best) continue
          best = sum
          CHOSEN[at] = symbol
          COUNTS[at] = count
        }
      }
    SUMS[at] = best
  }
  const symbols = new Uint16Array(all.length)
  let size = 0
  for (let at = 0; at < all.length; at += COUNTS[at] as number) {
    const symbol = CHOSEN[at] as number
    const extra = (COUNTS[at] as number) - (REPEATS[symbol - COPY]?.least ?? 1)
    symbols[size++] = symbol | (extra << 8)
  }
  return symbols.subarray(0, size)
}

/** Returns the number of extra bits of a symbol for lengths. */
export function extraBitsOf(symbol: number): number {
  return REPEATS[symbol - COPY]?.extra ?? 0
}
