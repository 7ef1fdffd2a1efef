import { describe, expect, it } from 'vitest'
import { makeTaggedText, run } from '../../../../fixtures/tagged-text'
import { makeTextPages } from '../../../../fixtures/text-page'
import type { TextPage } from '../../../../fixtures/text-page'
import { runOn } from '../../../../support/run-on'

const LINES = [
  'he river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow on the hills in spring.',
  'In summer the mills along the banks stand still often.',
]

async function toMarkdown(make: (page: TextPage) => void): Promise<string> {
  return (await runOn('extract-text', await makeTextPages(1, make), { format: 'markdown' })).bytes.toString('utf8')
}

/** Draws lines with an initial over the first ones of them. */
function drawInitial(page: TextPage, initial: string, lines: readonly string[], drop: number, gap = 2): void {
  const leading = 12
  const size = 10 + (leading * (drop - 1)) / 0.72
  const right = 40 + page.widthOf(initial, size) + gap
  page.text(initial, 40, 100 + leading * (drop - 1), { size })
  for (const [at, line] of lines.entries()) page.text(line, at < drop ? right : 40, 100 + leading * at)
}

describe('initials over several lines', () => {
  it.each([
    [2, 2],
    [3, 2],
    [2, 6],
    [4, 0],
  ])('belong to the first word: %i lines, %i points away', async (drop, gap) => {
    expect(await toMarkdown(page => drawInitial(page, 'T', LINES, drop, gap))).toBe(`T${LINES.join(' ')}\n`)
  })

  it('keep a quotation mark, and are a word if the next word is one', async () => {
    const quoted = await toMarkdown(page => drawInitial(page, '"T', LINES, 3))
    expect(quoted).toContain('"The river begins')
    const word = await toMarkdown(page =>
      drawInitial(
        page,
        'A',
        [
          'town of mills and of many trees that stand along its',
          'river begin here, below the town of the same name. T',
          ...LINES,
        ],
        2,
      ),
    )
    expect(word).toContain('A town of mills and of many trees that stand along its river begin')
    const part = await toMarkdown(page =>
      drawInitial(
        page,
        'A',
        [
          'bove the town and its old mills and trees that stand',
          'the river begins, below a town of the same name. T',
          ...LINES,
        ],
        2,
      ),
    )
    expect(part).toContain('Above the town and its old mills')
  })

  it('belong to the first word in tagged text', async () => {
    const lines = LINES.map((text, at) => run(text, at < 2 ? 62 : 40, 100 + 12 * at))
    const file = makeTaggedText([
      {
        tags: [
          ['H1', run('Rivers', 40, 50, { size: 16 })],
          ['P', ['Span', run('T', 40, 112, { size: 26 })], ...lines],
        ],
      },
    ])
    const text = (await runOn('extract-text', file, { format: 'markdown' })).bytes.toString('utf8')
    expect(text).toBe(`# Rivers\n\nT${LINES.join(' ')}\n`)
  })

  it.each<[string, (page: TextPage) => void]>([
    ['a letter above the lines', page => page.text('B', 40, 90, { size: 30 }).lines(LINES, 40, 110)],
    [
      'a letter at some distance',
      page => page.text('B', 40, 112, { size: 27 }).text('one of them', 90, 100).text('two of them', 90, 112),
    ],
    [
      'a digit',
      page => page.text('8', 40, 112, { size: 27 }).text('one of them', 58, 100).text('two of them', 58, 112),
    ],
    ['letters of a formula', page => page.text('B', 40, 112, { size: 27 }).text('x', 60, 100).text('y', 60, 112)],
  ])('are none: %s', async (_, draw) => {
    const markdown = await toMarkdown(page => {
      draw(page)
      page.lines(LINES, 40, 300)
    })
    expect(markdown).toMatch(/(?<![\p{L}\d])[B8](?![\p{L}\d])/u)
  })
})
