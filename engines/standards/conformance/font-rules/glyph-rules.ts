import { UNDECIDED, inParts23 } from '../examination/rules'
import type { Finding, Rule } from '../examination/rules'
import { codeOfKey, writeCode } from '../../../pdf/rewrite-content'
import { NOTDEF } from '../../../pdf/fonts'
import { everywhere } from './font-rules'
import type { GlyphReader } from './glyph-reader'

/** A code that is shown, and what is known of its glyph. */
export interface GlyphSubject {
  key: number
  /** The name of the font, for messages. */
  fontName: string
  glyphs: GlyphReader
  /** Whether the code is shown in rendering mode 3. */
  isInvisible: boolean
}

/** Allowed difference of widths in thousandths of an em, with room for rounding. */
const TOLERANCE = 1.0001

/** Characters that no text has: null, the byte order mark and its mirror image. */
const WRONG_CHARACTERS = new Map([
  ['\0', 'U+0000'],
  ['\uFEFF', 'U+FEFF'],
  ['\uFFFE', 'U+FFFE'],
])

/** Requirements for glyphs (ISO 19005-1, 6.3.5 and 6.3.6; ISO 19005-2, 6.2.11.4 to 6.2.11.8). */
export const GLYPH_RULES: Rule<GlyphSubject>[] = [
  {
    in: everywhere('6.3.5-1', '6.2.11.4.1-2', '7.21.4.1-2'),
    message: 'An embedded font program must have all glyphs that are shown.',
    check(subject) {
      if (subject.isInvisible) return undefined
      const isPresent = subject.glyphs.isPresent(subject.key)
      return isPresent === UNDECIDED
        ? UNDECIDED
        : isPresent === false
          ? `no glyph for ${writeSubject(subject)}`
          : undefined
    },
  },
  {
    in: everywhere('6.3.6-1', '6.2.11.5-1', '7.21.5-1'),
    message: 'The widths of glyphs in the font dictionary must be those in the font program.',
    check: findOtherWidth,
  },
  {
    in: { ...inParts23('6.2.11.8-1'), 'pdfua-1': '7.21.8-1' },
    message: "Text mustn't show the glyph .notdef.",
    check(subject) {
      const name = subject.glyphs.nameOf(subject.key)
      return name === UNDECIDED ? UNDECIDED : name === NOTDEF ? `${writeSubject(subject)} is .notdef` : undefined
    },
  },
]

/** Requirements for the meaning of codes (ISO 19005-2, 6.2.11.7.2; ISO 14289-1, 7.21.7). */
export const UNICODE_RULES: Rule<GlyphSubject>[] = [
  {
    in: { ...inParts23('6.2.11.7.2-1') },
    level: 'u',
    message: 'Every code that is shown must map to Unicode.',
    check: findNoText,
  },
  {
    in: { 'pdfua-1': '7.21.7-1' },
    message: 'Every code that is shown must map to Unicode.',
    check: findNoText,
  },
  {
    in: { ...inParts23('6.2.11.7.2-2') },
    level: 'u',
    message: "Codes mustn't map to U+0000, U+FEFF or U+FFFE.",
    check: findWrongText,
  },
  {
    in: { 'pdfua-1': '7.21.7-2' },
    message: "Codes mustn't map to U+0000, U+FEFF or U+FFFE.",
    check: findWrongText,
  },
]

function findOtherWidth(subject: GlyphSubject): Finding {
  const { glyphs, key, isInvisible } = subject
  if (isInvisible) return undefined
  const width = glyphs.programWidth(key)
  if (width === undefined || width === UNDECIDED) return width
  const stated = glyphs.dictionaryWidth(key)
  if (Math.abs(width - stated) <= TOLERANCE) return undefined
  return `${writeSubject(subject)} is ${round(stated)} wide, and ${round(width)} in the font program`
}

function findNoText(subject: GlyphSubject): Finding {
  const text = subject.glyphs.textOf(subject.key)
  return text === UNDECIDED ? UNDECIDED : text === undefined ? `no text for ${writeSubject(subject)}` : undefined
}

function findWrongText(subject: GlyphSubject): Finding {
  const text = subject.glyphs.textOf(subject.key)
  if (text === undefined || text === UNDECIDED) return text
  for (const [character, name] of WRONG_CHARACTERS)
    if (text.includes(character)) return `${writeSubject(subject)} maps to ${name}`
  return undefined
}

/** Writes a code and the name of its font, for a message of the report. */
function writeSubject({ key, fontName }: GlyphSubject): string {
  const { code, length } = codeOfKey(key)
  return `code ${writeCode(code, length)} of ${fontName}`
}

function round(width: number): number {
  return Math.round(width * 10) / 10
}
