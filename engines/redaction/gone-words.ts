import { ByteSearch, LEAST_BYTES } from './byte-search'
import type { Rule } from './search'
import { composeText } from './search-text'

/** Characters that a text has at least of which nothing may be left: fewer are in data by chance. */
const LEAST_LETTERS = 4

/** Bytes on each side of a place that are looked at to tell what stands there. */
const AROUND = 1024

/** How a text may be written. */
const ENCODINGS = ['latin1', 'utf8', 'utf16be', 'utf16le', 'hex-latin1', 'hex-utf16be'] as const

type Encoding = (typeof ENCODINGS)[number]

interface Word {
  rule: Rule
  text: string
  lowered: string
  isExact: boolean
  wholeWord: boolean
}

const LETTER = /[\p{L}\p{N}\p{M}_]/u

/** The texts that rules for all of the document removed, to see whether they are still somewhere. */
export class GoneWords {
  private readonly words: Word[] = []
  private readonly patterns: { word: Word; encoding: Encoding; bytes: Uint8Array }[] = []
  private readonly search: ByteSearch

  constructor(rules: readonly Rule[]) {
    const general = rules.filter(rule => rule.isForAll)
    // What is written in the place of matches is meant to be there.
    const written = general.map(({ replacementText = '' }) => composeText(Array.from(replacementText)).lowered)
    for (const rule of general) {
      const { goneTexts } = rule
      for (const given of goneTexts.texts) {
        const { text, lowered } = composeText(Array.from(given.trim()))
        if (Array.from(text).length >= LEAST_LETTERS && !written.some(own => own.includes(lowered.trim()))) this.words.push({ rule, ...goneTexts, text: text.trim(), lowered: lowered.trim() })
      }
    }
    for (const word of this.words) for (const encoding of ENCODINGS) for (const bytes of spell(word, encoding)) this.patterns.push({ word, encoding, bytes })
    this.search = new ByteSearch(this.patterns.map(({ bytes }) => bytes))
  }

  get isEmpty(): boolean {
    return this.patterns.length === 0
  }

  /** Whether one of them is in a text. */
  isIn(text: string): boolean {
    if (text.length < LEAST_LETTERS) return false
    const composed = composeText(Array.from(text))
    return this.words.some(word => standsIn(word, composed))
  }

  /** The rules whose texts are in a text. */
  rulesInText(text: string): Set<Rule> {
    const composed = composeText(Array.from(text))
    return new Set(this.words.filter(word => standsIn(word, composed)).map(({ rule }) => rule))
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
      if (found && standsIn(found.word, composeText(Array.from(readAround(bytes, at, found))))) yield found.word
    }
  }
}

function standsIn({ text, lowered, isExact, wholeWord }: Word, composed: { text: string; lowered: string }): boolean {
  const [wanted, place] = isExact ? [text, composed.text] : [lowered, composed.lowered]
  for (let at = place.indexOf(wanted); at >= 0; at = place.indexOf(wanted, at + 1)) {
    if (!wholeWord || (!LETTER.test(place[at - 1] ?? '') && !LETTER.test(place[at + wanted.length] ?? ''))) return true
  }
  return false
}

/** The longest part of a word without spaces, as bytes; letters beyond Latin-1 as they are, small and capital. */
function spell({ text, isExact }: Pick<Word, 'text' | 'isExact'>, encoding: Encoding): Uint8Array[] {
  const part = text.split(' ').reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const isLatin = /^[\0-\u00ff]*$/.test(part)
  const forms = isExact || isLatin ? [part] : [...new Set([part, part.toLowerCase(), part.toUpperCase()])]
  const spelled = forms.flatMap((form): Buffer[] => {
    const wide = Buffer.from(form, 'utf16le')
    if (encoding === 'latin1') return isLatin ? [Buffer.from(form, 'latin1')] : []
    if (encoding === 'utf8') return /^[\0-\x7f]*$/.test(form) ? [] : [Buffer.from(form, 'utf8')]
    if (encoding === 'utf16le') return [wide]
    if (encoding === 'utf16be') return [Buffer.from(wide).swap16()]
    if (encoding === 'hex-latin1') return isLatin ? [Buffer.from(Buffer.from(form, 'latin1').toString('hex'))] : []
    return [Buffer.from(Buffer.from(wide).swap16().toString('hex'))]
  })
  // In the place of its digits a letter of the other case has others.
  const cased = encoding.startsWith('hex') && !isExact ? [part.toLowerCase(), part.toUpperCase()].flatMap(form => (form === part ? [] : spell({ text: form, isExact: true }, encoding))) : []
  return [...spelled, ...cased].filter(bytes => bytes.length >= LEAST_BYTES)
}

function readAround(bytes: Uint8Array, at: number, { encoding, bytes: pattern }: { encoding: Encoding; bytes: Uint8Array }): string {
  const step = encoding.startsWith('utf16') || encoding === 'hex-latin1' ? 2 : encoding === 'hex-utf16be' ? 4 : 1
  const start = at - step * Math.floor(Math.min(at, AROUND) / step)
  const part = Buffer.from(bytes.subarray(start, Math.min(bytes.length, at + pattern.length + AROUND)))
  if (encoding === 'latin1' || encoding === 'utf8') return part.toString(encoding)
  if (encoding === 'utf16le') return new TextDecoder('utf-16le').decode(part.subarray(0, part.length & ~1))
  if (encoding === 'utf16be') return new TextDecoder('utf-16be').decode(part.subarray(0, part.length & ~1))
  const digits = part.toString('latin1')
  const own = at - start
  let [first, last] = [own, own + pattern.length]
  while (first >= step && /^[0-9a-fA-F]+$/.test(digits.slice(first - step, first))) first -= step
  while (last + step <= digits.length && /^[0-9a-fA-F]+$/.test(digits.slice(last, last + step))) last += step
  const data = Buffer.from(digits.slice(first, last), 'hex')
  return encoding === 'hex-latin1' ? data.toString('latin1') : new TextDecoder('utf-16be').decode(data.subarray(0, data.length & ~1))
}
