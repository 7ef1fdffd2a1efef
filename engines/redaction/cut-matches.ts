import type { Rule } from './search'
import { composeText, spanOf } from './search-text'
import type { Span } from './search-text'

/** The text with all matches replaced, by the text of their rule or by nothing; undefined when there are none. */
export function cutMatches(text: string, rules: readonly Rule[], { isCounted = true } = {}): string | undefined {
  if (text === '') return undefined
  const characters = Array.from(text)
  const searched = composeText(characters)
  const found: (Span & { replacement: string })[] = []
  for (const rule of rules) {
    for (const match of rule.find(searched)) {
      if (isCounted) rule.count(searched.text.slice(match.start, match.end))
      found.push({ ...spanOf(searched, match), replacement: rule.replacementText ?? '' })
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
