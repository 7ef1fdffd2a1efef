import { GlyphValues, NOTDEF, readCidMap } from '../../../pdf/fonts'
import type { CharacterCollection, CidMap } from '../../../pdf/fonts'
import { codeOfKey } from '../../../pdf/rewrite-content'
import { entryOf } from '../examination/model'
import { UNDECIDED } from '../examination/rules'
import { readFontCollection } from './cid-system-info'
import type { EmbeddedProgram } from './font-programs'
import type { Fact, GlyphReader } from './glyph-reader'
import { widthOfCffGlyph } from './outline-widths'
import { isCharacter } from './predefined-cmaps'
import { SOME_TEXT, openText } from './unicode'
import { cidOfKey } from './used-font'
import type { UsedFont } from './used-font'
import * as Name from '../../../pdf/names'

const DEFAULT_WIDTH = 1000

/** What the font program of a CIDFont says about a CID. */
export interface CidGlyphs {
  has(cid: number): boolean
  /** Undefined if the program has no width for the CID. */
  widthOf(cid: number): Fact<number>
  /** All CIDs of the program except 0, lowest first. */
  list(): Iterable<number>
}

/** Reads the glyphs of a Type 0 font. */
export function readCompositeGlyphs(font: UsedFont, embedded: EmbeddedProgram): GlyphReader {
  const { document, descendant, cmap } = font
  const program = readCidGlyphs(font, embedded)
  const widths = new GlyphValues(document, descendant?.get(Name.W), 1)
  const defaultWidth = document.peekNumber(entryOf(document, descendant, 'DW')) ?? DEFAULT_WIDTH
  const text = openText(font)
  const collection = meaningOfCids(font)
  const isPresent = (key: number): Fact<boolean> => {
    if (program === undefined || program === UNDECIDED) return program
    const { code, length } = codeOfKey(key)
    const cid = cidOfKey(font, key)
    return cid === undefined ? UNDECIDED : cmap?.has(code, length) === true && program.has(cid)
  }
  return {
    nameOf(key) {
      const found = program && codeOfKey(key).code === 0 ? false : isPresent(key)
      return found === false ? NOTDEF : found === UNDECIDED ? UNDECIDED : undefined
    },
    isPresent: key => (program && codeOfKey(key).code === 0 ? true : isPresent(key)),
    programWidth(key) {
      if (program === undefined || program === UNDECIDED) return program
      const cid = cidOfKey(font, key)
      return cid === undefined ? UNDECIDED : (program.widthOf(cid) ?? defaultWidth)
    },
    dictionaryWidth: key => (widths.of(cidOfKey(font, key) ?? 0)?.[0] ?? defaultWidth / 1000) * 1000,
    textOf(key) {
      const stated = text(key)
      if (stated !== undefined || !collection) return stated
      const cid = cidOfKey(font, key)
      // The CIDs of predefined CMaps aren't known here, but all of their codes are characters.
      return cid === undefined || isCharacter(collection, cid) ? SOME_TEXT : undefined
    },
  }
}

/** Adobe's character collections give every CID a meaning (ISO 32000-2, 9.10.2). */
function meaningOfCids(font: UsedFont): CharacterCollection | undefined {
  const collection = readFontCollection(font)
  return collection.registry === 'Adobe' && isCharacter(collection, 0) ? collection : undefined
}

/** Undefined without a font program, or with a damaged one. */
export function readCidGlyphs(font: UsedFont, embedded: EmbeddedProgram): Fact<CidGlyphs> {
  if (embedded.format === 'unreadable') return UNDECIDED
  if (embedded.format === 'cff') {
    const { program } = embedded
    const glyphOf = (cid: number): number => program.glyphOfCid(cid) ?? 0
    return {
      has: cid => glyphOf(cid) > 0 || (cid === 0 && !program.isCid),
      widthOf: cid =>
        (cid === 0 && !program.isCid) || glyphOf(cid) > 0
          ? (widthOfCffGlyph(program, glyphOf(cid)) ?? UNDECIDED)
          : undefined,
      *list() {
        for (let glyph = 1; glyph < program.glyphCount; glyph++) yield program.cidOf(glyph)
      },
    }
  }
  if (embedded.format !== 'true-type') return undefined
  const { program } = embedded
  const map = readOwnMap(font)
  const glyphOf = map?.glyphOf ?? (cid => cid)
  const has = (cid: number): boolean => cid > 0 && (!map || cid < map.count) && glyphOf(cid) < program.glyphCount
  return {
    has,
    widthOf: cid => program.widthOf(glyphOf(cid)),
    *list() {
      const count = map ? Math.min(map.count, 0x10000) : program.widthCount
      for (let cid = 1; cid < count; cid++) if (!map || has(cid)) yield cid
    },
  }
}

/** The glyph of each CID in a TrueType program. */
export function glyphNumbersOf(font: UsedFont): (cid: number) => number {
  return readOwnMap(font)?.glyphOf ?? (cid => cid)
}

/** The stream in /CIDToGIDMap. Undefined for Identity. */
function readOwnMap({ document, descendant }: UsedFont): CidMap | undefined {
  const map = readCidMap(document, descendant)
  return map === 'identity' ? undefined : map
}
