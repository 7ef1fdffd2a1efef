import type { CffContent, CffProgram } from './cff'
import { DictKey } from './cff-dict'
import { EMPTY_INDEX } from './cff-index'
import type { CffIndex } from './cff-index'
import { listStandardEncoding } from './cff-predefined'
import type { GlyphSubset } from '../true-type/subset-true-type'
import { DamagedFontError, FontWriter, readUnlessDamaged } from '../font-data'
import { biasOf, walkCharstring } from './type2-walk'
import { writeCff } from './write-cff'
import type { CffGlyph } from './write-cff'

/** Maximum number of operators to run to subset one program. */
const CUTTING_BUDGET = 20_000_000

/** Replaces a subroutine that is removed: `return`. */
const NOTHING = Uint8Array.of(11)

/** The old index of a glyph that is new. */
const NO_GLYPH = -1

/** A glyph that draws nothing: `endchar`. */
const EMPTY_GLYPH = { bytes: Uint8Array.of(14), components: [] as number[] }

/** The glyphs that a subset of a CFF program keeps. */
export interface CffChoice {
  /**
   * Old glyph indexes in their new order, from new index 1 on. Glyph 0 always stays. Indexes that the font doesn't have
   * are ignored.
   */
  glyphs: readonly number[]
  /** If `true`, glyph 0 becomes empty. For documents that don't show it. */
  isMissingBlank?: boolean
  /** New names by old glyph index, for a font with names. Glyphs without an entry keep their name. */
  names?: ReadonlyMap<number, string>
  /** New CIDs by old glyph index, for a CID-keyed font. Glyphs without an entry keep their CID. */
  cids?: ReadonlyMap<number, number>
  /**
   * Old glyph indexes by code, for the built-in encoding. If omitted, the encoding keeps the codes of the remaining
   * glyphs.
   */
  codes?: ReadonlyMap<number, number>
  /** Widths of empty glyphs to add by their names, for a font with names. */
  spaces?: ReadonlyMap<string, number>
}

/**
 * Returns a bare CFF program with only the chosen glyphs, and no data of other glyphs. CharStrings, charset, encoding,
 * FDSelect, FDArray and strings are written anew. Subroutines that no remaining charstring calls become `return`, so
 * that the others keep their numbers. An INDEX without called subroutines is removed. The components of accented
 * characters follow the chosen glyphs, under their standard names. UniqueID, XUID and PostScript code are removed.
 * Undefined if a charstring can't be followed, or if a new name collides with one that an accented character needs. The
 * result is bare even if the program came in an OpenType file. The stream's /Subtype must then become `Type1C`, or
 * `CIDFontType0C` in a CIDFont.
 */
export function subsetCff(program: CffProgram, choice: CffChoice): GlyphSubset | undefined {
  return readUnlessDamaged(() => cut(program, choice))
}

function cut(program: CffProgram, choice: CffChoice): GlyphSubset {
  const { content } = program
  const calls = new CallList(content)
  const glyphs: CffGlyph[] = []
  const add = (old: number, key: string | number): void => {
    const { bytes, components } = old === 0 && choice.isMissingBlank ? EMPTY_GLYPH : calls.follow(old)
    glyphs.push({ old, key, charstring: bytes, part: content.partOf[old] ?? 0 })
    for (const code of components) needed.add(code)
  }
  const needed = new Set<number>()
  const chosen = choice.glyphs.filter(old => Number.isInteger(old) && old >= 0 && old < program.glyphCount)
  for (const old of new Set([0, ...chosen])) add(old, keyOf(program, choice, old))
  if (!program.isCid) addComponents(program, { glyphs, needed, add })
  for (const [name, width] of choice.spaces ?? [])
    glyphs.push({ old: NO_GLYPH, key: name, charstring: writeSpace(content, width), part: 0 })
  const numbers = new Map<number, number>()
  for (const [number, { old }] of glyphs.entries()) if (!numbers.has(old)) numbers.set(old, number)
  const subrs = { globalSubrs: calls.cutGlobal(), localSubrs: calls.cutLocals() }
  const codes = chooseCodes(content, choice, numbers)
  return { bytes: writeCff({ content, isCid: program.isCid, glyphs, ...subrs, codes }), numbers }
}

/** Writes a charstring that states its width and draws nothing. */
function writeSpace({ parts: [part] }: CffContent, width: number): Uint8Array {
  const charstring = new FontWriter()
  writeOperand(charstring, roundOperand(width - (part?.dict.get(DictKey.nominalWidth)?.operands[0] ?? 0)))
  return charstring.bytes(EMPTY_GLYPH.bytes).finish()
}

/** Returns the new name or CID of a glyph. */
function keyOf(program: CffProgram, { names, cids }: CffChoice, old: number): string | number {
  if (program.isCid) return old === 0 ? 0 : (cids?.get(old) ?? program.cidOf(old))
  if (old === 0) return '.notdef'
  const name = names?.get(old) ?? program.nameOf(old)
  if (name === undefined) throw new DamagedFontError('a glyph has no name')
  return name
}

interface Growing {
  glyphs: readonly CffGlyph[]
  /** Codes of components in the standard encoding. The set grows while components are added. */
  needed: Set<number>
  add(old: number, key: string): void
}

/**
 * Adds the components of accented characters. They keep their standard names, because renderers look them up by name.
 */
function addComponents(program: CffProgram, { glyphs, needed, add }: Growing): void {
  const standard = listStandardEncoding()
  for (const code of needed) {
    const name = standard.get(code)
    const old = name === undefined ? undefined : program.glyphOfName(name)
    if (name === undefined || old === undefined) continue
    const holder = glyphs.find(({ key }) => key === name)
    if (holder && holder.old !== old) throw new DamagedFontError('a new name is needed by an accented character')
    if (!holder) add(old, name)
  }
}

/** Returns the new glyph indexes by code. Undefined if the predefined encoding stays. */
function chooseCodes(
  { encoding, encodingAt }: CffContent,
  { codes }: CffChoice,
  numbers: ReadonlyMap<number, number>,
): Map<number, number> | undefined {
  if (!codes && encodingAt <= 1) return undefined
  return new Map(
    [...(codes ?? encoding)].flatMap(([code, old]) => {
      const number = numbers.get(old)
      return number === undefined || number === 0 || code < 0 || code > 255 ? [] : [[code, number] as const]
    }),
  )
}

/** Follows charstrings and records which subroutines they call. */
class CallList {
  private readonly budget = { left: CUTTING_BUDGET }
  private readonly global: { index: CffIndex; used: Map<number, number> }
  private readonly locals: { index: CffIndex; used: Map<number, number> }[]

  constructor(private readonly content: CffContent) {
    this.global = { index: content.globalSubrs, used: new Map() }
    this.locals = content.parts.map(({ subrs }) => ({ index: subrs, used: new Map<number, number>() }))
  }

  /** Returns the charstring of a glyph up to its end, and the codes of its components in the standard encoding. */
  follow(glyph: number): { bytes: Uint8Array; components: number[] } {
    const local = this.locals[this.content.partOf[glyph] ?? 0] ?? { index: EMPTY_INDEX, used: new Map() }
    const whole = this.content.charStrings.get(glyph)
    const { end, components } = walkCharstring(whole, { local, global: this.global, budget: this.budget })
    return { bytes: whole.subarray(0, end), components }
  }

  cutGlobal(): Uint8Array[] {
    return cutSubrs(this.global)
  }

  cutLocals(): Uint8Array[][] {
    return this.locals.map(cutSubrs)
  }
}

function cutSubrs({ index, used }: { index: CffIndex; used: ReadonlyMap<number, number> }): Uint8Array[] {
  if (used.size === 0) return []
  const least = Math.max(...used.keys()) + 1
  // Subroutines after the last called one are removed too, unless the bias and so the numbers of the others would
  // change.
  const count = biasOf(least) === biasOf(index.count) ? least : index.count
  return Array.from({ length: count }, (_, number) => {
    const end = used.get(number)
    return end === undefined ? NOTHING : index.get(number).subarray(0, end)
  })
}

/** Numbers in Type 2 charstrings are multiples of this. */
const STEP = 1 / 65_536

const SHORT = 28
const FIXED = 255

/** Returns the nearest number that a Type 2 charstring can hold. Throws `DamagedFontError` if it is out of range. */
function roundOperand(value: number): number {
  if (!(value >= -32_768 && value < 32_768)) throw new DamagedFontError('a number of a charstring is too large')
  return Math.round(value / STEP) * STEP
}

/** Writes a number of a Type 2 charstring in its shortest form (Adobe Technical Note 5177, 3.2). */
function writeOperand(writer: FontWriter, value: number): void {
  const size = Math.abs(value)
  if (!Number.isInteger(value)) writer.u8(FIXED).u32(Math.round(value / STEP))
  else if (size <= 107) writer.u8(value + 139)
  else if (size > 1131) writer.u8(SHORT).u16(value)
  else if (value > 0) writer.u8(247 + ((value - 108) >> 8)).u8(value - 108)
  else writer.u8(251 + ((-value - 108) >> 8)).u8(-value - 108)
}
