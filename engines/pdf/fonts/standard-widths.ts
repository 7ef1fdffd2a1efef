import { StandardFontEmbedder, StandardFonts } from 'pdf-lib'

/** Codes from 128 on of MacRoman, in Unicode (ISO 32000-2, annex D.2). */
const MAC_ROMAN =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… ' +
  'ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ?ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

/** Glyph names of characters of MacRoman that WinAnsi doesn't have. */
const MAC_NAMES = new Map(
  [
    ...[
      '≠notequal',
      '∞infinity',
      '≤lessequal',
      '≥greaterequal',
      '∂partialdiff',
      '∑summation',
      '∏product',
      'πpi',
      '∫integral',
      'ΩOmega',
    ],
    ...[
      '√radical',
      '≈approxequal',
      '∆Delta',
      '◊lozenge',
      '⁄fraction',
      'ﬁfi',
      'ﬂfl',
      'ıdotlessi',
      'ˆcircumflex',
      '˜tilde',
      '˘breve',
    ],
    ...['˙dotaccent', '˚ring', '˝hungarumlaut', '˛ogonek', 'ˇcaron'],
  ].map(entry => [entry.codePointAt(0), entry.slice(1)] as const),
)

/** Glyph names of StandardEncoding above code 127 (ISO 32000-2, annex D.2), by code. */
const STANDARD: Readonly<Record<number, string>> = {
  161: 'exclamdown',
  162: 'cent',
  163: 'sterling',
  164: 'fraction',
  165: 'yen',
  166: 'florin',
  167: 'section',
  168: 'currency',
  169: 'quotesingle',
  170: 'quotedblleft',
  171: 'guillemotleft',
  172: 'guilsinglleft',
  173: 'guilsinglright',
  174: 'fi',
  175: 'fl',
  177: 'endash',
  178: 'dagger',
  179: 'daggerdbl',
  180: 'periodcentered',
  182: 'paragraph',
  183: 'bullet',
  184: 'quotesinglbase',
  185: 'quotedblbase',
  186: 'quotedblright',
  187: 'guillemotright',
  188: 'ellipsis',
  189: 'perthousand',
  191: 'questiondown',
  193: 'grave',
  194: 'acute',
  195: 'circumflex',
  196: 'tilde',
  197: 'macron',
  198: 'breve',
  199: 'dotaccent',
  200: 'dieresis',
  202: 'ring',
  203: 'cedilla',
  205: 'hungarumlaut',
  206: 'ogonek',
  207: 'caron',
  208: 'emdash',
  225: 'AE',
  227: 'ordfeminine',
  232: 'Lslash',
  233: 'Oslash',
  234: 'OE',
  235: 'ordmasculine',
  241: 'ae',
  245: 'dotlessi',
  248: 'lslash',
  249: 'oslash',
  250: 'oe',
  251: 'germandbls',
  39: 'quoteright',
  96: 'quoteleft',
}

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
  const cached = loaded.get(name)
  if (cached) return cached
  const made = load(name)
  loaded.set(name, made)
  return made
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
  const nameOfPoint = (point: number): string | undefined =>
    encoding.canEncodeUnicodeCodePoint(point) ? encoding.encodeUnicodeCodePoint(point).name : undefined
  const isText = fontName !== StandardFonts.Symbol && fontName !== StandardFonts.ZapfDingbats
  return {
    isText,
    capHeight: typeof font.CapHeight === 'number' && font.CapHeight > 0 ? font.CapHeight / 1000 : undefined,
    extent: {
      ascent: (font.Ascender || font.FontBBox[3]) / 1000,
      descent: (font.Descender || font.FontBBox[1]) / 1000,
    },
    nameOf(code, encodingName) {
      if (!isText || encodingName === 'WinAnsiEncoding') return byCode.get(code)
      if (encodingName === 'MacRomanEncoding') {
        const point = MAC_ROMAN.codePointAt(code - 128) ?? 0
        return code < 128 ? byCode.get(code) : (nameOfPoint(point) ?? MAC_NAMES.get(point))
      }
      return STANDARD[code] ?? (code < 128 ? byCode.get(code) : undefined)
    },
    widthOf(glyphName) {
      const width = font.getWidthOfGlyph(glyphName)
      return typeof width === 'number' ? width / 1000 : undefined
    },
    characterOf: glyphName => characters.get(glyphName),
  }
}
