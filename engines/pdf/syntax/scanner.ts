import { asBuffer, characterClass, INTEGER_LIMIT, isAt, skipSpace } from './syntax'
import type * as Syntax from './syntax'

/*
 * Character classes and bytes under local names. The values are compile-time constants of this module, because reading
 * imported bindings for every byte would slow down the scan loop. The types check that they equal those in `syntax.ts`.
 */
const REGULAR: typeof Syntax.REGULAR = 0
const WHITE: typeof Syntax.WHITE = 1
const DELIMITER: typeof Syntax.DELIMITER = 2
const DIGIT: typeof Syntax.DIGIT = 4

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const PERCENT = 0x25
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const PLUS = 0x2b
const MINUS = 0x2d
const SLASH = 0x2f
const ZERO = 0x30
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const LETTER_R = 0x52
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_E = 0x65
const LETTER_O = 0x6f
const LETTER_S = 0x73

/**
 * Finds the end of a value and the references in it without creating objects. Objects that the writer copies as bytes
 * are only scanned. One instance is reused for many objects. Its result is valid until the next scan.
 */
export class Scanner {
  /** References found by the last scan. Each has three numbers: start offset, end offset and object number. */
  references = new Float64Array(3 * 64)
  referenceCount = 0
  /** Position after the value's last token. */
  end = 0
  /** Whether all brackets are closed, and no token comes after the last one. */
  isBalanced = true
  /** Whether an integer exceeds 64 bits. */
  hasLongInteger = false
  /** Position of the first data byte of a stream. −1 if the object isn't a stream. */
  streamStart = -1
  /** The direct /Length of a stream's dictionary, or −1 if there is none. */
  directLength = -1
  /** The object number of an indirect /Length, or −1 if there is none. */
  lengthReference = -1

  /**
   * Scans tokens from `at` up to `endobj`, `stream`, the start of another object or `limit`. With `isOne`, scans up to
   * the end of the array or dictionary at `at`. Never throws: a damaged value just ends somewhere.
   *
   * The function is long because it runs for every byte of a copied object. Parts of it would have to share their state
   * in fields, which are slower than local variables.
   */
  scan(bytes: Uint8Array, at: number, limit: number, isOne = false): void {
    this.referenceCount = 0
    this.streamStart = -1
    this.directLength = -1
    this.lengthReference = -1
    let position = at
    let depth = 0
    // Position after the bracket that closed the value.
    let closed = -1
    let expectsLength = false
    // The last two integers, which are N and G of a possible `N G R` or `N G obj`.
    let before = -1
    let beforeStart = 0
    let last = -1
    let lastStart = 0
    this.end = at
    this.isBalanced = true
    this.hasLongInteger = false
    while (position < limit) {
      const byte = bytes[position] as number
      const kind = characterClass[byte] as number
      if (kind === WHITE) {
        position++
        continue
      }
      // An integer without a sign, or another token that begins with a digit.
      if (kind === DIGIT) {
        const start = position
        let value = byte - ZERO
        position++
        while (position < limit && characterClass[bytes[position] as number] === DIGIT)
          value = value * 10 + (bytes[position++] as number) - ZERO
        const next = characterClass[bytes[position] as number]
        if (position >= limit || next === WHITE || next === DELIMITER) {
          if (value >= INTEGER_LIMIT) this.hasLongInteger = true
          before = last
          beforeStart = lastStart
          last = value
          lastStart = start
          if (expectsLength) this.directLength = value
        } else {
          position = regularEnd(bytes, position, limit)
          before = last = -1
        }
        expectsLength = false
        this.end = position
        continue
      }
      // A keyword, or a number with a sign or a leading period.
      if (kind === REGULAR) {
        const start = position
        position = regularEnd(bytes, position + 1, limit)
        const length = position - start
        if (length === 1 && byte === LETTER_R && before >= 0 && last >= 0) {
          if (this.directLength === before && depth === 1 && this.lengthAt === beforeStart) {
            this.directLength = -1
            this.lengthReference = before
          }
          this.add(beforeStart, position, before)
        } else if (length === 6 && byte === LETTER_E && isAt(bytes, start, 'endobj')) {
          this.isBalanced = depth === 0 && (closed < 0 || closed === this.end)
          return
        } else if (length >= 6 && byte === LETTER_S && depth <= 0 && isAt(bytes, start, 'stream')) {
          this.isBalanced = depth === 0 && closed === this.end
          this.streamStart = streamData(bytes, start + 6)
          return
        } else if (length === 3 && byte === LETTER_O && before >= 0 && last >= 0 && isAt(bytes, start, 'obj')) {
          // The next object begins although this object has no `endobj`.
          this.end = beforeStart
          this.isBalanced = depth === 0
          return
        }
        if (length >= LONG_DIGITS && (byte === MINUS || byte === PLUS))
          this.hasLongInteger ||= Math.abs(Number(asBuffer(bytes).toString('latin1', start, position))) >= INTEGER_LIMIT
        before = last = -1
        expectsLength = false
        this.end = position
        continue
      }
      if (byte === PERCENT) {
        // A comment counts as white space, so it may be part of a reference.
        position = commentEnd(bytes, position, limit)
        continue
      }
      // Any other delimiter: names, strings and brackets.
      before = last = -1
      expectsLength = false
      if (byte === SLASH) {
        const start = position + 1
        position = regularEnd(bytes, start, limit)
        if (depth === 1 && position - start === 6 && isAt(bytes, start, 'Length')) {
          expectsLength = true
          this.lengthAt = skipSpace(bytes, position, limit)
        }
      } else if (byte === OPEN_PARENTHESIS) {
        position = stringEnd(bytes, position, limit)
      } else if (byte === LESS_THAN) {
        if (bytes[position + 1] === LESS_THAN) {
          depth++
          position += 2
        } else {
          position = hexStringEnd(bytes, position, limit)
        }
      } else if (byte === GREATER_THAN) {
        if (bytes[position + 1] === GREATER_THAN) {
          depth--
          position += 2
          if (depth === 0 && closed < 0) closed = position
        } else {
          position++
        }
      } else {
        if (byte === OPEN_BRACKET) depth += 1
        else if (byte === CLOSE_BRACKET) depth -= 1
        position++
        if (byte === CLOSE_BRACKET && depth === 0 && closed < 0) closed = position
      }
      this.end = Math.min(position, limit)
      if (isOne && depth === 0) break
    }
    this.isBalanced = depth === 0
  }

  private lengthAt = -1

  private add(start: number, end: number, number: number): void {
    const at = this.referenceCount * 3
    if (at + 3 > this.references.length) {
      const larger = new Float64Array(this.references.length * 2)
      larger.set(this.references)
      this.references = larger
    }
    this.references[at] = start
    this.references[at + 1] = end
    this.references[at + 2] = number
    this.referenceCount++
  }
}

/** Integers with fewer characters, including the sign, fit into 64 bits. */
const LONG_DIGITS = 20

/**
 * The position after the regular characters that begin at `at` (ISO 32000-2, 7.2.3). Digits are regular characters with
 * a class of their own, so the remainder is 0 for both.
 */
export function regularEnd(bytes: Uint8Array, at: number, limit: number): number {
  let position = at
  while (position < limit && (characterClass[bytes[position] as number] as number) % DIGIT === REGULAR) position++
  return position
}

/** The position of the line end after the comment at `at`. */
export function commentEnd(bytes: Uint8Array, at: number, limit: number): number {
  let position = at
  while (position < limit && bytes[position] !== LINE_FEED && bytes[position] !== CARRIAGE_RETURN) position++
  return position
}

/** The position after the hexadecimal string at `at`. */
export function hexStringEnd(bytes: Uint8Array, at: number, limit: number): number {
  let position = at + 1
  while (position < limit && bytes[position] !== GREATER_THAN) position++
  return Math.min(position + 1, limit)
}

/** The position after the literal string at `at` (ISO 32000-2, 7.3.4.2: balanced parentheses, escapes). */
export function stringEnd(bytes: Uint8Array, at: number, limit: number): number {
  let depth = 1
  let position = at + 1
  while (position < limit) {
    const byte = bytes[position++]
    if (byte === BACKSLASH) position++
    else if (byte === OPEN_PARENTHESIS) depth++
    else if (byte === CLOSE_PARENTHESIS && --depth === 0) break
  }
  return Math.min(position, limit)
}

/**
 * Position of a stream's first data byte. `at` is the end of the keyword. Skips CR LF, LF, or (tolerated) a lone CR.
 */
export function streamData(bytes: Uint8Array, at: number): number {
  let position = at
  // Some writers put spaces after the keyword.
  while (
    bytes[position] === SPACE &&
    (bytes[position + 1] === SPACE || bytes[position + 1] === LINE_FEED || bytes[position + 1] === CARRIAGE_RETURN)
  )
    position++
  if (bytes[position] === CARRIAGE_RETURN) return bytes[position + 1] === LINE_FEED ? position + 2 : position + 1
  if (bytes[position] === LINE_FEED) return position + 1
  return position
}
