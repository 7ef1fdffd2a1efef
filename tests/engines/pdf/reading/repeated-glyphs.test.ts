import { describe, expect, it } from 'vitest'
import { readWords } from './read-drawn'

const HELVETICA = '/H 20 Tf'
const parts = {
  resources: (pdf: { add(body: string): number }): string =>
    `/Font<</H ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')} 0 R>>`,
}
const at = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`
const read = (...shows: string[]): string[] => readWords(`BT ${HELVETICA} ${shows.join(' ')} ET`, parts)

describe('words that are drawn again to look bold are read once', () => {
  describe.each([0, 0.02, 0.05, 0.1, 0.15])('shifted by %d em', shift => {
    it.each(['Bold', 'illicit', 'MWM', 'iiii', 'a b c', 'WAVE'])('%s', word => {
      expect(read(at(20, 50, word), at(20 + shift * 20, 50, word)).join(' ')).toBe(word)
      expect(read(at(20, 50, word), at(20, 50 + shift * 20, word)).join(' ')).toBe(word)
    })

    it('and each letter before the next one', () => {
      // The letters are as wide as in Helvetica.
      const letters: [string, number][] = [
        ['B', 20],
        ['o', 33.34],
        ['l', 44.46],
        ['d', 48.9],
      ]
      expect(read(...letters.flatMap(([letter, x]) => [at(x, 50, letter), at(x + shift * 20, 50, letter)]))).toEqual([
        'Bold',
      ])
    })
  })

  it('and the gap after them is found', () => {
    expect(read(at(20, 50, 'one'), at(22.5, 50, 'one'), at(60, 50, 'two'), at(62.5, 50, 'two'))).toEqual(['one', 'two'])
  })

  it('and the gap after each letter is found', () => {
    expect(read(...[20, 22.8].map(x => at(x, 50, 'm')), ...[41.2, 44].map(x => at(x, 50, 'm')))).toEqual(['m', 'm'])
  })

  it('four times', () => {
    expect(read(...[0, 0.4, 0.8, 1.2].map(shift => at(20 + shift, 50, 'Bold')))).toEqual(['Bold'])
  })
})

describe('letters that are no repetition stay', () => {
  it.each(['illi', 'Illinois', 'lllll', 'www', '......', '||||', "''''"])('%s', word => {
    expect(read(at(20, 50, word))).toEqual([word])
    const letters = Array.from(word, letter => `(${letter}) Tj`)
    expect(read('1 0 0 1 20 50 Tm', ...letters)).toEqual([word])
    expect(read('60 Tz', at(20, 50, word))).toEqual([word])
    expect(read('-1 Tc', at(20, 50, word))).toEqual([word])
  })

  it.each<[string, string[]]>([
    ['farther away', [at(20, 50, 'x'), at(24, 50, 'x')]],
    ['in another size', [at(20, 50, 'x'), '/H 14 Tf', at(20, 50, 'x')]],
    ['of another angle', [at(20, 50, 'x'), '0 1 -1 0 20 50 Tm (x) Tj']],
    ['of another kind', [at(20, 50, 'x'), at(20, 50, 'o')]],
    ['in tiny letters', ['/H .4 Tf', at(20, 50, 'x'), at(20, 50, 'x')]],
  ])('%s', (_, shows) => {
    expect(read(...shows).join('')).toHaveLength(2)
  })
})
