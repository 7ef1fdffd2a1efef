import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { runOn } from '../../../support/run-on'

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring.',
]

/** The headings of a page in Markdown. The first two are larger than the text. */
async function headingsOf(draw: (page: TextPage) => void): Promise<string[]> {
  const file = await makeTextPages(1, page => {
    page.text('Rivers', 40, 40, { size: 20 }).lines(BODY, 40, 62)
    page.text('Mills', 40, 112, { size: 14 }).lines(BODY, 40, 130)
    draw(page)
  })
  const markdown = (await runOn('extract-text', file, { format: 'markdown' })).bytes.toString('utf8')
  return markdown.split('\n').filter(line => line.startsWith('#'))
}

describe('headings', () => {
  it.each([
    ['an option', ['--keep-all']],
    ['several options', ['--keep', '-k']],
    ['a word', ['Weir']],
    ['two words', ['Water mill']],
    ['a term with a sign', ['name=value']],
  ])('leaves out %s that an indented text explains', async (_, terms) => {
    const found = await headingsOf(page => {
      for (const [at, term] of terms.entries()) page.text(term, 40, 190 + at * 20, { isBold: true })
      page.lines(BODY, 70, 190 + terms.length * 20)
    })
    expect(found).toEqual(['# Rivers', '## Mills'])
  })

  it('keeps a bold heading above a text with the same edge', async () => {
    const found = await headingsOf(page => page.text('Bridges', 40, 190, { isBold: true }).lines(BODY, 40, 210))
    expect(found).toEqual(['# Rivers', '## Mills', '### Bridges'])
  })

  it.each([3, 4, 5, 6, 7])('leaves out the %s bold lines of a table of contents', async count => {
    const found = await headingsOf(page => {
      for (let at = 0; at < count; at++) page.text(`Part ${at + 1} of all`, 40, 190 + at * 20, { isBold: true })
      page.lines(BODY, 40, 190 + count * 20)
    })
    expect(found).toEqual(['# Rivers', '## Mills'])
  })

  it.each([[150], [160], [180], [200], [220]])(
    'leaves out the first line of a note %s points from the edge',
    async left => {
      const found = await headingsOf(page =>
        page.text('Note', left, 190, { isBold: true }).lines(['Look after the mill', 'in the winter.'], left, 206),
      )
      expect(found).toEqual(['# Rivers', '## Mills'])
    },
  )

  it.each([
    [
      ['1.1. Sources', '1.1.1. Springs'],
      ['### 1.1. Sources', '#### 1.1.1. Springs'],
    ],
    [
      ['2 Sources', '2.1 Springs'],
      ['### 2 Sources', '#### 2.1 Springs'],
    ],
    [
      ['3.4.1 Sources', '3.5 Springs'],
      ['#### 3.4.1 Sources', '### 3.5 Springs'],
    ],
    [
      ['1.1. Sources', '1.2. Springs'],
      ['### 1.1. Sources', '### 1.2. Springs'],
    ],
    [
      ['Sources', '1.2.3. Springs'],
      ['### Sources', '### 1.2.3. Springs'],
    ],
  ])('takes levels from section numbers of the same look: %j', async (texts, expected) => {
    const found = await headingsOf(page => {
      for (const [at, text] of texts.entries())
        page.text(text, 40, 190 + at * 70, { isBold: true }).lines(BODY, 40, 210 + at * 70)
    })
    expect(found).toEqual(['# Rivers', '## Mills', ...expected])
  })

  it.each([10.5, 10.6, 10.8, 11, 11.1])('finds lines of %s points above text of 10 points', async size => {
    const found = await headingsOf(page => page.text('Bridges', 40, 190, { size }).lines(BODY, 40, 210))
    expect(found).toEqual(['# Rivers', '## Mills', '### Bridges'])
  })

  it.each([
    'Table 1. Mills of the river',
    'Table 2: Mills',
    'Tab. 3-1 Mills',
    'Tabelle 4.2. Mühlen',
    'Tableau 5 Moulins',
  ])('makes a caption of %s', async text => {
    const file = await makeTextPages(1, page => {
      page.text('Rivers', 40, 40, { size: 20 }).lines(BODY, 40, 62)
      page.text(text, 40, 120, { isBold: true }).grid([40, 140, 240], [130, 150, 170])
      for (const [at, cell] of ['Mill', 'Year', 'Upper', '1820'].entries())
        page.text(cell, 46 + (at % 2) * 100, 144 + Math.floor(at / 2) * 20)
    })
    const { pages } = JSON.parse((await runOn('extract-text', file, { format: 'json' })).bytes.toString('utf8')) as {
      pages: { blocks: { type: string; text: string }[] }[]
    }
    expect(pages[0]?.blocks.find(({ type }) => type === 'caption')?.text).toBe(text)
  })
})
