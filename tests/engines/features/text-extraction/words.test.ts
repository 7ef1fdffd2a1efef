import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { runOn } from '../../../support/run-on'

/** Writes a word of 12 points and a smaller mark after it, raised by `rise` points and `gap` points away. */
async function read(word: string, mark: string, { size = 7, rise = 5, gap = 0 }): Promise<string> {
  const draw = (page: TextPage): void => {
    page.text(word, 40, 60, { size: 12 })
    page.text(mark, 40 + page.widthOf(word, 12) + gap, 60 - rise, { size })
  }
  return (await runOn('extract-text', await makeTextPages(1, draw), { format: 'text' })).bytes.toString('utf8').trim()
}

describe('raised and lowered marks', () => {
  it.each<[string, string, Parameters<typeof read>[2]]>([
    ['10', 'th', {}],
    ['report', '4', { rise: 6 }],
    ['H', '2', { rise: -4 }],
    ['users', '12', { size: 6, rise: 7 }],
    ['mm', '2', { size: 9 }],
    ['x', 'n', { gap: 1 }],
  ])('belong to their word: %s and %s', async (word, mark, place) => {
    expect(await read(word, mark, place)).toBe(word + mark)
  })

  it('are words of their own after a gap', async () => {
    expect(await read('see', '4', { gap: 3 })).toBe('see 4')
  })
})
