import { expect, it } from 'vitest'
import { openPhrase } from '../../../../../engines/features/redaction/matching/find-phrase'
import { composeText } from '../../../../../engines/features/redaction/matching/search-text'

const find = (phrase: string, text: string) => openPhrase(phrase, false)(composeText(Array.from(text))).length

it.each([
  ['xb', 'x^b', 0],
  ['qt', 'q~t', 0],
  ['ab', 'a^b', 1],
  ['ab', 'a ^b', 1],
])('an accent may only stand in %j if a letter beside it in %j can have it', (phrase, text, count) => {
  expect(find(phrase, text)).toBe(count)
})
