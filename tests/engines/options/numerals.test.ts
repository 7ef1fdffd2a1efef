import { describe, expect, it } from 'vitest'
import { writeNumeral } from '../../../engines/options/numerals'

describe('writeNumeral', () => {
  it('writes roman numerals that add up to the number, each once', () => {
    const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }
    const seen = new Set<string>()
    for (let number = 1; number <= 3999; number++) {
      const text = writeNumeral(number, 'roman')
      const parts = Array.from(text, letter => values[letter] ?? NaN)
      expect(parts.reduce((sum, part, at) => sum + (part < (parts[at + 1] ?? 0) ? -part : part), 0)).toBe(number)
      expect(text).not.toMatch(/(.)\1\1\1|vv|ll|dd/)
      seen.add(text)
    }
    expect(seen.size).toBe(3999)
  })

  it('continues after z without leaving out or repeating a numeral', () => {
    expect([1, 26, 27, 52, 53, 702, 703, 18_278, 18_279].map(number => writeNumeral(number, 'ALPHA'))).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
      'ZZZ',
      'AAAA',
    ])
    expect(new Set(Array.from({ length: 2000 }, (_, index) => writeNumeral(index + 1, 'alpha'))).size).toBe(2000)
  })

  it('is decimal if a style has no such numeral', () => {
    expect([
      writeNumeral(0, 'roman'),
      writeNumeral(0, 'ALPHA'),
      writeNumeral(4000, 'ROMAN'),
      writeNumeral(7, 'decimal'),
    ]).toEqual(['0', '0', '4000', '7'])
  })
})
