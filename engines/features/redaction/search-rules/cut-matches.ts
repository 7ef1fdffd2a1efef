import { isOwnMatch, readingsOf } from '../matching/readings'
import type { TextReading } from '../matching/readings'
import type { Rule } from './rule'
import { spanOf } from '../matching/search-text'
import type { Span } from '../matching/search-text'

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
    return [{ first: toSource(span.first), last: toSource(span.last), text }]
  })
}
