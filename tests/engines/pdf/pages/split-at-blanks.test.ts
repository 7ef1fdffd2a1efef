import { describe, expect, it } from 'vitest'
import { splitAtBlanks } from '../../../../engines/pdf/pages/split-at-blanks'

const cut = (pages: string, keeps: boolean) => {
  const blank = new Set([...pages].flatMap((kind, index) => (kind === '_' ? [index] : [])))
  return splitAtBlanks(
    [...pages].map((_, index) => index),
    blank,
    keeps,
  ).map(part => part.indexes.join(''))
}

describe('cutAtBlanks', () => {
  it('removes blank pages at any position, and makes no empty part', () => {
    expect(cut('a_b', false)).toEqual(['0', '2'])
    expect(cut('__ab__c_', false)).toEqual(['23', '6'])
    expect(cut('abc', false)).toEqual(['012'])
    expect(cut('___', false)).toEqual([])
  })

  it('keeps blank pages at the end of the previous part, and leading blank pages in front', () => {
    expect(cut('a_b', true)).toEqual(['01', '2'])
    expect(cut('__ab__c_', true)).toEqual(['012345', '67'])
    expect(cut('abc', true)).toEqual(['012'])
    expect(cut('___', true)).toEqual(['012'])
  })
})
