import { medianOf } from './model'
import type { Word } from './model'

/** An initial is at least this much larger than the text beside it. */
const LARGER = 1.6

/** It reaches the top of the first line, and below its baseline, by these shares of an em of the text. */
const SAME_TOP = 0.7
const LEAST_DROP = 0.7

/** The height of capitals, as a share of an em. */
const CAPITAL = 0.72

/** The distance of the text from the initial, in ems of the text. */
const MOST_GAP = 1
const MOST_OVERLAP = 0.3

/** The next word of a line is at most this far away, and on the same baseline up to this difference, in ems. */
const NEXT_WORD = { gap: 4, shift: 0.2 }

/** Maximum number of letters of a page to look at. */
const MOST_INITIALS = 100

/** A capital letter, which may have a quotation mark. */
const INITIAL = /^["'“‘„«¿¡]?\p{Lu}$/u

/** Letters that are words in some languages. */
const LETTER_WORD = /[AEIOUYÀÈÉÓАИОВКСУЯ]$/u

/**
 * Joins a large initial that goes down over several lines to the first word beside it. Words of a sheet come in any
 * order.
 */
export function joinInitials(words: readonly Word[]): Word[] {
  const usual = medianOf(words.map(({ size }) => size))
  const initials = words.filter(({ text, size }) => size >= LARGER * usual && INITIAL.test(text))
  if (initials.length === 0 || initials.length > MOST_INITIALS) return [...words]
  const joined = new Map<Word, Word[]>()
  const gone = new Set<Word>()
  for (const initial of initials) {
    const first = firstBeside(initial, words)
    if (!first || joined.has(first)) continue
    const { top, bottom, baseline, size } = first
    gone.add(initial)
    joined.set(
      first,
      isOwnWord(initial, first, words)
        ? [{ ...initial, top, bottom, baseline, size }, first]
        : [{ ...first, left: initial.left, text: initial.text + first.text }],
    )
  }
  return words.flatMap(word => (gone.has(word) ? [] : (joined.get(word) ?? [word])))
}

/** The word at the start of the first of several lines beside an initial. */
function firstBeside(initial: Word, words: readonly Word[]): Word | undefined {
  const starts = words.filter(
    word =>
      word !== initial &&
      word.size * LARGER <= initial.size &&
      !word.isRightToLeft &&
      word.left > initial.right - MOST_OVERLAP * word.size &&
      word.left < initial.right + MOST_GAP * word.size &&
      word.baseline > initial.baseline - CAPITAL * initial.size &&
      word.baseline < initial.baseline + word.size,
  )
  const [first, second] = starts.toSorted((one, other) => one.baseline - other.baseline)
  if (!first || !second || second.baseline - first.baseline < LEAST_DROP * first.size) return undefined
  const top = initial.baseline - CAPITAL * (initial.size - first.size)
  const isBeside =
    Math.abs(top - first.baseline) < SAME_TOP * first.size &&
    initial.baseline - first.baseline > LEAST_DROP * first.size &&
    /^\p{L}/u.test(first.text)
  return isBeside && [first, second].every(word => goesOn(word, words)) ? first : undefined
}

/** Returns whether another word follows on the line. Letters and signs of formulas stand alone. */
function goesOn({ right, baseline, size }: Word, words: readonly Word[]): boolean {
  return words.some(
    word =>
      word.left >= right &&
      word.left < right + NEXT_WORD.gap * size &&
      Math.abs(word.baseline - baseline) < NEXT_WORD.shift * size &&
      word.size < LARGER * size,
  )
}

/** Returns whether an initial is a word, such as `A`. Then the text beside it is a word that the page has elsewhere. */
function isOwnWord({ text }: Word, first: Word, words: readonly Word[]): boolean {
  if (!LETTER_WORD.test(text)) return false
  const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}]+$/u, '')
  const known = new Set(words.filter(word => word !== first).map(word => plain(word.text)))
  return known.has(plain(first.text)) && !known.has(plain(text + first.text))
}
