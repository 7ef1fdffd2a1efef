import { expect, it } from 'vitest'
import { readingsOf } from '../../../../../engines/features/redaction/matching/readings'
import { composeSpread } from '../../../../../engines/features/redaction/matching/search-text'

it.each([
  ['well-\nknown', ['well-known', 'wellknown']],
  ['well-  \nknown', ['well-known', 'wellknown']],
  ['well-known\n', []],
  ['well- known', []],
])('a hyphen at the end of a line belongs to %j or divides it', (text, variants) => {
  const [, ...found] = readingsOf(Array.from(text)).map(({ searched }) => searched.text)
  expect(found.toSorted()).toEqual(variants)
})

it.each([
  ['see Q u i m b y now', 'see Quimby now'],
  ['Q u i m b y', 'Quimby'],
  ['see Q u i now', undefined],
  ['many plain words', undefined],
])('spaces between the letters of %j are removed', (text, joined) => {
  expect(composeSpread(Array.from(text))?.text).toBe(joined)
})
