import { codeLengths } from './code-lengths'
import { runsOfLengths } from './length-runs'
import type { LengthRuns } from './length-runs'
import type { SymbolCounts } from './parse'
import { smoothCounts } from './smooth-counts'
import { DISTANCE_EXTRA, FIRST_LENGTH_SYMBOL, LENGTH_EXTRA } from './symbols'

/** Maximum number of bits of a code (RFC 1951, 3.2.7). */
const MOST_BITS = 15

/** The estimated size of the description of codes, in bits: in total, and for each length that differs from the last. */
const HEADER_BITS = 60
const CHANGE_BITS = 3.5

/** How much similar counts are made equal, in the plans that are tried. */
const TOLERANCES = [0, 1, 2]
/** Codes up to this length aren't made shorter. */
const LEAST_LIMIT = 7

/** The codes of a block, and its size. */
export interface BlockPlan {
  isFixed: boolean
  /** The lengths of the codes of literals and lengths, and of distances, in bits. */
  literals: Uint8Array
  distances: Uint8Array
  /** How a block with codes of its own writes their lengths. */
  runs?: LengthRuns
  /** The size of the block without stored bytes, in bits. */
  bits: number
}

/** The lengths of the fixed codes (RFC 1951, 3.2.6). Both codes have symbols that are never used. */
const FIXED_LITERALS = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)
const FIXED_DISTANCES = new Uint8Array(32).fill(5)

/** Plans a block with the fixed codes. */
export function planFixed(counts: SymbolCounts): BlockPlan {
  const bits = 3 + dataBits(counts, FIXED_LITERALS, FIXED_DISTANCES)
  return { isFixed: true, literals: FIXED_LITERALS, distances: FIXED_DISTANCES, bits }
}

/** Plans a block with codes of its own. */
function planDynamic(counts: SymbolCounts): BlockPlan {
  return plan(counts, counts, MOST_BITS)
}

/** Estimates the size of a block with codes of its own, in bits. */
export function estimateDynamic(counts: SymbolCounts): number {
  const literals = codeLengths(counts.literals, MOST_BITS)
  const distances = codeLengths(counts.distances, MOST_BITS)
  return (
    dataBits(counts, literals, distances) +
    HEADER_BITS +
    (countChanges(literals) + countChanges(distances)) * CHANGE_BITS
  )
}

function countChanges(lengths: Uint8Array): number {
  let changes = 0
  for (let symbol = 1; symbol < lengths.length; symbol++) if (lengths[symbol] !== lengths[symbol - 1]) changes++
  return changes
}

/**
 * Plans a block with the fixed codes or codes of its own, whichever is smaller. Tries codes that are slightly longer but
 * take less space to describe.
 */
export function planBest(counts: SymbolCounts): BlockPlan {
  const fixed = planFixed(counts)
  let best = planDynamic(counts)
  const longest = Math.max(...best.literals)
  const limit = longest > LEAST_LIMIT && 2 ** (longest - 1) >= used(counts.literals) ? longest - 1 : longest
  for (const tolerance of TOLERANCES) {
    const other = plan(counts, tolerance === 0 ? counts : smoothCounts(counts, tolerance), limit)
    if (other.bits < best.bits) best = other
  }
  return fixed.bits <= best.bits ? fixed : best
}

function used(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
}

/** Plans a block with codes for the counts `aim`, and measures it with its real counts. */
function plan(counts: SymbolCounts, aim: SymbolCounts, limit: number): BlockPlan {
  const literals = codeLengths(aim.literals, limit)
  const distances = codeLengths(aim.distances, limit)
  const runs = runsOfLengths(literals, distances)
  return { isFixed: false, literals, distances, runs, bits: 3 + runs.bits + dataBits(counts, literals, distances) }
}

function dataBits(counts: SymbolCounts, literals: Uint8Array, distances: Uint8Array): number {
  let bits = 0
  for (let symbol = 0; symbol < counts.literals.length; symbol++) {
    const extra = symbol < FIRST_LENGTH_SYMBOL ? 0 : (LENGTH_EXTRA[symbol - FIRST_LENGTH_SYMBOL] as number)
    bits += (counts.literals[symbol] as number) * ((literals[symbol] as number) + extra)
  }
  for (let slot = 0; slot < counts.distances.length; slot++)
    bits += (counts.distances[slot] as number) * ((distances[slot] as number) + (DISTANCE_EXTRA[slot] as number))
  return bits
}
