/** What a comparison of words leaves out. */
export interface KeyRules {
  ignoresCase: boolean
  ignoresPunctuation: boolean
}

/** Characters that only control how text is set: soft hyphens, joiners, direction marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** Ligatures and forms of letters that files use for the same text (Alphabetic and Arabic Presentation Forms). */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]/gu

/** Hyphens that may divide a word at the end of a line. */
const HYPHENS = /[-\u2010\u2011]/gu

/** Scripts without spaces between words. Their text is compared character by character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Only characters of ASCII, which most words have. They need no search for the characters above. */
const PLAIN = /^[\0-\x7f]*$/

/** The form in which a word is compared. Empty if nothing of the word counts. */
export function keyOf(text: string, { ignoresCase, ignoresPunctuation }: KeyRules): string {
  let key = PLAIN.test(text)
    ? text
    : text
        .replace(INVISIBLE, '')
        .replace(FORMS, form => form.normalize('NFKC'))
        .normalize('NFC')
  if (ignoresCase) key = key.toLowerCase()
  if (ignoresPunctuation) key = key.replace(/\p{P}/gu, '')
  return key
}

/** The key without hyphens, because a word may be divided in one file only. */
export function withoutHyphens(key: string): string {
  return key.replace(HYPHENS, '') || key
}

/** Returns whether a word ends with a hyphen after a letter, so that it may continue on the next line. */
export function endsWithHyphen(text: string): boolean {
  return /\p{L}[-\u2010]$/u.test(text)
}

/** Returns whether a word begins with a lowercase letter, like the second part of a divided word. */
export function beginsSmall(text: string): boolean {
  return /^\p{Ll}/u.test(text)
}

/** Returns whether the text has characters of a script without spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/**
 * The parts of a word that are compared separately: characters of scripts without spaces, and the text between them.
 */
export function splitUnspaced(text: string): string[] {
  if (!UNSPACED.test(text)) return [text]
  const parts: string[] = []
  let isOpen = false
  for (const { segment } of graphemes.segment(text)) {
    const stands = UNSPACED.test(segment)
    if (stands || !isOpen) parts.push(segment)
    else parts.push(`${parts.pop() ?? ''}${segment}`)
    isOpen = !stands
  }
  return parts
}
