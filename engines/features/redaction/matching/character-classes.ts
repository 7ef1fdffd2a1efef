import { accentOf } from '../../../pdf/read-page'

/** Punctuation that people don't tell apart. Each class is represented by its ASCII sign. */
const APOSTROPHES = "'‘’‚‛`´ʹʻʼʽʾʿˈˊˋ΄᾽᾿′‵՚׳ꞌ＇｀❛❜"
const QUOTES = '"“”„‟«»‹›″‶〝〞〟＂״❝❞˶'
const DASHES = /^[\p{Pd}−⁃˗➖﹣－⁻₋¬]$/u

/** CJK radicals and the ideographs that look like them (Unicode Character Database, EquivalentUnifiedIdeograph). */
const RADICALS = new Map(
  (
    (
      '⺀丶⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇几⺈刀⺉刂⺊卜⺋卩⺌小⺍小⺎尢⺏尣⺐尢⺑尣⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳罓⺴罓⺵罒⺶羊⺷羊⺸羋⺹耂' +
      '⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞飠⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧鹵⻨麦⻩黄⻪黾⻫齊⻬齐⻭齒⻮齿⻯龍⻰龙⻱龜⻲龜'
    ).match(/../gu) ?? []
  ).map(pair => Array.from(pair) as [string, string]),
)

/** Combining marks above and below letters of scripts with capital letters. */
const ACCENT_MARK = /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20f0]|[\ufe20-\ufe2f]/u

/**
 * Hebrew points and Arabic vowel signs, which most texts leave out, and the Arabic tatweel.
 */
const OPTIONAL_MARK = new RegExp(
  String.raw`[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670]|[\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]`,
  'u',
)

/**
 * Characters that people don't read: joiners, directional marks, variation selectors, and strokes and frames over letters.
 */
const UNSEEN = /^(?:[\p{Cf}\p{Default_Ignorable_Code_Point}\ufffc]|[\u0305\u0332-\u0338\u033f]|[\u20d0-\u20f0])+$/u

/** Ranges of letters in frames, which have no compatibility form or one with brackets. Each begins with the letter A. */
const FRAMED = [0x249c, 0x1f110, 0x1f150, 0x1f170, 0x1f1e6]

/** Small capital letters from A to Z. A blank stands for a letter that Unicode lacks. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ ʏᴢ'

const A = 0x61
const LETTERS = 26

/** Characters that join the character before them: combining marks, and Hangul vowels and finals. */
const JOINS = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7fb]/u

/** The class of a character for searching. */
export interface CharacterKind {
  kind: 'text' | 'space' | 'break' | 'soft' | 'unseen'
  /** The compatibility form, with apostrophes, quotes and dashes as ASCII signs. */
  plain: string
  /** The compatibility form with apostrophes, quotes and dashes as written. It has the same length as `plain`. */
  written: string
  /** Whether the character may be composed with the character before it. */
  joins: boolean
}

const kinds = new Map<string, CharacterKind>()
/** Maximum number of cached characters, so that hostile files can't fill the memory. */
const MOST_KNOWN = 50_000

/** Returns the class of a character, or of the few characters that one glyph stands for. */
export function kindOf(character: string): CharacterKind {
  const earlier = kinds.get(character)
  if (earlier) return earlier
  const made = makeKind(character)
  if (kinds.size < MOST_KNOWN) kinds.set(character, made)
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
  const written =
    accentOf(character) !== undefined
      ? character
      : readSign(character).normalize('NFKC').replace(/\s+/gu, ' ').trim() || character
  const plain = written.replace(/[^\0-\x7f]/gu, sign => (isMark(sign) ? markOf(sign) : sign))
  return { kind: 'text', plain, written: plain.length === written.length ? written : plain, joins: JOINS.test(written) }
}

/** Returns the letter or digit that people read in a character with another compatibility form, or the character. */
function readSign(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x250) return character
  const first = FRAMED.find(start => code >= start && code < start + LETTERS)
  if (first !== undefined) return String.fromCharCode(A + code - first)
  const small = SMALL_CAPITALS.indexOf(character)
  if (small >= 0) return String.fromCharCode(A + small)
  if (/^\p{Nd}$/u.test(character)) return String(digitOf(code))
  const numbered = /^\(?(\d+)[.)]$/.exec(character.normalize('NFKC'))
  return numbered?.[1] ?? RADICALS.get(character) ?? character
}

/** Returns the value of a decimal digit. The digits of each script have ten codes in a row (Unicode Standard, 4.6). */
function digitOf(code: number): number {
  let first = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}

function isMark(sign: string): boolean {
  return APOSTROPHES.includes(sign) || QUOTES.includes(sign) || DASHES.test(sign)
}

function markOf(sign: string): string {
  return APOSTROPHES.includes(sign) ? "'" : QUOTES.includes(sign) ? '"' : '-'
}

/** A letter and its accents. */
export interface BareLetter {
  letters: string
  marks: string
}

const bareLetters = { folded: new Map<string, BareLetter>(), exact: new Map<string, BareLetter>() }

/**
 * Splits a character into its letter and its accents. Folds the case of the letter unless `isExact` is `true`. This
 * maps ß to ss, ς to σ, and İ, I, ı and i to one letter. Both parts are empty for a point or vowel sign that texts may
 * omit.
 */
export function takeApart(character: string, isExact: boolean): BareLetter {
  const table = isExact ? bareLetters.exact : bareLetters.folded
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

/** Returns the full case folding of one character (Unicode Standard, 3.13). The Turkish İ and ı fold to i. */
export function foldCase(character: string): string {
  if (character === 'İ') return 'i'
  const once = character.toUpperCase().toLowerCase()
  const folded = once === character ? once : once.toUpperCase().toLowerCase()
  return folded === 'ß' ? 'ss' : folded
}

/** Characters of scripts that don't separate words with spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u

/** Returns whether a character belongs to a script that doesn't separate words with spaces. */
export function isUnspaced(character: string): boolean {
  return UNSPACED.test(character)
}
