import { RE2JS } from 're2js'
import { foldCase } from '../matching/character-classes'
import { openCode } from '../matching/find-code'
import { openPhrase } from '../matching/find-phrase'
import { findPreset } from './presets'
import type { Preset } from './presets'
import type { Match } from '../matching/match'
import type { SearchText } from '../matching/search-text'
import { isWhole } from '../matching/whole-word'

/** Maximum number of instructions in a compiled expression. The search time is proportional to this number. */
const MOST_INSTRUCTIONS = 5000

/** Characters that case folding expands, or that it folds to letters that RE2 treats as different. */
const FOLDS_LONGER = /[ßẞİıŉǰΐΰև]/u

/** A rule of the options. Exactly one of `text`, `regex` and `preset` is set. */
export interface AskedRule {
  text?: string | undefined
  regex?: string | undefined
  preset?: Preset | undefined
  caseSensitive: boolean
  wholeWord: boolean
}

/** Returns the matches of a rule in a text, in order and without overlaps. */
export type Finder = (text: SearchText) => Match[]

/** Returns the problem of a regular expression, or undefined if it is valid. */
export function regexProblem(regex: string): string | undefined {
  const compiled = compile(regex, true)
  if (typeof compiled === 'string') return compiled
  const size = compiled.programSize()
  if (size > MOST_INSTRUCTIONS)
    return (
      `is too complex: ${size.toLocaleString('en')} steps, and at most ` +
      `${MOST_INSTRUCTIONS.toLocaleString('en')} are allowed. Use fewer or smaller repetitions.`
    )
  return compiled.matcher('').find()
    ? 'must not match empty text. Send an expression that matches at least one character.'
    : undefined
}

/** Returns the finder of a rule. A regular expression must be valid. */
export function openFinder({ text, regex, preset, caseSensitive, wholeWord }: AskedRule): Finder {
  const find = preset
    ? (searched: SearchText) => findPreset(preset, linesOf(searched))
    : regex === undefined
      ? findText(text ?? '', caseSensitive)
      : findRegex(regex, caseSensitive)
  return wholeWord ? searched => find(searched).filter(match => isWhole(searched, match)) : find
}

/** Returns the finder of a text. It handles variants of characters itself, so it skips the variant readings. */
function findText(text: string, isExact: boolean): Finder {
  const find = openPhrase(text, isExact)
  const findCode = openCode(text, isExact)
  return searched => {
    if (searched.isVariant) return []
    const found = find(searched)
    return findCode ? uniteMatches([...found, ...findCode(searched)]) : found
  }
}

/** Returns the text with `\n` at line ends, because presets treat line ends differently from spaces. */
function linesOf({ text, breaks }: SearchText): string {
  if (breaks.size === 0) return text
  const parts: string[] = []
  let from = 0
  for (const at of breaks) {
    parts.push(text.slice(from, at), '\n')
    from = at + 1
  }
  return parts.join('') + text.slice(from)
}

/**
 * Returns the finder of a regular expression. It takes linear time, because RE2 doesn't backtrack (Cox, Regular
 * Expression Matching Can Be Simple And Fast). The text is searched twice: with apostrophes, quotes and dashes in
 * ASCII, and with these characters as written.
 */
function findRegex(regex: string, isExact: boolean): Finder {
  const plain = compile(plainRegex(regex), isExact)
  // Normalization may put a digit after a backslash and change the meaning of the expression.
  const compiled = typeof plain === 'string' ? compile(regex, isExact) : plain
  if (typeof compiled === 'string') throw new TypeError('the expression was not checked')
  const foldedRegex = isExact ? undefined : compile(foldRegex(plainRegex(regex)), false)
  return searched => {
    const { text, written } = searched
    const found = findAll(compiled, text)
    const moreMatches = written === text ? [] : findAll(compiled, written)
    const isFolded =
      foldedRegex !== undefined &&
      typeof foldedRegex !== 'string' &&
      (FOLDS_LONGER.test(regex) || FOLDS_LONGER.test(text))
    const folded = isFolded ? foldText(text) : undefined
    if (folded && isFolded)
      moreMatches.push(
        ...findAll(foldedRegex, folded.text).map(({ start, end }) => ({
          start: folded.sources[start] ?? 0,
          end: (folded.sources[end - 1] ?? 0) + 1,
        })),
      )
    return moreMatches.length === 0 ? found : uniteMatches([...found, ...moreMatches])
  }
}

function findAll(compiled: RE2JS, text: string): Match[] {
  const matcher = compiled.matcher(text)
  const matches: Match[] = []
  while (matcher.find())
    if (matcher.end() > matcher.start()) matches.push({ start: matcher.start(), end: matcher.end() })
  return matches
}

/** Sorts matches and joins overlapping ones. */
function uniteMatches(matches: Match[]): Match[] {
  const united: Match[] = []
  for (const match of matches.sort((one, other) => one.start - other.start)) {
    const last = united.at(-1)
    if (last && match.start < last.end) last.end = Math.max(last.end, match.end)
    else united.push({ ...match })
  }
  return united
}

/** Returns the text after full case folding. `sources` maps each UTF-16 unit to its offset in the original text. */
function foldText(text: string): { text: string; sources: number[] } {
  const parts: string[] = []
  const sources: number[] = []
  let at = 0
  for (const character of text) {
    const folded = foldCase(character)
    parts.push(folded)
    for (let unit = 0; unit < folded.length; unit++) sources.push(folded.length === character.length ? at + unit : at)
    at += character.length
  }
  return { text: parts.join(''), sources }
}

/** Replaces characters whose NFKC form is letters or digits with that form, because the searched texts are in NFKC. */
function plainRegex(regex: string): string {
  const composed = regex.normalize('NFC')
  return composed.replace(/[^\0-\x7f]/gu, sign =>
    /^[\p{L}\p{N}]+$/u.test(sign.normalize('NFKC')) ? sign.normalize('NFKC') : sign,
  )
}

/** Replaces `ß` and the Turkish `İ` and `ı` with their case foldings, except in character classes. */
function foldRegex(regex: string): string {
  return regex.replace(/\\.|\[(?:\\.|[^\]\\])*\]|[ßẞİı]/gsu, part =>
    part === 'ß' || part === 'ẞ' ? '(?:ss)' : part === 'İ' || part === 'ı' ? 'i' : part,
  )
}

function compile(regex: string, isExact: boolean): RE2JS | string {
  try {
    return RE2JS.compile(regex, isExact ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const what = /^error parsing regexp: ([a-z ]+)/.exec(error.message)?.[1]?.trim()
    return (
      `must be a regular expression in RE2 syntax${what ? ` (${what})` : ''}. Look-around and back-references ` +
      "aren't available."
    )
  }
}
