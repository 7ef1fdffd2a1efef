import type { SymbolCounts } from './parse'
import {
  DISTANCE_EXTRA,
  DISTANCE_SYMBOLS,
  FIRST_LENGTH_SYMBOL,
  LEAST_LENGTH,
  LENGTH_EXTRA,
  LENGTH_SLOT,
  MOST_LENGTH,
} from './symbols'

/** The unit of costs: this share of a bit. Sums of a segment fit into 32 bits. */
const UNITS = 64

/** Costs of the first parse, in bits without extra bits. */
const FIRST_LENGTH_BITS = 6
const FIRST_DISTANCE_BITS = 4.5

/** The cost of each literal byte, each length and each distance symbol, with extra bits. */
export interface SymbolCosts {
  literals: Int32Array
  lengths: Int32Array
  distances: Int32Array
}

function newCosts(): SymbolCosts {
  return {
    literals: new Int32Array(256),
    lengths: new Int32Array(MOST_LENGTH + 1),
    distances: new Int32Array(DISTANCE_SYMBOLS),
  }
}

/** Estimates costs from the bytes of the data alone. */
export function firstCosts(data: Uint8Array): SymbolCosts {
  const costs = newCosts()
  const counts = new Uint32Array(256)
  for (const byte of data) counts[byte] = (counts[byte] as number) + 1
  for (let byte = 0; byte < 256; byte++) {
    const bits = Math.log2(data.length / Math.max(1, counts[byte] as number)) + 1
    costs.literals[byte] = Math.round(Math.min(12, Math.max(2, bits)) * UNITS)
  }
  for (let length = LEAST_LENGTH; length <= MOST_LENGTH; length++)
    costs.lengths[length] = (FIRST_LENGTH_BITS + (LENGTH_EXTRA[LENGTH_SLOT[length] as number] as number)) * UNITS
  for (let slot = 0; slot < DISTANCE_SYMBOLS; slot++)
    costs.distances[slot] = (FIRST_DISTANCE_BITS + (DISTANCE_EXTRA[slot] as number)) * UNITS
  return costs
}

/** Returns the information content of each symbol of a block that used symbols as often as `counts` says. */
export function costsOf({ literals, distances }: SymbolCounts): SymbolCosts {
  const costs = newCosts()
  const symbols = bitsOf(literals)
  const slots = bitsOf(distances)
  for (let byte = 0; byte < 256; byte++) costs.literals[byte] = Math.round((symbols[byte] as number) * UNITS)
  for (let length = LEAST_LENGTH; length <= MOST_LENGTH; length++) {
    const slot = LENGTH_SLOT[length] as number
    const bits = (symbols[FIRST_LENGTH_SYMBOL + slot] as number) + (LENGTH_EXTRA[slot] as number)
    costs.lengths[length] = Math.round(bits * UNITS)
  }
  for (let slot = 0; slot < DISTANCE_SYMBOLS; slot++)
    costs.distances[slot] = Math.round(((slots[slot] as number) + (DISTANCE_EXTRA[slot] as number)) * UNITS)
  return costs
}

/** Returns the costs of the fixed codes (RFC 1951, 3.2.6). */
export function fixedCosts(): SymbolCosts {
  const costs = newCosts()
  for (let byte = 0; byte < 256; byte++) costs.literals[byte] = (byte < 144 ? 8 : 9) * UNITS
  for (let length = LEAST_LENGTH; length <= MOST_LENGTH; length++) {
    const slot = LENGTH_SLOT[length] as number
    costs.lengths[length] = ((FIRST_LENGTH_SYMBOL + slot < 280 ? 7 : 8) + (LENGTH_EXTRA[slot] as number)) * UNITS
  }
  for (let slot = 0; slot < DISTANCE_SYMBOLS; slot++)
    costs.distances[slot] = (5 + (DISTANCE_EXTRA[slot] as number)) * UNITS
  return costs
}

function bitsOf(counts: Uint32Array): Float64Array {
  const sum = counts.reduce((total, count) => total + count, 0)
  const all = Math.log2(Math.max(1, sum))
  return Float64Array.from(counts, count => (count === 0 ? all + 1 : Math.max(0.5, all - Math.log2(count))))
}
