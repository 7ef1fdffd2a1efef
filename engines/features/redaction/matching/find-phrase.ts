import { accentOf } from '../../../pdf/read-page'
import { fitsGap, mayBreakAt } from './gaps'
import type { Gap } from './gaps'
import type { Match } from './match'
import { composeText } from './search-text'
import type { SearchText } from './search-text'
import { looseAccents, skeletonOf } from './skeleton'
import type { Skeleton } from './skeleton'

interface Phrase {
  skeleton: Skeleton
  /** The gap after each letter except the last one. */
  gaps: (Gap | undefined)[]
  /** Signs before the first letter and after the last one. */
  lead: string
  trail: string
  text: string
}

/** Returns the matches of a phrase in a text, in order and without overlaps. */
export type PhraseFinder = (searched: SearchText) => Match[]

/**
 * Returns a function that searches for a phrase. It compares the letters and their accents first, case folded unless
 * `isExact`, and then the gaps between the letters. The time is proportional to the length of the searched text and the
 * number of candidates.
 */
export function openPhrase(phraseText: string, isExact: boolean): PhraseFinder {
  const phrase = readPhrase(phraseText, isExact)
  if (phrase.skeleton.letters === '') return findSigns(phrase.text)
  const bare = withoutOuterAccents(phrase, isExact)
  if (!bare) return searched => findLetters(phrase, searched, isExact)
  return searched =>
    [...findLetters(phrase, searched, isExact), ...findLetters(bare, searched, isExact)].sort(
      (one, other) => one.start - other.start,
    )
}

/**
 * Returns the phrase with the accents at its ends as signs instead of letters. In a searched text, a sign such as the
 * one for degrees counts as an accent if a letter beside it can have that accent. Returns undefined without such accents.
 */
function withoutOuterAccents({ skeleton, text }: Phrase, isExact: boolean): Phrase | undefined {
  const isOuter = (at: number): boolean => text[at] === ' ' || accentOf(text[at] as string) !== undefined
  let [from, to] = [0, text.length]
  while (from < to && isOuter(from)) from++
  while (from < to && isOuter(to - 1)) to--
  const core = readPhrase(text.slice(from, to), isExact)
  const { letters } = core.skeleton
  if (letters === '' || letters.length === skeleton.letters.length) return undefined
  return { ...core, lead: text.slice(0, from) + core.lead, trail: core.trail + text.slice(to), text }
}

function readPhrase(phraseText: string, isExact: boolean): Phrase {
  const composed = composeText(Array.from(phraseText.trim()))
  const text = composed.text.trim()
  const skeleton = skeletonOf(composed, isExact)
  const { letters, starts, ends } = skeleton
  const words = wordsAround(text)
  const gaps = Array.from({ length: Math.max(0, letters.length - 1) }, (_, index): Gap | undefined => {
    const [from, to] = [ends[index] as number, starts[index + 1] as number]
    if (to < from) return undefined // Both letters come from one character.
    const signs = text.slice(from, to)
    return { signs, mayBreak: signs === '' && mayBreakAt(words(from), text[from - 1] ?? '', text[from] ?? '') }
  })
  return {
    skeleton,
    gaps,
    lead: text.slice(0, starts[0] ?? 0),
    trail: text.slice(ends[letters.length - 1] ?? text.length),
    text,
  }
}

/** Returns a function that returns the word around an offset of a text. */
function wordsAround(text: string): (at: number) => string {
  return at => `${/\S*$/.exec(text.slice(0, at))?.[0] ?? ''}${/^\S*/.exec(text.slice(at))?.[0] ?? ''}`
}

/** Searches for a text of only spaces, hyphens and apostrophes exactly as written. */
function findSigns(text: string): PhraseFinder {
  return searched => {
    const matches: Match[] = []
    for (
      let at = searched.text.indexOf(text);
      at >= 0 && text !== '';
      at = searched.text.indexOf(text, at + text.length)
    )
      matches.push({ start: at, end: at + text.length })
    return matches
  }
}

function findLetters(phrase: Phrase, searched: SearchText, isExact: boolean): Match[] {
  const wanted = phrase.skeleton.letters
  const within = skeletonOf(searched, isExact)
  const matches: Match[] = []
  for (let at = within.letters.indexOf(wanted); at >= 0;) {
    const match = matchAt(phrase, searched, within, at)
    if (match && match.start >= (matches.at(-1)?.end ?? 0)) matches.push(match)
    at = within.letters.indexOf(wanted, match ? at + wanted.length : at + 1)
  }
  return matches
}

function matchAt(
  { skeleton, gaps, lead, trail }: Phrase,
  searched: SearchText,
  within: Skeleton,
  at: number,
): Match | undefined {
  const last = at + skeleton.letters.length - 1
  const { starts, ends } = within
  // A character that folds to two letters must match as a whole.
  if (starts[at - 1] === starts[at] || (last + 1 < starts.length && starts[last + 1] === starts[last])) return undefined
  for (const [index, gap] of gaps.entries()) {
    const [from, to] = [ends[at + index] as number, starts[at + index + 1] as number]
    if (to < from ? gap !== undefined && gap.signs !== '' : !fitsGap(searched, { from, to }, gap ?? NO_GAP))
      return undefined
  }
  const sides = sidesOf(searched, within, at, last)
  const hasAccents = skeleton.accents.size > 0 || within.accents.size > 0
  if (hasAccents && !fitsAccents({ wanted: skeleton, within, at, searched, sides })) return undefined
  return withSigns(searched, sides, { lead, trail, accents: skeleton.accents.size > 0 })
}

const NO_GAP: Gap = { signs: '', mayBreak: false }

/** A match, with the end of the letter before it and the start of the letter after it. */
interface Sides extends Match {
  before: number
  behind: number
}

function sidesOf({ text }: SearchText, { starts, ends }: Skeleton, at: number, last: number): Sides {
  return {
    before: at === 0 ? 0 : (ends[at - 1] as number),
    start: starts[at] as number,
    end: ends[last] as number,
    behind: last + 1 < starts.length ? (starts[last + 1] as number) : text.length,
  }
}

interface Compared {
  wanted: Skeleton
  within: Skeleton
  at: number
  searched: SearchText
  sides: Sides
}

/**
 * Returns whether every letter has the wanted accents, and no others. A wanted accent may also be a separate character
 * next to the letter.
 */
function fitsAccents({ wanted, within, at, searched, sides }: Compared): boolean {
  const count = wanted.letters.length
  for (let index = 0; index < count; index++) {
    const wantedMarks = wanted.accents.get(index)?.marks ?? ''
    const foundAccents = within.accents.get(at + index)
    if (wantedMarks === '' && !foundAccents) continue
    const mayPass =
      foundAccents?.isApart === true && index + 1 < count ? (wanted.accents.get(index + 1)?.marks ?? '') : ''
    if (
      foundAccents &&
      !Array.from(foundAccents.marks).every(mark => wantedMarks.includes(mark) || mayPass.includes(mark))
    )
      return false
    const missing = Array.from(wantedMarks).filter(mark => !foundAccents?.marks.includes(mark))
    if (missing.length === 0) continue
    const from = index === 0 ? sides.before : (within.ends[at + index - 1] as number)
    const to = index === count - 1 ? sides.behind : (within.starts[at + index + 1] as number)
    const passed = within.accents.get(at + index - 1)
    const near = looseAccents(searched, from, to) + (passed?.isApart ? passed.marks : '')
    if (!missing.every(mark => near.includes(mark))) return false
  }
  return true
}

/** Extends a match by the signs before and after the letters of the phrase, and by accents printed over its ends. */
function withSigns(
  searched: SearchText,
  { before, start, end, behind }: Sides,
  { lead, trail, accents }: { lead: string; trail: string; accents: boolean },
): Match | undefined {
  const { text } = searched
  const [ahead, after] = [text.slice(before, start), text.slice(end, behind)]
  if (!ahead.endsWith(lead) || !after.startsWith(trail)) return undefined
  const match = { start: start - lead.length, end: end + trail.length }
  if (!accents) return match
  while (match.start > before && looseAccents(searched, match.start - 1, match.start) !== '') match.start--
  while (match.end < behind && looseAccents(searched, match.end, match.end + 1) !== '') match.end++
  return match
}
