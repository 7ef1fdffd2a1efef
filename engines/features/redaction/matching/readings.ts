import { accentOf, compose } from '../../../pdf/read-page'
import { kindOf } from './character-classes'
import { isLookalike, replaceLookalikes } from './lookalikes'
import { composeText } from './search-text'
import type { SearchText, Span } from './search-text'

/** One possible reading of a text. */
export interface TextReading {
  searched: SearchText
  /** The source position of each character. −1 for added characters. Undefined if the order is the source order. */
  order: Int32Array | undefined
  /** Whether characters are in another order than in the source. */
  isTurned: boolean
  /**
   * The positions at which a variant reading differs from the plain one, in ascending order. Matches without such a
   * position don't count.
   */
  changes: readonly number[] | undefined
}

/** How hyphens at line ends and separate accents are read. */
interface Variant {
  hyphens: 'as-written' | 'divide' | 'belong'
  accents: 'apart' | 'forward' | 'backward' | 'dropped'
}

const HYPHEN = 1
const DETACHED = 2
const RIGHT_TO_LEFT = 4
const VOWEL_FIRST = 8
const LOOKALIKE = 16

/** Scripts that are written from right to left. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/**
 * Vowel signs of Indic scripts that are drawn before their consonant, although they follow it in text (Unicode Standard,
 * 12.1). Files may contain them in the drawn order.
 */
const LEFT_SIGN =
  /[\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0b48\u0bc6-\u0bc8\u0d46-\u0d48\u0dd9\u0ddb\u1031\u1084\u17c1-\u17c3]/u

/** Nuktas and viramas, which continue a consonant cluster. */
const NUKTA = /^[\u093c\u09bc\u0a3c\u0abc\u0b3c]$/u
const VIRAMA = /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]$/u

/** Number of characters that a variant keeps on each side of a difference. */
const AROUND = 250

/**
 * Returns the possible readings of a text: as written, with Latin letters in place of
 * look-alikes from other scripts in the same word, and with right-to-left runs reversed. Rules that compare
 * character by character also need variants of each. In variants, hyphens at line ends divide words or belong to them,
 * and separate accents belong to the letter after or before. Most texts have one reading.
 */
export function readingsOf(
  characters: readonly string[],
  { order, hasVariants = true }: { order?: Int32Array; hasVariants?: boolean } = {},
): TextReading[] {
  const traits = traitsOf(characters)
  const variants = hasVariants ? traits & (HYPHEN | DETACHED) : 0
  const readings = readAll({ characters, order, isTurned: order !== undefined }, variants)
  const latin = traits & LOOKALIKE ? replaceLookalikes(characters) : undefined
  if (latin) readings.push(...readAll({ characters: latin, order, isTurned: order !== undefined }, variants))
  const orders = [
    ...(traits & RIGHT_TO_LEFT ? turnRuns(characters) : []),
    ...(traits & VOWEL_FIRST ? [moveVowels(characters)] : []),
  ]
  for (const turned of orders)
    readings.push(
      ...readAll(
        { characters: pick(characters, turned), order: order ? pick(order, turned) : turned, isTurned: true },
        variants,
      ),
    )
  return readings
}

function pick(characters: readonly string[], order: Int32Array): string[]
function pick(characters: Int32Array, order: Int32Array): Int32Array
function pick(characters: readonly string[] | Int32Array, order: Int32Array): string[] | Int32Array {
  if (characters instanceof Int32Array) return order.map(position => characters[position] as number)
  return Array.from(order, position => characters[position] as string)
}

function traitsOf(characters: readonly string[]): number {
  let traits = 0
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string
    const code = character.length === 1 ? character.charCodeAt(0) : 0x7f
    if ((code > 0x2d && code < 0x5e) || (code > 0x60 && code < 0x7e) || code === 0x20) continue
    if (isHyphen(character) && (character === '\u00ad' || endsLine(characters, at + 1))) traits |= HYPHEN
    if (isDetached(characters, at)) traits |= DETACHED
    if (code > 0x7f && isLookalike(character)) traits |= LOOKALIKE
    if (code > 0x58f && RTL.test(character)) traits |= RIGHT_TO_LEFT
    if (code > 0x93e && LEFT_SIGN.test(character)) traits |= VOWEL_FIRST
  }
  return traits
}

function isHyphen(character: string): boolean {
  if (character.length === 1 && character < '\x7f') return character === '-'
  const { kind, plain } = kindOf(character)
  return kind === 'soft' || plain === '-'
}

/** Returns whether a line ends at a position, ignoring spaces. */
function endsLine(characters: readonly string[], from: number): boolean {
  for (let at = from; at < characters.length && at < from + 4; at++) {
    const { kind } = kindOf(characters[at] as string)
    if (kind === 'break') return true
    if (kind !== 'space' && kind !== 'unseen') return false
  }
  return false
}

/** Returns whether a character is an accent that may be printed over a letter next to it. */
function isDetached(characters: readonly string[], at: number): boolean {
  const mark = accentOf(characters[at] as string)
  return (
    mark !== undefined &&
    (targetOf(characters, at, 1, mark) !== undefined || targetOf(characters, at, -1, mark) !== undefined)
  )
}

/** Returns the position of the letter that an accent belongs to in a direction: next to it, or after one space. */
function targetOf(characters: readonly string[], at: number, step: 1 | -1, mark: string): number | undefined {
  const near = at + step
  const target = characters[near] === ' ' ? near + step : near
  return compose(characters[target] ?? '', mark) !== undefined ? target : undefined
}

interface Source {
  characters: readonly string[]
  order: Int32Array | undefined
  isTurned: boolean
}

function readAll(source: Source, traits: number): TextReading[] {
  const { characters, order, isTurned } = source
  const plain: TextReading = { searched: composeText(characters), order, isTurned, changes: undefined }
  const hyphens: Variant['hyphens'][] = traits & HYPHEN ? ['as-written', 'divide', 'belong'] : ['as-written']
  const accents: Variant['accents'][] = traits & DETACHED ? ['apart', 'forward', 'backward', 'dropped'] : ['apart']
  const variants = accents.flatMap(accent =>
    hyphens.flatMap(hyphen =>
      hyphen === 'as-written' && accent === 'apart' ? [] : [readVariant(source, { hyphens: hyphen, accents: accent })],
    ),
  )
  return [plain, ...variants]
}

/** Returns a variant reading. It contains only the surroundings of the places that differ from the plain reading. */
function readVariant({ characters, order, isTurned }: Source, { hyphens, accents }: Variant): TextReading {
  const changed = readAccents(readHyphens(characters, hyphens), accents)
  const read: string[] = []
  const positions: number[] = []
  const changes: number[] = []
  let previousEnd = 0
  const copy = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      read.push(changed[at] as string)
      positions.push(order ? (order[at] as number) : at)
    }
  }
  for (let at = 0; at < characters.length; at++) {
    if (changed[at] === characters[at]) continue
    if (at - AROUND > previousEnd) {
      read.push('\n')
      positions.push(-1)
    }
    copy(Math.max(previousEnd, at - AROUND), at)
    changes.push(read.length)
    copy(at, at + 1)
    previousEnd = at + 1
    let next = at + 1
    while (next < characters.length && next <= at + AROUND && changed[next] === characters[next]) next++
    copy(previousEnd, Math.min(next, at + AROUND + 1, characters.length))
    previousEnd = Math.min(next, at + AROUND + 1, characters.length)
  }
  return { searched: composeText(read, { isVariant: true }), order: Int32Array.from(positions), isTurned, changes }
}

/**
 * Returns whether a match belongs to this reading: the plain reading would not have the same match. Its span, in
 * positions of the reading, then contains a difference from the plain reading. Always `true` for the plain reading.
 */
export function isOwnMatch({ changes }: TextReading, { first, last }: Span): boolean {
  if (!changes) return true
  let [start, end] = [0, changes.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((changes[middle] as number) < first) start = middle + 1
    else end = middle
  }
  return (changes[start] ?? Infinity) <= last
}

/** Removes line ends after hyphens, with or without the hyphens. Positions don't change. */
function readHyphens(characters: readonly string[], how: Variant['hyphens']): readonly string[] {
  if (how === 'as-written') return characters
  const read = [...characters]
  for (let at = 0; at < read.length; at++) {
    const character = characters[at] as string
    if (!isHyphen(character)) continue
    const isEnd = endsLine(characters, at + 1)
    if (character === '\u00ad') read[at] = how === 'belong' ? '-' : ''
    else if (isEnd) read[at] = how === 'belong' ? character : ''
    if (!isEnd) continue
    for (
      let next = at + 1;
      next < read.length && ['space', 'break', 'unseen'].includes(kindOf(characters[next] as string).kind);
      next++
    )
      read[next] = ''
  }
  return read
}

/**
 * Moves separate accents to the letter after or before them, or removes them. The positions of other characters don't
 * change.
 */
function readAccents(characters: readonly string[], how: Variant['accents']): readonly string[] {
  if (how === 'apart') return characters
  const read = [...characters]
  for (let at = 0; at < read.length; at++) {
    const mark = accentOf(characters[at] as string)
    if (mark === undefined || !isDetached(characters, at)) continue
    const step = how === 'backward' ? -1 : 1
    const target = targetOf(characters, at, step, mark) ?? targetOf(characters, at, step === 1 ? -1 : 1, mark) ?? at
    const letter = characters[target] as string
    read[at] = ''
    if (how !== 'dropped') read[target] = compose(letter, mark) ?? letter
    // Programs leave a space next to an accent that they print over a letter.
    for (const beside of [at - 1, at + 1]) if (characters[beside] === ' ') read[beside] = ''
  }
  return read
}

/**
 * Returns three orders in which the right-to-left runs of each line are reversed. One reverses the whole run, one
 * reverses each word separately, and one reverses only the order of the words.
 */
function turnRuns(characters: readonly string[]): Int32Array[] {
  const runs = findRuns(characters)
  const whole = Int32Array.from(characters, (_, at) => at)
  const [words, order] = [whole.slice(), whole.slice()]
  for (const { first, last } of runs) {
    turn(whole, first, last)
    turn(order, first, last)
    for (let at = first; at <= last; at++) {
      if (characters[at] === ' ') continue
      let end = at
      while (end < last && characters[end + 1] !== ' ') end++
      turn(words, at, end)
      // Reversing the run and then each word changes only the order of the words.
      turn(order, first + last - end, first + last - at)
      at = end
    }
  }
  return [whole, words, order]
}

/** Returns the order in which each vowel sign on the left of a consonant cluster follows the cluster. */
function moveVowels(characters: readonly string[]): Int32Array {
  const order = Int32Array.from(characters, (_, at) => at)
  for (let at = 0; at < order.length - 1; at++) {
    const moved = order[at] as number
    if (!LEFT_SIGN.test(characters[moved] as string)) continue
    let end = at + 1
    if (!/^\p{Lo}/u.test(characters[end] as string)) continue
    for (;;) {
      if (NUKTA.test(characters[end + 1] ?? '')) end++
      if (!VIRAMA.test(characters[end + 1] ?? '') || !/^\p{Lo}/u.test(characters[end + 2] ?? '')) break
      end += 2
    }
    order.copyWithin(at, at + 1, end + 1)
    order[end] = moved
    at = end
  }
  return order
}

function turn(order: Int32Array, first: number, last: number): void {
  order.subarray(first, last + 1).reverse()
}

/**
 * Returns the runs from the first to the last right-to-left character in a line. Letters of other scripts end a run.
 */
function findRuns(characters: readonly string[]): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = []
  let open: { first: number; last: number } | undefined
  for (const [at, character] of characters.entries()) {
    if (RTL.test(character)) {
      if (!open) runs.push((open = { first: at, last: at }))
      open.last = at
    } else if (/[\p{L}\n\r]/u.test(character)) open = undefined
  }
  return runs
}
