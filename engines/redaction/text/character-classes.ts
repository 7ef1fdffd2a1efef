/** Marks that readers take for one another, each class by its ASCII sign. */
const APOSTROPHES = "'‘’‚‛`´ʹʻʼʽʾʿˈˊˋ΄᾽᾿′‵՚׳ꞌ＇｀❛❜"
const QUOTES = '"“”„‟«»‹›″‶〝〞〟＂״❝❞˶'
const DASHES = /^[\p{Pd}−⁃˗➖﹣－⁻₋]$/u

/**
 * Spacing accents and the combining marks (U+0300 and on) that they stand for where programs print them over a letter.
 */
const ACCENTS = new Map<string, string>([
  ['`', '\u0300'],
  ['ˋ', '\u0300'],
  ['´', '\u0301'],
  ['ˊ', '\u0301'],
  ['΄', '\u0301'],
  ['^', '\u0302'],
  ['ˆ', '\u0302'],
  ['~', '\u0303'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['ˉ', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['°', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
])

/** Marks above and below letters of scripts that have capital letters. */
const ACCENT_MARK = /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20f0]|[\ufe20-\ufe2f]/u

/**
 * Points of Hebrew and vowel signs of Arabic, which most texts leave out, and the stroke that stretches Arabic words.
 */
const OPTIONAL_MARK = new RegExp(
  String.raw`[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670]|[\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]`,
  'u',
)

/** What is not seen and does not part words: joiners, marks of direction, variation selectors. */
const UNSEEN = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u

/** Joins the character before it: combining marks, and vowels and ends of Hangul syllables. */
const JOINS = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7fb]/u

/** What a character is for searching. */
export interface CharacterKind {
  kind: 'text' | 'space' | 'break' | 'soft' | 'unseen'
  /** In compatibility form; apostrophes, quotes and dashes by their ASCII signs. */
  plain: string
  /** In compatibility form, of the same length, those marks as they stand. */
  written: string
  /** Whether it may become one character with the one before it. */
  joins: boolean
}

const known = new Map<string, CharacterKind>()
/** Characters that are remembered, so that hostile files can't fill the memory. */
const MOST_KNOWN = 50_000

/** What a character, or the few that one glyph stands for, is for searching. */
export function kindOf(character: string): CharacterKind {
  const earlier = known.get(character)
  if (earlier) return earlier
  const made = makeKind(character)
  if (known.size < MOST_KNOWN) known.set(character, made)
  return made
}

function makeKind(character: string): CharacterKind {
  const none = { plain: '', written: '', joins: false }
  if (character === '\u00ad') return { kind: 'soft', ...none }
  if (character === '' || UNSEEN.test(character)) return { kind: 'unseen', ...none }
  if (/^[\s\p{Cc}\u2800]+$/u.test(character))
    return { kind: /[\n\r\v\f\u0085\u2028\u2029]/.test(character) ? 'break' : 'space', ...none }
  if (isMark(character)) return { kind: 'text', plain: markOf(character), written: character, joins: false }
  // The compatibility form of a spacing accent would begin with a space.
  const written = ACCENTS.has(character)
    ? character
    : character.normalize('NFKC').replace(/\s+/gu, ' ').trim() || character
  const plain = written.replace(/[^\0-\x7f]/gu, sign => (isMark(sign) ? markOf(sign) : sign))
  return { kind: 'text', plain, written: plain.length === written.length ? written : plain, joins: JOINS.test(written) }
}

function isMark(sign: string): boolean {
  return APOSTROPHES.includes(sign) || QUOTES.includes(sign) || DASHES.test(sign)
}

function markOf(sign: string): string {
  return APOSTROPHES.includes(sign) ? "'" : QUOTES.includes(sign) ? '"' : '-'
}

/** The combining mark that a spacing accent stands for. */
export function accentOf(sign: string): string | undefined {
  return ACCENTS.get(sign)
}

/** Whether a letter with this combining mark is a character of its own. */
export function composes(letter: string, mark: string): boolean {
  const plain = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter
  return /^\p{L}$/u.test(plain) && Array.from((plain + mark).normalize('NFC')).length === 1
}

/** A letter without its accents, and those. */
export interface BareLetter {
  letters: string
  marks: string
}

const bare = { folded: new Map<string, BareLetter>(), exact: new Map<string, BareLetter>() }

/**
 * A character taken apart: its letter, by full case folding unless `isExact` (ß is ss, ς is σ, and İ, I, ı and i are
 * one), and its accents. Empty for a point or vowel sign that texts may leave out.
 */
export function takeApart(character: string, isExact: boolean): BareLetter {
  const table = isExact ? bare.exact : bare.folded
  const earlier = table.get(character)
  if (earlier) return earlier
  const made = makeBare(character, isExact)
  if (table.size < MOST_KNOWN) table.set(character, made)
  return made
}

function makeBare(character: string, isExact: boolean): BareLetter {
  if (OPTIONAL_MARK.test(character)) return { letters: '', marks: '' }
  const parts = Array.from(character.normalize('NFD'))
  const isAccented = parts.length > 1 && parts.slice(1).every(part => ACCENT_MARK.test(part))
  const [letter, marks] = isAccented
    ? [parts[0] as string, parts.slice(1).join('')]
    : ACCENT_MARK.test(character)
      ? ['', character]
      : [character, '']
  return { letters: isExact ? letter : foldCase(letter), marks }
}

/** Full case folding of one character (Unicode Standard, 3.13); the letters I of Turkish are one with all others. */
export function foldCase(character: string): string {
  if (character === 'İ') return 'i'
  const once = character.toUpperCase().toLowerCase()
  const folded = once === character ? once : once.toUpperCase().toLowerCase()
  return folded === 'ß' ? 'ss' : folded
}

/** Scripts that do not part words by spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u

/** Whether a character is of a script that does not part words by spaces. */
export function isUnspaced(character: string): boolean {
  return UNSPACED.test(character)
}
