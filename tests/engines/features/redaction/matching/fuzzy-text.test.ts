import { describe, expect, it } from 'vitest'
import { findFuzzyText } from '../../../../../engines/features/redaction/matching/fuzzy-text'
import { composeText } from '../../../../../engines/features/redaction/matching/search-text'

function find(asked: string, source: string, { isExact = false, wholeWord = false } = {}): string[] {
  const searched = composeText(Array.from(source))
  return findFuzzyText(asked, searched, { isExact, wholeWord }).map(({ start, end }) => searched.text.slice(start, end))
}

describe('a term in recognized text', () => {
  it('is found in words that recognition split or joined, and with look-alike characters', () => {
    expect(find('Marlowe', 'to Mar lowe and')).toEqual(['Mar lowe'])
    expect(find('Jane Doe', 'to JaneDoe and')).toEqual(['JaneDoe'])
    expect(find('Jane Doe', 'by MrJaneDoe.')).toEqual(['JaneDoe'])
    expect(find('Bill 105', 'see BiIl lO5 and')).toEqual(['BiIl lO5'])
    expect(find('modern', 'a modem one')).toEqual(['modem'])
    expect(find('café bar', 'the cafe bar.')).toEqual(['cafe bar'])
  })

  it('is not found by chance, inside other words or in few letters', () => {
    expect(find('attic', 'what attica at ticket')).toEqual([])
    expect(find('cat', 'ca t')).toEqual([])
    expect(find('Marlowe', 'mar lowe', { isExact: true })).toEqual([])
    expect(find('Jane Doe', 'by MrJaneDoe.', { wholeWord: true })).toEqual([])
  })
})
