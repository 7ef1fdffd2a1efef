import { fitsGap, mayBreakAt } from './gaps'
import type { Gap } from './gaps'
import type { Match } from '../rules/presets'
import { composeText } from './search-text'
import type { SearchText } from './search-text'
import { looseAccents, skeletonOf } from './skeleton'
import type { Skeleton } from './skeleton'

interface Phrase {
  skeleton: Skeleton
  /** Behind each letter but the last one. */
  gaps: (Gap | undefined)[]
  /** Signs before the first letter and behind the last one. */
  lead: string
  trail: string
  text: string
}

/** Finds a text in others, in order and without overlaps. */
export type PhraseFinder = (searched: SearchText) => Match[]

/**
 * Opens the search for a text: letters are compared by themselves with their accents, by full case folding unless
 * `isExact`, and then what stands between them. It takes time in proportion to the text searched and the places found.
 */
export function openPhrase(asked: string, isExact: boolean): PhraseFinder {
  const phrase = readPhrase(asked, isExact)
  return phrase.skeleton.letters === '' ? findSigns(phrase.text) : searched => findLetters(phrase, searched, isExact)
}

function readPhrase(asked: string, isExact: boolean): Phrase {
  const given = composeText(Array.from(asked.trim()))
  const text = given.text.trim()
  const skeleton = skeletonOf(given, isExact)
  const { letters, starts, ends } = skeleton
  const words = wordsAround(text)
  const gaps = Array.from({ length: Math.max(0, letters.length - 1) }, (_, index): Gap | undefined => {
    const [from, to] = [ends[index] as number, starts[index + 1] as number]
    if (to < from) return undefined // two letters of one character
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

/** The word that goes across a point of a text. */
function wordsAround(text: string): (at: number) => string {
  return at => `${/\S*$/.exec(text.slice(0, at))?.[0] ?? ''}${/^\S*/.exec(text.slice(at))?.[0] ?? ''}`
}

/** A text of nothing but spaces, hyphens and apostrophes is found as it is. */
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
  const place = skeletonOf(searched, isExact)
  const matches: Match[] = []
  for (let at = place.letters.indexOf(wanted); at >= 0;) {
    const match = matchAt(phrase, searched, place, at)
    if (match && match.start >= (matches.at(-1)?.end ?? 0)) matches.push(match)
    at = place.letters.indexOf(wanted, match ? at + wanted.length : at + 1)
  }
  return matches
}

function matchAt(
  { skeleton, gaps, lead, trail }: Phrase,
  searched: SearchText,
  place: Skeleton,
  at: number,
): Match | undefined {
  const last = at + skeleton.letters.length - 1
  const { starts, ends } = place
  // A letter that folds to two is found as a whole.
  if (starts[at - 1] === starts[at] || (last + 1 < starts.length && starts[last + 1] === starts[last])) return undefined
  for (const [index, gap] of gaps.entries()) {
    const [from, to] = [ends[at + index] as number, starts[at + index + 1] as number]
    if (to < from ? gap !== undefined && gap.signs !== '' : !fitsGap(searched, { from, to }, gap ?? NO_GAP))
      return undefined
  }
  const sides = sidesOf(searched, place, at, last)
  const hasAccents = skeleton.accents.size > 0 || place.accents.size > 0
  if (hasAccents && !fitsAccents({ wanted: skeleton, place, at, searched, sides })) return undefined
  return withSigns(searched, sides, { lead, trail, accents: skeleton.accents.size > 0 })
}

const NO_GAP: Gap = { signs: '', mayBreak: false }

/** A match, and how far what stands before and behind it reaches up to the next letters. */
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
  place: Skeleton
  at: number
  searched: SearchText
  sides: Sides
}

/**
 * Whether every letter has the accents that are asked for, its own or one that stands beside it, and no others of its
 * own.
 */
function fitsAccents({ wanted, place, at, searched, sides }: Compared): boolean {
  const count = wanted.letters.length
  for (let index = 0; index < count; index++) {
    const asked = wanted.accents.get(index)?.marks ?? ''
    const own = place.accents.get(at + index)
    if (asked === '' && !own) continue
    const mayPass = own?.isApart === true && index + 1 < count ? (wanted.accents.get(index + 1)?.marks ?? '') : ''
    if (own && !Array.from(own.marks).every(mark => asked.includes(mark) || mayPass.includes(mark))) return false
    const missing = Array.from(asked).filter(mark => !own?.marks.includes(mark))
    if (missing.length === 0) continue
    const from = index === 0 ? sides.before : (place.ends[at + index - 1] as number)
    const to = index === count - 1 ? sides.behind : (place.starts[at + index + 1] as number)
    const passed = place.accents.get(at + index - 1)
    const near = looseAccents(searched, from, to) + (passed?.isApart ? passed.marks : '')
    if (!missing.every(mark => near.includes(mark))) return false
  }
  return true
}

/** The match with the signs that the text asked for has around its letters, and accents printed over its ends. */
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
