import type { OrderedText } from './column-order'
import type { PageEdges } from './page-edges'
import { isOwnMatch, readingsOf } from '../matching/readings'
import type { Rule } from '../search-rules/rule'
import { spanOf } from '../matching/search-text'

/** The part of a match across two pages that is on one of them. */
export interface AcrossMatch {
  rule: Rule
  /** Positions of the matched characters on the page. */
  positions: number[]
  /** Whether this part gets the replacement text, which is written once for each match. */
  isWritten: boolean
}

/**
 * Finds matches from the end of a page to the beginning of the next page with text, if the rule covers both pages.
 * Returns the parts of matches by the position of their page, from 0. Each match is counted once. Throws EngineError
 * `too_large` like `Rule.count`.
 */
export function findAcross(pages: readonly PageEdges[], rules: readonly Rule[]): Map<number, AcrossMatch[]> {
  const found = new Map<number, AcrossMatch[]>()
  const add = (index: number, match: AcrossMatch): void => {
    found.set(index, [...(found.get(index) ?? []), match])
  }
  for (const [at, page] of pages.entries()) {
    const next = pages[at + 1]
    const rulesForBoth = next ? rules.filter(rule => rule.isOn(page.index) && rule.isOn(next.index)) : []
    if (!next || rulesForBoth.length === 0) continue
    const countedMatches = new Set<string>()
    for (const tail of page.tails) {
      for (const head of next.heads) {
        for (const { rule, before, behind, text } of findAcrossBorder(tail, head, rulesForBoth)) {
          const key = `${rule.param} ${before[0]} ${behind.at(-1)}`
          if (countedMatches.has(key)) continue
          countedMatches.add(key)
          rule.count(text)
          add(page.index, { rule, positions: before, isWritten: true })
          add(next.index, { rule, positions: behind, isWritten: false })
        }
      }
    }
  }
  return found
}

interface Between {
  rule: Rule
  before: number[]
  behind: number[]
  text: string
}

function findAcrossBorder(tail: OrderedText, head: OrderedText, rules: readonly Rule[]): Between[] {
  const border = tail.characters.length
  const readings = readingsOf([...tail.characters, '\n', ...head.characters], {
    hasVariants: rules.some(rule => !rule.isText),
  })
  return readings.flatMap(reading => {
    const { searched, order } = reading
    return rules.flatMap(rule =>
      rule.find(searched).flatMap((match): Between[] => {
        const { first, last } = spanOf(searched, match)
        const positions = Array.from({ length: last - first + 1 }, (_, step) =>
          order ? (order[first + step] as number) : first + step,
        ).filter(position => position >= 0)
        if (
          !isOwnMatch(reading, { first, last }) ||
          !positions.some(position => position < border) ||
          !positions.some(position => position > border)
        )
          return []
        const before = positions
          .flatMap(position => (position < border ? [tail.order[position] ?? -1] : []))
          .filter(position => position >= 0)
        const behind = positions
          .flatMap(position => (position > border ? [head.order[position - border - 1] ?? -1] : []))
          .filter(position => position >= 0)
        return before.length > 0 && behind.length > 0
          ? [{ rule, before, behind, text: searched.text.slice(match.start, match.end) }]
          : []
      }),
    )
  })
}
