import {
  PDFArray,
  PDFBool,
  PDFCatalog,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFPageLeaf,
  PDFPageTree,
  PDFString,
} from 'pdf-lib'
import type { PDFContext, PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { referenceTo } from './references'
import { regularEnd, stringEnd } from './scanner'
import {
  MAX_GENERATION,
  asBuffer,
  characterClass,
  DIGIT,
  isAt,
  isDelimiter,
  isDigit,
  isRegular,
  isWhite,
  readInteger,
  skipSpace,
} from './syntax'
import * as Name from './names'

// Bytes with a meaning in PDF syntax (ISO 32000-2, 7.2.3).
const PERCENT = 0x25
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const PLUS = 0x2b
const MINUS = 0x2d
const PERIOD = 0x2e
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const LETTER_R = 0x52
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Maximum nesting of arrays and dictionaries. It is the same as in qpdf, and far higher than any writer needs. */
const MAX_DEPTH = 499

/**
 * Parses one direct object at a time from bytes into pdf-lib's objects.
 *
 * pdf-lib's own parser has four problems. It searches for `endstream` if /Length is indirect, but binary data may
 * contain that word. It doesn't decode names with lower-case escapes. Its recursion has no limit. It can't shift
 * references when documents are merged.
 */
export class Parser {
  position = 0
  /** The largest object number in a reference, before the shift. */
  mentioned = 0
  /** The same bytes with Buffer's methods. Made on first use, because creating a view takes as long as a name. */
  private buffer: Buffer | undefined

  /**
   * `shift` is added to the object number of every reference. Shifted references have generation 0. References to
   * numbers from `size` on become null.
   */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly context: PDFContext,
    private readonly shift: number,
    private readonly limit = bytes.length,
    private readonly size = MAX_OBJECT_NUMBER + 1,
  ) {}

  /**
   * Parses the object at `at`. Afterwards, `position` is after the object. Like readers, replaces invalid objects with
   * null. Throws EngineError `too_large` if arrays and dictionaries nest deeper than 499.
   */
  parseAt(at: number): PDFObject {
    this.position = at
    return this.parse(0) ?? PDFNull
  }

  /** Returns undefined at a closing bracket, at the end, or at a keyword that ends an object. */
  private parse(depth: number): PDFObject | undefined {
    if (depth > MAX_DEPTH)
      throw new EngineError('too_large', `The file nests arrays or dictionaries more than ${MAX_DEPTH} levels deep.`)
    const { bytes, limit } = this
    let at = skipSpace(bytes, this.position, limit)
    while (at < limit && isStray(bytes[at] as number)) at = skipSpace(bytes, at + 1, limit)
    this.position = at
    if (at >= limit) return undefined
    const byte = bytes[at] as number
    if (isDigit(byte)) return this.numberOrReference()
    switch (byte) {
      case SLASH:
        return this.name()
      case OPEN_PARENTHESIS:
        return this.literalString()
      case LESS_THAN:
        return bytes[at + 1] === LESS_THAN ? this.dictionary(depth) : this.hexString()
      case OPEN_BRACKET:
        return this.array(depth)
      case PLUS:
      case MINUS:
      case PERIOD:
        return this.number()
      case CLOSE_BRACKET:
      case GREATER_THAN:
        return undefined
    }
    return this.keyword()
  }

  private keyword(): PDFObject | undefined {
    const start = this.position
    const end = regularEnd(this.bytes, start, this.limit)
    const word = this.text(start, Math.min(end, start + 12))
    if (word === 'endobj' || word === 'endstream' || word.startsWith('stream') || word === 'obj') return undefined
    this.position = end
    if (word === 'true') return PDFBool.True
    if (word === 'false') return PDFBool.False
    return PDFNull
  }

  private numberOrReference(): PDFObject {
    const { bytes, limit } = this
    const number = readInteger(bytes, this.position, limit)
    if (number && endsToken(bytes[number.end])) {
      const next = skipSpace(bytes, number.end, limit)
      if (isDigit(bytes[next])) {
        const generation = readInteger(bytes, next, limit)
        if (generation && generation.value <= MAX_GENERATION) {
          const keyword = skipSpace(bytes, generation.end, limit)
          if (bytes[keyword] === LETTER_R && !isRegular(bytes[keyword + 1]) && keyword > generation.end) {
            this.position = keyword + 1
            if (number.value > this.mentioned) this.mentioned = number.value
            return number.value > 0 && number.value < this.size
              ? referenceTo(number.value + this.shift, this.shift ? 0 : generation.value)
              : PDFNull
          }
        }
      }
    }
    return this.number()
  }

  /** Like readers, tolerates repeated signs, a minus inside the number, and very long numbers (7.3.3). */
  private number(): PDFObject {
    const start = this.position
    const end = regularEnd(this.bytes, start, this.limit)
    this.position = end
    if (end - start <= 15 && characterClass[this.bytes[start] as number] === DIGIT) {
      const whole = readInteger(this.bytes, start, end)
      if (whole?.end === end) return integer(whole.value)
    }
    const text = this.text(start, Math.min(end, start + 64))
    const parts = /^([+-]*)(\d*)(?:\.(\d*))?/.exec(text)
    const value = parts ? Number(`${parts[2] || '0'}.${parts[3] || '0'}`) : 0
    return PDFNumber.of(parts?.[1]?.includes('-') ? -value : value)
  }

  private name(): PDFName {
    const { bytes, limit } = this
    const start = ++this.position
    let end = start
    let hash = 0
    for (; end < limit && isRegular(bytes[end]); end++) hash = (hash * 31 + (bytes[end] as number)) | 0
    this.position = end
    const slot = hash & (NAME_SLOTS - 1)
    const cached = names[slot]
    if (cached && isText(bytes, start, end, cached.raw)) return cached.name
    const raw = this.text(start, end)
    const name = nameOf(raw)
    names[slot] = { raw, name }
    return name
  }

  private text(start: number, end: number): string {
    return (this.buffer ??= asBuffer(this.bytes)).toString('latin1', start, end)
  }

  private literalString(): PDFString {
    const start = this.position
    const end = (this.position = stringEnd(this.bytes, start, this.limit))
    const text = this.text(start + 1, end)
    if (end < this.limit || isClosed(text)) return PDFString.of(text.slice(0, -1))
    // The end of the file cuts off the string. Escape its parentheses and drop a final backslash, so that it is valid.
    return PDFString.of(
      text.replace(/\\(?:[\s\S]|$)|[()]/g, token => (token.length === 2 ? token : token === '\\' ? '' : `\\${token}`)),
    )
  }

  private hexString(): PDFHexString {
    const start = this.position + 1
    let end = start
    while (end < this.limit && this.bytes[end] !== GREATER_THAN) end++
    this.position = Math.min(end + 1, this.limit)
    const text = this.text(start, end)
    return PDFHexString.of(/[^0-9A-Fa-f]/.test(text) ? text.replace(/[^0-9A-Fa-f]/g, '') : text)
  }

  private array(depth: number): PDFArray {
    const array = PDFArray.withContext(this.context)
    this.position++
    for (;;) {
      const item = this.parse(depth + 1)
      if (item === undefined) {
        if (this.bytes[this.position] === CLOSE_BRACKET) this.position++
        else if (
          this.bytes[this.position] === GREATER_THAN &&
          this.bytes[this.position + 1] !== GREATER_THAN &&
          this.position < this.limit
        ) {
          this.position++ // a stray >
          continue
        }
        return array
      }
      array.push(item)
    }
  }

  private dictionary(depth: number): PDFDict {
    const entries = new Map<PDFName, PDFObject>()
    this.position += 2
    for (;;) {
      const at = (this.position = skipSpace(this.bytes, this.position, this.limit))
      const byte = this.bytes[at]
      if (at >= this.limit) break
      if (byte === GREATER_THAN) {
        this.position += this.bytes[at + 1] === GREATER_THAN ? 2 : 1
        break
      }
      if (byte !== SLASH) {
        // This isn't a key. Skip one object, or stop if nothing can follow.
        const before = this.position
        if (this.parse(depth + 1) === undefined) {
          if (this.position === before && (this.bytes[before] === CLOSE_BRACKET || isDelimiter(this.bytes[before]))) {
            this.position++
            continue
          }
          break
        }
        continue
      }
      const key = this.name()
      const value = this.parse(depth + 1)
      if (value === undefined) {
        if (this.bytes[this.position] === GREATER_THAN) continue
        if (this.bytes[this.position] === CLOSE_BRACKET) {
          this.position++
          continue
        }
        break
      }
      if (value !== PDFNull) entries.set(key, value)
    }
    return typed(entries, this.context)
  }
}

function isStray(byte: number): boolean {
  return byte === CLOSE_PARENTHESIS || byte === OPEN_BRACE || byte === CLOSE_BRACE
}

/** Returns whether the byte is white space or starts a comment, which counts as white space (7.2.4). */
function endsToken(byte: number | undefined): boolean {
  return isWhite(byte) || byte === PERCENT
}

/** Returns whether the text after an opening parenthesis ends with the matching closing parenthesis. */
function isClosed(text: string): boolean {
  if (!text.endsWith(')')) return false
  let depth = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at === text.length - 1
  }
  return false
}

/** The largest object number that readers accept (ISO 32000-1, Annex C). */
export const MAX_OBJECT_NUMBER = 8_388_607

/** The position after the keyword `stream` at `at` or after white space there. −1 if there is none. */
export function streamKeyword(bytes: Uint8Array, at: number, limit = bytes.length): number {
  const position = skipSpace(bytes, at, limit)
  return isAt(bytes, position, 'stream') ? position + 6 : -1
}

function typed(entries: Map<PDFName, PDFObject>, context: PDFContext): PDFDict {
  const type = entries.get(Name.Type)
  if (type === Name.Catalog) return PDFCatalog.fromMapWithContext(entries, context)
  if (type === Name.Pages) return PDFPageTree.fromMapWithContext(entries, context)
  if (type === Name.Page && !entries.has(Name.Kids)) return PDFPageLeaf.fromMapWithContext(entries, context)
  return PDFDict.fromMapWithContext(entries, context)
}

/** Number of names that are cached. A power of two. */
const NAME_SLOTS = 16_384

/** Cached names by the hash of their bytes. A new name replaces an old one with the same hash. */
const names: ({ raw: string; name: PDFName } | undefined)[] = Array.from({ length: NAME_SLOTS })

/** Returns whether the bytes from `start` to `end` are this Latin-1 text. */
function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  return end - start === text.length && isAt(bytes, start, text)
}

/** Makes escapes upper-case, because pdf-lib decodes only these. */
function nameOf(raw: string): PDFName {
  return PDFName.of(raw.includes('#') ? raw.replace(/#([0-9A-Fa-f]{2})/g, escape => escape.toUpperCase()) : raw)
}

/** Integers up to this one are objects that all documents share. pdf-lib formats the text of each new number. */
const LARGEST_SHARED = 4095
const integers: (PDFNumber | undefined)[] = []

function integer(value: number): PDFNumber {
  if (value > LARGEST_SHARED) return PDFNumber.of(value)
  return (integers[value] ??= PDFNumber.of(value))
}
