import { LENGTH_MASK, SLOT_SHIFT } from './match-finder'
import { DISTANCE_SYMBOLS, FIRST_LENGTH_SYMBOL, LENGTH_SLOT, LITERAL_SYMBOLS } from './symbols'

/** Number of symbols in the smallest block, and maximum number of pieces that blocks are made of. */
const LEAST_SYMBOLS = 48
const MOST_PIECES = 128

/** The estimated size of the description of codes, in bits: in total, and for each used symbol. */
const HEADER_BITS = 80
const SYMBOL_BITS = 3.3

const ALL_SYMBOLS = LITERAL_SYMBOLS + DISTANCE_SYMBOLS

/** Number of counts whose information is kept in a table. */
const TABLE = 8192
const INFORMATION = Float64Array.from({ length: TABLE }, (_, count) => (count === 0 ? 0 : count * Math.log2(count)))

function information(count: number): number {
  return count < TABLE ? (INFORMATION[count] as number) : count * Math.log2(count)
}

/**
 * Returns where blocks should end so that the estimated size of all is least. Positions count from the start of
 * `choices`, which a parser made for `data`.
 */
export function splitBlocks(data: Uint8Array, choices: Uint32Array): number[] {
  const pieces = countPieces(data, choices)
  const { ends, sums } = pieces
  const count = ends.length
  const sizes = new Float64Array(count + 1)
  const starts = new Uint16Array(count + 1)
  for (let end = 1; end <= count; end++) {
    let best = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const size = (sizes[start] as number) + estimateBits(sums, start, end)
      if (size < best) {
        best = size
        starts[end] = start
      }
    }
    sizes[end] = best
  }
  const blocks: number[] = []
  for (let end = count; end > 0; end = starts[end] as number) blocks.push(ends[end - 1] as number)
  return blocks.reverse()
}

/** Divides the symbols into pieces. Returns where each ends, and how often each symbol occurs before each piece. */
function countPieces(data: Uint8Array, choices: Uint32Array): { ends: number[]; sums: Uint32Array } {
  let total = 0
  for (let at = 0; at < choices.length; total++) at += (choices[at] as number) & LENGTH_MASK || 1
  const pieceCount = Math.max(1, Math.min(MOST_PIECES, Math.floor(total / LEAST_SYMBOLS)))
  const sums = new Uint32Array((pieceCount + 1) * ALL_SYMBOLS)
  const ends: number[] = []
  let at = 0
  let done = 0
  for (let piece = 1; piece <= pieceCount; piece++) {
    const base = piece * ALL_SYMBOLS
    sums.copyWithin(base, base - ALL_SYMBOLS, base)
    for (const most = Math.floor((total * piece) / pieceCount); done < most; done++) {
      const choice = choices[at] as number
      const length = choice & LENGTH_MASK
      const symbol =
        base + (choice === 0 ? (data[at] as number) : FIRST_LENGTH_SYMBOL + (LENGTH_SLOT[length] as number))
      sums[symbol] = (sums[symbol] as number) + 1
      const slot = base + LITERAL_SYMBOLS + (choice >>> SLOT_SHIFT)
      if (choice !== 0) sums[slot] = (sums[slot] as number) + 1
      at += length || 1
    }
    ends.push(at)
  }
  return { ends, sums }
}

/** Estimates the size of a block, in bits, without extra bits, which don't depend on the block. */
function estimateBits(sums: Uint32Array, start: number, end: number): number {
  const from = start * ALL_SYMBOLS
  const to = end * ALL_SYMBOLS
  let bits = HEADER_BITS
  let used = 0
  let total = 0
  for (let symbol = 0; symbol < LITERAL_SYMBOLS; symbol++) {
    const count = (sums[to + symbol] as number) - (sums[from + symbol] as number)
    if (count === 0) continue
    used++
    total += count
    bits -= information(count)
  }
  bits += information(total)
  total = 0
  for (let symbol = LITERAL_SYMBOLS; symbol < ALL_SYMBOLS; symbol++) {
    const count = (sums[to + symbol] as number) - (sums[from + symbol] as number)
    if (count === 0) continue
    used++
    total += count
    bits -= information(count)
  }
  return bits + information(total) + used * SYMBOL_BITS
}
