import { ByteSearch } from './byte-search'
import { anchorsOf, ENCODINGS, readAround, spell } from './byte-spelling'
import type { Encoding } from './byte-spelling'
import { openPhrase } from '../text/find-phrase'
import type { PhraseFinder } from '../text/find-phrase'
import type { Rule } from '../search/search'
import { composeText } from '../text/search-text'
import type { SearchText } from '../text/search-text'
import { isWhole } from '../text/whole-word'

/** Characters that a text has at least of which nothing may be left in bytes: fewer are in data by chance. */
const LEAST_LETTERS = 4

/**
 * Bytes on each side of a place that are looked at to tell what stands there: so many, and for each character of the
 * text.
 */
const AROUND = 64
const AROUND_EACH = 8

interface Word {
  rule: Rule
  text: string
  find: PhraseFinder
  isExact: boolean
  wholeWord: boolean
  /** Whether it is long enough to be looked for in bytes. */
  isLong: boolean
}

interface Pattern {
  word: Word
  encoding: Encoding
  bytes: Uint8Array
}

/** The texts that rules for all of the document removed, to see whether they are still somewhere. */
export class RemovedTerms {
  private readonly words: Word[] = []
  private readonly longWords: Word[]
  private readonly patterns: Pattern[] = []
  private readonly search: ByteSearch

  constructor(rules: readonly Rule[]) {
    const general = rules.filter(rule => rule.isForAll)
    // What is written in the place of matches is meant to be there.
    const written = general.map(({ replacementText = '' }) => read(replacementText)).filter(({ text }) => text !== '')
    for (const rule of general) {
      const { texts, isExact, wholeWord } = rule.goneTexts
      for (const given of texts) {
        const text = read(given).text.trim()
        if (text === '') continue
        const find = openPhrase(text, isExact)
        if (!written.some(own => find(own).length > 0))
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
   * Whether one of them is in a text that people read, such as that of a page; also one of fewer than four characters,
   * if it stands there as a word of its own.
   */
  isInText(text: string): boolean {
    const composed = composeText(Array.from(text))
    return this.words.some(word => standsIn(word, composed))
  }

  /** Whether one of them, of four characters or more, is in a text. */
  isIn(text: string): boolean {
    if (text.length < LEAST_LETTERS) return false
    const composed = read(text)
    return this.longWords.some(word => standsIn(word, composed))
  }

  /** The rules whose texts, of four characters or more, are in a text. */
  rulesInText(text: string): Set<Rule> {
    const composed = composeText(Array.from(text))
    return new Set(this.longWords.filter(word => standsIn(word, composed)).map(({ rule }) => rule))
  }

  /** The rules whose texts are in bytes, any of these. */
  rulesIn(...all: (Uint8Array | undefined)[]): Set<Rule> {
    const found = new Set<Rule>()
    for (const bytes of all) {
      if (!bytes) continue
      for (const word of this.standIn(bytes)) found.add(word.rule)
    }
    return found
  }

  /** Whether one of them is in bytes, in one of the ways in which text is written. */
  isInBytes(bytes: Uint8Array): boolean {
    return this.standIn(bytes).next().done !== true
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
      })
      if (around.some(text => standsIn(word, read(text)))) yield word
    }
  }
}

/** Line ends of data are spaces: what stands on both sides of them was never one word. */
function read(text: string): SearchText {
  return composeText(Array.from(text), { hasLines: false })
}

function standsIn({ find, wholeWord, isLong }: Word, composed: SearchText): boolean {
  const matches = find(composed)
  return wholeWord || !isLong ? matches.some(match => isWhole(composed.text, match)) : matches.length > 0
}

/** In each encoding, each spelling once. */
function patternsOf(word: Word): Pattern[] {
  const anchors = anchorsOf(word.text, word.isExact)
  return ENCODINGS.flatMap(encoding => {
    const spelled = anchors.flatMap(anchor => spell(anchor, encoding))
    return [
      ...new Map(spelled.map(bytes => [Buffer.from(bytes).toString('latin1').toLowerCase(), bytes])).values(),
    ].map(bytes => ({ word, encoding, bytes }))
  })
}
