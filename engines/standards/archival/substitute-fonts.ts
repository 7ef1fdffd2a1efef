import { openSfnt } from '../conformance/font-rules/sfnt-program'
import { openTrueType } from '../../pdf/fonts'
import type { TrueTypeProgram } from '../../pdf/fonts'
import { findMetricFont, readFontFile, SYMBOLS } from '../../pdf/typeset'
import type { MetricFamily } from '../../pdf/typeset'
import { findOrAdd } from '../../map-entries'

/** A font that replaces one that isn't embedded. */
export interface SubstituteFont {
  /** PostScript name, such as `Arimo-Bold`. */
  name: string
  program: TrueTypeProgram
  unitsPerEm: number
  /** Glyph numbers by code point. */
  glyphs: ReadonlyMap<number, number>
  /** The width of a glyph in thousandths of an em. */
  widthOf(glyph: number): number
  /** Values of the font descriptor (ISO 32000-2, table 120) in thousandths of an em. */
  metrics: { ascent: number; descent: number; capHeight: number; box: [number, number, number, number] }
  isFixedPitch: boolean
  isSerif: boolean
  isItalic: boolean
  isBold: boolean
}

/** The family of ZapfDingbats. */
const SIGNS = 'NotoSansSymbols2'

type Family = MetricFamily | typeof SIGNS

/** Families with the same widths, by the names of the fonts that they can replace. */
const FAMILIES: readonly { family: Family; names: RegExp }[] = [
  {
    family: 'Arimo',
    names:
      /^(helvetica(?!.*(neue|narrow|condensed))|arial(?!.*(narrow|black|unicode))|arimo|liberationsans(?!narrow)|nimbussan(l|s(?!.*(narrow|cond))))/,
  },
  { family: 'Tinos', names: /^(times|symbol|tinos|liberationserif|nimbusrom)/ },
  { family: SIGNS, names: /^(zapf)?dingbats/ },
  { family: 'Cousine', names: /^(courier|cousine|liberationmono|nimbusmon)/ },
]

const LETTERS_AND_DIGITS = /^[A-Za-z0-9]$/
/** Minimum number of letters and digits that a family is found by. */
const FEWEST_WIDTHS = 6
/** Maximum difference of widths that count as equal, in thousandths of an em. */
const SAME_WIDTH = 10

const opened = new Map<string, SubstituteFont>()

/** Finds a font with the widths of this one by its name. Undefined if there is none. */
export function findSubstitute(fontName: string): SubstituteFont | undefined {
  const plain = fontName
    .replace(/^[A-Z]{6}\+/, '')
    .replaceAll(/[\s,_-]/g, '')
    .toLowerCase()
  const family = FAMILIES.find(({ names }) => names.test(plain))?.family
  if (family === undefined) return undefined
  return openStyle(family, /bold|demi/.test(plain), /ital|obli/.test(plain))
}

/** Finds a font in which all letters and digits have these widths, by character. Undefined if there is none. */
export function findByWidths(widths: ReadonlyMap<number, number>): SubstituteFont | undefined {
  const stated = [...widths].filter(([character]) => LETTERS_AND_DIGITS.test(String.fromCodePoint(character)))
  if (stated.length < FEWEST_WIDTHS) return undefined
  for (const family of ['Arimo', 'Tinos', 'Cousine'] as const)
    for (const [isBold, isItalic] of STYLES) {
      const font = openStyle(family, isBold, isItalic)
      const isSame = stated.every(
        ([character, width]) => Math.abs(font.widthOf(font.glyphs.get(character) ?? 0) - width) <= SAME_WIDTH,
      )
      if (isSame) return font
    }
  return undefined
}

/** All combinations of bold and italic, regular first. */
const STYLES = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const

function openStyle(family: Family, isBold: boolean, isItalic: boolean): SubstituteFont {
  const key = `${family}${isBold ? ' bold' : ''}${isItalic ? ' italic' : ''}`
  return findOrAdd(opened, key, () => readSubstitute(family, { isBold, isItalic }))
}

/** Reads an installed font, with its metrics in thousandths of an em. Throws an Error if it isn't installed. */
function readSubstitute(family: Family, look: { isBold: boolean; isItalic: boolean }): SubstituteFont {
  const file = family === SIGNS ? SYMBOLS.find(({ name }) => name === SIGNS)?.files[0] : findMetricFont(family, look)
  if (!file) throw new Error(`The font ${family} isn't installed`)
  const bytes = readFontFile(file)
  const [program, horizontal] = [openTrueType(bytes), openSfnt(bytes)]
  if (!program || !horizontal) throw new Error(`The font ${family} can't be read`)
  const head = tableOf(program, 'head')
  const hhea = tableOf(program, 'hhea')
  const os2 = tableOf(program, 'OS/2')
  const unitsPerEm = head.getUint16(18)
  const scaled = (value: number): number => Math.round((value * 1000) / unitsPerEm)
  return {
    name: `${family}${look.isBold || look.isItalic ? '-' : ''}${look.isBold ? 'Bold' : ''}${look.isItalic ? 'Italic' : ''}`,
    program,
    unitsPerEm,
    glyphs: mapCharacters(program),
    widthOf: glyph => horizontal.widthOf(glyph),
    metrics: {
      ascent: scaled(hhea.getInt16(4)),
      descent: scaled(hhea.getInt16(6)),
      capHeight: scaled(os2.getUint16(0) >= 2 ? os2.getInt16(88) : hhea.getInt16(4)),
      box: [36, 38, 40, 42].map(at => scaled(head.getInt16(at))) as [number, number, number, number], // four places
    },
    isFixedPitch: family === 'Cousine',
    isSerif: family === 'Tinos',
    ...look,
  }
}

function tableOf(program: TrueTypeProgram, tag: string): DataView {
  const table = program.tables.get(tag) ?? new Uint8Array(96)
  return new DataView(table.buffer, table.byteOffset, table.byteLength)
}

function mapCharacters(program: TrueTypeProgram): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let glyph = 1; glyph < program.glyphCount; glyph++)
    for (const character of program.charactersOf(glyph)) if (!glyphs.has(character)) glyphs.set(character, glyph)
  return glyphs
}
