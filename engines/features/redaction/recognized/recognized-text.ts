import { linesOf } from '../../ocr/page-text/page-text'
import type { PageText, TextLine } from '../../ocr/page-text/page-text'
import type { Match } from '../matching/match'
import type { Rule } from '../search-rules/rule'
import { composeText, spanOf } from '../matching/search-text'
import type { SearchText } from '../matching/search-text'

/** A match among recognized words, as the positions of its first and last word in each line. */
export type WordMatch = { line: TextLine; first: number; last: number }[]

interface Source {
  searched: SearchText
  /** The line and the word of each character. −1 for characters between words. */
  lines: number[]
  words: number[]
}

const HYPHEN = /\p{L}[-\u2010]$/u
const CONTINUED = /^\p{Ll}/u

/**
 * Maximum gap between two recognized words that may be one word, as a share of the height of their line. Next to a sign
 * that joins words, such as "@", the gap may be wider.
 */
const NARROW_GAP = 0.2
const WIDER_GAP = 0.5
const BINDS_NEXT = /[@_]$/
const BINDS_PREVIOUS = /^[@_]/

/**
 * Returns the matches of rules in the recognized text of a page. Matches are whole words, because only the box of a
 * whole word is known. The text is searched twice: as recognized, and with hyphens at line ends and narrow gaps
 * removed.
 */
export function matchRecognized(text: PageText, rules: readonly Rule[]): { rule: Rule; matches: WordMatch[] }[] {
  const lines = linesOf(text)
  const isOther = lines.some(
    (line, index) => dividesWord(line, lines[index + 1]) || line.words.some((_, word) => isTight(line, word)),
  )
  const sources = (isOther ? [false, true] : [false]).map(joins => readSource(lines, joins))
  return rules.map(rule => {
    const matches = new Map<string, WordMatch>()
    for (const source of sources) {
      for (const match of [...rule.find(source.searched), ...rule.findLoosely(source.searched)]) {
        const found = wordsOf(source, match, lines)
        const key = found.map(({ line, first, last }) => `${lines.indexOf(line)} ${first} ${last}`).join(', ')
        if (key !== '') matches.set(key, found)
      }
    }
    return { rule, matches: [...matches.values()] }
  })
}

function readSource(lines: readonly TextLine[], joins: boolean): Source {
  const characters: string[] = []
  const [lineOf, wordOf]: [number[], number[]] = [[], []]
  const add = (character: string, line: number, word: number): void => {
    characters.push(character)
    lineOf.push(line)
    wordOf.push(word)
  }
  for (const [lineIndex, line] of lines.entries()) {
    const isDivided = joins && dividesWord(line, lines[lineIndex + 1])
    for (const [wordIndex, { text }] of line.words.entries()) {
      const isLast = wordIndex === line.words.length - 1
      const letters = Array.from(isDivided && isLast ? text.slice(0, -1) : text)
      for (const character of letters) add(character, lineIndex, wordIndex)
      if (!(isDivided && isLast) && !(joins && isTight(line, wordIndex))) add(' ', -1, -1)
    }
  }
  return { searched: composeText(characters), lines: lineOf, words: wordOf }
}

function dividesWord(line: TextLine, next: TextLine | undefined): boolean {
  return HYPHEN.test(line.words.at(-1)?.text ?? '') && CONTINUED.test(next?.words[0]?.text ?? '')
}

/** Returns whether a word is so close to the next word that both may be one word. */
function isTight({ words, size }: TextLine, index: number): boolean {
  const [one, other] = [words[index], words[index + 1]]
  if (!one || !other) return false
  const share = BINDS_NEXT.test(one.text) || BINDS_PREVIOUS.test(other.text) ? WIDER_GAP : NARROW_GAP
  return Math.abs(other.box.x - one.box.x - one.box.width) < share * size
}

function wordsOf(
  { searched, lines: lineOf, words: wordOf }: Source,
  match: Match,
  lines: readonly TextLine[],
): WordMatch {
  const { first, last } = spanOf(searched, match)
  const found = new Map<number, { line: TextLine; first: number; last: number }>()
  for (let at = first; at <= last; at++) {
    const [lineIndex, word] = [lineOf[at] ?? -1, wordOf[at] ?? -1]
    const line = lines[lineIndex]
    if (!line) continue
    const part = found.get(lineIndex) ?? { line, first: word, last: word }
    part.last = word
    found.set(lineIndex, part)
  }
  return [...found.values()]
}
