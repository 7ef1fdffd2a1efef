import { PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { codeOfKey, keyOfCode } from '../../content/code-keys'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import * as Name from '../../syntax/names'

/** The maximum number of CMaps in a chain of references. */
const MAX_CHAIN = 8

/** The maximum number of mappings and of wide ranges that are read from one CMap. */
const MAX_MAPPINGS = 200_000
const MAX_RANGES = 1000

/** The maximum number of codes in a range that is expanded into single mappings. */
const NARROW = 256

const LONGEST_CODE = 4

const COMMENT = /%[^\r\n]*/g
const BLOCKS = /begin(bfchar|bfrange)\b([\s\S]*?)end\1\b/g
const TOKEN = /<[0-9a-fA-F\s]*>|\[[^\]]*\]/g
const CODE = /<[0-9a-fA-F\s]*>/g

/**
 * A range of code keys. The text belongs to the lowest key. For each further key, its last code unit increases by one.
 */
interface Range {
  low: number
  high: number
  text: string
}

/**
 * Reads the ToUnicode CMap of a font (ISO 32000-2, 9.10.3) and the CMaps that it refers to. Returns undefined if the
 * font has no CMap, or if the CMap can't be decoded.
 */
export function readToUnicode(document: PdfDocument, font: PDFDict): ToUnicode | undefined {
  const maps: string[] = []
  let next: PDFObject | undefined = document.peek(font.get(Name.ToUnicode))
  while (maps.length < MAX_CHAIN && next instanceof PDFRawStream) {
    const bytes = decodeUpToLimit(document, next)
    if (!bytes) break
    maps.push(Buffer.from(bytes).toString('latin1'))
    next = document.peek(next.dict.get(Name.UseCMap))
  }
  return maps.length === 0 ? undefined : new ToUnicode(maps)
}

/** The texts that the codes of a font stand for. */
export class ToUnicode {
  private readonly texts = new Map<number, string>()
  private readonly ranges: Range[] = []
  private keys: ReadonlyMap<string, number> | undefined

  /** Takes the CMaps with one byte per character. Each CMap precedes the CMap that it refers to. */
  constructor(maps: readonly string[]) {
    for (const map of maps) this.add(map)
  }

  /**
   * Returns the text of a code by its key. The text is empty if the CMap maps the code to nothing, and undefined if it
   * doesn't map the code. Some CMaps have codes with a wrong number of bytes. Then the same code with another length
   * counts, as in readers.
   */
  textOf(key: number): string | undefined {
    const known = this.find(key)
    if (known !== undefined) return known
    const { code } = codeOfKey(key)
    for (let length = 1; length <= LONGEST_CODE; length++) {
      const text = this.find(keyOfCode(code, length))
      if (text !== undefined) return text
    }
    return undefined
  }

  /** Lists the texts of codes, of wide ranges only the first. */
  *listTexts(): Generator<string> {
    yield* this.texts.values()
    for (const { text } of this.ranges) yield text
  }

  /** Returns the key of a code that stands for this text. Undefined if there is none. */
  keyOf(text: string): number | undefined {
    this.keys ??= new Map([...this.texts].toReversed().map(([key, meaning]) => [meaning, key]))
    const known = this.keys.get(text)
    if (known !== undefined) return known
    for (const { low, high, text: first } of this.ranges) {
      const key = low + text.charCodeAt(text.length - 1) - first.charCodeAt(first.length - 1)
      if (key >= low && key <= high && text.slice(0, -1) === first.slice(0, -1)) return key
    }
    return undefined
  }

  private find(key: number): string | undefined {
    const known = this.texts.get(key)
    if (known !== undefined) return known
    const range = this.ranges.find(({ low, high }) => key >= low && key <= high)
    return range && countUp(range.text, key - range.low)
  }

  /** Adds the mappings of a CMap. Known mappings stay, because a CMap overrides the CMap that it refers to. */
  private add(map: string): void {
    const texts = new Map<number, string>()
    const ranges: Range[] = []
    for (const { 1: kind, 2: body = '' } of map.replace(COMMENT, '').matchAll(BLOCKS)) {
      const tokens = body.match(TOKEN) ?? []
      if (kind === 'bfchar')
        for (let at = 0; at + 1 < tokens.length; at += 2)
          texts.set(keyOf(tokens[at] as string), textOf(tokens[at + 1] as string))
      else
        for (let at = 0; at + 2 < tokens.length; at += 3)
          addRange(tokens.slice(at, at + 3) as [string, string, string], texts, ranges)
      if (texts.size > MAX_MAPPINGS) break
    }
    for (const [key, text] of texts) if (!this.texts.has(key)) this.texts.set(key, text)
    this.ranges.push(...ranges)
  }
}

function addRange([first, last, text]: [string, string, string], texts: Map<number, string>, ranges: Range[]): void {
  const [low, high] = [keyOf(first), keyOf(last)]
  if (text.startsWith('[')) {
    for (const [index, item] of (text.match(CODE) ?? []).slice(0, Math.max(0, high - low + 1)).entries())
      texts.set(low + index, textOf(item))
  } else if (high - low < NARROW) {
    const start = textOf(text)
    for (let key = low; key <= high && texts.size < MAX_MAPPINGS; key++) texts.set(key, countUp(start, key - low))
  } else if (ranges.length < MAX_RANGES) ranges.push({ low, high, text: textOf(text) })
}

/** Returns the text with its last UTF-16 code unit increased by `step`. */
function countUp(text: string, step: number): string {
  return text.slice(0, -1) + String.fromCharCode((text.charCodeAt(text.length - 1) || 0) + step)
}

/** Decodes a UTF-16BE string in hexadecimal. A single byte is also a character, as in most readers. */
function textOf(token: string): string {
  const units = digitsOf(token).match(/.{1,4}/g) ?? []
  return units.map(unit => String.fromCharCode(Number.parseInt(unit, 16))).join('')
}

function keyOf(token: string): number {
  const digits = digitsOf(token)
  return keyOfCode(Number.parseInt(digits || '0', 16), Math.max(1, Math.ceil(digits.length / 2)))
}

function digitsOf(token: string): string {
  return token.replace(/[^0-9a-fA-F]/g, '')
}
