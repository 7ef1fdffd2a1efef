import { PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { codeOfKey, keyOfCode } from '../pdf-core/content/code-keys'
import { decodeUpToLimit } from '../pdf-core/document/decode-content'
import type { PdfDocument } from '../pdf-core/document/document'
import * as Name from '../pdf-core/syntax/names'

/** CMaps that refer to others are followed this far. */
const MAX_CHAIN = 8

/** Mappings and wide ranges that are read of one CMap. */
const MAX_MAPPINGS = 200_000
const MAX_RANGES = 1000

/** Ranges of no more codes are taken apart. */
const NARROW = 256

const LONGEST_CODE = 4

const COMMENT = /%[^\r\n]*/g
const BLOCKS = /begin(bfchar|bfrange)\b([\s\S]*?)end\1\b/g
const TOKEN = /<[0-9a-fA-F\s]*>|\[[^\]]*\]/g
const CODE = /<[0-9a-fA-F\s]*>/g

/** Keys of codes whose texts count up from that of the lowest. */
interface Range {
  low: number
  high: number
  text: string
}

/**
 * Reads the ToUnicode CMap of a font (ISO 32000-2, 9.10.3) with those that it refers to. Undefined if the font has
 * none, or one that can't be decoded.
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

/** What the codes of a font stand for. */
export class ToUnicode {
  private readonly texts = new Map<number, string>()
  private readonly ranges: Range[] = []

  /** The CMaps, one byte a character, each with that which it refers to behind it. */
  constructor(maps: readonly string[]) {
    for (const map of maps) this.add(map)
  }

  /**
   * The text of a code by its key; empty if the map says that it stands for nothing, undefined if it says nothing. A
   * map with codes of a wrong number of bytes counts as readers have it: the same code of another length is taken.
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

  private find(key: number): string | undefined {
    const known = this.texts.get(key)
    if (known !== undefined) return known
    const range = this.ranges.find(({ low, high }) => key >= low && key <= high)
    return range && countUp(range.text, key - range.low)
  }

  /** Adds the mappings of a CMap; those that are known already stay, as a CMap overrides the one that it refers to. */
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

/** The text whose last unit is so much more. */
function countUp(text: string, step: number): string {
  return text.slice(0, -1) + String.fromCharCode((text.charCodeAt(text.length - 1) || 0) + step)
}

/** UTF-16BE; a single byte is a character too, as most readers have it. */
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
