import { findInlineImageEnd } from './inline-image-end'
import { ARRAY, DICTIONARY, HEX, LITERAL, NAME, NUMBER, Operands, readName, WORD } from './content-operands'
import { commentEnd, hexStringEnd, regularEnd, stringEnd } from './scanner'
import { asBuffer, characterClass } from './syntax'
import type * as Syntax from './syntax'

// Character classes as constants of this module. Imported bindings would slow down the loops over bytes.
const WHITE: typeof Syntax.WHITE = 1
const DELIMITER: typeof Syntax.DELIMITER = 2
const DIGIT: typeof Syntax.DIGIT = 4

const PERCENT = 0x25
const OPEN_PARENTHESIS = 0x28
const PLUS = 0x2b
const MINUS = 0x2d
const PERIOD = 0x2e
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Maximum nesting of dictionaries. A deeper dictionary ends at the first closing bracket. */
const MAX_NESTING = 499

/**
 * Reads a content stream (ISO 32000-2, 7.8.2) operator by operator. Like viewers, skips invalid tokens. Positions are
 * byte offsets in `bytes`. An operation extends from `start` to `end`, including its operands. `operands` has its
 * operands, and `items` has the items of its last array, until the next call.
 *
 * The reader works for CMap files too, because they have the same tokens.
 */
export class ContentReader {
  operator = ''
  start = 0
  end = 0
  readonly operands: Operands
  /** The items of the last array operand, including items of nested arrays. */
  readonly items = new Operands()
  /** Range of the data of an inline image (operator `BI`). The operands are the entries of its dictionary. */
  dataStart = 0
  dataEnd = 0
  private position = 0
  private depth = 0

  /** `mostOperands` is the number of operands that are kept for one operator, if it isn't that of content. */
  constructor(
    readonly bytes: Uint8Array,
    mostOperands?: number,
  ) {
    this.operands = new Operands(mostOperands)
  }

  /** Reads the next operator. Returns false at the end. */
  next(): boolean {
    const { bytes, operands } = this
    operands.count = 0
    this.start = -1
    for (;;) {
      const at = this.skipSpace()
      if (at >= bytes.length) return false
      if (this.start < 0) this.start = at
      const byte = bytes[at] as number
      const kind = characterClass[byte] as number
      if (kind === DELIMITER) this.readDelimited(at, byte)
      else if (kind === DIGIT || byte === MINUS || byte === PERIOD || byte === PLUS) this.readNumber(at)
      else if (this.readWord(at)) return true
    }
  }

  /** The operand that is `fromEnd` places before the last one, as a number. 0 if it isn't a number. */
  number(fromEnd: number): number {
    const index = this.operands.count - 1 - fromEnd
    return index >= 0 && this.operands.kinds[index] === NUMBER ? (this.operands.values[index] as number) : 0
  }

  /** The last operand as a name with decoded escapes. Undefined if it isn't a name. */
  get name(): string | undefined {
    return this.nameAt(this.operands.count - 1)
  }

  /** The last six operands as a matrix, as for `cm` and `Tm`. */
  matrix(): [number, number, number, number, number, number] {
    return [this.number(5), this.number(4), this.number(3), this.number(2), this.number(1), this.number(0)]
  }

  nameAt(index: number): string | undefined {
    const { operands } = this
    if (index < 0 || index >= operands.count || operands.kinds[index] !== NAME) return undefined
    return readName(this.bytes, operands.starts[index] as number, operands.ends[index] as number)
  }

  /** Unlike the function for objects, compares classes itself, which saves a third of the time of reading. */
  private skipSpace(): number {
    const { bytes } = this
    let at = this.position
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === PERCENT) at = commentEnd(bytes, at, bytes.length)
      else if (characterClass[byte] !== WHITE) break
    }
    return (this.position = at)
  }

  private add(kind: number, start: number, end: number, value = 0): void {
    this.position = end
    if (this.depth > 0) this.items.push(kind, start, end, value)
    else this.operands.push(kind, start, end, value)
  }

  private readDelimited(at: number, byte: number): void {
    const { bytes } = this
    if (byte === SLASH) {
      this.add(NAME, at, regularEnd(bytes, at + 1, bytes.length))
    } else if (byte === OPEN_PARENTHESIS) {
      this.add(LITERAL, at, stringEnd(bytes, at, bytes.length))
    } else if (byte === LESS_THAN && bytes[at + 1] === LESS_THAN) {
      this.add(DICTIONARY, at, dictionaryEnd(bytes, at))
    } else if (byte === LESS_THAN) {
      this.add(HEX, at, hexStringEnd(bytes, at, bytes.length))
    } else if (byte === OPEN_BRACKET) {
      this.readArray(at)
    } else {
      this.position = at + 1
    }
  }

  private readArray(at: number): void {
    if (this.depth === 0) this.items.count = 0
    this.depth++
    this.position = at + 1
    if (this.depth > 1) return
    const { bytes } = this
    while (this.depth > 0) {
      const next = this.skipSpace()
      if (next >= bytes.length) {
        this.depth = 0
        break
      }
      const byte = bytes[next] as number
      const kind = characterClass[byte] as number
      if (byte === CLOSE_BRACKET) {
        this.depth--
        this.position = next + 1
      } else if (kind === DELIMITER) this.readDelimited(next, byte)
      else if (kind === DIGIT || byte === MINUS || byte === PERIOD || byte === PLUS) this.readNumber(next)
      else this.position = regularEnd(bytes, next, bytes.length)
    }
    this.add(ARRAY, at, this.position)
  }

  private readNumber(at: number): void {
    const { bytes } = this
    let end = at
    let value = 0
    let scale = 0
    let isNegative = false
    for (; end < bytes.length; end++) {
      const byte = bytes[end] as number
      if (byte >= 48 && byte <= 57) {
        value = value * 10 + byte - 48
        scale *= 10
      } else if (byte === PERIOD && scale === 0) scale = 1
      else if (byte === MINUS && value === 0 && scale === 0) isNegative = true
      else if (byte !== PLUS || value !== 0) break
    }
    // A very long number would make the scale infinite. Like readers, drop what follows the number in the same word.
    if (scale > 1)
      value =
        scale < 1e300 ? value / scale : Number(asBuffer(bytes).toString('latin1', at, Math.min(end, at + 40))) || 0
    this.add(NUMBER, at, regularEnd(bytes, end, bytes.length), isNegative ? -Math.abs(value) : value)
  }

  /** Returns true if the word is an operator, which completes the operation. */
  private readWord(at: number): boolean {
    const { bytes } = this
    const end = Math.max(regularEnd(bytes, at, bytes.length), at + 1)
    this.position = end
    const word = wordAt(bytes, at, end)
    if (word === 'true' || word === 'false' || word === 'null') {
      this.add(WORD, at, end)
      return false
    }
    if (word === 'BI') {
      this.operands.count = 0
      this.start = at
      return false
    }
    this.operator = word
    this.end = end
    if (word === 'ID') this.readInlineImage(end)
    return true
  }

  private readInlineImage(at: number): void {
    const { bytes } = this
    this.operator = 'BI'
    // One white-space character ends the keyword. CR LF counts as one.
    this.dataStart =
      characterClass[bytes[at] as number] === WHITE ? at + (bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 1) : at
    const end = findInlineImageEnd(this, this.dataStart)
    this.dataEnd = end.data
    this.end = this.position = end.behind
  }
}

const words = new Map<number, string>()

/** Returns a word of at most 40 bytes. Caches short words, because there are few different operators. */
function wordAt(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 3) return asBuffer(bytes).toString('latin1', start, Math.min(end, start + 40))
  let key = 0
  for (let at = start; at < end; at++) key = key * 256 + (bytes[at] as number)
  let word = words.get(key)
  if (word === undefined) {
    word = asBuffer(bytes).toString('latin1', start, end)
    if (words.size < 2000) words.set(key, word)
  }
  return word
}

/** The position after the dictionary that opens at `at`. */
function dictionaryEnd(bytes: Uint8Array, at: number): number {
  let depth = 0
  let position = at
  while (position < bytes.length) {
    const byte = bytes[position]
    const isDouble = bytes[position + 1] === byte
    if (byte === OPEN_PARENTHESIS) position = stringEnd(bytes, position, bytes.length)
    else if (byte === PERCENT) position = commentEnd(bytes, position, bytes.length)
    else if (byte === LESS_THAN && isDouble) {
      depth++
      position += 2
    } else if (byte === LESS_THAN) position = hexStringEnd(bytes, position, bytes.length)
    else if (byte === GREATER_THAN && isDouble) {
      position += 2
      if (--depth === 0 || depth > MAX_NESTING) break
    } else position++
  }
  return Math.min(position, bytes.length)
}
