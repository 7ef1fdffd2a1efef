import { hexStringEnd, regularEnd, stringEnd } from './scanner'
import { MAX_GENERATION, isAt, isDelimiter, isDigit, isRegular, readInteger, skipSpace } from './syntax'

const NUMBER_SIGN = 0x23
const OPEN_PARENTHESIS = 0x28
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const LETTER_R = 0x52
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LETTER_N = 0x6e

/**
 * Reads the entries of a dictionary from its bytes, one after another, without parsing their values. Stops at anything
 * unusual: an escape in a key, a null, a missing value or a wrong bracket. One instance is
 * reused for many dictionaries.
 */
export class EntryReader {
  /** Positions of the current key, without its slash. */
  key = 0
  keyEnd = 0
  /** Positions of the current value. */
  value = 0
  valueEnd = 0
  private bytes: Uint8Array = NO_BYTES
  private at = 0
  private end = 0

  /** Starts with the dictionary at `start`. Returns false if there is none. */
  open(bytes: Uint8Array, start: number, end: number): boolean {
    this.bytes = bytes
    this.end = end
    const at = skipSpace(bytes, start, end)
    if (bytes[at] !== LESS_THAN || bytes[at + 1] !== LESS_THAN) return false
    this.at = skipSpace(bytes, at + 2, end)
    return true
  }

  /** Moves to the next entry. Returns false if there is none, or if it is unusual. */
  next(): boolean {
    const { bytes, end } = this
    if (bytes[this.at] !== SLASH) return false
    this.key = this.at + 1
    this.keyEnd = keyEnd(bytes, this.key, end)
    if (this.keyEnd < 0) return false
    this.value = skipSpace(bytes, this.keyEnd, end)
    this.valueEnd = valueEnd(bytes, this.value, end)
    if (this.valueEnd < 0) return false
    this.at = skipSpace(bytes, this.valueEnd, end)
    return true
  }

  /** Whether the dictionary ends here. False after an unusual entry: parse the dictionary then. */
  get isComplete(): boolean {
    return this.at < this.end && this.bytes[this.at] === GREATER_THAN && this.bytes[this.at + 1] === GREATER_THAN
  }

  /** Returns whether this is the current key. */
  isKey(name: string): boolean {
    return this.keyEnd - this.key === name.length && isAt(this.bytes, this.key, name)
  }

  /** The object number of the current value, or 0 if the value isn't a reference. */
  get reference(): number {
    return referenceAt(this.bytes, this.value, this.valueEnd)
  }
}

const NO_BYTES = new Uint8Array()

/** The position after the regular characters at `at`. −1 if one of them starts an escape. */
function keyEnd(bytes: Uint8Array, at: number, end: number): number {
  let position = at
  for (; position < end && isRegular(bytes[position]); position++) if (bytes[position] === NUMBER_SIGN) return -1
  return position
}

/** The position after a value. −1 for anything unusual. */
function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  let at = start
  do {
    at = depth === 0 ? at : skipSpace(bytes, at, end)
    if (at >= end) return -1
    const byte = bytes[at] as number
    if (byte === OPEN_PARENTHESIS) at = stringEnd(bytes, at, end)
    else if (byte === LESS_THAN && bytes[at + 1] !== LESS_THAN) at = hexStringEnd(bytes, at, end)
    else if (byte === LESS_THAN || byte === OPEN_BRACKET) {
      depth++
      at += byte === LESS_THAN ? 2 : 1
    } else if (byte === CLOSE_BRACKET && depth > 0) {
      depth--
      at++
    } else if (byte === GREATER_THAN && bytes[at + 1] === GREATER_THAN && depth > 0) {
      depth--
      at += 2
    } else if (byte === SLASH) at = regularEnd(bytes, at + 1, end)
    else if (depth === 0) return scalarEnd(bytes, at, end)
    else if (isDelimiter(byte)) return -1
    else at = regularEnd(bytes, at, end)
  } while (depth > 0)
  return at
}

/** The position after a number, a reference or a keyword other than `null`. −1 for anything else. */
function scalarEnd(bytes: Uint8Array, at: number, end: number): number {
  if (isDelimiter(bytes[at]) || bytes[at] === LETTER_N) return -1
  const number = regularEnd(bytes, at, end)
  const generation = readInteger(bytes, skipSpace(bytes, number, end), end)
  if (!generation) return number
  const keyword = skipSpace(bytes, generation.end, end)
  const target = readInteger(bytes, at, number)
  const isReference = target?.end === number && target.value > 0 && generation.value <= MAX_GENERATION
  return isReference && bytes[keyword] === LETTER_R && !isRegular(bytes[keyword + 1]) ? keyword + 1 : -1
}

/** Returns whether the name at `start`, which begins with a slash, is this one. */
export function isName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  return end - start === name.length + 1 && bytes[start] === SLASH && isAt(bytes, start + 1, name)
}

/** The object number of the reference that begins at `start`, or 0. */
export function firstReference(bytes: Uint8Array, start: number, end: number): number {
  const last = isDigit(bytes[start]) ? scalarEnd(bytes, start, end) : -1
  return last > 0 ? referenceAt(bytes, start, last) : 0
}

/** The object number of the reference from `start` to `end`, or 0. */
function referenceAt(bytes: Uint8Array, start: number, end: number): number {
  return bytes[end - 1] === LETTER_R ? (readInteger(bytes, start, end)?.value ?? 0) : 0
}
