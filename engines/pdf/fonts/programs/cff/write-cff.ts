import type { CffContent, CffPart } from './cff'
import { DictKey, writeEntry, writeRawEntry, writeReal } from './cff-dict'
import type { DictEntry } from './cff-dict'
import { writeIndex } from './cff-index'
import { FontWriter } from '../font-data'
import { STANDARD_STRINGS } from './standard-strings'

/** A glyph of the new program. */
export interface CffGlyph {
  old: number
  /** The name, or the CID. */
  key: string | number
  charstring: Uint8Array
  /** Index of its part in the old program. */
  part: number
}

/** The contents of a new program. The glyphs are in their new order. */
export interface CffPieces {
  content: CffContent
  isCid: boolean
  glyphs: readonly CffGlyph[]
  globalSubrs: readonly Uint8Array[]
  /** Local subroutines by the index of the part in the old program. */
  localSubrs: readonly (readonly Uint8Array[])[]
  /** New glyph indexes by code. Undefined to keep the predefined encoding. */
  codes: ReadonlyMap<number, number> | undefined
}

/**
 * Entries of the Top DICT that can be copied, because they contain no offsets, no strings and nothing about single
 * glyphs.
 */
const PLAIN_KEYS: ReadonlySet<number> = new Set([
  DictKey.fontBox,
  1201,
  1202,
  1203,
  1204,
  1205,
  DictKey.charstringType,
  DictKey.fontMatrix,
  1208,
  1231,
  1232,
  1233,
])
const STRING_KEYS: ReadonlySet<number> = new Set([
  DictKey.version,
  DictKey.notice,
  DictKey.fullName,
  DictKey.familyName,
  DictKey.weight,
  DictKey.copyright,
])

const USUAL_UNITS = 1000
const MOST_SUPPLEMENTS = 255

type Places = Map<number, number[]>

/** Collects the strings of a program while it is written. */
class StringList {
  private readonly numbers = new Map(STANDARD_STRINGS.map((text, number) => [text, number] as const))
  readonly own: string[] = []

  numberOf(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    const number = STANDARD_STRINGS.length + this.own.length
    this.own.push(text)
    this.numbers.set(text, number)
    return number
  }
}

/** Writes a bare CFF program (Adobe Technical Note 5176). */
export function writeCff(pieces: CffPieces): Uint8Array {
  const strings = new StringList()
  const places: Places = new Map()
  const charset = writeCharset(pieces, strings)
  const encoding = pieces.codes && !pieces.isCid ? writeEncoding(pieces, strings) : undefined
  const writeTop = (): Uint8Array => writeTopDict(pieces, strings, places)
  writeTop() // Registers the strings of the Top DICT.
  const usedParts = [...new Set(pieces.glyphs.map(({ part }) => part))].sort((one, other) => one - other)
  const fontNames = usedParts.map(part => numberFontName(pieces, part, strings))
  const head = (): FontWriter =>
    new FontWriter()
      .bytes(Uint8Array.of(1, 0, 4, 4))
      .bytes(writeIndex([pieces.content.name]))
      .bytes(writeIndex([writeTop()]))
      .bytes(writeIndex(strings.own.map(text => Buffer.from(text, 'latin1'))))
      .bytes(writeIndex(pieces.globalSubrs))
  reservePlaces(pieces, encoding !== undefined, places)
  const start = head().length
  const body = new FontWriter()
  const put = (key: number, bytes: Uint8Array): void => {
    places.set(key, [start + body.length])
    body.bytes(bytes)
  }
  put(DictKey.charset, charset)
  if (encoding) put(DictKey.encoding, encoding)
  put(DictKey.charStrings, writeIndex(pieces.glyphs.map(({ charstring }) => charstring)))
  const privates = usedParts.map(part => {
    const { dict, subrs } = writePrivate(pieces.content.parts[part], pieces.localSubrs[part] ?? [])
    const place = [dict.length, start + body.length]
    body.bytes(dict).bytes(subrs)
    return place
  })
  if (pieces.isCid) {
    put(DictKey.fdSelect, writeFdSelect(pieces.glyphs, usedParts))
    const dicts = usedParts.map((part, index) =>
      writeFontDict(pieces.content.parts[part], { fontName: fontNames[index], place: privates[index] ?? [] }),
    )
    put(DictKey.fdArray, writeIndex(dicts))
  } else places.set(DictKey.private, privates[0] ?? [0, 0])
  return head().bytes(body.finish()).finish()
}

/** Reserves the operands of all entries that are filled in later. */
function reservePlaces({ isCid }: CffPieces, hasEncoding: boolean, places: Places): void {
  places.set(DictKey.charset, [0])
  places.set(DictKey.charStrings, [0])
  if (hasEncoding) places.set(DictKey.encoding, [0])
  if (isCid) {
    places.set(DictKey.fdArray, [0])
    places.set(DictKey.fdSelect, [0])
  } else places.set(DictKey.private, [0, 0])
}

function writeTopDict(pieces: CffPieces, strings: StringList, places: Places): Uint8Array {
  const { content, isCid, glyphs, codes } = pieces
  const dict = new FontWriter()
  const system = content.top.get(DictKey.ros)?.operands
  if (isCid && system) {
    const [registry, ordering] = system.map(number => strings.numberOf(content.stringOf(number) ?? 'Adobe'))
    writeEntry(dict, DictKey.ros, [registry ?? 0, ordering ?? 0, system[2] ?? 0])
  }
  for (const entry of content.top.values()) {
    const text = STRING_KEYS.has(entry.key) ? textOf(content, entry) : undefined
    if (PLAIN_KEYS.has(entry.key)) writeRawEntry(dict, entry.key, entry.raw)
    else if (text !== undefined) writeEntry(dict, entry.key, [strings.numberOf(text)])
  }
  writeUnits(dict, content)
  if (isCid) writeEntry(dict, DictKey.cidCount, [lastCid(glyphs) + 1])
  else if (!codes && content.encodingAt === 1) writeEntry(dict, DictKey.encoding, [1])
  for (const [key, operands] of places) writeEntry(dict, key, operands)
  return dict.finish()
}

function lastCid(glyphs: readonly CffGlyph[]): number {
  return glyphs.reduce((last, { key }) => (typeof key === 'number' ? Math.max(last, key) : last), 0)
}

/** Writes a font matrix if only the OpenType file states the units per em, because that file isn't kept. */
function writeUnits(dict: FontWriter, { top, parts, unitsPerEm }: CffContent): void {
  const isStated = top.has(DictKey.fontMatrix) || parts.some(({ fontDict }) => fontDict.has(DictKey.fontMatrix))
  if (isStated || unitsPerEm === USUAL_UNITS || unitsPerEm === 0) return
  const [scale, zero] = [writeReal(1 / unitsPerEm), Uint8Array.of(139)]
  writeRawEntry(dict, DictKey.fontMatrix, Buffer.concat([scale, zero, zero, scale, zero, zero]))
}

function writePrivate(part: CffPart | undefined, subrs: readonly Uint8Array[]): Record<'dict' | 'subrs', Uint8Array> {
  const dict = new FontWriter()
  for (const entry of part?.dict.values() ?? []) {
    if (entry.key !== DictKey.subrs) writeRawEntry(dict, entry.key, entry.raw)
  }
  if (subrs.length === 0) return { dict: dict.finish(), subrs: new Uint8Array() }
  const size = dict.length + 6
  writeEntry(dict, DictKey.subrs, [size])
  return { dict: dict.finish(), subrs: writeIndex(subrs) }
}

/** Returns the string number of a font DICT's name. Undefined without a name or without font DICTs. */
function numberFontName({ content, isCid }: CffPieces, part: number, strings: StringList): number | undefined {
  const name = isCid ? textOf(content, content.parts[part]?.fontDict.get(DictKey.fontName)) : undefined
  return name === undefined ? undefined : strings.numberOf(name)
}

interface FontDictTerms {
  fontName: number | undefined
  /** Size and offset of the Private DICT. */
  place: readonly number[]
}

function writeFontDict(part: CffPart | undefined, { fontName, place }: FontDictTerms): Uint8Array {
  const dict = new FontWriter()
  if (fontName !== undefined) writeEntry(dict, DictKey.fontName, [fontName])
  const matrix = part?.fontDict.get(DictKey.fontMatrix)
  if (matrix) writeRawEntry(dict, matrix.key, matrix.raw)
  writeEntry(dict, DictKey.private, place)
  return dict.finish()
}

function writeCharset({ glyphs }: CffPieces, strings: StringList): Uint8Array {
  const charset = new FontWriter().u8(0)
  for (const { key } of glyphs.slice(1)) charset.u16(typeof key === 'number' ? key : strings.numberOf(key))
  return charset.finish()
}

/**
 * Writes format 0 for the leading glyphs that have codes. Supplements hold their further codes, and the codes of glyphs
 * after the first one without a code.
 */
function writeEncoding({ glyphs, codes = new Map() }: CffPieces, strings: StringList): Uint8Array {
  const left = new Map([...codes].sort(([one], [other]) => one - other))
  const front: number[] = []
  for (let number = 1; number < glyphs.length && front.length < MOST_SUPPLEMENTS; number++) {
    const found = [...left].find(([, glyph]) => glyph === number)
    if (!found) break
    front.push(found[0])
    left.delete(found[0])
  }
  const table = new FontWriter()
    .u8(left.size > 0 ? 0x80 : 0)
    .u8(front.length)
    .bytes(Uint8Array.from(front))
  if (left.size === 0) return table.finish()
  const supplements = [...left].slice(0, MOST_SUPPLEMENTS)
  table.u8(supplements.length)
  for (const [code, number] of supplements) {
    const key = glyphs[number]?.key
    table.u8(code).u16(typeof key === 'string' ? strings.numberOf(key) : 0)
  }
  return table.finish()
}

/** Writes format 3, with a range for each run of glyphs that have the same font DICT. */
function writeFdSelect(glyphs: readonly CffGlyph[], usedParts: readonly number[]): Uint8Array {
  const ranges = glyphs
    .map(({ part }, number) => ({ part, number }))
    .filter(({ part, number }) => glyphs[number - 1]?.part !== part)
  const table = new FontWriter().u8(3).u16(ranges.length)
  for (const { number, part } of ranges) table.u16(number).u8(usedParts.indexOf(part))
  return table.u16(glyphs.length).finish()
}

function textOf(content: CffContent, entry: DictEntry | undefined): string | undefined {
  const number = entry?.operands[0]
  return number === undefined ? undefined : content.stringOf(number)
}
