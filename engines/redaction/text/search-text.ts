import { kindOf } from './character-classes'
import type { CharacterKind } from './character-classes'

/**
 * A text as it is searched, and where each of its UTF-16 units comes from: in compatibility form (NFKC) over all of it,
 * what is not seen left out, and every run of spaces and line ends one space.
 */
export interface SearchText {
  /** Apostrophes, quotes and dashes by their ASCII signs. */
  text: string
  /** The same in lower case, of the same length. */
  lowered: string
  /** The same as `text` with apostrophes, quotes and dashes as they stand, of the same length. */
  written: string
  /** The position in the source of the first character that each unit stands for. */
  sources: Int32Array
  /** The position of the last one: accents may be characters of their own. */
  ends: Int32Array
  /** Units that are spaces and stand for the end of a line. */
  breaks: ReadonlySet<number>
  /** Units before which a soft hyphen stood. */
  softs: ReadonlySet<number>
  /**
   * Whether this is another reading of a text that is searched too, for rules that can't look at several by themselves.
   */
  isVariant: boolean
}

/** A part of a source: from the first position to the last one, both in it. */
export interface Span {
  first: number
  last: number
}

/**
 * Puts characters together for searching. Each of `characters` is one character, those of one glyph, or none. Without
 * `hasLines` line ends are spaces like others.
 */
export function composeText(characters: readonly string[], { isVariant = false, hasLines = true } = {}): SearchText {
  const composer = new Composer(characters.length)
  for (let position = 0; position < characters.length; position++) {
    const character = characters[position] as string
    const code = character.length === 1 ? character.charCodeAt(0) : 0
    // The grave accent is an apostrophe to many.
    if (code > 0x20 && code < 0x7f && code !== 0x60) composer.add(character, character, position)
    else if (code === 0x20) composer.space(position, false)
    else composer.addKind(kindOf(character), position, hasLines)
  }
  return composer.finish(isVariant)
}

/** Units of a letter with marks: hostile texts have thousands on one. */
const MOST_JOINED = 64

class Composer {
  private readonly breaks = new Set<number>()
  private readonly softs = new Set<number>()
  private sources: Int32Array
  private ends: Int32Array
  private text = ''
  private written = ''
  /** The last piece, which marks may still join, and the units before it. */
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
      // Some capital letters have small ones of two units.
      lowered: lowered.length === length ? lowered : lowerEach(text),
      written: written === text ? text : written,
      sources: this.sources.subarray(0, length),
      ends: this.ends.subarray(0, length),
      breaks: this.breaks,
      softs: this.softs,
      isVariant,
    }
  }

  /** A mark becomes one with the piece before it where there is such a character (canonical composition). */
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

  private grow(more: number): void {
    const [sources, ends] = [
      new Int32Array(2 * this.sources.length + more),
      new Int32Array(2 * this.ends.length + more),
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

/** Where a match, from `start` up to `end`, comes from. */
export function spanOf({ sources, ends }: SearchText, { start, end }: { start: number; end: number }): Span {
  const first = sources[start] ?? 0
  return { first, last: Math.max(first, ends[end - 1] ?? 0) }
}

/** Letters one by one from which on they are a word that is spaced out. */
const LEAST_SPREAD = 4

/**
 * The same for a text in which words are spaced out, letter by letter, with those put together; undefined without any.
 * `isJoined` tells of a match whether spaces were left out of it.
 */
export function composeSpread(
  characters: readonly string[],
): (SearchText & { isJoined(span: Span): boolean }) | undefined {
  const left = new Set<number>()
  let [run, lastLetter, open]: [number, number, number[]] = [0, 0, []]
  const close = (): void => {
    if (run >= LEAST_SPREAD) for (const position of open) if (position < lastLetter) left.add(position)
    ;[run, open] = [0, []]
  }
  let length = 0
  for (let position = 0; position <= characters.length; position++) {
    const character = characters[position] ?? ' '
    const isSpace =
      character === ' ' ||
      character === '' ||
      (character.length === 1 && character < '!') ||
      /^[\s\p{Cc}]*$/u.test(character)
    if (!isSpace) length++
    if (!isSpace && length === 2) close()
    if (!isSpace) continue
    if (length === 1) {
      run++
      lastLetter = position - 1
    }
    if (run > 0) open.push(position)
    length = 0
  }
  close()
  if (left.size === 0) return undefined
  const composed = composeText(characters.map((character, position) => (left.has(position) ? '' : character)))
  const sorted = [...left].sort((one, other) => one - other)
  return { ...composed, isJoined: ({ first, last }) => hasBetween(sorted, first, last) }
}

/** Whether a rising list has a number from one on and below another. */
function hasBetween(sorted: readonly number[], first: number, last: number): boolean {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((sorted[middle] as number) < first) start = middle + 1
    else end = middle
  }
  return (sorted[start] ?? last) < last
}
