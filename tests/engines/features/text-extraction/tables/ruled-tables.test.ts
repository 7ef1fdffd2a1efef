import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../../fixtures/text-page'
import type { TextPage } from '../../../../fixtures/text-page'
import { runOn } from '../../../../support/run-on'

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
]

async function toMarkdown(make: (page: TextPage) => void): Promise<string> {
  return (await runOn('extract-text', await makeTextPages(1, make), { format: 'markdown' })).bytes.toString('utf8')
}

/** Draws a rule across. */
function rule({ page }: TextPage, left: number, right: number, y: number): void {
  const at = page.getHeight() - y
  page.drawLine({ start: { x: left, y: at }, end: { x: right, y: at }, thickness: 0.5 })
}

describe('tables with borders', () => {
  it.each([30, 60, 150])('keep an empty column of %s points beside the only one with text', async width => {
    const markdown = await toMarkdown(page => {
      const middle = 40 + width
      page.lines(BODY, 40, 40).grid([40, middle], [80, 130]).grid([middle, 340], [80, 100, 130])
      page.text('Note', middle + 5, 94).text('The mill is closed in winter.', middle + 5, 115)
    })
    expect(markdown).toContain('|  | Note |\n| --- | --- |\n|  | The mill is closed in winter. |')
  })

  it('are none if only double lines make a second column', async () => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 40).grid([40, 50], [80, 130]).grid([50, 340], [80, 100, 130])
      page.text('Note', 55, 94).text('The mill is closed in winter.', 55, 115)
    })
    expect(markdown).not.toContain('|')
  })

  it.each([2, 3, 3.5])('take no underline for a border that is %s points away', async space => {
    const words = [
      ['mill', 'V:894,', 'grinds the corn'],
      ['', 'I:995', 'of the county'],
    ]
    const markdown = await toMarkdown(page => {
      const left = 100 + space
      page.lines(BODY, 40, 40).grid([40, 100, left + page.widthOf('V:894,') + space, 300], [80, 110, 140])
      for (const [at, cells] of [...words, ...words].entries())
        for (const [column, text] of cells.entries()) {
          const x = [45, left, 150][column] ?? 0
          const y = 92 + 12 * at + (at > 1 ? 6 : 0)
          page.text(text, x, y)
          if (column === 1) rule(page, x, x + page.widthOf(text), y + 1.5)
        }
    })
    const row = '| mill | V:894, I:995 | grinds the corn of the county |'
    expect(markdown).toContain(`${row}\n| --- | --- | --- |\n${row}`)
  })
})
