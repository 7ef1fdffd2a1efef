import { bytesAfter, readShortInteger } from '../font-data'
import type { FontData } from '../font-data'

/**
 * Operators of Type 1 charstrings (Adobe Type 1 Font Format, 6.4). Operators after an escape byte are 1200 plus their
 * second byte.
 */
export const Operator = {
  call: 10,
  return: 11,
  escape: 12,
  end: 14,
  seac: 1206,
  divide: 1212,
  callOther: 1216,
  pop: 1217,
} as const

const LONG = 255

/** Reads the number that begins with the byte `first`, from 32 on. `at` is the offset of the byte after it. */
export function readNumber(data: FontData, first: number, at: number): { value: number; end: number } {
  if (first === LONG) return { value: data.u32(at) | 0, end: at + 4 }
  return { value: readShortInteger(data, first, at), end: at + bytesAfter(first) }
}
