import { foldCase } from './character-classes'
import type { Match } from './match'
import type { PhraseFinder } from './find-phrase'
import type { SearchText } from './search-text'

/** The letters and digits of a text, and the offset in the text of each. */
interface Signless {
  letters: string
  starts: Int32Array
}

/** Minimum number of digits in a number that may be grouped in another way. At least half of its characters are digits. */
const LEAST_DIGITS = 6

/** Minimum number of letters in a phrase that may be written as one word. */
const LEAST_LETTERS = 8

/** What people write between groups of digits, such as `), `. */
const BETWEEN_GROUPS = /^[\s.,'\-/()·_]{0,3}$/
/** What file names and addresses have in place of a space. */
const BETWEEN_WORDS = /^[\s_.+-]?$/

const IN_WORD = /[\p{L}\p{N}\p{M}]/u

const cached = { folded: new WeakMap<SearchText, Signless>(), exact: new WeakMap<SearchText, Signless>() }

/**
 * Returns a function that finds a number or a phrase where it is written in another way: a number with other groups, as
 * in `DE89 3704`, and a phrase as in file names and addresses, such as `jane_doe` and `JaneDoe`. Returns undefined if the
 * text is neither. Matches that the text has as written are found too.
 */
export function openCode(text: string, isExact: boolean): PhraseFinder | undefined {
  const plain = text.normalize('NFKC').trim()
  const { letters, starts } = readSigns(plain, isExact)
  const digits = letters.replace(/\D/g, '').length
  const isNumber = digits >= LEAST_DIGITS && 2 * digits >= letters.length
  const gaps = Array.from(starts, (start, at) => plain.slice(start + 1, starts[at + 1] ?? start + 1))
  const isPhrase = letters.length >= LEAST_LETTERS && gaps.includes(' ') && gaps.every(gap => gap === '' || gap === ' ')
  if (!isNumber && !isPhrase) return undefined
  const between = isNumber ? gaps.map(() => BETWEEN_GROUPS) : gaps.map(gap => (gap === '' ? /^$/ : BETWEEN_WORDS))
  return searched => {
    const table = isExact ? cached.exact : cached.folded
    const within = table.get(searched) ?? readSigns(searched.text, isExact)
    table.set(searched, within)
    const found: Match[] = []
    for (let at = within.letters.indexOf(letters); at >= 0; at = within.letters.indexOf(letters, at + 1)) {
      const match = matchAt(searched.text, within, at, between)
      if (match && match.start >= (found.at(-1)?.end ?? 0)) found.push(match)
    }
    return found
  }
}

function matchAt(text: string, { starts }: Signless, at: number, between: readonly RegExp[]): Match | undefined {
  const count = between.length
  for (let index = 0; index + 1 < count; index++) {
    const [from, to] = [(starts[at + index] as number) + 1, starts[at + index + 1] as number]
    if (to - from > 3 || !(between[index] as RegExp).test(text.slice(from, to))) return undefined
  }
  const [start, end] = [starts[at] as number, (starts[at + count - 1] as number) + 1]
  const isOpen = IN_WORD.test(text[start - 1] ?? '') || IN_WORD.test(text[end] ?? '')
  return isOpen ? undefined : { start, end }
}

function readSigns(text: string, isExact: boolean): Signless {
  const letters: string[] = []
  const starts: number[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] as string
    const code = unit.charCodeAt(0)
    if (
      code < 0x7f ? code < 0x30 || (code > 0x39 && (code | 0x20) < 0x61) || (code | 0x20) > 0x7a : !IN_WORD.test(unit)
    )
      continue
    const folded = isExact ? unit : foldCase(unit)
    letters.push(folded.length === 1 ? folded : unit)
    starts.push(at)
  }
  return { letters: letters.join(''), starts: Int32Array.from(starts) }
}
