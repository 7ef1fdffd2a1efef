import { DamagedFontError, FontData, FontWriter, bytesAfter, readShortInteger } from '../font-data'

/**
 * DICT operators that this code reads (Adobe Technical Note 5176, 9, 15 and 18). Operators after an escape byte are
 * 1200 plus their second byte.
 */
export const DictKey = {
  version: 0,
  notice: 1,
  fullName: 2,
  familyName: 3,
  weight: 4,
  fontBox: 5,
  uniqueId: 13,
  xuid: 14,
  charset: 15,
  encoding: 16,
  charStrings: 17,
  private: 18,
  subrs: 19,
  nominalWidth: 21,
  copyright: 1200,
  charstringType: 1206,
  fontMatrix: 1207,
  syntheticBase: 1220,
  postScript: 1221,
  baseFontName: 1222,
  baseFontBlend: 1223,
  ros: 1230,
  cidCount: 1234,
  uidBase: 1235,
  fdArray: 1236,
  fdSelect: 1237,
  fontName: 1238,
} as const

const ESCAPE = 12
const ESCAPED = 1200

const MOST_OPERANDS = 513

/** An entry of a DICT. */
export interface DictEntry {
  key: number
  operands: number[]
  /** The operands as encoded in the font program. */
  raw: Uint8Array
}

/**
 * Reads the entries of a DICT by operator, in their order. If an operator occurs several times, its last entry counts.
 * Throws `DamagedFontError` if the DICT is invalid.
 */
export function readDict(bytes: Uint8Array): Map<number, DictEntry> {
  const data = new FontData(bytes)
  const entries = new Map<number, DictEntry>()
  let operands: number[] = []
  let [at, start] = [0, 0]
  while (at < data.length) {
    const first = data.u8(at)
    if (first > LAST_OPERATOR) {
      const { value, size } = readOperand(data, at)
      operands.push(value)
      at += size
      if (operands.length > MOST_OPERANDS) throw new DamagedFontError('a DICT entry has too many operands')
      continue
    }
    const key = first === ESCAPE ? ESCAPED + data.u8(at + 1) : first
    entries.set(key, { key, operands, raw: data.slice(start, at) })
    at += first === ESCAPE ? 2 : 1
    start = at
    operands = []
  }
  return entries
}

/** First bytes of operands (Adobe Technical Note 5176, table 3). Those between 32 and 254 are of short integers. */
const INTEGER_16 = 28
const INTEGER_32 = 29
const REAL = 30
/** The last first byte of an operator. */
const LAST_OPERATOR = 21

/** Reads an operand and the number of its bytes. */
function readOperand(data: FontData, at: number): { value: number; size: number } {
  const first = data.u8(at)
  if (first === INTEGER_16) return { value: data.i16(at + 1), size: 3 }
  if (first === INTEGER_32) return { value: data.u32(at + 1) | 0, size: 5 }
  if (first === REAL) return readReal(data, at + 1)
  if (first >= 32 && first <= 254) return { value: readShortInteger(data, first, at + 1), size: 1 + bytesAfter(first) }
  throw new DamagedFontError('a DICT has a reserved byte')
}

/** What the digits of a real number mean, each half a byte (Adobe Technical Note 5176, table 5), and its end. */
const REAL_DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']
const REAL_END = 15

function readReal(data: FontData, start: number): { value: number; size: number } {
  let text = ''
  for (let at = start; ; at++) {
    const byte = data.u8(at)
    for (const digit of [byte >> 4, byte & 15]) {
      if (digit === REAL_END) return { value: Number(text), size: at - start + 2 }
      text += REAL_DIGITS[digit] ?? ''
    }
  }
}

/** Writes one entry whose operands are already encoded. */
export function writeRawEntry(dict: FontWriter, key: number, raw: Uint8Array): void {
  dict.bytes(raw)
  if (key >= ESCAPED) dict.u8(ESCAPE)
  dict.u8(key >= ESCAPED ? key - ESCAPED : key)
}

/**
 * Writes one entry with integer operands. Each takes five bytes, whatever its value, so that offsets can be filled in
 * later.
 */
export function writeEntry(dict: FontWriter, key: number, operands: readonly number[]): void {
  const raw = new FontWriter()
  for (const operand of operands) raw.u8(INTEGER_32).u32(operand)
  writeRawEntry(dict, key, raw.finish())
}

/** Encodes a real number as a DICT operand. */
export function writeReal(value: number): Uint8Array {
  const digits = [...value.toString().toUpperCase().replace('E+', 'E')]
  const nibbles: number[] = []
  for (let index = 0; index < digits.length; index++) {
    const isNegativeExponent = digits[index] === 'E' && digits[index + 1] === '-'
    nibbles.push(REAL_DIGITS.indexOf(isNegativeExponent ? 'E-' : (digits[index] ?? '')))
    if (isNegativeExponent) index++
  }
  nibbles.push(REAL_END)
  const bytes = new FontWriter().u8(REAL)
  for (let index = 0; index < nibbles.length; index += 2)
    bytes.u8(((nibbles[index] ?? REAL_END) << 4) | (nibbles[index + 1] ?? REAL_END))
  return bytes.finish()
}
