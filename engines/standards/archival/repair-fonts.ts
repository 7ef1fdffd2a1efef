import { PDFHexString, PDFNumber, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFDict, PDFName } from 'pdf-lib'
import { walkContent } from '../../pdf/walk-content'
import {
  DictKey,
  GlyphValues,
  NOTDEF,
  openTrueType,
  readCharacterOfName,
  readSimpleCodes,
  subsetCff,
  subsetTrueType,
  subsetType1,
} from '../../pdf/fonts'
import type { TrueTypeProgram } from '../../pdf/fonts'
import { codeOfKey, keyOfCode, writeToUnicode } from '../../pdf/rewrite-content'
import { copyDict, addDeflatedStream, decodeUpToLimit } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { Examination } from '../conformance/examination/examination'
import type { ProfileId } from '../conformance/examination/profiles'
import { glyphNumbersOf } from '../conformance/font-rules/composite-glyphs'
import { examineFont, programOf, readGlyphs } from '../conformance/font-rules/examine-fonts'
import { FontPrograms } from '../conformance/font-rules/font-programs'
import type { EmbeddedProgram } from '../conformance/font-rules/font-programs'
import type { GlyphReader } from '../conformance/font-rules/glyph-reader'
import { readGlyphNames } from '../conformance/font-rules/program-glyphs'
import { cidOfKey } from '../conformance/font-rules/used-font'
import type { UsedFont } from '../conformance/font-rules/used-font'
import { UsedFonts } from '../conformance/font-rules/used-fonts'
import { isEngineError } from '../../errors'
import { listWritableObjects } from './all-objects'

/** Rules by what repairs them (ISO 19005-1, 6.3; ISO 19005-2, 6.2.11). */
const ENCODING_RULES = /^(6\.3\.7|6\.2\.11\.6)-/
const WIDTH_RULES = /^(6\.3\.6|6\.2\.11\.5)-1$/
const GLYPH_RULES = /^(6\.3\.5-1|6\.2\.11\.4\.1-2)$/

/** Differences of widths in thousandths of an em that the font dictionary takes on. Nobody sees such a difference. */
const INVISIBLE_DIFFERENCE = 2.5
/** How near a stated width must come to the one in the font program. The rules allow 1. */
const ALLOWED_DIFFERENCE = 0.99

/** The matrix of Type 1 programs whose unit is a thousandth of an em. */
const USUAL_MATRIX = /\/FontMatrix\s*\[\s*0?\.0010*\s/

/**
 * Repairs fonts whose programs and dictionaries differ. What pages show stays the same. Gives TrueType fonts a `cmap`
 * of the glyphs that their codes show, if their encoding isn't allowed. Makes widths agree: small differences in the
 * dictionary, larger ones in TrueType programs. Adds empty glyphs for spaces that a Type 1 or CFF program lacks. Returns
 * whether any font changed.
 */
export function repairFonts(document: PdfDocument, bytes: Uint8Array, profile: ProfileId): boolean {
  const used = new UsedFonts()
  try {
    walkContent(document, used)
  } catch (error) {
    // Content that is too large to be read stays as it is, and validation refuses it.
    if (isEngineError(error) && error.reason === 'too_large') return false
    throw error
  }
  listWritableObjects(document)
  const programs = new FontPrograms(document)
  let isChanged = false
  for (const font of used.all()) {
    const examination = new Examination(document, bytes, profile)
    examineFont(examination, programs, font)
    const broken = examination.report().failures.map(({ clause, test }) => `${clause}-${test}`)
    if (broken.length > 0 && repair(font, programs, broken)) isChanged = true
  }
  return isChanged
}

function repair(font: UsedFont, programs: FontPrograms, broken: readonly string[]): boolean {
  const embedded = programOf(programs, font)
  const isBroken = (rules: RegExp): boolean => broken.some(rule => rules.test(rule))
  if (font.subtype === 'TrueType' && isBroken(ENCODING_RULES)) return rewriteTrueType(font)
  if (isBroken(GLYPH_RULES)) return addSpaces(font, embedded)
  return isBroken(WIDTH_RULES) && settleWidths(font, readGlyphs(font, embedded))
}

/** Widths that differ, by key. */
type Widths = Map<number, { stated: number; inProgram: number }>

function settleWidths(font: UsedFont, glyphs: GlyphReader): boolean {
  const widths: Widths = new Map()
  for (const key of font.visible.keys()) {
    const [stated, inProgram] = [glyphs.dictionaryWidth(key), glyphs.programWidth(key)]
    if (typeof inProgram === 'number' && Math.abs(stated - inProgram) > 1) widths.set(key, { stated, inProgram })
  }
  const differences = [...widths.values()].map(({ stated, inProgram }) => Math.abs(stated - inProgram))
  if (Math.max(0, ...differences) > INVISIBLE_DIFFERENCE)
    return font.cmap ? rewriteCidTrueType(font, widths) : font.subtype === 'TrueType' && rewriteTrueType(font)
  const near = new Map(
    [...widths].map(([key, { stated, inProgram }]) => {
      const width = inProgram + Math.sign(stated - inProgram) * ALLOWED_DIFFERENCE
      return [key, Math.round(width * 1000) / 1000] as const
    }),
  )
  return font.cmap ? stateCidWidths(font, near) : stateWidths(font, near)
}

/** Writes the widths of codes into /Widths (ISO 32000-2, table 109). Returns false if it has no place for one. */
function stateWidths({ document, dict }: UsedFont, widthOfKey: ReadonlyMap<number, number>): boolean {
  const widths = document.peekArray(dict.get(Name.Widths))?.asArray().slice()
  const first = document.peekNumber(dict.get(Name.FirstChar)) ?? 0
  if (!widths || [...widthOfKey.keys()].some(key => !widths[codeOfKey(key).code - first])) return false
  for (const [key, width] of widthOfKey) widths[codeOfKey(key).code - first] = PDFNumber.of(width)
  dict.set(Name.Widths, document.context.obj(widths))
  return true
}

/** Writes /W anew, with one array for each run of CIDs. */
function stateCidWidths(font: UsedFont, near: ReadonlyMap<number, number>): boolean {
  const { document, descendant } = font
  if (!descendant) return false
  const known = new GlyphValues(document, descendant.get(Name.W), 1)
  const changed = new Map([...near].map(([key, width]) => [cidOfKey(font, key), width] as const))
  const runs: (number | number[])[] = []
  let run: number[] | undefined
  for (let cid = 0; cid <= 0xffff; cid++) {
    const old = known.of(cid)?.[0]
    const width = changed.get(cid) ?? (old === undefined ? undefined : Math.round(old * 1e6) / 1000)
    if (width === undefined) run = undefined
    else if (run) run.push(width)
    else runs.push(cid, (run = [width]))
  }
  descendant.set(Name.W, document.context.obj(runs))
  return true
}

/** Replaces the program of a simple font by one that shows the same glyphs by their codes, as wide as /Widths says. */
function rewriteTrueType(font: UsedFont): boolean {
  const { document, dict, descriptor } = font
  const program = openProgram(font)
  if (!program || !descriptor) return false
  const { symbolicFlags, nameOfCode, readingOf } = readSimpleCodes(document, dict, descriptor)
  const symbols = new Map<number, number>()
  const texts: [number, string][] = []
  for (let code = 0; code < 256; code++) {
    const glyphName = nameOfCode(code)
    const glyph = program.glyphOfCode(code, readingOf(code))
    if (glyph > 0) symbols.set(code, glyph)
    const character = glyphName === undefined ? program.charactersOf(glyph)[0] : readCharacterOfName(glyphName)
    if (character !== undefined) texts.push([keyOfCode(code, 1), String.fromCodePoint(character)])
  }
  const advances = advancesOf(font, program, key => symbols.get(codeOfKey(key).code))
  const subset = advances && subsetTrueType(program, { glyphs: [...symbols.values()], symbols, advances })
  if (!subset) return false
  const own = ownDescriptor(font)
  own.set(Name.FontFile2, addDeflatedStream(document, subset.bytes, { Length1: subset.bytes.length }))
  own.set(Name.Flags, PDFNumber.of(symbolicFlags))
  dict.delete(Name.Encoding)
  if (!dict.has(Name.ToUnicode) && texts.length > 0)
    dict.set(Name.ToUnicode, addDeflatedStream(document, writeToUnicode(texts)))
  return true
}

/** Replaces the program of a CIDFont by one whose glyphs are as wide as /W says. */
function rewriteCidTrueType(font: UsedFont, widths: Widths): boolean {
  const program = openProgram(font)
  const glyphOf = glyphNumbersOf(font)
  const glyphOfKey = (key: number): number | undefined => {
    const cid = widths.has(key) ? cidOfKey(font, key) : undefined
    return cid === undefined ? undefined : glyphOf(cid)
  }
  const advances = program && advancesOf(font, program, glyphOfKey)
  // All glyphs in their old order keep their numbers.
  const glyphs = Array.from({ length: program?.glyphCount ?? 0 }, (_, glyph) => glyph)
  const subset = program && advances && subsetTrueType(program, { glyphs, advances })
  if (!subset) return false
  const stream = addDeflatedStream(font.document, subset.bytes, { Length1: subset.bytes.length })
  ownDescriptor(font).set(Name.FontFile2, stream)
  return true
}

/** The widths of the font dictionary by glyph, in font units. Undefined if two codes give one glyph different ones. */
function advancesOf(
  font: UsedFont,
  { tables }: TrueTypeProgram,
  glyphOf: (key: number) => number | undefined,
): Map<number, number> | undefined {
  const head = tables.get('head') ?? new Uint8Array(20)
  const unitsPerEm = (head[18] ?? 0) * 256 + (head[19] ?? 0)
  const { dictionaryWidth } = readGlyphs(font, { format: 'missing' })
  const advances = new Map<number, number>()
  for (const key of font.visible.keys()) {
    const glyph = glyphOf(key)
    const advance = Math.round((dictionaryWidth(key) * unitsPerEm) / 1000)
    if (glyph === undefined) continue
    if ((advances.get(glyph) ?? advance) !== advance) return undefined
    advances.set(glyph, advance)
  }
  return advances
}

function openProgram({ document, descriptor }: UsedFont): TrueTypeProgram | undefined {
  const stream = document.peek(descriptor?.get(Name.FontFile2))
  const bytes = stream instanceof PDFRawStream ? decodeUpToLimit(document, stream) : undefined
  return bytes && openTrueType(bytes)
}

/** Gives a font a descriptor of its own, because other fonts may share the old one. */
function ownDescriptor({ document, dict, descendant, descriptor }: UsedFont): PDFDict {
  const own = copyDict(document, descriptor)
  const owner = descendant ?? dict
  owner.set(Name.FontDescriptor, document.register(own))
  return own
}

/**
 * Adds empty glyphs for codes that show nothing because a Type 1 or CFF program lacks their glyphs. They are as wide as
 * the dictionary says.
 */
function addSpaces(font: UsedFont, embedded: EmbeddedProgram): boolean {
  const { document } = font
  if (embedded.format !== 'type1' && embedded.format !== 'cff') return false
  const [glyphs, nameOf] = [readGlyphs(font, embedded), readGlyphNames(font, embedded)]
  const missing = [...font.visible.keys()].filter(key => glyphs.isPresent(key) === false)
  const spaces = new Map(missing.map(key => [nameOf(codeOfKey(key).code), glyphs.dictionaryWidth(key)]))
  if (font.cmap || spaces.size === 0 || spaces.has(NOTDEF)) return false
  const extended = embedded.format === 'type1' ? extendType1(embedded, spaces) : extendCff(embedded, spaces)
  if (!extended) return false
  const own = ownDescriptor(font)
  own.set(extended.key, addDeflatedStream(document, extended.bytes, extended.entries))
  const listed = document.peek(own.get(Name.CharSet))
  if (listed instanceof PDFString || listed instanceof PDFHexString)
    own.set(Name.CharSet, PDFString.of(`${listed.decodeText()}/${[...spaces.keys()].join('/')}`))
  return true
}

/** A program with further glyphs, and the entries of its stream. */
interface ExtendedProgram {
  key: PDFName
  bytes: Uint8Array
  entries: Readonly<Record<string, string | number>>
}

/** If the glyph for missing ones draws something, an empty one would change the page. Such programs stay. */
function extendType1(
  { program }: Extract<EmbeddedProgram, { format: 'type1' }>,
  spaces: ReadonlyMap<string, number>,
): ExtendedProgram | undefined {
  if (program.hasOutline(NOTDEF) || !USUAL_MATRIX.test(program.content.clear)) return undefined
  const subset = subsetType1(program, { names: program.names, spaces })
  if (!subset) return undefined
  const { bytes, length1, length2, length3 } = subset
  return { key: Name.FontFile, bytes, entries: { Length1: length1, Length2: length2, Length3: length3 } }
}

/** Like `extendType1`. */
function extendCff(
  { program }: Extract<EmbeddedProgram, { format: 'cff' }>,
  spaces: ReadonlyMap<string, number>,
): ExtendedProgram | undefined {
  if (program.listOutlines()[0] === 0 || program.content.top.has(DictKey.fontMatrix)) return undefined
  const all = Array.from({ length: program.glyphCount }, (_, glyph) => glyph)
  const subset = subsetCff(program, { glyphs: all, spaces })
  return subset && { key: Name.FontFile3, bytes: subset.bytes, entries: { Subtype: 'Type1C' } }
}
