import { PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { keyOfCode } from '../content/code-keys'
import { decodeContent } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { HEX, LITERAL, NUMBER } from '../syntax/content-operands'
import { ContentReader } from '../syntax/content-reader'
import { readString } from './strings'
import * as Name from '../syntax/names'

interface CodeSpace {
  length: number
  low: Uint8Array
  high: Uint8Array
}

interface CidRange {
  low: number
  high: number
  cid: number
}

/** Splits the strings of a composite font into codes, and maps codes to glyphs (ISO 32000-2, 9.7.5). */
export interface CMap {
  isVertical: boolean
  /** Whether the mapping to glyphs is known. For predefined CMaps other than Identity, only code lengths are known. */
  knowsGlyphs: boolean
  /** Length in bytes of the code at `at`. At least 1, and at most the number of remaining bytes. */
  lengthAt(bytes: Uint8Array, at: number): number
  /** The glyph (CID) of a code with this length in bytes. */
  cidOf(code: number, length: number): number
  /** Whether the code is known to have a glyph. Codes of predefined CMaps other than Identity never are. */
  has(code: number, length: number): boolean
}

/** In Adobe-Japan1, the CID of the half-width space. */
const HALF_WIDTH_LETTERS = 231

/** Maximum length of a chain of CMaps that refer to others. */
const MAX_CHAIN = 8

/** Reads the CMap in a composite font's /Encoding, which is a name or a stream. */
export function readCMap(document: PdfDocument, value: PDFObject | undefined): CMap {
  const object = document.peek(value)
  if (object instanceof PDFName) return predefined(object.decodeText())
  const cmap = new EmbeddedCMap()
  let isVertical: boolean | undefined
  let base: CMap | undefined
  let next: PDFObject | undefined = object
  for (let depth = 0; depth < MAX_CHAIN && next instanceof PDFRawStream; depth++) {
    const stream: PDFRawStream = next
    isVertical ??= wModeOf(document, stream)
    const baseName = cmap.add(decodeContent(document, stream) ?? new Uint8Array(0))
    isVertical ??= cmap.isVertical
    const baseValue: PDFObject | undefined = document.peek(stream.dict.get(Name.UseCMap))
    const name: string | undefined =
      baseValue instanceof PDFName ? baseValue.decodeText() : baseValue ? undefined : baseName
    if (name !== undefined) base = predefined(name)
    next = baseValue
  }
  return cmap.finish(isVertical ?? base?.isVertical ?? false, base)
}

function wModeOf(document: PdfDocument, stream: PDFRawStream): boolean | undefined {
  const mode = document.peekNumber(stream.dict.get(Name.WMode))
  return mode === undefined ? undefined : mode === 1
}

/** A predefined CMap. Its name determines the code lengths (ISO 32000-2, table 116). */
function predefined(name: string): CMap {
  const isVertical = name.endsWith('V')
  const isIdentity = name === 'Identity-H' || name === 'Identity-V'
  const length = lengthRule(name)
  return {
    isVertical,
    knowsGlyphs: isIdentity,
    lengthAt: (bytes, at) => Math.min(length(bytes, at), bytes.length - at),
    cidOf: code => (isIdentity ? code : latinGlyph(name, code)),
    has: () => isIdentity,
  }
}

/**
 * The glyph of a Latin letter in Adobe's character collections, because such letters have different widths. 0 for other
 * codes.
 */
function latinGlyph(name: string, code: number): number {
  if (code < 0x20 || code > 0x7e) return 0
  return /^(90ms-RKSJ|90pv-RKSJ-HW|EUC|Ext-RKSJ|UniJIS-UCS2-HW)/.test(name)
    ? code - 0x20 + HALF_WIDTH_LETTERS
    : code - 0x1f
}

type LengthRule = (bytes: Uint8Array, at: number) => number

function lengthRule(name: string): LengthRule {
  const first = (bytes: Uint8Array, at: number): number => bytes[at] as number
  // A surrogate pair has four bytes.
  if (/UTF16/.test(name)) return (bytes, at) => ((first(bytes, at) & 0xfc) === 0xd8 ? 4 : 2)
  if (/UTF32/.test(name)) return () => 4
  if (/UTF8/.test(name))
    return (bytes, at) => (first(bytes, at) < 0xc0 ? 1 : first(bytes, at) < 0xe0 ? 2 : first(bytes, at) < 0xf0 ? 3 : 4)
  if (/RKSJ/.test(name))
    return (bytes, at) =>
      first(bytes, at) < 0x81 || (first(bytes, at) >= 0xa0 && first(bytes, at) < 0xe0) || first(bytes, at) > 0xfc
        ? 1
        : 2
  // In GB 18030, a second byte that is a digit indicates a four-byte code.
  if (/GBK2K/.test(name)) return (bytes, at) => (first(bytes, at) < 0x81 ? 1 : isDigit(bytes[at + 1]) ? 4 : 2)
  if (/EUC-(H|V)$/.test(name) && /^(EUC|CNS)/.test(name)) {
    return (bytes, at) =>
      first(bytes, at) === 0x8e ? (name.startsWith('CNS') ? 4 : 2) : first(bytes, at) < 0xa1 ? 1 : 2
  }
  if (/^(GBK|GBpc|GB-EUC|B5pc|HKscs|ETen|ETenms|KSC)/.test(name) && !/^(KSC-H|KSC-V)$/.test(name))
    return (bytes, at) => (first(bytes, at) < 0x81 || first(bytes, at) === 0xff ? 1 : 2)
  return () => 2
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** A CMap embedded in the file. */
class EmbeddedCMap {
  isVertical: boolean | undefined
  private readonly spaces: CodeSpace[] = []
  private readonly ranges: CidRange[] = []
  private readonly singles = new Map<number, number>()

  /** Adds the mappings of a CMap file. Returns the name of the CMap that it is based on. */
  add(data: Uint8Array): string | undefined {
    const reader = new ContentReader(data)
    let baseName: string | undefined
    while (reader.next()) {
      const { operator } = reader
      if (operator === 'usecmap') baseName = reader.name
      else if (operator === 'def' && reader.nameAt(reader.operands.count - 2) === 'WMode')
        this.isVertical ??= reader.number(0) === 1
      else if (operator === 'endcodespacerange') this.addSpaces(reader)
      else if (operator === 'endcidrange') this.addRanges(reader)
      else if (operator === 'endcidchar') this.addSingles(reader)
    }
    return baseName
  }

  private addSpaces(reader: ContentReader): void {
    for (let index = 0; index + 1 < reader.operands.count && this.spaces.length < 1000; index += 2) {
      const [low, high] = [stringAt(reader, index), stringAt(reader, index + 1)]
      if (low && high && low.length === high.length && low.length > 0 && low.length <= 4)
        this.spaces.push({ length: low.length, low, high })
    }
  }

  private addRanges(reader: ContentReader): void {
    for (let index = 0; index + 2 < reader.operands.count && this.ranges.length < 100_000; index += 3) {
      const [low, high] = [stringAt(reader, index), stringAt(reader, index + 1)]
      if (low && high && reader.operands.kinds[index + 2] === NUMBER) {
        this.ranges.push({
          low: keyOfCode(codeOf(low), low.length),
          high: keyOfCode(codeOf(high), low.length),
          cid: reader.operands.values[index + 2] ?? 0,
        })
      }
    }
  }

  private addSingles(reader: ContentReader): void {
    for (let index = 0; index + 1 < reader.operands.count && this.singles.size < 100_000; index += 2) {
      const code = stringAt(reader, index)
      if (code && reader.operands.kinds[index + 1] === NUMBER)
        this.singles.set(keyOfCode(codeOf(code), code.length), reader.operands.values[index + 1] ?? 0)
    }
  }

  finish(isVertical: boolean, base: CMap | undefined): CMap {
    const { spaces, singles } = this
    const ranges = this.ranges.sort((one, other) => one.low - other.low)
    return {
      isVertical,
      knowsGlyphs: base?.knowsGlyphs ?? true,
      lengthAt: (bytes, at) => (spaces.length === 0 && base ? base.lengthAt(bytes, at) : matchSpace(spaces, bytes, at)),
      cidOf(code, length) {
        const key = keyOfCode(code, length)
        const single = singles.get(key)
        if (single !== undefined) return single
        const range = findRange(ranges, key)
        if (range) return range.cid + key - range.low
        return base ? base.cidOf(code, length) : 0
      },
      has(code, length) {
        const key = keyOfCode(code, length)
        return singles.has(key) || findRange(ranges, key) !== undefined || (base?.has(code, length) ?? false)
      },
    }
  }
}

function codeOf(bytes: Uint8Array): number {
  return bytes.reduce((code, byte) => code * 256 + byte, 0)
}

function stringAt(reader: ContentReader, index: number): Uint8Array | undefined {
  const { kinds, starts, ends } = reader.operands
  const kind = kinds[index]
  return kind === HEX || kind === LITERAL
    ? readString(reader.bytes, kind, starts[index] as number, ends[index] as number)
    : undefined
}

/** The length of the first matching code space. Otherwise the shortest with a matching first byte (9.7.6.3). */
function matchSpace(spaces: readonly CodeSpace[], bytes: Uint8Array, at: number): number {
  const remainingBytes = bytes.length - at
  let partial = 0
  let shortest = 4
  for (const { length, low, high } of spaces) {
    shortest = Math.min(shortest, length)
    let matching = 0
    while (
      matching < Math.min(length, remainingBytes) &&
      (bytes[at + matching] as number) >= (low[matching] as number) &&
      (bytes[at + matching] as number) <= (high[matching] as number)
    )
      matching++
    if (matching === length) return length
    if (matching > 0 && (partial === 0 || length < partial)) partial = length
  }
  return Math.max(1, Math.min(remainingBytes, partial || (spaces.length ? shortest : 2)))
}

/** Finds the range with the largest start that isn't above the key. Undefined if the key isn't in that range. */
function findRange(ranges: readonly CidRange[], key: number): CidRange | undefined {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as CidRange).low <= key) low = middle + 1
    else high = middle - 1
  }
  const range = ranges[high]
  return range && key <= range.high ? range : undefined
}
