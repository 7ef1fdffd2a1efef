import { accentOf } from './accents'
import { isBlankText } from './blank-text'

/** What a text is or has, as bits of a number. */
export const IS_LETTER = 1
/** It has a character of a script that is written without blanks between words. */
export const IS_UNSPACED = 2
/** It has only blanks, and at least one. */
export const IS_BLANK = 4
/** It has no character. */
export const IS_EMPTY = 8
/** It is an accent without a letter. */
export const IS_ACCENT = 16
/** It has a character from the Hebrew ones on. Before them, no letter is right-to-left. */
export const IS_BEYOND_LATIN = 32

/** Scripts that are written without blanks between words. */
const UNSPACED = /[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u
const LETTER = /\p{L}/u
const BEYOND_LATIN = /[\u0590-\uffff]/
const MARK = /^[\u0300-\u036f]$/u

/** Kinds of this many texts are kept. */
const MOST_KNOWN = 10_000

/** Tells the kinds of the texts of glyphs. A document has few different ones. */
export class TextKinds {
  private readonly known = new Map<string, number>()

  /** The kinds of a text. */
  of(text: string): number {
    // Most texts are a visible character of ASCII. Among these, only `, ^ and ~ are accents.
    const code = text.length === 1 ? text.charCodeAt(0) : 0
    if (code > 0x20 && code < 0x7e && code !== 0x5e && code !== 0x60)
      return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? IS_LETTER : 0
    const known = this.known.get(text)
    if (known !== undefined) return known
    const kind = kindOf(text)
    if (this.known.size < MOST_KNOWN) this.known.set(text, kind)
    return kind
  }
}

function kindOf(text: string): number {
  if (text === '') return IS_EMPTY
  return (
    (LETTER.test(text) ? IS_LETTER : 0) |
    (UNSPACED.test(text) ? IS_UNSPACED : 0) |
    (isBlankText(text) ? IS_BLANK : 0) |
    (markOf(text) === undefined ? 0 : IS_ACCENT) |
    (BEYOND_LATIN.test(text) ? IS_BEYOND_LATIN : 0)
  )
}

/** The combining mark that a text is or stands for. */
export function markOf(text: string): string | undefined {
  return accentOf(text) ?? (MARK.test(text) ? text : undefined)
}
