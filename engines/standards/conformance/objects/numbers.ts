import { asBuffer } from '../../../pdf/syntax'

const PLUS = 0x2b
const MINUS = 0x2d
const PERIOD = 0x2e

/** A number as it is written. */
export interface NumberToken {
  /** Whether it has a decimal point. */
  isReal: boolean
  /** Infinite if the text isn't a number. */
  value: number
  text: string
}

/** Numbers with fewer digits before the point can't exceed any limit. */
const FEWEST_DIGITS = 5
/** Shorter numbers can't be too close to zero. */
const LEAST_TINY = 36

/**
 * Returns whether a number is long enough to exceed a limit, or isn't written like a number. Nearly all numbers are
 * short, so that only few are read.
 */
export function isUnusualNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++
  let digits = 0
  let points = 0
  let whole = 0
  for (; at < end; at++) {
    const byte = bytes[at] as number
    if (byte >= 0x30 && byte <= 0x39) {
      digits++
      if (points === 0) whole++
    } else if (byte === PERIOD) points++
    else break
  }
  return digits === 0 || points > 1 || whole >= FEWEST_DIGITS || end - start >= LEAST_TINY
}

/**
 * Reads a number (ISO 32000-1, 7.3.3): a sign, digits and one point. What follows them is another token. PDF numbers
 * have no exponent.
 */
export function readNumber(bytes: Uint8Array, start: number, end: number): NumberToken {
  const text = asBuffer(bytes).toString('latin1', start, Math.min(end, start + MOST_CHARACTERS))
  const digits = /^[+-]?([\d.]*)/.exec(text)?.[1] ?? ''
  const isReal = digits.includes('.')
  const isNumber = /^(?:\d+\.?\d*|\.\d+)$/.test(digits)
  const value = isNumber ? Number(digits) : Infinity
  return { isReal, value: text.startsWith('-') ? -value : value, text: text.slice(0, 60) }
}

/** A number with more characters than this exceeds every limit, or its further characters don't matter. */
const MOST_CHARACTERS = 1000
