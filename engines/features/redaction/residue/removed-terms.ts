import { ByteSearch } from './byte-search'
import { anchorsOf, ENCODINGS, readAround, spell } from './byte-spelling'
import type { Encoding } from './byte-spelling'
import { openPhrase } from '../matching/find-phrase'
import type { PhraseFinder } from '../matching/find-phrase'
import type { Rule } from '../search-rules/rule'
import { composeText } from '../matching/search-text'
import type { SearchText } from '../matching/search-text'
import { isWhole } from '../matching/whole-word'

/** Minimum length of a term that is searched in bytes. Shorter terms occur in data by chance. */
const LEAST_LETTERS = 4

/**
 * Number of bytes to decode on each side of an anchor, to check for the whole term. It is a constant plus a number for
 * each character of the term.
 */
const AROUND = 64
const AROUND_EACH = 8

interface Word {
  rule: Rule
  text: string
  find: PhraseFinder
  isExact: boolean
  wholeWord: boolean
  /** Whether the term is long enough to be searched in bytes. */
  isLong: boolean
}

interface Pattern {
  word: Word
  encoding: Encoding
  bytes: Uint8Array
}

/** The terms that rules without `pages` removed, to check whether they still occur anywhere. */
export class RemovedTerms {
  private readonly words: Word[] = []
  private readonly longWords: Word[]
  private readonly patterns: Pattern[] = []
  private readonly search: ByteSearch

  constructor(rules: readonly Rule[]) {
    const general = rules.filter(rule => rule.isForAll)
    // A term that a replacement text contains may occur in the output.
    const replacementTexts = general
      .map(({ replacementText = '' }) => read(replacementText))
      .filter(({ text }) => text !== '')
    for (const rule of general) {
      const { texts, isExact, wholeWord } = rule.removedTexts
      for (const removedText of texts) {
        const text = read(removedText).text.trim()
        if (text === '') continue
        const find = openPhrase(text, isExact)
        if (!replacementTexts.some(replacement => find(replacement).length > 0))
          this.words.push({ rule, text, find, isExact, wholeWord, isLong: Array.from(text).length >= LEAST_LETTERS })
      }
    }
    this.longWords = this.words.filter(({ isLong }) => isLong)
    for (const word of this.longWords) this.patterns.push(...patternsOf(word))
    this.search = new ByteSearch(this.patterns.map(({ bytes }) => bytes))
  }

  get isEmpty(): boolean {
    return this.patterns.length === 0
  }

  /**
   * Returns whether visible text, such as the text of a page, contains a term. Terms of fewer than four characters
   * count only as whole words.
   */
  isInText(text: string): boolean {
    const composed = composeText(Array.from(text))
    return this.words.some(word => standsIn(word, composed))
  }

  /** Returns whether a text contains a term of four or more characters. */
  isIn(text: string): boolean {
    if (text.length < LEAST_LETTERS) return false
    const composed = read(text)
    return this.longWords.some(word => standsIn(word, composed))
  }

  /** Returns the rules that have a term of four or more characters in a text. */
  rulesInText(text: string): Set<Rule> {
    const composed = composeText(Array.from(text))
    return new Set(this.longWords.filter(word => standsIn(word, composed)).map(({ rule }) => rule))
  }

  /** Returns the rules that have a term in any of the given byte arrays. */
  rulesIn(...all: (Uint8Array | undefined)[]): Set<Rule> {
    const found = new Set<Rule>()
    for (const bytes of all) {
      if (!bytes) continue
      for (const word of this.standIn(bytes)) found.add(word.rule)
    }
    return found
  }

  /** Returns whether bytes contain a term in one of the `ENCODINGS`. */
  isInBytes(bytes: Uint8Array): boolean {
    return this.standIn(bytes).next().done !== true
  }

  /** Yields the terms in bytes, in the order of their places. */
  *textsIn(bytes: Uint8Array): Generator<string> {
    for (const { text } of this.standIn(bytes)) yield text
  }

  private *standIn(bytes: Uint8Array): Generator<Word> {
    for (const { pattern, at } of this.search.find(bytes)) {
      const found = this.patterns[pattern]
      if (!found) continue
      const { word, encoding } = found
      const around = readAround(bytes, at, {
        encoding,
        length: found.bytes.length,
        aroundBytes: AROUND + AROUND_EACH * word.text.length,
        isForeign: /[^\0-\x7f]/.test(word.text),
      })
      if (around.some(text => standsIn(word, read(text)))) yield word
    }
  }
}

/** Treats line ends in data as spaces, because they never divide a word there. */
function read(text: string): SearchText {
  return composeText(Array.from(text), { hasLines: false })
}

function standsIn({ find, wholeWord, isLong }: Word, composed: SearchText): boolean {
  const matches = find(composed)
  return wholeWord || !isLong ? matches.some(match => isWhole(composed, match)) : matches.length > 0
}

/** Returns the byte patterns of a term: each spelling in each encoding, without duplicates. */
function patternsOf(word: Word): Pattern[] {
  const anchors = anchorsOf(word.text, word.isExact)
  return ENCODINGS.flatMap(encoding => {
    const spelled = anchors.flatMap(anchor => spell(anchor, encoding))
    return [
      ...new Map(spelled.map(bytes => [Buffer.from(bytes).toString('latin1').toLowerCase(), bytes])).values(),
    ].map(bytes => ({ word, encoding, bytes }))
  })
}
