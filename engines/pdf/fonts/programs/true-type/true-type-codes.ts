import { readCharacterOfName } from '../glyph-names'
import type { CodeMap, Cmaps } from './true-type-cmap'

/** What the font dictionary states about a code. */
export interface CodeReading {
  /**
   * Whether flag 3 of the font descriptor is set (ISO 32000-2, table 121). A font counts as nonsymbolic if flag 6 is
   * set.
   */
  isSymbolic: boolean
  /** The glyph name of the code in /Differences, else in the base encoding. Undefined if neither has one. */
  glyphName?: string | undefined
  /** The base encoding (`WinAnsiEncoding`, `MacRomanEncoding` …). Undefined if the font dictionary has none. */
  base?: string | undefined
  /** Whether /Encoding is a dictionary with /Differences. */
  hasDifferences?: boolean
}

interface CodeTables {
  cmaps: Cmaps
  glyphOfName(name: string): number | undefined
}

/** Numbers at which the codes of a symbolic font may begin in the (3,0) subtable. */
const SYMBOL_BASES = [0, 0xf000, 0xf100, 0xf200]

const SPACE = 0x20

/** Base encodings that also apply to a symbolic font if it has no /Differences. */
const NAMED_BASES: ReadonlySet<string> = new Set(['WinAnsiEncoding', 'MacRomanEncoding'])

/**
 * MacRoman codes above 127 of characters whose code has had two meanings, or that the glyph list maps to another
 * character.
 */
const MAC_ALIASES: readonly (readonly [number, number])[] = [
  [0x20ac, 219],
  [0xa4, 219],
  [0x2126, 189],
  [0x3bc, 181],
  [0x394, 198],
  [0xa0, 202],
]

let macCodes: ReadonlyMap<number, number> | undefined

/**
 * Returns the glyph of a one-byte code (ISO 32000-2, 9.6.5.4). Uses the order of PDFium, which covers what the standard
 * leaves open. Pairs such as (3,1) are the platform and encoding of a `cmap` subtable. A nonsymbolic font uses glyph
 * names, and so does a symbolic one with plain WinAnsi or MacRoman encoding. Unicode characters of names are looked up
 * in (3,1), else their MacRoman codes in (1,0). If there is only (3,0), the code itself is looked up there. The last
 * resort is the name in `post`. Codes without a name are looked up directly in the chosen subtable. Any other font uses
 * codes. They are looked up in (3,0) with the prefixes 0, F0, F1 and F2, then in (1,0), then in a Unicode subtable.
 * Without any of these subtables, the code is the glyph index.
 */
export function findGlyphOfCode(tables: CodeTables, code: number, reading: CodeReading): number {
  const isNamed = !reading.isSymbolic || (NAMED_BASES.has(reading.base ?? '') && !reading.hasDifferences)
  return isNamed ? findByName(tables, code, reading) : findByCode(tables.cmaps, code)
}

type Chosen = { kind: 'unicode' | 'mac' | 'symbol' | 'other'; map: CodeMap | undefined }

/** The glyph of a code by its name (ISO 32000-2, 9.6.5.4): first through a cmap, then through the names of the program. */
function findByName({ cmaps, glyphOfName }: CodeTables, code: number, { isSymbolic, glyphName }: CodeReading): number {
  const { kind, map } = chooseCmap(cmaps, isSymbolic)
  if (glyphName === undefined) return map?.(code) ?? 0
  const unicode = readCharacterOfName(glyphName)
  const found = findNamed({ kind, map }, { code, unicode })
  if (found !== 0) return found
  if (glyphName === '.notdef') return map?.(SPACE) ?? 0
  return glyphOfName(glyphName) ?? 0
}

function chooseCmap(cmaps: Cmaps, isSymbolic: boolean): Chosen {
  const unicode = cmaps.find(3, 1)
  if (unicode) return { kind: 'unicode', map: unicode }
  const [mac, symbol] = [cmaps.find(1, 0), cmaps.find(3, 0)]
  if (mac && (!isSymbolic || !symbol)) return { kind: 'mac', map: mac }
  return symbol ? { kind: 'symbol', map: symbol } : { kind: 'other', map: cmaps.findUnicode() }
}

function findNamed({ kind, map }: Chosen, { code, unicode }: { code: number; unicode: number | undefined }): number {
  if (!map) return 0
  if (kind === 'symbol') return findSymbol(map, code)
  if (unicode === undefined) return 0
  if (kind === 'mac') return map(macCodeOf(unicode) ?? 0)
  return map(unicode)
}

function findByCode(cmaps: Cmaps, code: number): number {
  const [symbol, mac, unicode] = [cmaps.find(3, 0), cmaps.find(1, 0), cmaps.findUnicode()]
  const found = (symbol && findSymbol(symbol, code)) || mac?.(code) || unicode?.(code) || 0
  return found === 0 && !symbol && !mac && !unicode ? code : found
}

function findSymbol(map: CodeMap, code: number): number {
  for (const base of SYMBOL_BASES) {
    const glyph = map(base + code)
    if (glyph !== 0) return glyph
  }
  return 0
}

function macCodeOf(unicode: number): number | undefined {
  macCodes ??= new Map([...readMacRoman(), ...MAC_ALIASES])
  return macCodes.get(unicode)
}

function readMacRoman(): [number, number][] {
  const bytes = Uint8Array.from({ length: 256 }, (_, code) => code)
  return [...new TextDecoder('macintosh').decode(bytes)].map((character, code) => [character.codePointAt(0) ?? 0, code])
}
