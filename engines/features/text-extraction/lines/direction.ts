/** Letters of right-to-left scripts. Digits and signs of numbers aren't letters. */
const RIGHT_TO_LEFT =
  /(?![\u0660-\u066c\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Letters of left-to-right scripts. */
const LEFT_TO_RIGHT = /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])\p{L}/u

/** Presentation forms of Arabic letters, which stand for plain letters. */
const PRESENTATION = /[\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Characters that only tell the direction of their neighbors. */
const CONTROL = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/

const DIGIT = /^\p{Nd}/u
const LATIN_DIGIT = /^\d/
/** Signs between the digits of a number, such as those of amounts, dates and times (UAX #9, CS and AN). */
const SEPARATOR = /^[.,:/\u00a0\u060c\u066b\u066c]$/
/** Signs that belong to a number beside them, or only between two (UAX #9, ET and ES). */
const BESIDE_NUMBER = /^(?:[#%+\u2030\u00b0-]|\p{Sc})$/u
const BETWEEN_ONLY = /^[+-]$/
/** Letters of the Arabic script and its relatives. */
const ARABIC = /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefe]/u

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

const OPENING = new Set(['(', '[', '{', '<', '«'])

/** Returns whether a text has letters of a right-to-left script. */
export function hasRightToLeft(text: string): boolean {
  // No letter below the Hebrew ones has this direction.
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x590) return RIGHT_TO_LEFT.test(text)
  return false
}

/** Returns whether a text has only characters that are never seen, and that tell the direction of their neighbors. */
export function isDirectionMark(text: string): boolean {
  return text.charCodeAt(0) >= 0x61c && CONTROL.test(text)
}

/** Replaces presentation forms of letters with plain letters. */
export function toPlainLetters(text: string): string {
  return PRESENTATION.test(text)
    ? text.replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/gu, part => part.normalize('NFKC'))
    : text
}

/** A word with its characters in visual order, from left to right. A character includes its combining marks. */
interface Directed {
  text: string
  visual?: readonly string[]
  isRightToLeft: boolean
}

/** A letter of either direction, a digit of a number or what belongs to it, or anything else. */
type Kind = 'left' | 'right' | 'number' | 'neutral'

/**
 * Puts the words of a line into logical order, and the characters of each word. The words come in visual order, from
 * left to right. This inverts the reordering of the Unicode bidirectional algorithm (UAX #9, L2) for text without
 * embeddings.
 */
export function toLogicalLine<Item extends Directed>(
  words: readonly Item[],
): { words: Item[]; isRightToLeft: boolean } {
  if (!words.some(word => word.isRightToLeft)) return { words: [...words], isRightToLeft: false }
  const characters: { text: string; word: number }[] = []
  for (const [word, item] of words.entries()) {
    if (word > 0) characters.push({ text: ' ', word: -1 })
    for (const text of inVisualOrder(item)) characters.push({ text, word })
  }
  const kinds = classify(characters.map(({ text }) => text))
  const isRightToLeft = isLineRightToLeft(kinds)
  const levels = findLevels(kinds, isRightToLeft)
  const order = reorder(levels)
  const isTurned = (index: number): boolean => (levels[index] as number) % 2 === 1
  const plain = order.map(index => (characters[index] as (typeof characters)[number]).text) // an index of the line
  const mirrored = order.map(
    (index, at) => (isTurned(index) ? MIRRORED[plain[at] ?? ''] : undefined) ?? plain[at] ?? '',
  )
  // Files map a bracket either to the character that is meant or to the one that its shape resembles.
  const chosen = countUnmatched(mirrored) < countUnmatched(plain) ? mirrored : plain
  const texts = new Map<number, string>()
  for (const [at, index] of order.entries()) {
    const { word } = characters[index] as (typeof characters)[number] // an index of the line
    if (word >= 0) texts.set(word, (texts.get(word) ?? '') + (chosen[at] ?? ''))
  }
  const logical = [...texts].map(([word, text]) => {
    const item = words[word] as Item
    const letters = toPlainLetters(text)
    return letters === item.text ? item : { ...item, text: letters }
  })
  return { words: logical, isRightToLeft }
}

/** How many brackets and quotation marks of a text have no counterpart in the right order. */
function countUnmatched(characters: readonly string[]): number {
  const open: string[] = []
  let count = 0
  for (const character of characters) {
    const other = MIRRORED[character]
    if (other === undefined) continue
    if (OPENING.has(character)) open.push(character)
    else if (open.at(-1) === other) open.pop()
    else count++
  }
  return count + open.length
}

/** The characters of a word from left to right. */
export function inVisualOrder(word: Directed): readonly string[] {
  return word.visual ?? spellOut(word)
}

/** The characters of a word from left to right, if only their logical order is known. */
function spellOut({ text, isRightToLeft }: Directed): string[] {
  const characters = text.match(/\P{M}\p{M}*/gu) ?? []
  if (!isRightToLeft) return characters
  return reorder(findLevels(classify(characters), true)).map(index => characters[index] ?? '')
}

/** The direction of the letters at both ends. If they differ, the direction of most letters. */
function isLineRightToLeft(kinds: readonly Kind[]): boolean {
  const letters = kinds.filter(kind => kind === 'left' || kind === 'right')
  const [first, last] = [letters[0], letters.at(-1)]
  return first === last ? first === 'right' : countOf(kinds, 'right') >= countOf(kinds, 'left')
}

function countOf(kinds: readonly Kind[], kind: Kind): number {
  return kinds.filter(one => one === kind).length
}

function classify(characters: readonly string[]): Kind[] {
  const kinds = characters.map((character): Kind => {
    if (DIGIT.test(character)) return 'number'
    if (RIGHT_TO_LEFT.test(character)) return 'right'
    return LEFT_TO_RIGHT.test(character) ? 'left' : 'neutral'
  })
  const isNumber = (index: number): boolean => DIGIT.test(characters[index] ?? '')
  // Signs stay beside a Latin number, unless it follows an Arabic letter, which is on its right (UAX #9, W2).
  let isAfterArabic = false
  const isPlain = characters.map(() => false)
  for (let index = characters.length - 1; index >= 0; index--) {
    if (kinds[index] === 'right') isAfterArabic = ARABIC.test(characters[index] ?? '')
    else if (kinds[index] === 'left') isAfterArabic = false
    isPlain[index] = !isAfterArabic && LATIN_DIGIT.test(characters[index] ?? '')
  }
  for (const [index, character] of characters.entries()) {
    const isBetween = isNumber(index - 1) && isNumber(index + 1)
    const isBesidePlain = isPlain[index - 1] === true || isPlain[index + 1] === true
    const isSign = BESIDE_NUMBER.test(character) && isBesidePlain
    if (isBetween ? SEPARATOR.test(character) || isSign : isSign && !BETWEEN_ONLY.test(character))
      kinds[index] = 'number'
  }
  return kinds
}

/** The level of each character (UAX #9, 3.3). Neutral characters take the direction that both sides have. */
function findLevels(kinds: readonly Kind[], isRightToLeft: boolean): number[] {
  const base = isRightToLeft ? 1 : 0
  const left = isRightToLeft ? 2 : 0
  /** Nearest letter to the left and to the right of each character. */
  const before = neighbors(kinds, false)
  const after = neighbors(kinds, true)
  const strong = kinds.map((kind, index): number | undefined => {
    if (kind === 'right') return 1
    if (kind === 'left') return left
    if (kind !== 'number') return undefined
    const isAmongRight = before[index] === 'right' && after[index] === 'right'
    return isRightToLeft || isAmongRight ? 2 : 0
  })
  const levels: number[] = []
  for (let index = 0; index < kinds.length; index++) {
    const own = strong[index]
    if (own !== undefined) {
      levels.push(own)
      continue
    }
    let end = index
    while (end < kinds.length && kinds[end] === 'neutral') end++
    const [one, other] = [kinds[index - 1], kinds[end]]
    const isAmongLetters = one !== undefined && other !== undefined && (one === 'left' || other === 'left')
    const isRight = (kind: Kind | undefined, at: number) => kind === 'right' || (kind === 'number' && strong[at] === 2)
    const joinsLeft = isRightToLeft && isAmongLetters && one !== 'right' && other !== 'right'
    const joinsRight = !isRightToLeft && isRight(one, index - 1) && isRight(other, end)
    const level = joinsLeft ? 2 : joinsRight ? 1 : base
    for (; index < end; index++) levels.push(level)
    index--
  }
  return levels
}

function neighbors(kinds: readonly Kind[], isAfter: boolean): (Kind | undefined)[] {
  const found: (Kind | undefined)[] = Array.from({ length: kinds.length })
  let letter: Kind | undefined
  for (let step = 0; step < kinds.length; step++) {
    const index = isAfter ? kinds.length - 1 - step : step
    found[index] = letter
    const kind = kinds[index]
    if (kind === 'left' || kind === 'right') letter = kind
  }
  return found
}

/** The indexes in the other order: visual for logical, and logical for visual (UAX #9, L2). */
function reorder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index)
  for (const least of [2, 1]) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && (levels[order[end] as number] as number) >= least) end++
      if (end === start) continue
      order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = end
    }
  }
  return order
}
