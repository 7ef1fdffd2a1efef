import { kindOf } from './character-classes'
import type { CharacterKind } from './character-classes'

/**
 * A text in the form that is searched, and the source of each of its UTF-16 units. The text is in NFKC form and has no
 * invisible characters. Every run of spaces and line ends is one space.
 */
export interface SearchText {
  /** The text with apostrophes, quotes and dashes as ASCII signs. */
  text: string
  /** The text in lower case, of the same length. */
  lowered: string
  /** The text with apostrophes, quotes and dashes as written, of the same length. */
  written: string
  /** The source position of the first character of each unit. */
  sources: Int32Array
  /** The source position of the last character of each unit. It differs if an accent is a separate character. */
  ends: Int32Array
  /** Units that are spaces instead of line ends. */
  breaks: ReadonlySet<number>
  /** Units with a soft hyphen before them. */
  softs: ReadonlySet<number>
  /** Units with a `POSSIBLE_EDGE` before them. */
  edges: ReadonlySet<number>
  /**
   * Whether this is a variant reading, for rules that compare character by character. The plain reading is searched
   * too.
   */
  isVariant: boolean
}

/** A zero width space. A word may end there (Unicode Standard Annex #14). */
export const POSSIBLE_EDGE = '\u200b'

/** A range of source positions, with `last` inclusive. */
export interface Span {
  first: number
  last: number
}

/**
 * Composes a text for searching. Each item of `characters` is one character, the characters of one glyph, or empty. If
 * `hasLines` is `false`, line ends are plain spaces.
 */
export function composeText(characters: readonly string[], { isVariant = false, hasLines = true } = {}): SearchText {
  const composer = new Composer(characters.length)
  for (let position = 0; position < characters.length; position++) {
    const character = characters[position] as string
    const code = character.length === 1 ? character.charCodeAt(0) : 0
    // The grave accent is handled below, because many people write it as an apostrophe.
    if (code > 0x20 && code < 0x7f && code !== 0x60) composer.add(character, character, position)
    else if (code === 0x20) composer.space(position, false)
    else if (character === POSSIBLE_EDGE) composer.edge()
    else composer.addKind(kindOf(character), position, hasLines)
  }
  return composer.finish(isVariant)
}

/** Maximum number of units in a letter with combining marks. Hostile texts have thousands of marks on one letter. */
const MOST_JOINED = 64

class Composer {
  private readonly breaks = new Set<number>()
  private readonly softs = new Set<number>()
  private readonly edges = new Set<number>()
  private sources: Int32Array
  private ends: Int32Array
  private text = ''
  private written = ''
  /** The last character, which combining marks may still join. */
  private piece = ''
  private asWritten = ''
  private first = 0
  private last = 0
  private length = 0
  private isSpaced = true

  constructor(count: number) {
    this.sources = new Int32Array(count + 16)
    this.ends = new Int32Array(count + 16)
  }

  /** Adds a character by its kind. A soft hyphen or an invisible character adds no text, and a mark joins the last character. */
  addKind({ kind, plain, written, joins }: CharacterKind, position: number, hasLines: boolean): void {
    if (kind === 'text') {
      if (joins && !this.isSpaced && this.piece.length < MOST_JOINED) this.join(plain, position)
      else this.add(plain, written, position)
    } else if (kind === 'soft') this.softs.add(this.length + this.piece.length)
    else if (kind !== 'unseen') this.space(position, kind === 'break' && hasLines)
  }

  add(plain: string, written: string, position: number): void {
    this.flush()
    this.piece = plain
    this.asWritten = written
    this.first = position
    this.last = position
    this.isSpaced = false
  }

  edge(): void {
    this.edges.add(this.length + this.piece.length)
  }

  space(position: number, isBreak: boolean): void {
    if (!this.isSpaced) this.add(' ', ' ', position)
    this.isSpaced = true
    if (isBreak && this.piece !== '') this.breaks.add(this.length)
  }

  finish(isVariant: boolean): SearchText {
    this.flush()
    const { text, written, length } = this
    const lowered = text.toLowerCase()
    return {
      text,
      // Some uppercase letters have lowercase forms of two units.
      lowered: lowered.length === length ? lowered : lowerEach(text),
      written: written === text ? text : written,
      sources: this.sources.subarray(0, length),
      ends: this.ends.subarray(0, length),
      breaks: this.breaks,
      softs: this.softs,
      edges: this.edges,
      isVariant,
    }
  }

  /** Composes a combining mark with the character before it (canonical composition). */
  private join(mark: string, position: number): void {
    this.piece = (this.piece + mark).normalize('NFC')
    this.asWritten = this.piece
    this.last = position
  }

  private flush(): void {
    const { piece } = this
    if (this.length + piece.length > this.sources.length) this.grow(piece.length)
    for (let unit = 0; unit < piece.length; unit++) {
      this.sources[this.length] = this.first
      this.ends[this.length++] = this.last
    }
    this.text += piece
    this.written += this.asWritten
  }

  private grow(unitCount: number): void {
    const [sources, ends] = [
      new Int32Array(2 * this.sources.length + unitCount),
      new Int32Array(2 * this.ends.length + unitCount),
    ]
    sources.set(this.sources)
    ends.set(this.ends)
    this.sources = sources
    this.ends = ends
  }
}

function lowerEach(text: string): string {
  return Array.from(text, character =>
    character.toLowerCase().length === character.length ? character.toLowerCase() : character,
  ).join('')
}

/** Returns the source positions of a match (`end` is exclusive). */
export function spanOf({ sources, ends }: SearchText, { start, end }: { start: number; end: number }): Span {
  const first = sources[start] ?? 0
  return { first, last: Math.max(first, ends[end - 1] ?? 0) }
}

/** Minimum number of single letters that count as a word with letterspacing. */
const LEAST_SPREAD = 4

/**
 * Composes a text from which the spaces and signs between the letters of letterspaced words are removed. Returns undefined
 * if there are no such words. `isJoined` returns whether something was removed from a match.
 */
export function composeSpread(
  characters: readonly string[],
): (SearchText & { isJoined(span: Span): boolean }) | undefined {
  const removed = new Set<number>()
  let run = { count: 0, last: 0, hasLetter: false, hasSign: false, open: [] as number[] }
  const close = (): void => {
    // Signs also separate the numbers of a list.
    if (run.count >= LEAST_SPREAD && (run.hasLetter || !run.hasSign))
      for (const position of run.open) if (position < run.last) removed.add(position)
    run = { count: 0, last: 0, hasLetter: false, hasSign: false, open: [] }
  }
  let length = 0
  let isLetter = false
  for (let position = 0; position <= characters.length; position++) {
    const character = characters[position] ?? ' '
    const kind = spreadKind(character)
    if (kind === 'letter' || kind === 'other') {
      isLetter = kind === 'letter'
      if (++length === 2) close()
      continue
    }
    if (length === 1) {
      run.count++
      run.last = position - 1
      run.hasLetter ||= isLetter
    }
    if (run.count > 0) {
      run.open.push(position)
      run.hasSign ||= kind === 'sign'
    }
    length = 0
  }
  close()
  if (removed.size === 0) return undefined
  const composed = composeText(characters.map((character, position) => (removed.has(position) ? '' : character)))
  const sorted = [...removed].sort((one, other) => one - other)
  return { ...composed, isJoined: ({ first, last }) => hasBetween(sorted, first, last) }
}

/** The part that a character has in letterspaced words. Digits are `other`. */
function spreadKind(character: string): 'letter' | 'other' | 'space' | 'sign' {
  const code = character.length === 1 ? character.charCodeAt(0) | 0x20 : 0
  if (code >= 0x61 && code <= 0x7a) return 'letter'
  if (/^[\s\p{Cc}\u2800]*$/u.test(character)) return 'space'
  if (/\p{L}/u.test(character)) return 'letter'
  return /[\p{N}\p{M}]/u.test(character) ? 'other' : 'sign'
}

/** Returns whether a sorted list has a number from `first` (inclusive) to `last` (exclusive). */
function hasBetween(sorted: readonly number[], first: number, last: number): boolean {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((sorted[middle] as number) < first) start = middle + 1
    else end = middle
  }
  return (sorted[start] ?? last) < last
}
