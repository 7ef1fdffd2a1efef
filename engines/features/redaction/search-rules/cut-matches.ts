import { isOwnMatch, readingsOf } from '../matching/readings'
import type { TextReading } from '../matching/readings'
import type { Rule } from './rule'
import { composeSpread, composeText, spanOf } from '../matching/search-text'
import type { Span } from '../matching/search-text'

const OVERRIDE = '\u202e'

/**
 * Returns the text with all matches removed or replaced by the replacement text of their rule, or undefined if there
 * are none. A match that several readings of the text find is counted once.
 */
export function cutMatches(text: string, rules: readonly Rule[], { isCounted = true } = {}): string | undefined {
  if (text === '') return undefined
  const characters = Array.from(text)
  // Strings are in logical order, so readings with reversed right-to-left runs don't apply.
  const readings = readingsOf(characters, { hasVariants: rules.some(rule => !rule.isText) }).filter(
    ({ isTurned }) => !isTurned,
  )
  const spread = composeSpread(characters)
  if (spread) readings.push({ searched: spread, order: undefined, isTurned: false, changes: undefined })
  const turned = turnOverrides(characters)
  if (turned) readings.push(turned)
  const found: (Span & { replacement: string })[] = []
  for (const rule of rules) {
    for (const { text: matched, ...span } of findInReadings(rule, readings)) {
      if (isCounted) rule.count(matched)
      found.push({ ...span, replacement: rule.replacementText ?? '' })
    }
  }
  if (found.length === 0) return undefined
  found.sort((one, other) => one.first - other.first || other.last - one.last)
  const parts: string[] = []
  let at = 0
  for (const { first, last, replacement } of found) {
    if (last < at) continue
    parts.push(characters.slice(at, Math.max(at, first)).join(''), first >= at ? replacement : '')
    at = last + 1
  }
  return [...parts, characters.slice(at).join('')].join('')
}

/** Returns the text as readers show it if it has a right-to-left override (Unicode Standard Annex #9, 2.2). */
function turnOverrides(characters: readonly string[]): TextReading | undefined {
  if (!characters.includes(OVERRIDE)) return undefined
  const order = Int32Array.from(characters, (_, at) => at)
  for (let at = characters.indexOf(OVERRIDE); at >= 0; at = characters.indexOf(OVERRIDE, at + 1)) {
    let end = at + 1
    while (end < characters.length && !/[\u202c\n\r]/.test(characters[end] as string)) end++
    order.subarray(at, end).reverse()
    at = end
  }
  const searched = composeText(Array.from(order, position => characters[position] as string))
  return { searched, order, isTurned: true, changes: undefined }
}

/** A match in the text, from its first to its last character. */
interface FoundText extends Span {
  /** The matched text as the reading has it. */
  text: string
}

/**
 * Returns the matches of a rule in all readings, with their positions in the text, in order. Several readings may find
 * the same characters, so overlapping matches are joined.
 */
function findInReadings(rule: Rule, readings: readonly TextReading[]): FoundText[] {
  const all = readings.flatMap(reading => findInReading(rule, reading))
  if (readings.length === 1) return all
  const united: FoundText[] = []
  for (const span of all.sort((one, other) => one.first - other.first)) {
    const last = united.at(-1)
    if (last && span.first <= last.last) last.last = Math.max(last.last, span.last)
    else united.push(span)
  }
  return united
}

/** Returns the matches of a rule that belong to one reading. */
function findInReading(rule: Rule, reading: TextReading): FoundText[] {
  const { searched, order } = reading
  const toSource = (position: number): number => (order ? (order[position] as number) : position)
  return rule.find(searched).flatMap(match => {
    const span = spanOf(searched, match)
    if (!isOwnMatch(reading, span)) return []
    const text = searched.text.slice(match.start, match.end)
    const ends = [toSource(span.first), toSource(span.last)]
    return [{ first: Math.min(...ends), last: Math.max(...ends), text }]
  })
}
