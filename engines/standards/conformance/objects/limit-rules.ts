import { PDFString } from 'pdf-lib'
import { asBuffer, isWhite } from '../../../pdf/syntax'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import type { NumberToken } from './numbers'

/** Rules for integers and reals (ISO 32000-1, Annex C). */
export const NUMBER_RULES: readonly Rule<NumberToken>[] = [
  {
    in: inAllParts('6.1.12-1', '6.1.13-1'),
    message: 'Integers must be from -2,147,483,648 to 2,147,483,647.',
    check: ({ isReal, value, text }) =>
      isReal || (value <= 2_147_483_647 && value >= -2_147_483_648) ? undefined : text,
  },
  {
    in: { 'pdfa-1': '6.1.12-2' },
    message: 'Real numbers must be from -32,767 to 32,767.',
    check: ({ isReal, value, text }) => (isReal && Math.abs(value) > 32_767 ? text : undefined),
  },
  {
    in: inParts23('6.1.13-2'),
    message: 'Real numbers must be within ±3.403 × 10^38.',
    check: ({ isReal, value, text }) => (isReal && Math.abs(value) > 3.403e38 ? text : undefined),
  },
  {
    in: inParts23('6.1.13-5'),
    message: 'Real numbers other than 0 must not be closer to 0 than ±1.175 × 10^-38.',
    check: ({ isReal, value, text }) => (isReal && value !== 0 && Math.abs(value) < 1.175e-38 ? text : undefined),
  },
]

/** Rules for the bytes of a name, with decoded escapes, as Latin-1 text. */
export const NAME_RULES: readonly Rule<string>[] = [
  {
    in: inAllParts('6.1.12-4', '6.1.13-4'),
    message: 'Names must have at most 127 bytes.',
    check: name => (name.length > 127 ? `${name.length} bytes` : undefined),
  },
]

/** A string as it is written. */
export interface StringToken {
  bytes: Uint8Array
  start: number
  end: number
  isHex: boolean
}

/** Strings with fewer bytes in the file can't be too long. */
const LEAST_LONG = 32_767

/** Returns whether a string may break a rule. Nearly all strings don't. */
export function isUnusualString(token: StringToken): boolean {
  if (token.end - token.start > LEAST_LONG) return true
  if (!token.isHex) return false
  const { all, hex } = countDigits(token)
  return all % 2 === 1 || hex < all
}

/** Rules for strings. */
export const STRING_RULES: readonly Rule<StringToken>[] = [
  {
    in: inAllParts('6.1.6-1', '6.1.6-1'),
    message: 'Hexadecimal strings must have an even number of digits.',
    check: token => {
      const count = token.isHex ? countDigits(token).all : 0
      return count % 2 === 0 ? undefined : `${count} digits`
    },
  },
  {
    in: inAllParts('6.1.6-2', '6.1.6-2'),
    message: 'Hexadecimal strings must contain only the digits 0 to 9 and A to F.',
    check: token => {
      const count = token.isHex ? countDigits(token) : undefined
      return count && count.hex < count.all ? quoteStart(token) : undefined
    },
  },
  {
    in: { 'pdfa-1': '6.1.12-3' },
    message: 'Strings must have at most 65,535 bytes.',
    check: token => checkLength(token, 65_535),
  },
  {
    in: inParts23('6.1.13-3'),
    message: 'Strings must have at most 32,767 bytes.',
    check: token => checkLength(token, 32_767),
  },
]

function countDigits({ bytes, start, end }: StringToken): { all: number; hex: number } {
  let all = 0
  let hex = 0
  const last = bytes[end - 1] === 0x3e ? end - 1 : end
  for (let at = start + 1; at < last; at++) {
    const byte = bytes[at] as number
    if (isWhite(byte)) continue
    all++
    if ((byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 70) || (byte >= 97 && byte <= 102)) hex++
  }
  return { all, hex }
}

function quoteStart({ bytes, start, end }: StringToken): string {
  return JSON.stringify(asBuffer(bytes).toString('latin1', start, Math.min(end, start + 40)))
}

function checkLength(token: StringToken, most: number): string | undefined {
  const { bytes, start, end, isHex } = token
  // Escapes and digits take more bytes than they stand for, so most strings needn't be decoded.
  if (end - start - 2 <= most) return undefined
  const length = isHex
    ? Math.ceil(countDigits(token).hex / 2)
    : PDFString.of(asBuffer(bytes).toString('latin1', start + 1, end - 1)).asBytes().length
  return length > most ? `${length} bytes` : undefined
}

/** Rules for the number of values of an array. */
export const ARRAY_RULES: readonly Rule<number>[] = [
  {
    in: { 'pdfa-1': '6.1.12-5' },
    message: 'Arrays must have at most 8,191 elements.',
    check: size => (size > 8191 ? `${size} elements` : undefined),
  },
]

/** Rules for the number of entries of a dictionary. */
export const DICTIONARY_RULES: readonly Rule<number>[] = [
  {
    in: { 'pdfa-1': '6.1.12-6' },
    message: 'Dictionaries must have at most 4,095 entries.',
    check: size => (size > 4095 ? `${size} entries` : undefined),
  },
]
