import type { BitWriter } from './bit-writer'
import type { BlockPlan } from './block-plan'
import { codesOf } from './code-lengths'
import { extraBitsOf } from './length-runs'
import type { LengthRuns } from './length-runs'
import { LENGTH_MASK, SLOT_SHIFT } from './match-finder'
import { distanceOf } from './parse'
import {
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  END_OF_BLOCK,
  FIRST_LENGTH_SYMBOL,
  LENGTH_BASE,
  LENGTH_EXTRA,
  LENGTH_SLOT,
} from './symbols'

/** Types of blocks (RFC 1951, 3.2.3). */
const STORED = 0
const FIXED = 1
const DYNAMIC = 2

/** Maximum number of bytes of a stored block (RFC 1951, 3.2.4). */
const MOST_STORED = 65_535

/** Returns the size of bytes that are stored, in bits, with the bits that fill the byte before. */
export function storedBits(byteLength: number): number {
  return byteLength * 8 + Math.ceil(byteLength / MOST_STORED) * (3 + 7 + 32)
}

/** Writes bytes without compression. */
export function writeStored(output: BitWriter, data: Uint8Array, isLast: boolean): void {
  for (let at = 0; at < data.length; at += MOST_STORED) {
    const part = data.subarray(at, at + MOST_STORED)
    output.write(isLast && at + part.length === data.length ? 1 : 0, 1)
    output.write(STORED, 2)
    output.align()
    output.write(part.length, 16)
    output.write(~part.length & 0xffff, 16)
    for (const byte of part) output.write(byte, 8)
  }
}

/** Writes a block with the symbols that `choices` has for `data`. */
export function writeBlock(
  output: BitWriter,
  { data, choices, plan, isLast }: { data: Uint8Array; choices: Uint32Array; plan: BlockPlan; isLast: boolean },
): void {
  output.write(isLast ? 1 : 0, 1)
  output.write(plan.isFixed ? FIXED : DYNAMIC, 2)
  if (plan.runs) writeRuns(output, plan.runs)
  const { literals, distances } = plan
  const literalCodes = codesOf(literals)
  const distanceCodes = codesOf(distances)
  for (let at = 0; at < data.length;) {
    const choice = choices[at] as number
    if (choice === 0) {
      const literal = data[at++] as number
      output.write(literalCodes[literal] as number, literals[literal] as number)
      continue
    }
    const length = choice & LENGTH_MASK
    const slot = LENGTH_SLOT[length] as number
    const symbol = FIRST_LENGTH_SYMBOL + slot
    output.write(literalCodes[symbol] as number, literals[symbol] as number)
    output.write(length - (LENGTH_BASE[slot] as number), LENGTH_EXTRA[slot] as number)
    const distance = choice >>> SLOT_SHIFT
    output.write(distanceCodes[distance] as number, distances[distance] as number)
    output.write(distanceOf(choice) - (DISTANCE_BASE[distance] as number), DISTANCE_EXTRA[distance] as number)
    at += length
  }
  output.write(literalCodes[END_OF_BLOCK] as number, literals[END_OF_BLOCK] as number)
}

/** Writes the lengths of the codes of a block (RFC 1951, 3.2.7). */
function writeRuns(output: BitWriter, { literalCount, distanceCount, codes, lengths, symbols }: LengthRuns): void {
  output.write(literalCount - FIRST_LENGTH_SYMBOL, 5)
  output.write(distanceCount - 1, 5)
  output.write(codes.length - 4, 4)
  for (const length of codes) output.write(length, 3)
  const values = codesOf(lengths)
  for (const both of symbols) {
    const symbol = both & 255
    output.write(values[symbol] as number, lengths[symbol] as number)
    output.write(both >> 8, extraBitsOf(symbol))
  }
}
