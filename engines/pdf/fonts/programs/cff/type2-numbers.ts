import { DamagedFontError } from '../font-data'
import type { FontWriter } from '../font-data'

/** Numbers in Type 2 charstrings are multiples of this. */
const STEP = 1 / 65_536

const SHORT = 28
const FIXED = 255

/** Returns the nearest number that a Type 2 charstring can hold. Throws `DamagedFontError` if it is out of range. */
export function roundOperand(value: number): number {
  if (!(value >= -32_768 && value < 32_768)) throw new DamagedFontError('a number of a charstring is too large')
  return Math.round(value / STEP) * STEP
}

/** Writes a number of a Type 2 charstring in its shortest form (Adobe Technical Note 5177, 3.2). */
export function writeOperand(writer: FontWriter, value: number): void {
  const size = Math.abs(value)
  if (!Number.isInteger(value)) writer.u8(FIXED).u32(Math.round(value / STEP))
  else if (size <= 107) writer.u8(value + 139)
  else if (size > 1131) writer.u8(SHORT).u16(value)
  else if (value > 0) writer.u8(247 + ((value - 108) >> 8)).u8(value - 108)
  else writer.u8(251 + ((-value - 108) >> 8)).u8(-value - 108)
}
