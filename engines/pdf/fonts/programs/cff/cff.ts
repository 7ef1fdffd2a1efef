import { readCharset, readEncodingTable, readFdSelect } from './cff-charset'
import { DictKey, readDict } from './cff-dict'
import type { DictEntry } from './cff-dict'
import { EMPTY_INDEX, readIndex } from './cff-index'
import type { CffIndex } from './cff-index'
import { DamagedFontError, FontData, readUnlessDamaged } from '../font-data'
import { readSfntTables } from '../true-type/sfnt'
import { joinBoxes, moveBox, scaleBox, toMatrix } from '../glyph-pen'
import { chainMatrices } from '../../../geometry/matrix'
import type { Bounds } from '../../../geometry/geometry'
import type { Matrix } from '../../../geometry/matrix'
import { listStandardEncoding } from './cff-predefined'
import { STANDARD_STRINGS } from './standard-strings'
import { walkCharstring } from './type2-walk'

/** Versions of OpenType files that may have a `CFF ` table: `OTTO`, 1.0 and Apple's `true`. */
const OPEN_TYPE_VERSIONS: ReadonlySet<number> = new Set([0x4f54544f, 0x00010000, 0x74727565])

const TYPE_2 = 2
const USUAL_UNITS = 1000
/** Offset of unitsPerEm in the `head` table (OpenType, "head"). */
const UNITS_PER_EM_AT = 18

/** Maximum number of operators to run to find the glyphs with outlines. */
const LISTING_BUDGET = 20_000_000

/**
 * A Private DICT, its local subroutines, and the DICT that refers to it. In a CID-keyed font, this is a font DICT, else
 * the Top DICT.
 */
export interface CffPart {
  dict: ReadonlyMap<number, DictEntry>
  fontDict: ReadonlyMap<number, DictEntry>
  subrs: CffIndex
}

/** A CFF font program (FontFile3). Glyph index 0 is `.notdef`. */
export interface CffProgram {
  /** Whether the glyphs have CIDs instead of names. */
  readonly isCid: boolean
  /** Whether the program came in an OpenType file. */
  readonly isWrapped: boolean
  readonly glyphCount: number
  /** Returns the first glyph with this name. Undefined in a CID-keyed font. */
  glyphOfName(name: string): number | undefined
  /** Returns the name of a glyph. Undefined in a CID-keyed font. */
  nameOf(glyph: number): string | undefined
  /** Returns the first glyph with this CID. In a font with names, the CID is the glyph index (ISO 32000-2, 9.7.4.2). */
  glyphOfCid(cid: number): number | undefined
  /** Returns the CID of a glyph. In a font with names, this is the glyph index. */
  cidOf(glyph: number): number
  /** Returns the glyph of a code in the built-in encoding. Undefined if the code has none, and in a CID-keyed font. */
  glyphOfBuiltInCode(code: number): number | undefined
  /** Returns whether a glyph draws something, or can't be read. */
  hasOutline(glyph: number): boolean
  /** Lists the glyphs that have outlines, in ascending order. */
  listOutlines(): number[]
  /** Returns the box around an outline, in ems. Undefined for an empty glyph, and if the box isn't known. */
  inkOf(glyph: number): Bounds | undefined
  readonly content: CffContent
}

/** The parsed contents of a program, from which a new program is written. */
export interface CffContent {
  name: Uint8Array
  top: ReadonlyMap<number, DictEntry>
  /**
   * Units per em in the OpenType file. Only matters if the CFF program has no font matrix. The default of CFF is 1000.
   */
  unitsPerEm: number
  charStrings: CffIndex
  charset: Uint16Array
  globalSubrs: CffIndex
  parts: readonly CffPart[]
  /** Index into `parts` for each glyph. */
  partOf: Uint8Array
  encoding: ReadonlyMap<number, number>
  /** Offset of the encoding. 0 and 1 are the predefined encodings. */
  encodingAt: number
  /** Returns the text of a string number. Undefined if the program doesn't have this string. */
  stringOf(number: number): string | undefined
}

/**
 * Opens a CFF program, bare or in the `CFF ` table of an OpenType file. If it contains several fonts, opens the first
 * one. Undefined for CFF2, Type 1 charstrings, synthetic fonts, and programs that can't be read safely. Keeps a
 * reference to `bytes`.
 */
export function openCff(bytes: Uint8Array): CffProgram | undefined {
  return readUnlessDamaged(() => {
    const data = new FontData(bytes)
    if (!OPEN_TYPE_VERSIONS.has(data.u32(0))) return toProgram(readContent(data, USUAL_UNITS), { isWrapped: false })
    const tables = readSfntTables(bytes)
    const [table, head] = [tables.get('CFF '), tables.get('head')]
    if (!table) return undefined
    const hasUnits = head && head.length >= UNITS_PER_EM_AT + 2
    const units = hasUnits ? new FontData(head).u16(UNITS_PER_EM_AT) : USUAL_UNITS
    return toProgram(readContent(new FontData(table), units), { isWrapped: true })
  })
}

function readContent(data: FontData, unitsPerEm: number): CffContent {
  if (data.u8(0) !== 1) throw new DamagedFontError('the program is not CFF of version 1')
  const names = readIndex(data, data.u8(2))
  const tops = readIndex(data, names.end)
  const strings = readIndex(data, tops.end)
  const globalSubrs = readIndex(data, strings.end)
  const top = readDict(tops.get(0))
  if ((top.get(DictKey.charstringType)?.operands[0] ?? TYPE_2) !== TYPE_2 || top.has(DictKey.syntheticBase))
    throw new DamagedFontError('the charstrings are not of Type 2')
  const charStrings = readIndex(data, getOffset(top, DictKey.charStrings))
  const glyphCount = charStrings.count
  if (glyphCount === 0) throw new DamagedFontError('the font has no glyphs')
  const isCid = top.has(DictKey.ros)
  const charset = readCharset(data, top.get(DictKey.charset)?.operands[0] ?? 0, { glyphCount, isCid })
  const encodingAt = top.get(DictKey.encoding)?.operands[0] ?? 0
  const encoding = isCid ? new Map<number, number>() : readEncodingTable(data, encodingAt, { charset, glyphCount })
  const { parts, partOf } = isCid
    ? readParts(data, top, glyphCount)
    : { parts: [readPart(data, top)], partOf: new Uint8Array(glyphCount) }
  const stringOf = (number: number): string | undefined => {
    if (number < STANDARD_STRINGS.length) return STANDARD_STRINGS[number]
    const own = number - STANDARD_STRINGS.length
    return own < strings.count ? Buffer.from(strings.get(own)).toString('latin1') : undefined
  }
  const lists = { charStrings, globalSubrs, parts, partOf }
  return { name: names.get(0), top, unitsPerEm, ...lists, charset, encoding, encodingAt, stringOf }
}

type PartList = Pick<CffContent, 'parts' | 'partOf'>

function readParts(data: FontData, top: ReadonlyMap<number, DictEntry>, glyphCount: number): PartList {
  const array = readIndex(data, getOffset(top, DictKey.fdArray))
  if (array.count === 0 || array.count > 256) throw new DamagedFontError('the font has no font DICTs')
  const parts = Array.from({ length: array.count }, (_, number) => readPart(data, readDict(array.get(number))))
  const partOf = readFdSelect(data, getOffset(top, DictKey.fdSelect), glyphCount)
  if (partOf.some(number => number >= parts.length)) throw new DamagedFontError('a glyph has no font DICT')
  return { parts, partOf }
}

function readPart(data: FontData, fontDict: ReadonlyMap<number, DictEntry>): CffPart {
  const [size = 0, at = 0] = fontDict.get(DictKey.private)?.operands ?? []
  const dict = readDict(data.slice(at, at + size))
  const offset = dict.get(DictKey.subrs)?.operands[0] ?? 0
  return { dict, fontDict, subrs: offset === 0 ? EMPTY_INDEX : readIndex(data, at + offset) }
}

function getOffset(dict: ReadonlyMap<number, DictEntry>, key: number): number {
  const value = dict.get(key)?.operands[0]
  if (value === undefined || value <= 0) throw new DamagedFontError('the font lacks a table')
  return value
}

/** Wraps parsed contents with the questions that callers ask. Lists glyphs by name only when asked. */
function toProgram(content: CffContent, { isWrapped }: { isWrapped: boolean }): CffProgram {
  const { top, charStrings, charset, encoding, stringOf } = content
  const isCid = top.has(DictKey.ros)
  const glyphCount = charStrings.count
  const byKey = new Map<number, number>()
  for (const [glyph, key] of charset.entries()) if (!byKey.has(key)) byKey.set(key, glyph)
  let byName: ReadonlyMap<string, number> | undefined
  const nameOf = (glyph: number): string | undefined =>
    isCid || glyph >= glyphCount ? undefined : stringOf(charset[glyph] ?? 0)
  const walk = openWalk(content)
  const hasOutline = (glyph: number): boolean => readUnlessDamaged(() => walk(glyph).draws) ?? true
  const glyphOfName = (name: string): number | undefined => {
    byName ??= new Map(Array.from(charset, (_, glyph) => [nameOf(glyph) ?? '', glyph] as const).reverse())
    return isCid ? undefined : byName.get(name)
  }
  return {
    isCid,
    isWrapped,
    glyphCount,
    content,
    nameOf,
    glyphOfName,
    glyphOfCid: cid => (isCid ? byKey.get(cid) : cid < glyphCount ? cid : undefined),
    cidOf: glyph => (isCid ? (charset[glyph] ?? 0) : glyph),
    glyphOfBuiltInCode: code => encoding.get(code),
    hasOutline,
    listOutlines: () => Array.from(charset, (_, glyph) => glyph).filter(hasOutline),
    inkOf: glyph => readUnlessDamaged(() => inkOf(content, glyph, { walk, glyphOfName })),
  }
}

type GlyphWalk = (glyph: number) => ReturnType<typeof walkCharstring>

function openWalk({ charStrings, globalSubrs, parts, partOf }: CffContent): GlyphWalk {
  const budget = { left: LISTING_BUDGET }
  const global = { index: globalSubrs, used: new Map<number, number>() }
  return glyph => {
    const local = { index: parts[partOf[glyph] ?? 0]?.subrs ?? EMPTY_INDEX, used: new Map<number, number>() }
    return walkCharstring(charStrings.get(glyph), { local, global, budget })
  }
}

/** The box of an outline in ems. Throws `DamagedFontError` if the charstring can't be followed. */
function inkOf(
  content: CffContent,
  glyph: number,
  { walk, glyphOfName }: { walk: GlyphWalk; glyphOfName: CffProgram['glyphOfName'] },
): Bounds | undefined {
  const { box, components, accent } = walk(glyph)
  const parts = components.map((code, index) => {
    const part = glyphOfName(listStandardEncoding().get(code) ?? '')
    const own = part === undefined ? undefined : walk(part).box
    return own && index === 1 ? moveBox(own, ...accent) : own
  })
  return scaleBox(parts.reduce(joinBoxes, box), matrixOf(content, glyph))
}

/** The matrices of a CID-keyed font and of its font DICT apply both. Products below this are mistakes. */
const LEAST_SCALE = 1e-5

function matrixOf({ top, parts, partOf, unitsPerEm }: CffContent, glyph: number): Matrix {
  const own = parts[partOf[glyph] ?? 0]?.fontDict
  const [outer, inner] = [top, own === top ? undefined : own].map(dict =>
    toMatrix(dict?.get(DictKey.fontMatrix)?.operands),
  )
  const both = outer && inner && chainMatrices(inner, outer)
  if (both && Math.abs(both[0]) > LEAST_SCALE) return both
  return outer ?? inner ?? [1 / unitsPerEm, 0, 0, 1 / unitsPerEm, 0, 0]
}
