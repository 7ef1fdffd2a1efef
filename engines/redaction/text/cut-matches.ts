import { isOther, readingsOf } from './readings'
import type { TextReading } from './readings'
import type { Rule } from '../search/search'
import { spanOf } from './search-text'
import type { Span } from './search-text'

/**
 * The text with all matches replaced, by the text of their rule or by nothing; undefined when there are none. A place
 * that several readings of the text find counts once.
 */
export function cutMatches(text: string, rules: readonly Rule[], { isCounted = true } = {}): string | undefined {
  if (text === '') return undefined
  const characters = Array.from(text)
  // The text stands in its own order here: runs that are turned around are no readings of it.
  const readings = readingsOf(characters, { hasVariants: rules.some(rule => !rule.isText) }).filter(
    ({ isTurned }) => !isTurned,
  )
  const found: (Span & { replacement: string })[] = []
  for (const rule of rules) {
    for (const { text: matched, ...span } of findSpans(rule, readings)) {
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

/** Where a rule matches in any of the readings, in order; what overlaps is one. */
function findSpans(rule: Rule, readings: readonly TextReading[]): (Span & { text: string })[] {
  const all = readings.flatMap(reading =>
    rule.find(reading.searched).flatMap(match => {
      const span = spanOf(reading.searched, match)
      const { order } = reading
      if (!isOther(reading, span)) return []
      return [
        {
          first: order ? (order[span.first] as number) : span.first,
          last: order ? (order[span.last] as number) : span.last,
          text: reading.searched.text.slice(match.start, match.end),
        },
      ]
    }),
  )
  if (readings.length === 1) return all
  const united: (Span & { text: string })[] = []
  for (const span of all.sort((one, other) => one.first - other.first)) {
    const last = united.at(-1)
    if (last && span.first <= last.last) last.last = Math.max(last.last, span.last)
    else united.push(span)
  }
  return united
}
