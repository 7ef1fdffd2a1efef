import {
  characterClass,
  DELIMITER,
  DIGIT,
  isRegular,
  readInteger,
  skipSpace,
  stringEnd,
  WHITE,
} from '../../../pdf/syntax'

const PLUS = 0x2b
const MINUS = 0x2d
const PERIOD = 0x2e
const NUMBER_SIGN = 0x23
const OPEN_PARENTHESIS = 0x28
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LETTER_R = 0x52

/** Receives the tokens of an object. Positions are byte offsets. */
export interface TokenSink {
  number(bytes: Uint8Array, start: number, end: number): void
  /** `hasSpecial` says whether the name has an escape or a byte above 127. `start` is after the slash. */
  name(bytes: Uint8Array, start: number, end: number, hasSpecial: boolean): void
  /** A string with its brackets. */
  string(bytes: Uint8Array, start: number, end: number, isHex: boolean): void
  array(size: number): void
  dictionary(size: number): void
}

/**
 * Reads the tokens of one direct object without creating objects, because only the written form shows whether a number
 * is an integer and which characters a hexadecimal string has. One instance is reused for many objects.
 */
export class TokenReader {
  /** Position after the object's last token. */
  end = 0
  /** Whether the object is a single integer. */
  isInteger = false
  /** The number of values so far in each open array or dictionary. */
  private readonly counts: number[] = []
  private readonly areDictionaries: boolean[] = []

  constructor(private readonly sink: TokenSink) {}

  /** Reads the object at `start`, up to `limit` at most. Stops at a keyword that ends an object. */
  read(bytes: Uint8Array, start: number, limit: number): void {
    const { counts, areDictionaries } = this
    counts.length = 0
    areDictionaries.length = 0
    this.isInteger = false
    this.end = start
    for (let at = skipSpace(bytes, start, limit); at < limit; at = skipSpace(bytes, this.end, limit)) {
      const byte = bytes[at] as number
      const kind = characterClass[byte]
      if (kind === DELIMITER) this.readDelimited(bytes, at, limit)
      else if (kind === DIGIT || byte === PLUS || byte === MINUS || byte === PERIOD) this.readNumber(bytes, at, limit)
      else if (!this.readWord(bytes, at, limit)) return
      if (counts.length === 0) return
    }
  }

  private readDelimited(bytes: Uint8Array, at: number, limit: number): void {
    switch (bytes[at]) {
      case SLASH:
        this.readName(bytes, at + 1, limit)
        break
      case OPEN_PARENTHESIS:
        this.count()
        this.end = stringEnd(bytes, at, limit)
        this.sink.string(bytes, at, this.end, false)
        break
      case LESS_THAN:
        if (bytes[at + 1] === LESS_THAN) this.open(at + 2, 'dictionary')
        else this.readHexString(bytes, at, limit)
        break
      case OPEN_BRACKET:
        this.open(at + 1, 'array')
        break
      case CLOSE_BRACKET:
        this.close(at + 1)
        break
      case GREATER_THAN:
        this.close(bytes[at + 1] === GREATER_THAN ? at + 2 : at + 1)
        break
      default:
        this.end = at + 1 // a stray bracket
    }
  }

  private readName(bytes: Uint8Array, start: number, limit: number): void {
    let end = start
    let hasSpecial = false
    for (; end < limit; end++) {
      const byte = bytes[end] as number
      const kind = characterClass[byte]
      if (kind === WHITE || kind === DELIMITER) break
      if (byte === NUMBER_SIGN || byte >= 0x80) hasSpecial = true
    }
    this.count()
    this.end = end
    this.sink.name(bytes, start, end, hasSpecial)
  }

  private readHexString(bytes: Uint8Array, at: number, limit: number): void {
    let end = at + 1
    while (end < limit && bytes[end] !== GREATER_THAN) end++
    this.count()
    this.end = Math.min(end + 1, limit)
    this.sink.string(bytes, at, this.end, true)
  }

  private readNumber(bytes: Uint8Array, at: number, limit: number): void {
    this.end = regularEnd(bytes, at, limit)
    this.count()
    if (this.counts.length === 0) {
      const reference = referenceEnd(bytes, at, limit)
      this.isInteger = reference === undefined && !hasPoint(bytes, at, this.end)
      this.end = reference ?? this.end
    }
    this.sink.number(bytes, at, this.end)
  }

  /** Returns false at a keyword that ends an object. */
  private readWord(bytes: Uint8Array, at: number, limit: number): boolean {
    const end = regularEnd(bytes, at, limit)
    const { counts } = this
    if (end - at === 1 && bytes[at] === LETTER_R) {
      // A reference is three tokens, but one value.
      if (counts.length > 0) counts[counts.length - 1] = (counts.at(-1) ?? 0) - 1
    } else if (isEndKeyword(bytes, at, end)) return false
    else this.count()
    this.end = end
    return true
  }

  private count(): void {
    const { counts } = this
    if (counts.length > 0) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
  }

  private open(end: number, kind: 'dictionary' | 'array'): void {
    this.count()
    this.counts.push(0)
    this.areDictionaries.push(kind === 'dictionary')
    this.end = end
  }

  private close(end: number): void {
    this.end = end
    const count = this.counts.pop()
    if (count === undefined) return
    if (this.areDictionaries.pop()) this.sink.dictionary(count >> 1)
    else this.sink.array(count)
  }
}

function regularEnd(bytes: Uint8Array, at: number, limit: number): number {
  let end = at
  while (end < limit && isRegular(bytes[end])) end++
  return Math.max(end, at + 1)
}

function hasPoint(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes.subarray(start, end).includes(PERIOD)
}

/** The end of a reference such as `7 0 R`, if the object is one. */
function referenceEnd(bytes: Uint8Array, at: number, limit: number): number | undefined {
  const number = readInteger(bytes, at, limit)
  const generation = number && readInteger(bytes, skipSpace(bytes, number.end, limit), limit)
  const keyword = generation ? skipSpace(bytes, generation.end, limit) : limit
  return keyword < limit && bytes[keyword] === LETTER_R && !isRegular(bytes[keyword + 1]) ? keyword + 1 : undefined
}

/** `endobj`, `obj`, `stream` and `endstream` don't belong to an object's value. */
function isEndKeyword(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 3) return false
  const word = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 9)))
  return word === 'obj' || word.startsWith('endobj') || word.startsWith('stream') || word.startsWith('endstream')
}
