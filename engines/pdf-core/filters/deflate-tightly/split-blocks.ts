import { LENGTH_MASK, SLOT_SHIFT } from './match-finder'
import { DISTANCE_SYMBOLS, FIRST_LENGTH_SYMBOL, LENGTH_SLOT, LITERAL_SYMBOLS } from './symbols'

/** Number of symbols in the smallest block, and maximum number of pieces that blocks are made of. */
const LEAST_SYMBOLS = 48
const MOST_PIECES = 64

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
  const { ends, sums, literalCount, symbolCount } = countPieces(data, choices)
  const count = ends.length
  const sizes = new Float64Array(count + 1)
  const starts = new Uint16Array(count + 1)
  for (let end = 1; end <= count; end++) {
    let best = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const size = (sizes[start] as number) + estimateBits(sums, { start, end, literalCount, symbolCount })
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

/** How often each symbol of the data occurs before each piece. Symbols that don't occur have no column. */
interface Pieces {
  /** Where each piece ends. */
  ends: number[]
  /** Rows of counts before each piece, and after the last. */
  sums: Uint32Array
  /** Number of columns of literals and lengths, which come first, and of all columns. */
  literalCount: number
  symbolCount: number
}

/** Divides the symbols into pieces. */
function countPieces(data: Uint8Array, choices: Uint32Array): Pieces {
  const totals = new Uint32Array(ALL_SYMBOLS)
  let total = 0
  for (let at = 0; at < choices.length; total++) {
    const choice = choices[at] as number
    const length = choice & LENGTH_MASK
    const symbol = choice === 0 ? (data[at] as number) : FIRST_LENGTH_SYMBOL + (LENGTH_SLOT[length] as number)
    totals[symbol] = 1
    if (choice !== 0) totals[LITERAL_SYMBOLS + (choice >>> SLOT_SHIFT)] = 1
    at += length || 1
  }
  const columns = new Uint16Array(ALL_SYMBOLS)
  let symbolCount = 0
  let literalCount = 0
  for (let symbol = 0; symbol < ALL_SYMBOLS; symbol++) {
    if (symbol === LITERAL_SYMBOLS) literalCount = symbolCount
    if (totals[symbol] !== 0) columns[symbol] = symbolCount++
  }
  const pieceCount = Math.max(1, Math.min(MOST_PIECES, Math.floor(total / LEAST_SYMBOLS)))
  const sums = new Uint32Array((pieceCount + 1) * symbolCount)
  const ends: number[] = []
  let at = 0
  let done = 0
  for (let piece = 1; piece <= pieceCount; piece++) {
    const base = piece * symbolCount
    sums.copyWithin(base, base - symbolCount, base)
    for (const most = Math.floor((total * piece) / pieceCount); done < most; done++) {
      const choice = choices[at] as number
      const length = choice & LENGTH_MASK
      const symbol = choice === 0 ? (data[at] as number) : FIRST_LENGTH_SYMBOL + (LENGTH_SLOT[length] as number)
      const column = base + (columns[symbol] as number)
      sums[column] = (sums[column] as number) + 1
      const slot = base + (columns[LITERAL_SYMBOLS + (choice >>> SLOT_SHIFT)] as number)
      if (choice !== 0) sums[slot] = (sums[slot] as number) + 1
      at += length || 1
    }
    ends.push(at)
  }
  return { ends, sums, literalCount, symbolCount }
}

/** Estimates the size of a block, in bits, without extra bits, which don't depend on the block. */
function estimateBits(
  sums: Uint32Array,
  {
    start,
    end,
    literalCount,
    symbolCount,
  }: { start: number; end: number } & Pick<Pieces, 'literalCount' | 'symbolCount'>,
): number {
  const from = start * symbolCount
  const to = end * symbolCount
  let bits = HEADER_BITS
  let used = 0
  let total = 0
  for (let column = 0; column < symbolCount; column++) {
    if (column === literalCount) {
      bits += information(total)
      total = 0
    }
    const count = (sums[to + column] as number) - (sums[from + column] as number)
    if (count === 0) continue
    used++
    total += count
    bits -= information(count)
  }
  return bits + information(total) + used * SYMBOL_BITS
}
