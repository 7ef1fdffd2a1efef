/**
 * Character classes and number parsing on bytes (ISO 32000-2, 7.2.3). Positions are byte offsets in the given buffer.
 */

// Bytes with a meaning in PDF syntax (ISO 32000-2, 7.2.3).
const PERCENT = 0x25
const LOWER_B = 0x62
const LOWER_J = 0x6a
const LOWER_O = 0x6f

/** The class of regular characters other than digits (ISO 32000-2, 7.2.3). */
export const REGULAR = 0
/** The class of white space. */
export const WHITE = 1
/** The class of delimiters. */
export const DELIMITER = 2
/** The class of digits, which are regular characters too. */
export const DIGIT = 4

const classes = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = WHITE
for (const character of '()<>[]{}/%') classes[character.charCodeAt(0)] = DELIMITER
for (let byte = 48; byte <= 57; byte++) classes[byte] = DIGIT

/** The class of every byte. A typed array, because the scanner's inner loops read it for every byte. */
export const characterClass = classes

/** White space: NUL, tab, line feed, form feed, carriage return, space. */
export const isWhite = (byte: number | undefined): boolean => byte !== undefined && classes[byte] === WHITE
/** One of `()<>[]{}/%`. */
export const isDelimiter = (byte: number | undefined): boolean => byte !== undefined && classes[byte] === DELIMITER
/** 0 to 9. */
export const isDigit = (byte: number | undefined): boolean => byte !== undefined && classes[byte] === DIGIT
/** Neither white space nor a delimiter. */
export const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && (classes[byte] === REGULAR || classes[byte] === DIGIT)

/** The position of the first byte at or after `at` that isn't white space and isn't part of a comment. */
export function skipSpace(bytes: Uint8Array, at: number, end = bytes.length): number {
  let position = at
  while (position < end) {
    const byte = bytes[position]
    if (byte === PERCENT) {
      position++
      while (position < end && bytes[position] !== 10 && bytes[position] !== 13) position++
    } else if (isWhite(byte)) {
      position++
    } else {
      break
    }
  }
  return position
}

/**
 * Reads an unsigned integer of at most 15 digits at `at`. Returns its value and the position after it, or undefined.
 */
export function readInteger(
  bytes: Uint8Array,
  at: number,
  end = bytes.length,
): { value: number; end: number } | undefined {
  let position = at
  let value = 0
  while (position < end && isDigit(bytes[position])) {
    value = value * 10 + (bytes[position] as number) - 48
    position++
    if (position - at > 15) return undefined
  }
  return position === at ? undefined : { value, end: position }
}

/** Returns whether the bytes at `at` are this ASCII text. */
export function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (at < 0 || at + text.length > bytes.length) return false
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false
  return true
}

/** A view of the bytes as a Buffer, for its search methods. Doesn't copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The header of an indirect object, `N G obj`. One instance is reused, because a file has tens of thousands. */
export class ObjectHeader {
  number = 0
  generation = 0
  /** Position of the object number. */
  start = 0
  /** Position after `obj`. */
  body = 0

  /** Reads the header at `at`, after any white space and comments. Returns false if there is none. */
  read(bytes: Uint8Array, at: number): boolean {
    let position = isDigit(bytes[at]) ? at : skipSpace(bytes, at)
    this.start = position
    let number = 0
    for (; isDigit(bytes[position]); position++) number = number * 10 + (bytes[position] as number) - 48
    if (position === this.start || position - this.start > 15 || !isWhite(bytes[position])) return false
    position = skipSpace(bytes, position)
    const second = position
    let generation = 0
    for (; isDigit(bytes[position]); position++) generation = generation * 10 + (bytes[position] as number) - 48
    if (position === second || position - second > 15) return false
    position = skipSpace(bytes, position)
    if (bytes[position] !== LOWER_O || bytes[position + 1] !== LOWER_B || bytes[position + 2] !== LOWER_J) return false
    this.number = number
    this.generation = generation
    this.body = position + 3
    return true
  }
}

/** The greatest generation number (ISO 32000-2, 7.5.4). */
export const MAX_GENERATION = 65_535

/** Integers from here on exceed 64 bits. Readers reject them or treat them as reals. */
export const INTEGER_LIMIT = 2 ** 63
