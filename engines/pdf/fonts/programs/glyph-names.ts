import { GLYPH_LIST } from './glyph-list'

/** Names that fonts use but that only the full Adobe Glyph List has. */
const OLDER_NAMES =
  'nbspace:A0 nonbreakingspace:A0 sfthyphen:AD softhyphen:AD middot:B7 overscore:AF Dslash:110 dmacron:111 ' +
  'ff:FB00 fi:FB01 fl:FB02 ffi:FB03 ffl:FB04 Tcedilla:162 tcedilla:163 Scommaaccent:218 scommaaccent:219 apple:F8FF ' +
  'increment:2206 Ohm:2126 micro:B5 mu1:B5 Zdot:17B zdot:17C Idot:130 dotlessj:237 onethird:2153 ' +
  'twothirds:2154 euro:20AC schwa:259 Schwa:18F slong:17F hyphentwo:2010 apostrophemod:2BC afii57929:2BC ' +
  'Gcommaaccent:122 gcommaaccent:123 Kcommaaccent:136 kcommaaccent:137 Lcommaaccent:13B lcommaaccent:13C ' +
  'Ncommaaccent:145 ncommaaccent:146 Rcommaaccent:156 rcommaaccent:157 ' +
  'onesuperior:B9 twosuperior:B2 threesuperior:B3 ' +
  'afii61352:2116 afii10050:490 afii10098:491 afii10145:40F afii10193:45F afii10023:401 afii10071:451 ' +
  'afii00208:2015 afii61289:2113 afii61248:2105'

/** Ranges of names such as `afii10017`, Cyrillic, Arabic and Hebrew: first number, last number, first character. */
const NUMBERED_LETTERS: readonly (readonly [number, number, number])[] = [
  [10017, 10022, 0x410],
  [10024, 10049, 0x416],
  [10051, 10061, 0x402],
  [10062, 10062, 0x40e],
  [10065, 10070, 0x430],
  [10072, 10097, 0x436],
  [10099, 10109, 0x452],
  [10110, 10110, 0x45e],
  [57388, 57388, 0x60c],
  [57392, 57401, 0x660],
  [57403, 57403, 0x61b],
  [57407, 57407, 0x61f],
  [57409, 57434, 0x621],
  [57440, 57458, 0x640],
  [57470, 57470, 0x647],
  [57664, 57690, 0x5d0],
  [57716, 57718, 0x5f0],
]

/** Names that fonts use for text although no glyph list has them. */
const UNLISTED: ReadonlyMap<string, string> = new Map([
  ['dslash', 'đ'],
  ['Germandbls', 'ẞ'],
  ['nonbreakinghyphen', '\u2011'],
  ['commaaccent', ','],
  // Names of the mathematical fonts of TeX.
  ['epsilon1', 'ϵ'],
  ['rho1', 'ϱ'],
  ['nabla', '∇'],
  ['prime', '′'],
  ['bardbl', '‖'],
  ['mapsto', '↦'],
  ['angbracketleft', '⟨'],
  ['angbracketright', '⟩'],
])

/** Replacements for listed characters: ligatures become their letters, and a look-alike sign becomes the letter. */
const SPELLED: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ĳ: 'ij',
  Ĳ: 'IJ',
  '∆': 'Δ',
}

const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dot: '\u0307',
  dieresis: '\u0308',
  hookabove: '\u0309',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  dblacute: '\u030b',
  caron: '\u030c',
  dblgrave: '\u030f',
  commaaccent: '\u0326',
  cedilla: '\u0327',
  ogonek: '\u0328',
  dotbelow: '\u0323',
  tonos: '\u0301',
}

const ACCENTED =
  /^(dotlessi|AE|ae|[Aa]lpha|[Ee]psilon|[Ee]ta|[Ii]ota|[Oo]micron|[Uu]psilon|[Oo]mega|[A-Za-z])([a-z]{3,})$/

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const FIGURE = /^([a-z]+?)(?:oldstyle|taboldstyle|superior|inferior|fitted|tab|lf)$/
const SMALL = /^([A-Za-z]+)small$/
/** Larger signs of the mathematical fonts of TeX, such as `parenleftbigg` and `summationtext`. */
const LARGE_SIGN = /^([a-z]+?)(?:[Bb]igg?|text|display)$/

/** Maximum length of a name that has a meaning. */
const LONGEST = 200

/** Matches names that state characters by code point. */
const CODED = /^u(?:ni)?[0-9A-Fa-f]{4}/

/** Matches names that only number glyphs: an optional prefix, then decimal or hexadecimal digits. */
const NUMBERED =
  /^(?:\.?(?:notdef|null)|[A-Z]{0,2}\d+|(?:cid|gid|glyph|char|index|code|id|ch|sym)[-_.]?[0-9A-F]+|[A-Z]{0,2}[0-9A-F]*\d[0-9A-F]*)$/i

/** Matches words that name signs. They have at least three letters, apart from `at`. */
const WORD = /^(?:[A-Za-z]{3,}|at$)/

/** Matches letters and digits, but not modifier letters, which stand for accents. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u

/** Maximum number of cached meanings. */
const MOST_KNOWN = 5000

/**
 * The meaning of a glyph name: its text, or `sign` for an unknown word or a character that isn't a letter or digit.
 * Undefined if the name has no meaning.
 */
export type NameMeaning = { text: string; isSmallCap: boolean } | 'sign' | undefined

let listed: ReadonlyMap<string, number> | undefined
const meanings = new Map<string, NameMeaning>()

/**
 * Returns the character by which readers look up a glyph name in a font (Adobe Glyph List Specification, 2). Supports
 * listed names, `uniXXXX` and `uXXXXXX`, each with or without a suffix after a period. Returns the first character if
 * one component stands for several. Undefined for other names, and for names with underscores.
 */
export function readCharacterOfName(name: string): number | undefined {
  listed ??= readList()
  const [plain = ''] = name.split('.')
  const known = listed.get(name) ?? listed.get(plain)
  if (known !== undefined) return known
  const digits = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6})$)/.exec(plain)
  return digits ? Number.parseInt(digits[1] ?? digits[2] ?? '', 16) : undefined
}

/**
 * Returns the text that a glyph name stands for (Adobe Glyph List Specification, 2). Underscores separate components,
 * and a suffix after a period is ignored. Small capitals become lowercase letters, and all kinds of figures become
 * digits. Undefined for a name without a meaning, such as `g23` or `cid123`.
 */
export function readTextOfName(name: string): string | undefined {
  const plain = name.split('.', 1)[0] ?? ''
  if (plain === '' || plain.length > LONGEST) return undefined
  const parts = plain.split('_').map(readPart)
  return parts.includes(undefined) ? undefined : parts.join('')
}

/**
 * Returns the meaning of a glyph name, for comparison with other evidence. Names of letters and digits mean text, and
 * other words mean signs. Names that only number glyphs have no meaning.
 */
export function readMeaningOfName(name: string): NameMeaning {
  if (meanings.has(name)) return meanings.get(name)
  const meaning = readMeaning(name)
  if (meanings.size < MOST_KNOWN) meanings.set(name, meaning)
  return meaning
}

function readMeaning(name: string): NameMeaning {
  const text = readTextOfName(name)
  const [stem = '', ...suffixes] = name.split('.')
  if (text !== undefined && (LETTER.test(text) || CODED.test(stem))) {
    return { text, isSmallCap: stem.endsWith('small') || /sc|cap|small/i.test(suffixes.join('.')) }
  }
  if (text !== undefined) return 'sign'
  return !NUMBERED.test(stem) && WORD.test(stem) ? 'sign' : undefined
}

function readPart(part: string): string | undefined {
  const units = /^uni((?:[0-9A-Fa-f]{4})+)$/.exec(part)?.[1]
  if (units !== undefined) return keepMeant(Buffer.from(units, 'hex').swap16().toString('utf16le'))
  const point = Number.parseInt(/^u([0-9A-Fa-f]{4,6})$/.exec(part)?.[1] ?? '', 16)
  if (!Number.isNaN(point)) return point <= 0x10ffff ? keepMeant(String.fromCodePoint(point)) : undefined
  return readListed(part) ?? readAccented(part) ?? readExpert(part)
}

/** Returns the text. Undefined for lone surrogates, and for characters without a meaning. */
function keepMeant(text: string): string | undefined {
  return text.isWellFormed() && !/[\p{Co}\p{Cn}\p{Cc}\ufffd]/u.test(text) ? text : undefined
}

function readListed(part: string): string | undefined {
  listed ??= readList()
  const point = listed.get(part)
  if (point === undefined) return UNLISTED.get(part)
  const character = String.fromCodePoint(point)
  return SPELLED[character] ?? keepMeant(character)
}

/** Reads a letter followed by the name of its accent. */
function readAccented(part: string): string | undefined {
  const [, letter = '', accent = ''] = ACCENTED.exec(part) ?? []
  const mark = Object.hasOwn(ACCENTS, accent) ? ACCENTS[accent] : undefined
  const base = readListed(letter)
  return mark && base ? (base + mark).normalize('NFC') : undefined
}

/** Reads small capitals and figures of the expert sets, and large signs of formulas. */
function readExpert(part: string): string | undefined {
  const digit = DIGITS.indexOf(FIGURE.exec(part)?.[1] ?? '')
  if (digit >= 0) return String(digit)
  const sign = LARGE_SIGN.exec(part)?.[1]
  if (sign !== undefined) return readListed(sign)
  const small = SMALL.exec(part)?.[1]
  return small === undefined ? undefined : (readListed(small) ?? readAccented(small))?.toLowerCase()
}

function readList(): Map<string, number> {
  const byName = new Map<string, number>()
  for (const item of `${GLYPH_LIST} ${OLDER_NAMES}`.split(' ')) {
    const [name = '', digits = ''] = item.split(':')
    if (!byName.has(name)) byName.set(name, Number.parseInt(digits, 16))
  }
  for (const [first, last, character] of NUMBERED_LETTERS)
    for (let number = first; number <= last; number++) byName.set(`afii${number}`, character + number - first)
  return byName
}
