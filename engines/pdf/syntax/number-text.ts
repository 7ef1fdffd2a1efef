import { PDFNumber } from 'pdf-lib'
import { INTEGER_LIMIT } from './syntax'

/** The largest real that readers support (ISO 32000-1, Annex C). */
const LARGEST_REAL = 3.403e38

/**
 * Writes a number for PDF: without an exponent, which PDF doesn't allow, with at most six decimals, and without
 * integers of more than 64 bits.
 */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) < 5e-7) return '0'
  if (Math.abs(value) >= INTEGER_LIMIT) return `${BigInt(Math.sign(value) * Math.min(Math.abs(value), LARGEST_REAL))}.0`
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const text = String(value)
  const isShort = !text.includes('e') && text.length - text.indexOf('.') <= 7
  return isShort ? text : value.toFixed(6).replace(/\.?0+$/, '')
}

/** A number for an object, rounded to this many decimals. */
export function roundedNumber(value: number, decimals = 4): PDFNumber {
  return PDFNumber.of(Math.round(value * 10 ** decimals) / 10 ** decimals || 0) // No -0.
}

/** A number rounded to thousandths, which is enough for what Sheaf draws itself. */
export function writeRounded(value: number): string {
  return writeNumber(Math.round(value * 1000) / 1000)
}

/** Writes numbers as operands of a content stream, separated by spaces. */
export function writeNumbers(numbers: readonly number[]): string {
  return numbers.map(writeNumber).join(' ')
}
