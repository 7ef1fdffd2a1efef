import { StandardFontEmbedder, StandardFonts } from 'pdf-lib'
import { NOTDEF, listEncoding } from './encodings'
import { findOrAdd } from '../../map-entries'

/** Codes of WinAnsiEncoding without a character. Unlike the encoding, readers show no bullet for them. */
const UNUSED: ReadonlySet<number> = new Set([127, 129, 141, 143, 144, 157])

/** In the encoding of the Macintosh, the euro has replaced the currency sign. */
const MAC_EURO = 219

/** The metrics of one of the 14 standard fonts, which files may use without widths (ISO 32000-2, 9.6.2.2). */
export interface StandardMetrics {
  /** Whether the font has letters. Symbol and ZapfDingbats have signs under the codes of letters. */
  isText: boolean
  /** Height of capital letters in ems. Undefined if the font has none. */
  capHeight: number | undefined
  /** How far letters extend above and below the baseline, in ems. Of signs, the bounds of all. */
  extent: { ascent: number; descent: number }
  /** The glyph name of a code in an encoding. If the encoding is undefined, the font's own encoding applies. */
  nameOf(code: number, encoding: string | undefined): string | undefined
  /** The width of a glyph in ems. Undefined if the font doesn't have the glyph. */
  widthOf(glyphName: string): number | undefined
  /** The code point of a glyph. Undefined if the font doesn't have the glyph. */
  characterOf(glyphName: string): number | undefined
}

const loaded = new Map<string, StandardMetrics>()

/**
 * Finds metrics by font name. Ignores subset prefixes and spelling of styles. Undefined if it isn't one of the 14
 * fonts.
 */
export function findStandardMetrics(baseFont: string): StandardMetrics | undefined {
  const name = matchName(baseFont)
  if (!name) return undefined
  return findOrAdd(loaded, name, () => load(name))
}

function matchName(baseFont: string): StandardFonts | undefined {
  const plain = baseFont
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/[\s,_-]/g, '')
    .toLowerCase()
  const isBold = /bold|black|heavy/.test(plain)
  const isSlanted = /italic|oblique/.test(plain)
  const pick = (...names: [StandardFonts, StandardFonts, StandardFonts, StandardFonts]): StandardFonts =>
    names[(isBold ? 1 : 0) + (isSlanted ? 2 : 0)] ?? names[0]
  if (/^(helvetica|arial)/.test(plain))
    return pick(
      StandardFonts.Helvetica,
      StandardFonts.HelveticaBold,
      StandardFonts.HelveticaOblique,
      StandardFonts.HelveticaBoldOblique,
    )
  if (plain.startsWith('times'))
    return pick(
      StandardFonts.TimesRoman,
      StandardFonts.TimesRomanBold,
      StandardFonts.TimesRomanItalic,
      StandardFonts.TimesRomanBoldItalic,
    )
  if (plain.startsWith('courier'))
    return pick(
      StandardFonts.Courier,
      StandardFonts.CourierBold,
      StandardFonts.CourierOblique,
      StandardFonts.CourierBoldOblique,
    )
  if (plain.startsWith('symbol')) return StandardFonts.Symbol
  return plain.startsWith('zapfdingbats') ? StandardFonts.ZapfDingbats : undefined
}

function load(fontName: StandardFonts): StandardMetrics {
  // The metrics package has an enumeration with the same values but doesn't export its type.
  const { font, encoding } = StandardFontEmbedder.for(
    fontName as unknown as Parameters<typeof StandardFontEmbedder.for>[0],
  )
  const byCode = new Map<number, string>()
  const characters = new Map<string, number>()
  for (const point of encoding.supportedCodePoints) {
    const { code, name } = encoding.encodeUnicodeCodePoint(point)
    if (!byCode.has(code)) byCode.set(code, name)
    if (!characters.has(name)) characters.set(name, point)
  }
  const isText = fontName !== StandardFonts.Symbol && fontName !== StandardFonts.ZapfDingbats
  return {
    isText,
    capHeight: typeof font.CapHeight === 'number' && font.CapHeight > 0 ? font.CapHeight / 1000 : undefined,
    extent: {
      ascent: (font.Ascender || font.FontBBox[3]) / 1000,
      descent: (font.Descender || font.FontBBox[1]) / 1000,
    },
    nameOf: (code, encodingName) => (isText ? nameInEncoding(code, encodingName) : byCode.get(code)),
    widthOf(glyphName) {
      const width = font.getWidthOfGlyph(glyphName)
      return typeof width === 'number' ? width / 1000 : undefined
    },
    characterOf: glyphName => characters.get(glyphName),
  }
}

/** The glyph name of a code in a Latin encoding. Other names than those of the two usual ones mean StandardEncoding. */
function nameInEncoding(code: number, encoding: string | undefined): string | undefined {
  if (encoding === 'WinAnsiEncoding' && UNUSED.has(code)) return undefined
  if (encoding === 'MacRomanEncoding' && code === MAC_EURO) return 'Euro'
  const names =
    encoding === 'MacRomanEncoding'
      ? 'MacintoshEncoding'
      : encoding === 'WinAnsiEncoding'
        ? encoding
        : 'StandardEncoding'
  const name = listEncoding(names)?.[code]
  return name === NOTDEF ? undefined : name
}
