import { listStandardEncoding } from '../cff/cff-predefined'
import { DamagedFontError, FontWriter, readUnlessDamaged } from '../font-data'
import type { Type1Content, Type1Program } from './type1'
import type { Type1Private } from './type1-private'
import { encryptCharstring, encryptPrivate } from './type1-crypt'
import { writeType1Encoding } from './type1-encoding'
import { toBytes, toText } from './type1-parts'
import { walkType1 } from './type1-walk'

/** Maximum number of operators to run to subset one program. */
const CUTTING_BUDGET = 5_000_000

/** Replaces a subroutine that is removed: `return`. */
const NOTHING = Uint8Array.of(11)

/** The standard subroutines 0 to 3, for flex and hint replacement (Adobe Type 1 Font Format, 8.3 and 8.4). */
const USUAL_SUBRS: readonly Uint8Array[] = [
  Uint8Array.of(142, 139, 12, 16, 12, 17, 12, 17, 12, 33, 11),
  Uint8Array.of(139, 140, 12, 16, 11),
  Uint8Array.of(139, 141, 12, 16, 11),
  NOTHING,
]

/** A glyph of width 0 that draws nothing: `0 0 hsbw endchar`. */
const EMPTY_GLYPH = Uint8Array.of(139, 139, 13, 14)

const MISSING = '.notdef'
const UNIQUE_ID = /\/UniqueID\s+\d+\s+(?:readonly\s+)?def\b[ \t]*\r?\n?/g
const XUID = /\/XUID\s*\[[^\]]*\]\s*(?:readonly\s+)?def\b[ \t]*\r?\n?/g
const COMMENT_LINE = /(?<=[\r\n])[ \t]*%[^\r\n]*(?:\r\n|\r|\n)?/g

/** A name that needs no other notation in PostScript. */
const PLAIN_NAME = /^[^\s()<>[\]{}/%]+$/

/** The unencrypted zeros after the private part. */
const TRAILER = `${'0'.repeat(64)}\n`.repeat(8)

/** The glyphs that a subset of a Type 1 program keeps. */
export interface Type1Choice {
  /** Names in their new order, after `.notdef`. Names that the program doesn't have are ignored. */
  names: readonly string[]
  /** If `true`, `.notdef` becomes empty. For documents that don't show it. */
  isMissingBlank?: boolean
  /** New names by old ones. Glyphs without an entry keep their name. */
  renamed?: ReadonlyMap<string, string>
  /**
   * Old names by code, for the built-in encoding. If omitted, StandardEncoding stays, and any other encoding keeps the
   * codes of the remaining glyphs.
   */
  codes?: ReadonlyMap<number, string>
  /** Widths of empty glyphs to add by their names. */
  spaces?: ReadonlyMap<string, number>
}

/**
 * A Type 1 program with only some of its glyphs, and the lengths for its stream dictionary (ISO 32000-2, table 125).
 */
export interface Type1Subset {
  bytes: Uint8Array
  length1: number
  length2: number
  length3: number
}

/**
 * Returns a Type 1 program with only the chosen glyphs, and no data of other glyphs. The components of accented
 * characters follow the chosen glyphs, under their standard names. Subroutines that no remaining charstring calls
 * become `return`, so that the others keep their numbers. Subroutines after the last called one are removed.
 * Subroutines 0 to 3 get their standard content if nothing calls them. UniqueID, XUID and comments are removed. The
 * private part is binary. Undefined if a charstring can't be followed, or if a new name collides with one that an
 * accented character needs. Also undefined if the choice has codes and the program's encoding can't be found, or if the
 * name of a space has other characters than names of glyphs.
 */
export function subsetType1(program: Type1Program, choice: Type1Choice): Type1Subset | undefined {
  return readUnlessDamaged(() => cut(program.content, choice))
}

interface KeptChar {
  old: string
  name: string
  bytes: Uint8Array
}

function cut(content: Type1Content, choice: Type1Choice): Type1Subset {
  const used = new Map<number, number>()
  const kept = collect(content, choice, used)
  const clear = toBytes(`${cutClear(content, choice, kept)}\n`)
  const hidden = encryptPrivate(toBytes(writePrivate(content, kept, cutSubrs(content, used))))
  const trailer = toBytes(`\n${TRAILER}cleartomark\n`)
  const bytes = new FontWriter().bytes(clear).bytes(hidden).bytes(trailer).finish()
  return { bytes, length1: clear.length, length2: hidden.length, length3: trailer.length }
}

/** Returns the remaining charstrings, each up to its end, with components last. */
function collect({ hidden }: Type1Content, choice: Type1Choice, used: Map<number, number>): KeptChar[] {
  const { names, renamed, isMissingBlank = false } = choice
  const terms = { subrs: hidden.subrs, used, budget: { left: CUTTING_BUDGET } }
  const kept: KeptChar[] = []
  const needed = new Set<number>()
  const add = (old: string, name: string): void => {
    const whole = old === MISSING && isMissingBlank ? EMPTY_GLYPH : hidden.charStrings.get(old)
    if (!whole) return
    const { end, components } = walkType1(whole, terms)
    kept.push({ old, name, bytes: whole.subarray(0, end) })
    for (const code of components) needed.add(code)
  }
  for (const old of new Set([MISSING, ...names])) add(old, old === MISSING ? MISSING : (renamed?.get(old) ?? old))
  const standard = listStandardEncoding()
  for (const code of needed) {
    const name = standard.get(code)
    const holder = kept.find(char => char.name === name)
    if (holder && holder.old !== name) throw new DamagedFontError('a new name is needed by an accented character')
    if (name !== undefined && !holder) add(name, name)
  }
  for (const [name, width] of choice.spaces ?? []) {
    if (!PLAIN_NAME.test(name)) throw new DamagedFontError('a glyph has no plain name')
    kept.push({ old: name, name, bytes: writeSpace(width) })
  }
  return kept
}

/** Writes a charstring that states its width and draws nothing: `0 width hsbw endchar`. */
function writeSpace(width: number): Uint8Array {
  return new FontWriter().u8(139).u8(255).u32(Math.round(width)).u8(13).u8(14).finish()
}

function cutSubrs({ hidden }: Type1Content, used: ReadonlyMap<number, number>): Map<number, Uint8Array> {
  const last = Math.max(...used.keys(), Math.min(hidden.subrCount, USUAL_SUBRS.length) - 1)
  const subrs = new Map<number, Uint8Array>()
  for (let number = 0; number <= last; number++) {
    const bytes = hidden.subrs.get(number)
    const end = used.get(number)
    subrs.set(number, bytes && end !== undefined ? bytes.subarray(0, end) : (USUAL_SUBRS[number] ?? NOTHING))
  }
  return subrs
}

function cutClear({ clear, encoding }: Type1Content, { codes }: Type1Choice, kept: readonly KeptChar[]): string {
  if (!encoding) {
    if (codes) throw new DamagedFontError('the encoding of the program was not found')
    return clean(clear)
  }
  if (encoding.isStandard && !codes) return clean(clear)
  const newNames = new Map(kept.map(({ old, name }) => [old, name] as const).reverse())
  const names = new Map(
    [...(codes ?? encoding.names)].flatMap(([code, old]) => {
      const name = newNames.get(old)
      return name === undefined || name === MISSING ? [] : [[code, name] as const]
    }),
  )
  return clean(clear.slice(0, encoding.start)) + writeType1Encoding(names) + clean(clear.slice(encoding.end))
}

/** Removes the unique IDs of the old font, and comments apart from the first line. */
function clean(text: string): string {
  return text.replaceAll(UNIQUE_ID, '').replaceAll(XUID, '').replaceAll(COMMENT_LINE, '')
}

function writePrivate({ hidden }: Type1Content, kept: readonly KeptChar[], subrs: Type1Private['subrs']): string {
  const { lenIV, words, beforeSubrs, beforeChars } = hidden
  const write = (bytes: Uint8Array): string => {
    const cipher = encryptCharstring(bytes, lenIV)
    return `${cipher.length} ${words.read} ${toText(cipher)}`
  }
  const parts = [clean(beforeSubrs)]
  if (beforeChars !== undefined) {
    parts.push(`/Subrs ${subrs.size} array\n`)
    for (const [number, bytes] of subrs) parts.push(`dup ${number} ${write(bytes)} ${words.putSubr}\n`)
    parts.push(clean(beforeChars))
  }
  parts.push(`/CharStrings ${kept.length} dict dup begin\n`)
  for (const { name, bytes } of kept) parts.push(`/${name} ${write(bytes)} ${words.putChar}\n`)
  return `${parts.join('')}${hidden.tail}\n`
}
