import { expect, it } from 'vitest'
import { splitMatches } from '../../../../app/_ui/search/split-matches'

const mark = (text: string, terms: string[]) =>
  splitMatches(text, terms)
    .map(piece => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')

it.each([
  ['rate_limited', ['rate', 'limited'], '[rate]_[limited]'],
  ['Rate limits', ['rate'], '[Rate] limits'],
  ['Separate pages', ['rate'], 'Separate pages'],
  ['fontSize and size', ['size', 'fontsize'], '[fontSize] and [size]'],
  ['fontSize', ['size'], 'font[Size]'],
  ['marks[].text', ['text', 'marks'], '[marks][].[text]'],
  ['keys', ['key', 'keys'], '[keys]'],
  ['!4', ['!4'], '[!4]'],
  ['a (b', ['(b'], 'a [(b]'],
  ['no match', [], 'no match'],
  ['', ['a'], ''],
  ['İ a', ['a'], 'İ a'],
])('marks the terms of %s: %j', (text, terms, marked) => {
  expect(mark(text, terms)).toBe(marked)
})
