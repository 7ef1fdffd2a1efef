import { RE2JS } from 're2js'
import { findPreset } from './presets'
import type { Match, Preset } from './presets'
import { composeText } from './search-text'
import type { SearchText } from './search-text'

/** Instructions that an expression may become; it takes time in proportion to them. */
const MOST_INSTRUCTIONS = 5000

/** A rule as the options have it: one of text, regex and preset. */
export interface AskedRule {
  text?: string | undefined
  regex?: string | undefined
  preset?: Preset | undefined
  caseSensitive: boolean
  wholeWord: boolean
}

/** Finds the places in a text that a rule means, in order and without overlaps. */
export type Finder = (text: SearchText) => Match[]

/** What is wrong with an expression; undefined when it can be used. */
export function regexFault(regex: string): string | undefined {
  const compiled = compile(regex, true)
  if (typeof compiled === 'string') return compiled
  const size = compiled.programSize()
  if (size > MOST_INSTRUCTIONS) return `is too complex: ${size.toLocaleString('en')} steps when at most ${MOST_INSTRUCTIONS.toLocaleString('en')} are allowed; use fewer or smaller repetitions`
  return compiled.matcher('').find() ? 'matches empty text, and so everywhere; write what there is to be found at least' : undefined
}

/** The finder of a rule whose expression has no fault. */
export function openFinder({ text, regex, preset, caseSensitive, wholeWord }: AskedRule): Finder {
  const find = preset ? ({ text: searched }: SearchText) => findPreset(preset, searched) : regex === undefined ? findText(text ?? '', caseSensitive) : findRegex(regex, caseSensitive)
  return wholeWord ? searched => find(searched).filter(match => isWhole(searched.text, match)) : find
}

function findText(text: string, isExact: boolean): Finder {
  const { text: given, lowered } = composeText(Array.from(text.trim()))
  const wanted = isExact ? given : lowered
  return searched => {
    const place = isExact ? searched.text : searched.lowered
    const matches: Match[] = []
    for (let at = place.indexOf(wanted); at >= 0; at = place.indexOf(wanted, at + wanted.length)) matches.push({ start: at, end: at + wanted.length })
    return matches
  }
}

/** In time proportional to the text, whatever the expression: RE2 does not go back (Cox, Regular Expression Matching Can Be Simple And Fast). */
function findRegex(regex: string, isExact: boolean): Finder {
  const compiled = compile(regex, isExact)
  if (typeof compiled === 'string') throw new TypeError('the expression was not checked')
  return ({ text }) => {
    const matcher = compiled.matcher(text)
    const matches: Match[] = []
    while (matcher.find()) if (matcher.end() > matcher.start()) matches.push({ start: matcher.start(), end: matcher.end() })
    return matches
  }
}

function compile(regex: string, isExact: boolean): RE2JS | string {
  try {
    return RE2JS.compile(regex, isExact ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const what = /^error parsing regexp: ([a-z ]+)/.exec(error.message)?.[1]?.trim()
    return `is no regular expression of RE2's kind${what ? ` (${what})` : ''}; it has no look-around and no back-references`
  }
}

const IN_WORD = /[\p{L}\p{N}\p{M}_]/u

function isWhole(text: string, { start, end }: Match): boolean {
  const before = lastCharacter(text.slice(Math.max(0, start - 2), start))
  const behind = Array.from(text.slice(end, end + 2))[0] ?? ''
  return !IN_WORD.test(before) && !IN_WORD.test(behind)
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? ''
}
