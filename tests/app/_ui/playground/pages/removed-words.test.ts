import { expect, test } from 'vitest'
import { findRemoved } from '../../../../../app/_ui/playground/pages/removed-words'

test('finds the words that are gone, as pieces', () => {
  expect(findRemoved('Paid to Ada Reyes on 3 May to Bo', 'Paid to on 3 May to')).toEqual(['Ada Reyes', 'Bo'])
  expect(findRemoved('same text', 'same text')).toEqual([])
  expect(findRemoved('all of it', '')).toEqual(['all of it'])
})

test('finds nothing if the other text has words of its own', () => {
  expect(findRemoved('Paid to Ada', 'Paid to [removed]')).toEqual([])
})
