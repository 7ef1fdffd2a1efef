import { asBuffer, characterClass, INTEGER_LIMIT, isAt, skipSpace } from './syntax'

/**
 * Reads the extent of a value and the references inside it without making objects: what the writer copies as bytes is
 * only ever seen by this scanner. One instance is reused; its result is valid until the next scan.
 */
export class Scanner {
  /** References found by the last scan, three numbers each: first byte, byte behind, object number. */
  references = new Float64Array(3 * 64)
  referenceCount = 0
  /** Position behind the value's last token. */
  end = 0
  /** Whether every bracket that was opened was closed, and nothing stands behind the last one. */
  isBalanced = true
  /** Whether an integer is beyond 64 bits. */
  hasLongInteger = false
  /** For a stream: position of its first data byte, otherwise −1. */
  streamStart = -1
  /** The direct /Length of a stream's dictionary, or −1. */
  directLength = -1
  /** The object number of an indirect /Length, or −1. */
  lengthReference = -1

  /**
   * Scans tokens from `at` until `endobj`, `stream`, the start of another object or `limit`; with `isOne` until the
   * array or dictionary that begins there is closed. Never throws: a damaged value just ends somewhere.
   */
  scan(bytes: Uint8Array, at: number, limit: number, isOne = false): void {
    this.referenceCount = 0
    this.streamStart = -1
    this.directLength = -1
    this.lengthReference = -1
    let position = at
    let depth = 0
    // Behind the bracket that closed the value.
    let closed = -1
    let expectsLength = false
    // The last two integers, for `N G R`.
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
      if (kind === 1) {
        position++
        continue
      }
      if (kind === 4) {
        const start = position
        let value = byte - 48
        position++
        while (position < limit && characterClass[bytes[position] as number] === 4)
          value = value * 10 + (bytes[position++] as number) - 48
        const next = characterClass[bytes[position] as number]
        if (position >= limit || next === 1 || next === 2) {
          if (value >= INTEGER_LIMIT) this.hasLongInteger = true
          before = last
          beforeStart = lastStart
          last = value
          lastStart = start
          if (expectsLength) this.directLength = value
        } else {
          while (position < limit && (characterClass[bytes[position] as number] as number) % 4 === 0) position++
          before = last = -1
        }
        expectsLength = false
        this.end = position
        continue
      }
      if (kind === 0) {
        const start = position
        position++
        while (position < limit && (characterClass[bytes[position] as number] as number) % 4 === 0) position++
        const length = position - start
        if (length === 1 && byte === 0x52 /* R */ && before >= 0 && last >= 0) {
          if (this.directLength === before && depth === 1 && this.lengthAt === beforeStart) {
            this.directLength = -1
            this.lengthReference = before
          }
          this.add(beforeStart, position, before)
        } else if (length === 6 && byte === 0x65 && isAt(bytes, start, 'endobj')) {
          this.isBalanced = depth === 0 && (closed < 0 || closed === this.end)
          return
        } else if (length >= 6 && byte === 0x73 && depth <= 0 && isAt(bytes, start, 'stream')) {
          this.isBalanced = depth === 0 && closed === this.end
          this.streamStart = streamData(bytes, start + 6)
          return
        } else if (length === 3 && byte === 0x6f && before >= 0 && last >= 0 && isAt(bytes, start, 'obj')) {
          // The next object begins although this one was never closed.
          this.end = beforeStart
          this.isBalanced = depth === 0
          return
        }
        if (length >= LONG_DIGITS && (byte === 0x2d || byte === 0x2b))
          this.hasLongInteger ||= Math.abs(Number(asBuffer(bytes).toString('latin1', start, position))) >= INTEGER_LIMIT
        before = last = -1
        expectsLength = false
        this.end = position
        continue
      }
      if (byte === 0x25 /* % */) {
        // A comment counts as white space: it may stand inside a reference.
        while (position < limit && bytes[position] !== 10 && bytes[position] !== 13) position++
        continue
      }
      // Another delimiter.
      before = last = -1
      expectsLength = false
      if (byte === 0x2f /* / */) {
        const start = ++position
        while (position < limit && (characterClass[bytes[position] as number] as number) % 4 === 0) position++
        if (depth === 1 && position - start === 6 && isAt(bytes, start, 'Length')) {
          expectsLength = true
          this.lengthAt = skipSpace(bytes, position, limit)
        }
      } else if (byte === 0x28 /* ( */) {
        position = stringEnd(bytes, position, limit)
      } else if (byte === 0x3c /* < */) {
        if (bytes[position + 1] === 0x3c) {
          depth++
          position += 2
        } else {
          position++
          while (position < limit && bytes[position] !== 0x3e) position++
          position++
        }
      } else if (byte === 0x3e /* > */) {
        if (bytes[position + 1] === 0x3e) {
          depth--
          position += 2
          if (depth === 0 && closed < 0) closed = position
        } else {
          position++
        }
      } else {
        if (byte === 0x5b) depth += 1
        else if (byte === 0x5d) depth -= 1
        position++
        if (byte === 0x5d && depth === 0 && closed < 0) closed = position
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

/** Integers of fewer characters, sign included, fit into 64 bits. */
const LONG_DIGITS = 20

/** The position behind the literal string that opens at `at` (ISO 32000-2, 7.3.4.2: balanced parentheses, escapes). */
export function stringEnd(bytes: Uint8Array, at: number, limit: number): number {
  let depth = 1
  let position = at + 1
  while (position < limit) {
    const byte = bytes[position++]
    if (byte === 0x5c) position++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) break
  }
  return Math.min(position, limit)
}

/** First data byte of a stream whose keyword ends at `at`: behind CR LF, LF, or (tolerated) a lone CR. */
export function streamData(bytes: Uint8Array, at: number): number {
  let position = at
  // Some writers put blanks behind the keyword.
  while (
    bytes[position] === 0x20 &&
    (bytes[position + 1] === 0x20 || bytes[position + 1] === 10 || bytes[position + 1] === 13)
  )
    position++
  if (bytes[position] === 13) return bytes[position + 1] === 10 ? position + 2 : position + 1
  if (bytes[position] === 10) return position + 1
  return position
}
