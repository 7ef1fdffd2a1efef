import { describe, expect, it } from 'vitest'
import { describeForSearch } from '../../../../lib/docs/pages/search-description'

const sentence = (length: number) => `${'word '.repeat(length).slice(0, length - 2)}x.`

describe('the description of a page', () => {
  it('is its lead without markup', () => {
    expect(describeForSearch({ lead: `Send a \`key\`, see [**Limits**](/docs/limits). ${sentence(60)}` })).toBe(
      `Send a key, see Limits. ${sentence(60)}`,
    )
  })

  it('names the documentation after a short lead', () => {
    expect(describeForSearch({ lead: 'Changes by date.' })).toBe(
      'Changes by date. From the documentation of Sheaf, the PDF API.',
    )
  })

  it('ends after a sentence or a word of a long lead', () => {
    expect(describeForSearch({ lead: `${sentence(100)} ${sentence(80)}` })).toBe(sentence(100))
    const cut = describeForSearch({ lead: sentence(200) })
    expect(cut).toMatch(/word…$/)
    expect(cut.length).toBeLessThanOrEqual(160)
  })
})
